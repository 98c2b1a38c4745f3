import type { RepairLevel } from "../contract/repairs.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { COMMA, DOT, isBlank, isCloser, isDigit, isOddBlank, isOpener, LINE_FEED } from "./characters.ts";

/** What the text of a comment may not hold: then it may be a part of the value that somebody meant. */
const heldBack = /["':{}[\]`“”<]/;
/**
 * Nor may it begin, at its start or after a comma, with what is a value by itself: an item that was taken out, or the rest
 * of a number before it.
 */
const heldValue = latePattern(
  "(?:^[/#]|,)[\\s*/#]*(?:[-+.]?[0-9]|(?:true|false|null|none|undefined|nan|infinity)(?![\\p{L}\\p{N}_]))",
  "iu",
);

/**
 * How sure it is that what stands between two tokens means nothing. A comment is one where comments usually stand, and
 * if it could not be read as a part of the value: after a number it may be a division, a unit or an anchor, and what
 * holds quotes, colons or brackets may be a member, or the marker after the value. What it holds of numbers and literals
 * may be an item, or digits of the number before it.
 */
export function blankLevel(kind: string, text: string, from: number, to: number): RepairLevel {
  if (kind === "cut-comment") return "truncated";
  if (kind !== "comment") return "safe";
  const before = from === 0 ? LINE_FEED : text.charCodeAt(from - 1);
  const isApart = isBlank(before) || isOddBlank(before) || before === COMMA || isOpener(before) || isCloser(before);
  const comment = text.slice(from, to);
  const isMeant = followsNumber(text, from) || heldBack.test(comment) || heldValue().test(comment);
  return isApart && !isMeant ? "safe" : "guess";
}

/** A digit is the last thing before `at` on its line. */
function followsNumber(text: string, at: number): boolean {
  let index = at - 1;
  while (index >= 0 && text.charCodeAt(index) !== LINE_FEED && isBlank(text.charCodeAt(index))) index--;
  const code = index < 0 ? LINE_FEED : text.charCodeAt(index);
  return isDigit(code) || code === DOT;
}
