import { refuseBackslash, skipEllipsis } from "./between-values.ts";
import {
  BACKSLASH,
  COLON,
  COMMA,
  END,
  isCloser,
  isKeyCharacter,
  isOpener,
  isQuote,
  LINE_FEED,
  OPEN_BRACE,
  QUOTE,
  SEMICOLON,
  WAIT,
} from "./characters.ts";
import { endAtMarker, endOfText } from "./end-of-text.ts";
import { type Container, isFresh } from "./open-containers.ts";
import { openString } from "./open-string.ts";
import { readBareKey } from "./read-bare-key.ts";
import { readCloser, reportTrailingComma } from "./read-closer.ts";
import { doubledBrace } from "./read-tail.ts";
import { keyCharactersMax, type Reading } from "./reading.ts";
import { specialsOf } from "./string-specials.ts";

/** A key of the innermost object, or its closer. */
export function readKey(reading: Reading): boolean {
  if (!reading.skip()) return false;
  const window = reading.window;
  const container = reading.open.top as Container;
  const code = window.at(reading.pos);
  if (code === END) return endOfText(reading);
  if (isCloser(code)) {
    reportTrailingComma(reading);
    return readCloser(reading, code);
  }
  if (code === COMMA) {
    reading.report("extra-comma", "safe", reading.pos, reading.pos + 1);
    reading.pos++;
    return true;
  }
  if (code === SEMICOLON) {
    reading.report("semicolon", "guess", reading.pos, reading.pos + 1);
    reading.pos++;
    return true;
  }
  const marker = window.markerAt(reading.pos);
  if (marker !== 0) return marker === WAIT ? false : endAtMarker(reading);
  const ellipsis = skipEllipsis(reading);
  if (ellipsis !== "no") return ellipsis === "yes";
  if (isQuote(code)) return beginKey(reading, code);
  if (code === BACKSLASH) return refuseBackslash(reading);
  if (isKeyCharacter(code)) return readBareKey(reading, container);
  const isDoubled = () => reading.open.stack.length === 1 || doubledBrace(reading) !== undefined;
  if (code === OPEN_BRACE && isFresh(container) && isDoubled()) {
    // `{{...}}`, as templates write a brace that is meant: the first says so of all.
    reading.report("doubled-brace", "guess", reading.pos, reading.pos + 1);
    reading.pos++;
    return true;
  }
  if (isFresh(container) && isOpener(code)) {
    reading.becomeSet(container);
    return true;
  }
  return reading.fail("unexpected-character", reading.pos, "a key or a closing brace was expected here");
}

/** A key in quotes. */
function beginKey(reading: Reading, code: number): boolean {
  const window = reading.window;
  if (code === QUOTE && readCleanKey(reading)) return true;
  const width = keyWidth(reading, code);
  if (width === WAIT) return false;
  reading.entry = {};
  const style = code === QUOTE ? undefined : reading.report("quote-style", "safe", reading.pos, reading.pos + 1);
  reading.key = "";
  reading.keyStart = window.offset + reading.pos;
  reading.string = openString("key", code, width, reading.keyStart);
  reading.string.style = style;
  reading.specials = specialsOf(code, true, false);
  reading.pos += width;
  reading.mode = "string";
  return true;
}

/** The usual key: no escape, nothing odd, and a colon right after it. Says the same as the long way. */
function readCleanKey(reading: Reading): boolean {
  const window = reading.window;
  const text = window.text;
  const from = reading.pos + 1;
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === QUOTE || code === BACKSLASH || code === COLON || code < 0x20) break;
    end++;
  }
  window.steps += end - from + 2;
  if (end === from || text.charCodeAt(end) !== QUOTE || text.charCodeAt(end + 1) !== COLON) return false;
  if (reading.closing.doubled) return false;
  reading.key = reading.keys.slice(text, from, end);
  reading.keyStart = window.offset + from - 1;
  reading.keyEnded(end + 1);
  return true;
}

/** Doubled quotes are a habit of a whole document: the first key decides, if its both ends are doubled. */
function keyWidth(reading: Reading, code: number): number {
  const window = reading.window;
  if (window.at(reading.pos + 1) !== code) return window.at(reading.pos + 1) === WAIT ? WAIT : 1;
  if (reading.closing.doubled) return 2;
  if (reading.keysRead > 0 || code !== QUOTE) return 1;
  // An empty key is no doubled quote.
  const after = window.skipBlanks(reading.pos + 2);
  if (after === WAIT) return WAIT;
  if (!isKeyCharacter(window.at(after))) return 1;
  const limit = reading.pos + keyCharactersMax;
  let at = reading.pos + 2;
  for (; at < limit; at++) {
    const next = window.at(at);
    if (next === WAIT) return WAIT;
    if (next === END) return 1;
    if (next === QUOTE || next === LINE_FEED) break;
  }
  window.steps += at - reading.pos;
  if (at === reading.pos + 2 || window.at(at) !== QUOTE) return 1;
  const second = window.at(at + 1);
  if (second !== QUOTE) return second === WAIT ? WAIT : 1;
  const colon = window.skipBlanks(at + 2);
  if (colon === WAIT) return WAIT;
  if (window.at(colon) !== COLON) return 1;
  reading.closing.doubled = true;
  reading.report("doubled-quote", "guess", reading.pos, at + 2);
  return 2;
}
