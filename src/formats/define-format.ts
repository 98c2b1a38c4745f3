import type { FormatData } from "../runtime/format.ts";

/** A compiled format as a value. */
export interface Format extends FormatData {}

/** Makes the value of a format from what its grammar was compiled to. Called by generated modules. */
export function defineFormat(data: FormatData): Format {
  return data;
}
