import type { FormatData } from "../runtime/format.ts";
import type { Judge } from "./judge.ts";

/** One format of those that were asked for, and who judges its calls. */
export interface Entrant {
  readonly format: FormatData;
  readonly judge: Judge;
  /** The model signalled that it wants a tool. */
  readonly intent: boolean;
}
