import { type FormatData, offeredName } from "../../formats/format-data.ts";

/** A shorter beginning of an opener says nothing of the closers after it. */
export const openerCharsMin = 3;
/** An opener is no longer than this. */
export const openerCharsMax = 256;

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
  return withNames(format.triggers, names);
}

/** Whether calls of a format begin with the name of a tool, as code does. */
export const opensByName = ({ format }: { readonly format: FormatData }): boolean =>
  format.triggers.some((opener) => opener.startsWith(offeredName));

/** Whether the tags of a format's calls are the names of tools. */
export const opensByTag = ({ format }: { readonly format: FormatData }): boolean =>
  format.closers?.includes(`</${offeredName}>`) === true;

/** Literals of a format; one that holds the name of a tool is there for each that is offered. */
export function withNames(literals: readonly string[], names: readonly string[] | undefined): readonly string[] {
  if (!literals.some((literal) => literal.includes(offeredName))) return literals;
  return literals.flatMap((literal) =>
    literal.includes(offeredName) ? (names ?? []).map((name) => literal.replace(offeredName, () => name)) : literal,
  );
}

/** Whether one of some literals stands at an offset. */
export function startsWithOne(text: string, literals: readonly string[]): boolean {
  for (let one = 0; one < literals.length; one++) if (text.startsWith(literals[one])) return true;
  return false;
}
