import { beginString } from "./begin-string.ts";
import { refuseBackslash, skipEllipsis } from "./between-values.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  END,
  isCloser,
  isLetter,
  isQuote,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  WAIT,
} from "./characters.ts";
import { endAtMarker, endOfText } from "./end-of-text.ts";
import { readWord } from "./read-word.ts";
import { readWrapped } from "./read-wrapped.ts";
import type { Reading } from "./reading.ts";
import { takeStrictPart } from "./take-strict-part.ts";

/** A value begins here, whatever it is; or the place where one is missing. */
export function readValue(reading: Reading): boolean {
  if (!reading.skip()) return false;
  const window = reading.window;
  const container = reading.open.top;
  const at = reading.pos;
  const code = window.at(at);
  if (code === END) return endOfText(reading);
  if (isQuote(code)) return beginString(reading, code);
  if (code === OPEN_BRACE) return takeStrictPart(reading) || reading.pushContainer(true, CLOSE_BRACE);
  if (code === OPEN_BRACKET) {
    const marker = window.markerAt(at);
    if (marker !== 0) return marker === WAIT ? false : endAtMarker(reading);
    return takeStrictPart(reading) || reading.pushContainer(false, CLOSE_BRACKET);
  }
  if (code === OPEN_PAREN) {
    if (readWrapped(reading, "tuple")) return true;
    reading.report("tuple", "guess", at, at + 1);
    return reading.pushContainer(false, CLOSE_PAREN);
  }
  const marker = window.markerAt(at);
  if (marker !== 0) return marker === WAIT ? false : endAtMarker(reading);
  if (container?.isObject === true) {
    if (code === COMMA || code === SEMICOLON || code === CLOSE_BRACE || (isCloser(code) && reading.keyPending)) {
      reading.report("missing-value", "guess", at, at);
      reading.literal("null", at, at);
      return true;
    }
    const ellipsis = skipEllipsis(reading);
    if (ellipsis !== "no") {
      if (ellipsis === "more") return false;
      reading.keyPending = false; // the model left the value out: so do we
      reading.valueEnded(false);
      return true;
    }
  }
  if (code === BACKSLASH) return refuseBackslash(reading);
  if (code === COLON) {
    const next = window.at(at + 1);
    if (next === WAIT) return false;
    if (!isLetter(next)) return skipColon(reading);
  }
  return readWord(reading);
}

/** A colon too many after a key; elsewhere it is no value. */
function skipColon(reading: Reading): boolean {
  if (!reading.keyPending)
    return reading.fail("unexpected-character", reading.pos, "a value was expected, not a colon");
  reading.report("missing-colon", "guess", reading.pos, reading.pos + 1);
  reading.pos++;
  return true;
}
