import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  END,
  EQUALS,
  GREATER,
  isCloser,
  isQuote,
  MINUS,
  SEMICOLON,
  WAIT,
} from "./characters.ts";
import { endAtMarker, endOfText } from "./end-of-text.ts";
import { type Container, isFresh } from "./open-containers.ts";
import type { Reading } from "./reading.ts";

/** The colon after a key, or what stands for it. */
export function readColon(reading: Reading): boolean {
  reading.markGap();
  if (!reading.skip()) return false;
  const window = reading.window;
  const container = reading.open.top as Container;
  const code = window.at(reading.pos);
  if (code === COLON) {
    reading.pos++;
    reading.mode = "value";
    return true;
  }
  if (code === END) return endOfText(reading);
  if (code === EQUALS) {
    const next = window.at(reading.pos + 1);
    if (next === WAIT) return false;
    const length = next === GREATER || next === EQUALS ? 2 : 1;
    reading.report("missing-colon", "guess", reading.pos, reading.pos + length);
    reading.pos += length;
    reading.mode = "value";
    return true;
  }
  const marker = window.markerAt(reading.pos);
  if (marker !== 0) return marker === WAIT ? false : endAtMarker(reading);
  if (code === COMMA || code === SEMICOLON || isCloser(code)) return readKeyAlone(reading, container);
  // A sign may be what was meant as the colon.
  reading.reportGap("missing-colon", isQuote(code) || code === MINUS ? "guess" : "safe");
  reading.mode = "value";
  return true;
}

/** A key with neither colon nor value: the first item of a set, or a member whose value is missing. */
function readKeyAlone(reading: Reading, container: Container): boolean {
  const window = reading.window;
  if (isFresh(container)) {
    const code = window.at(reading.pos);
    let isSet = code === CLOSE_BRACE;
    if (code === COMMA) {
      const next = window.skipCommas(reading.pos + 1);
      if (next === WAIT) return false;
      const start = reading.closing.memberStart(next, -1);
      if (start === "more") return false;
      isSet = start === "none" || start === "damaged";
    }
    if (isSet) {
      reading.report("tuple", "guess", reading.pos, reading.pos);
      container.isObject = false;
      container.key = "";
      reading.keyPending = false;
      reading.announce(container);
      container.count++;
      reading.sink.beginString(reading.keyStart, false);
      if (reading.key.length > 0) reading.sink.text(reading.key);
      reading.sink.endString(reading.keyEnd);
      reading.valueEnded(true);
      return true;
    }
  }
  reading.reportGap("missing-value", "guess");
  reading.literal("null", reading.pos, reading.pos);
  return true;
}
