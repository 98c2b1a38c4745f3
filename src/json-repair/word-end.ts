import { COMMA, END, isCloser, isDigit, isOpener, isQuote, MINUS, SEMICOLON, WAIT } from "./characters.ts";
import { NO, YES } from "./closing-places.ts";
import type { Reading } from "./reading.ts";

/** Is the word that ends at `at` the whole value? Something that cannot belong to it must follow. */
export function wordEnds(reading: Reading, at: number, word: string): number {
  const window = reading.window;
  const next = window.skipBlanks(at);
  if (next === WAIT) return WAIT;
  const code = window.at(next);
  if (code === END || isCloser(code)) return YES;
  const container = reading.open.top;
  if (container === undefined) return YES;
  const marker = window.markerAt(next);
  if (marker !== 0) return marker === WAIT ? WAIT : YES;
  if (code === COMMA) {
    if (!container.isObject) return YES;
    return commaEndsWord(reading, next, isDigit(word.charCodeAt(word.length - 1)));
  }
  if (code === SEMICOLON) return YES;
  if (next === at) return NO;
  if (window.crossesLine(at, next)) return YES;
  const ellipsis = window.ellipsisAt(next);
  if (ellipsis !== 0) return ellipsis === WAIT ? WAIT : YES;
  if (container.isObject) {
    const start = reading.closing.memberStart(next, reading.open.stack.length - 1);
    return start === WAIT ? WAIT : start === NO ? NO : YES;
  }
  if (isDigit(code) && word.endsWith(".")) return NO; // `8. 5`
  return isQuote(code) || isOpener(code) || isDigit(code) || code === MINUS ? YES : NO;
}

/** In an object, a comma ends a word only if a member, a closer or the end follows; `8,000` goes on. */
export function commaEndsWord(reading: Reading, comma: number, afterDigit: boolean): number {
  const window = reading.window;
  const next = window.skipCommas(comma + 1);
  if (next === WAIT) return WAIT;
  const code = window.at(next);
  if (code === END || isCloser(code)) return YES;
  // A key that went wrong is still a key; only digits belong to a number.
  if (afterDigit && !isDigit(code)) return YES;
  const marker = window.markerAt(next);
  if (marker !== 0) return marker === WAIT ? WAIT : YES;
  const ellipsis = window.ellipsisAt(next);
  if (ellipsis !== 0) return ellipsis === WAIT ? WAIT : YES;
  const start = reading.closing.memberStart(next, reading.open.stack.length - 1);
  if (start !== NO) return start === WAIT ? WAIT : YES;
  return isQuote(code) ? YES : NO;
}
