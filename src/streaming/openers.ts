import { type FormatData, offeredName } from "../runtime/format.ts";

/**
 * What may begin a call of the format: its own openers, or the one that the caller has chosen. One that begins with the
 * name of a tool is there for each that is offered.
 */
export function openersOf(
  format: FormatData,
  marker: string | undefined,
  names: readonly string[] | undefined,
): readonly string[] {
  if (marker !== undefined && format.configurable) return [marker];
  if (!format.triggers.some((opener) => opener.startsWith(offeredName))) return format.triggers;
  return format.triggers.flatMap((opener) =>
    opener.startsWith(offeredName) ? (names ?? []).map((name) => name + opener.slice(offeredName.length)) : opener,
  );
}
