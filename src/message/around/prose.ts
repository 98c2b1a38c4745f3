import type { ReaderOwner } from "../../blocks/reader-owner.ts";
import type { FormatData } from "../../formats/format-data.ts";

/** For the text between calls no format is in charge. */
export const noFormat: Omit<FormatData, "program"> = {
  id: "",
  title: "",
  aliases: [],
  models: [],
  mode: "primary",
  triggers: [],
  stop: [],
  reasoning: [],
  keys: { name: [], arguments: [], id: [] },
  flags: [],
  example: "",
  source: [],
};

/** Who takes the text around blocks. No more is asked: its grammar has no calls. */
export type ProseOwner = Pick<ReaderOwner, "text" | "textEnd" | "listed">;
