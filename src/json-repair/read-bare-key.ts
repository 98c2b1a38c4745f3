import type { RepairKind, RepairLevel } from "../contract/repairs.ts";
import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  END,
  EQUALS,
  isDigit,
  isKeyCharacter,
  isOpener,
  isQuote,
  MINUS,
  WAIT,
} from "./characters.ts";
import { endOfText } from "./end-of-text.ts";
import { type Container, isFresh } from "./open-containers.ts";
import { keyCharactersMax, type Reading } from "./reading.ts";

/** A key without quotes, or with only its closing one. Without a colon it may be the first item of a set. */
export function readBareKey(reading: Reading, container: Container): boolean {
  const window = reading.window;
  const from = reading.pos;
  let at = from;
  let code = window.at(at);
  while (code >= 0 && isKeyCharacter(code)) {
    at++;
    code = window.at(at);
  }
  window.steps += at - from;
  if (code === WAIT) return false;
  if (code === END) return endOfText(reading, "cut-key");
  const stray = reading.closing.isStrayWord(from);
  if (stray === "more") return false;
  if (stray === "yes") {
    reading.report("stray-word", "guess", from, at);
    reading.pos = at;
    return true;
  }
  const fresh = isFresh(container);
  if (isQuote(code)) {
    // `name": 1` lacks its opening quote; `r"x"` is the first item of a set.
    const next = window.skipBlanks(at + 1);
    if (next === WAIT) return false;
    if (window.at(next) === COLON || window.at(next) === END) {
      return acceptKey(reading, window.text.slice(from, at), at + 1, "missing-key-quote", "guess");
    }
  }
  const next = window.skipBlanks(at);
  if (next === WAIT) return false;
  const follows = window.at(next);
  if (follows === END) return endOfText(reading, "cut-key");
  if (follows === COLON || follows === EQUALS) {
    container.bareKeys = true;
    const key = window.text.slice(from, at);
    return acceptKey(reading, key, at, "bare-key", isOfOtherValue(key) ? "guess" : "safe");
  }
  if (fresh && (follows === COMMA || follows === CLOSE_BRACE)) {
    reading.becomeSet(container);
    return true;
  }
  if (follows === COMMA || follows === CLOSE_BRACE) {
    return acceptKey(reading, window.text.slice(from, at), at, "bare-key", "guess");
  }
  // Several words up to a colon: a key with blanks in it.
  let end = next;
  const limit = from + keyCharactersMax;
  for (; end < limit; end++) {
    const letter = window.at(end);
    if (letter === WAIT) return false;
    if (letter === COLON || letter === END || !(isKeyCharacter(letter) || letter === 0x20)) break;
  }
  window.steps += end - next;
  if (window.at(end) === COLON) {
    container.bareKeys = true;
    return acceptKey(reading, window.text.slice(from, end).trimEnd(), end, "bare-key", "guess");
  }
  if (isOpener(follows) || isDigit(follows) || follows === MINUS || isQuote(follows)) {
    container.bareKeys = true;
    return acceptKey(reading, window.text.slice(from, at), at, "bare-key", "guess");
  }
  return reading.fail("unexpected-character", next, "a colon was expected after the key");
}

/** To Python and JavaScript the key is not what is written: `None` is null, `0x10` is 16. */
const isOfOtherValue = (key: string): boolean =>
  wordsOfValues.includes(key) || (/^\.?\d/.test(key) && String(Number(key)) !== key);

const wordsOfValues = ["None", "True", "False"];

/** The key from here to `end`. */
function acceptKey(reading: Reading, key: string, end: number, kind: RepairKind, level: RepairLevel): true {
  reading.report(kind, level, reading.pos, end);
  reading.key = key;
  reading.keyStart = reading.window.offset + reading.pos;
  reading.keyEnded(end);
  return true;
}
