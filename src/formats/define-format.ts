import type { Program } from "../machine/program.ts";
import { unpackProgram } from "../machine/unpack-program.ts";
import { correctionOf } from "../rendering/correction.ts";
import { instructionOf } from "../rendering/instruction.ts";
import { renderCalls } from "../rendering/render-calls.ts";
import type { Format } from "./format.ts";
import type { FormatData } from "./format-data.ts";

/** What a generated module says of its format: as {@link FormatData} without what is usual. */
export type FormatDefinition = Partial<Omit<FormatData, "program">> &
  Pick<FormatData, "id" | "title" | "triggers" | "example" | "source"> & {
    /** As it is, as one text, or what gives that text. */
    readonly program: Program | string | (() => string);
  };

/** What a module need not say where it is so. */
const usual = {
  aliases: [],
  models: [],
  mode: "primary",
  stop: [],
  reasoning: [],
  keys: { name: ["name"], arguments: ["arguments"], id: [] },
  flags: [],
} as const satisfies Partial<FormatData>;

/**
 * Makes the value of a format from what its grammar was compiled to. Called by generated modules.
 *
 * A program that is text is unpacked when the format first reads, so that importing many formats costs little.
 */
export function defineFormat(data: FormatDefinition): Format {
  let { program } = data;
  const format: Format = {
    ...usual,
    ...data,
    get program() {
      if (typeof program === "function") program = program();
      if (typeof program === "string") program = unpackProgram(program);
      return program;
    },
    renderCall: (call) => renderCalls(format, [call]),
    renderCalls: (calls) => renderCalls(format, calls),
    instruction: (tools) => instructionOf(format, tools),
    correction: (rejection) => correctionOf(format, rejection),
  };
  return format;
}
