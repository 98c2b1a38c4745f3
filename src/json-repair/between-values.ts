import { COMMA, DOT, END, isCloser, isQuote, QUOTE, WAIT } from "./characters.ts";
import type { Answer } from "./look-ahead.ts";
import type { Container } from "./open-containers.ts";
import type { Reading } from "./reading.ts";

/** Passes over an ellipsis and the comma after it; the member or item that was left out stays out. */
export function skipEllipsis(reading: Reading): Answer {
  const length = reading.window.ellipsisAt(reading.pos);
  if (length <= 0) return length === WAIT ? "more" : "no";
  let at = reading.pos + length;
  while (reading.window.at(at) === DOT) at++;
  if (reading.window.at(at) === WAIT) return "more";
  const next = reading.window.skipBlanks(at);
  if (next === WAIT) return "more";
  const code = reading.window.at(next);
  if (code !== COMMA && code !== END && !isCloser(code) && !(isQuote(code) && reading.open.top?.isObject === true))
    return "no";
  reading.report("ellipsis", "guess", reading.pos, at);
  reading.commaAt = -1;
  reading.pos = code === COMMA && reading.mode !== "value" && reading.mode !== "after" ? next + 1 : next;
  return "yes";
}

/** Nothing but openers stands before. */
function isFirstToken({ open: { stack }, keysRead }: Reading): boolean {
  const holdsOnlyOpeners = ({ implied, count }: Container, level: number) =>
    !implied && count === (level + 1 < stack.length ? 1 : 0);
  return keysRead === 0 && stack.length > 0 && stack.every(holdsOnlyOpeners);
}

/** A backslash where a token should begin; before a quote it says what happened to the document. */
export function refuseBackslash(reading: Reading): boolean {
  const next = reading.window.at(reading.pos + 1);
  if (next === WAIT) return false;
  if (next === QUOTE) {
    if (reading.options.escapedDocuments === true && isFirstToken(reading)) {
      reading.mode = "escaped";
      return true;
    }
    return reading.fail(
      "escaped-document",
      reading.pos,
      "the quotes are escaped: the document was escaped once too often",
    );
  }
  return reading.fail("unexpected-character", reading.pos, "a backslash stands between tokens");
}
