import type { FormatData } from "../formats/format-data.ts";
import type { CallValidator } from "./call-validator.ts";

/** One format of those that were asked for, and who judges its calls. */
export interface Alternative {
  readonly format: FormatData;
  readonly judge: CallValidator;
  /** The model signalled that it wants a tool. */
  readonly intent: boolean;
}
