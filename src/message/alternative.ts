import type { FormatData } from "../formats/format-data.ts";
import type { CallValidator } from "./call-validator.ts";

/** One format of those that were asked for, and who judges its calls. */
export interface Alternative {
  readonly format: FormatData;
  readonly validator: CallValidator;
  /** The model signalled that a tool is needed. */
  readonly intent: boolean;
}
