import { skipEllipsis } from "./between-values.ts";
import { COMMA, END, isCloser, isDigit, isLetter, isOpener, isQuote, MINUS, SEMICOLON, WAIT } from "./characters.ts";
import { endAtMarker, endOfText } from "./end-of-text.ts";
import type { Container } from "./open-containers.ts";
import { readCloser } from "./read-closer.ts";
import type { Reading } from "./reading.ts";

/** After a value: a comma, a closer, or what shows that one is missing. */
export function readAfter(reading: Reading): boolean {
  reading.markGap();
  if (!reading.skip()) return false;
  const window = reading.window;
  const container = reading.open.top as Container;
  const at = reading.pos;
  const code = window.at(at);
  if (code === COMMA) {
    reading.pos++;
    reading.commaAt = window.offset + at;
    if (container.isObject) reading.noteMemberAfter();
    reading.mode = container.isObject ? "key" : "item";
    return true;
  }
  if (isCloser(code)) return readCloser(reading, code);
  if (code === END) return endOfText(reading);
  const marker = window.markerAt(at);
  if (marker !== 0) return marker === WAIT ? false : endAtMarker(reading);
  if (code === SEMICOLON) {
    reading.report("semicolon", "guess", at, at + 1);
    reading.pos++;
    reading.mode = container.isObject ? "key" : "item";
    return true;
  }
  const ellipsis = skipEllipsis(reading);
  if (ellipsis !== "no") return ellipsis === "yes";
  // `1",b"` and `"a," "b"`: the comma may be in the wrong place instead.
  const misplaced = (isQuote(code) && window.at(at + 1) === COMMA) || (reading.afterString && reading.endsInComma);
  if (isQuote(code) && window.at(at + 1) === WAIT) return false;
  if (container.isObject) {
    const start = reading.closing.memberStart(at, reading.open.stack.length - 1);
    if (start === "more") return false;
    if (start !== "none") {
      // After a string on the same line, inner quotes are another reading, unless the schema has the key.
      const isKey = start === "declared" || start === "unknown";
      const certain = reading.crossedLine
        ? isKey || start === "undeclared"
        : isQuote(code) && (start === "declared" || (isKey && !reading.afterString));
      reading.reportGap("missing-comma", certain && !misplaced ? "safe" : "guess");
      reading.noteMemberAfter();
      reading.mode = "key";
      return true;
    }
  } else if (isQuote(code) || isOpener(code) || isDigit(code) || code === MINUS || isLetter(code)) {
    // `10 500` may be one number, and `"a" "b"` one string; containers cannot be joined. Before or after one, a word, a text or a
    // number may be what should not be there.
    const isOneNumber = isDigit(code) && reading.gapFollows("number-spelling");
    const afterContainer = reading.afterObject || reading.afterArray;
    // A sign may be what was meant as the comma.
    const isApart = reading.crossedLine && code !== MINUS && !isOneNumber && !afterContainer;
    const certain = isOpener(code) ? afterContainer : isApart;
    const level = certain && !misplaced ? "safe" : "guess";
    if (reading.afterString && isQuote(code)) reading.reportStringGap("missing-comma", level);
    else reading.reportGap("missing-comma", level);
    reading.mode = "item";
    return true;
  }
  return reading.fail("unexpected-character", at, "a comma or a closing bracket was expected here");
}
