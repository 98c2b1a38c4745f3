import { readCleanString } from "./begin-string.ts";
import { refuseBackslash, skipEllipsis } from "./between-values.ts";
import { BACKSLASH, CLOSE_BRACKET, COMMA, END, isCloser, isQuote, QUOTE, SEMICOLON } from "./characters.ts";
import { endOfText } from "./end-of-text.ts";
import type { Container } from "./open-containers.ts";
import { readCloser, reportTrailingComma } from "./read-closer.ts";
import type { Reading } from "./reading.ts";

/** An item of the innermost array, or its closer. */
export function readItem(reading: Reading): boolean {
  if (!reading.skip()) return false;
  const window = reading.window;
  const container = reading.open.top as Container;
  const at = reading.pos;
  const code = window.at(at);
  if (code === END) return endOfText(reading);
  if (isCloser(code)) {
    if (container.closer === CLOSE_BRACKET) reportTrailingComma(reading);
    return readCloser(reading, code);
  }
  if (code === COMMA) {
    reading.report("array-hole", "guess", at, at + 1);
    reading.pos++;
    return true;
  }
  if (code === SEMICOLON) {
    reading.report("semicolon", "guess", at, at + 1);
    reading.pos++;
    return true;
  }
  const ellipsis = skipEllipsis(reading);
  if (ellipsis !== "no") return ellipsis === "yes";
  if (code === QUOTE && readCleanString(reading, "item", at)) {
    reading.commaAt = -1;
    return true;
  }
  if (isQuote(code) && container.closer === CLOSE_BRACKET) {
    // Nothing stands before it in the list: then it is no member of the object around.
    const isFirst = reading.options.generous === true && container.count === 0;
    const member = isFirst ? "no" : reading.closing.isMemberOfParent(at);
    if (member === "more") return false;
    if (member === "yes") {
      reading.report("missing-inner-closer", "guess", at, at);
      reading.popContainer(at);
      reading.mode = "key";
      return true;
    }
    const alone = reading.closing.beginsMember(at);
    if (alone === "more") return false;
    if (alone === "yes") {
      reading.commaAt = -1;
      reading.beginMembers();
      return true;
    }
  }
  if (code === BACKSLASH) return refuseBackslash(reading);
  reading.commaAt = -1;
  reading.mode = "value";
  return true;
}
