import { isPlainValue } from "./bare-values.ts";
import { COMMA, END, isCloser, isDigit, isOpener, isQuote, MINUS, SEMICOLON, WAIT } from "./characters.ts";
import type { Answer } from "./look-ahead.ts";
import type { Reading } from "./reading.ts";

/** Is the word that ends at `at` the whole value? Something that cannot belong to it must follow. */
export function wordEnds(reading: Reading, at: number, word: string): Answer {
  const window = reading.window;
  const next = window.skipBlanks(at);
  if (next === WAIT) return "more";
  const code = window.at(next);
  if (code === END || isCloser(code)) return "yes";
  const container = reading.open.top;
  if (container === undefined) return "yes";
  const marker = window.markerAt(next);
  if (marker !== 0) return marker === WAIT ? "more" : "yes";
  if (code === COMMA) {
    if (!container.isObject) return "yes";
    if (isPlainValue(word)) {
      const isStray = reading.closing.isStrayWord(window.skipCommas(next + 1));
      if (isStray !== "no") return isStray;
    }
    return commaEndsWord(reading, next, isDigit(word.charCodeAt(word.length - 1)));
  }
  if (code === SEMICOLON) return "yes";
  if (next === at) return "no";
  if (window.crossesLine(at, next)) return "yes";
  const ellipsis = window.ellipsisAt(next);
  if (ellipsis !== 0) return ellipsis === WAIT ? "more" : "yes";
  if (container.isObject) {
    const start = reading.closing.memberStart(next, reading.open.stack.length - 1);
    return start === "more" ? "more" : start === "none" ? "no" : "yes";
  }
  if (isDigit(code) && word.endsWith(".")) return "no"; // `8. 5`
  return isQuote(code) || isOpener(code) || isDigit(code) || code === MINUS ? "yes" : "no";
}

/** In an object, a comma ends a word only if a member, a closer or the end follows; `8,000` goes on. */
export function commaEndsWord(reading: Reading, comma: number, afterDigit: boolean): Answer {
  const window = reading.window;
  const next = window.skipCommas(comma + 1);
  if (next === WAIT) return "more";
  const code = window.at(next);
  if (code === END || isCloser(code)) return "yes";
  // A key that went wrong is still a key; only digits belong to a number.
  if (afterDigit && !isDigit(code)) return "yes";
  const marker = window.markerAt(next);
  if (marker !== 0) return marker === WAIT ? "more" : "yes";
  const ellipsis = window.ellipsisAt(next);
  if (ellipsis !== 0) return ellipsis === WAIT ? "more" : "yes";
  const start = reading.closing.memberStart(next, reading.open.stack.length - 1);
  if (start !== "none") return start === "more" ? "more" : "yes";
  return isQuote(code) ? "yes" : "no";
}
