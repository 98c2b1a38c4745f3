import type { RepairLevel } from "../contract/repairs.ts";
import { COMMA, DOT, isBlank, isCloser, isDigit, isOddBlank, isOpener, LINE_FEED } from "./characters.ts";

/** What the text of a comment may not hold: then it may be a part of the value that somebody meant. */
const heldBack = /["':{}[\]`“”<]/;

/**
 * How sure it is that what stands between two tokens means nothing. A comment is one where comments usually stand, and
 * if it could not be read as a part of the value: after a number it may be a division, a unit or an anchor, and what
 * holds quotes, colons or brackets may be a member, or the marker after the value.
 */
export function blankLevel(kind: string, text: string, from: number, to: number): RepairLevel {
  if (kind === "cut-comment") return "truncated";
  if (kind !== "comment") return "safe";
  const before = from === 0 ? LINE_FEED : text.charCodeAt(from - 1);
  const isApart = isBlank(before) || isOddBlank(before) || before === COMMA || isOpener(before) || isCloser(before);
  return isApart && !followsNumber(text, from) && !heldBack.test(text.slice(from, to)) ? "safe" : "guess";
}

/** A digit is the last thing before `at` on its line. */
function followsNumber(text: string, at: number): boolean {
  let index = at - 1;
  while (index >= 0 && text.charCodeAt(index) !== LINE_FEED && isBlank(text.charCodeAt(index))) index--;
  const code = index < 0 ? LINE_FEED : text.charCodeAt(index);
  return isDigit(code) || code === DOT;
}
