/** So many blanks may stand before what begins a line: see `lineStart` of grammars/shared/primitives.peggy. */
export const indentMax = 3;

/** Blanks that models and editors leave without being asked: a byte order mark, no-break and zero-width blanks, form feeds. */
const oddBlanks: ReadonlySet<number> = new Set([0x0b, 0x0c, 0xa0, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]);

/** Whether a unit is a blank that may stand there. */
export const isIndent = (unit: number): boolean =>
  // Nearly all units are ASCII, which is told faster.
  unit === 0x20 || unit === 0x09 || ((unit < 0x20 || unit > 0x7f) && oddBlanks.has(unit));

/** A carriage return alone ends a line as well, as in CommonMark. */
export const isLineBreak = (unit: string | undefined): boolean => unit === "\n" || unit === "\r";

/** Where the line begins that an offset of a text stands in, or the text from a place on that begins no later. */
export function lineBeginIn(text: string, at = text.length, from = 0): number {
  let begin = at;
  while (begin > from && !isLineBreak(text[begin - 1])) begin--;
  return begin;
}

/**
 * Where the reply begins a line behind the text that it goes on from; -1: it goes on with words. A token, a tag or a label on their line may
 * be the header of the reply.
 */
export function replyLineBegin(before: string): number {
  const line = before.slice(lineBeginIn(before));
  return /\S/.test(line) && !/[>\]:：]/.test(line) ? -1 : before.length;
}
