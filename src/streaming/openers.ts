import type { FormatData } from "../runtime/format.ts";

/** What may begin a call of the format: its own openers, or the one that the caller has chosen. */
export function openersOf(format: FormatData, marker: string | undefined): readonly string[] {
  return marker !== undefined && format.configurable ? [marker] : format.triggers;
}
