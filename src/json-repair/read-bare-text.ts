import { latePattern } from "../machine/late-pattern.ts";
import { isThousands, mayBeNumber } from "./bare-values.ts";
import {
  BACKTICK,
  CLOSE_PAREN,
  COMMA,
  closersOf,
  END,
  HASH,
  isBlank,
  isCloser,
  isOddBlank,
  isOpener,
  isQuote,
  LINE_FEED,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUOTE,
  SEMICOLON,
  SLASH,
  TILDE,
  WAIT,
} from "./characters.ts";
import type { Container } from "./open-containers.ts";
import { openString } from "./open-string.ts";
import type { Reading } from "./reading.ts";
import { commaEndsWord } from "./word-end.ts";

/** A constructor's name is shorter. */
const constructorMax = 80;

/** Text without quotes: up to the next comma or closer of this level, or the line end. */
export function readBareText(reading: Reading): boolean {
  const window = reading.window;
  const text = window.text;
  const from = reading.pos;
  const container = reading.open.top as Container;
  let nested = 0;
  let missingOpening = false;
  let at = from;
  let call = false;
  // After a quote without a partner, a marker or a line end may stand in a string whose beginning was damaged.
  let inQuotes = false;
  for (;;) {
    if (at >= text.length) {
      window.steps += at - from;
      if (!window.ended) return false;
      break;
    }
    const code = text.charCodeAt(at);
    if (code === LINE_FEED && !inQuotes && !(call && nested > 0)) break;
    if (nested > 0 && isQuote(code) && code < 0x80) {
      // A quoted argument: its parentheses are its own. Without a partner on this line it is an apostrophe.
      const end = endOfQuoted(text, at);
      window.steps += (end < 0 ? -end : end) - at;
      if (end < 0 && -end >= text.length && !window.ended) return false;
      at = end < 0 ? at + 1 : end;
      continue;
    }
    if (isOpener(code)) {
      if (code === OPEN_BRACKET && !inQuotes) {
        const marker = window.markerAt(at);
        if (marker === WAIT) return false;
        if (marker > 0) break;
      }
      if (code === OPEN_PAREN && nested === 0 && isConstructor(text, from, at)) call = true;
      if (code !== OPEN_PAREN || call || nested > 0) nested++;
    } else if (isCloser(code)) {
      if (nested === 0) {
        if (code !== CLOSE_PAREN || container.closer === CLOSE_PAREN) break;
      } else nested--;
    } else if (nested === 0) {
      if (code === COMMA) {
        const ends = container.isObject ? commaEndsWord(reading, at, false) : "yes";
        if (ends === "more") return false;
        if (ends === "yes") break;
        // Content: pass over the whole run, so that a flood of commas is looked at once.
        at = window.skipCommas(at);
        continue;
      }
      if (code === SEMICOLON) {
        const next = window.skipBlanks(at + 1);
        if (next === WAIT) return false;
        const follows = window.at(next);
        if (follows === END || isCloser(follows)) break;
        const start = container.isObject ? reading.closing.memberStart(next, reading.open.stack.length - 1) : "none";
        if (start === "more") return false;
        if (start !== "none") break;
      } else if (isQuote(code) && (code === QUOTE || code !== 0x60)) {
        const string = openString(reading.placeOfValue(), code, 1, window.offset + at);
        const member = container.isObject ? reading.closing.memberStart(at, reading.open.stack.length - 1) : "none";
        if (member === "more") return false;
        if (member !== "none" && member !== "partial" && member !== "damaged" && isBlank(text.charCodeAt(at - 1)))
          break;
        const closes = closersOf(code).includes(code) ? reading.closing.closes(string, at + 1) : "no";
        if (closes === "more") return false;
        if (closes === "yes") {
          missingOpening = true;
          break;
        }
        if (code === QUOTE) inQuotes = !inQuotes;
      } else if (code === SLASH || code === HASH) {
        if (at > from && isBlank(text.charCodeAt(at - 1))) {
          const next = window.skipBlanks(at);
          if (next === WAIT) return false;
          if (next !== at) break;
        }
      } else if (!inQuotes && (code === 0x3c || code === BACKTICK || code === TILDE || code > 0x7f)) {
        const marker = window.markerAt(at);
        if (marker === WAIT) return false;
        if (marker > 0) break;
      }
    }
    at++;
  }
  window.steps += at - from;
  let end = at;
  while (end > from && (isBlank(text.charCodeAt(end - 1)) || isOddBlank(text.charCodeAt(end - 1)))) end--;
  const value = text.slice(from, end);
  if (missingOpening) {
    reading.report("missing-opening-quote", "guess", from, at + 1);
    reading.plainString(text.slice(from, at), from, at + 1);
    reading.pos = at + 1;
    return true;
  }
  if (value.length === 0) return reading.fail("unexpected-character", from, "a value was expected here");
  if (at >= text.length && window.ended) reading.report("cut-string", "truncated", end, text.length);
  endBareText(reading, value, from, end, call);
  reading.pos = end;
  return true;
}

function endBareText(reading: Reading, value: string, from: number, end: number, call: boolean): void {
  if (isThousands(value)) {
    const expected = reading.open.expectedType();
    reading.report("thousands-comma", "guess", from, end);
    if (expected === "number" || expected === "integer")
      reading.literal(value.replaceAll(",", "").replace("+", ""), from, end);
    else reading.plainString(value, from, end);
    return;
  }
  const numeric = mayBeNumber(value) && !/[a-zA-Z]{2}/.test(value.slice(0, 64)) && /^[0-9+\-./_:,]*$/.test(value);
  reading.report(call ? "constructor-call" : numeric ? "number-as-text" : "bare-word", "guess", from, end);
  reading.plainString(value, from, end);
}

const constructorName = latePattern("^(?:new\\s+)?[\\p{L}_$][\\p{L}\\p{N}_$.]*$");

/** A name, perhaps after `new`, right before the parenthesis at `at`. */
function isConstructor(text: string, from: number, at: number): boolean {
  return at > from && at - from <= constructorMax && constructorName().test(text.slice(from, at));
}

/** Index after the quoted text that begins at `at`; where its line ends before it does, that index, negative. */
function endOfQuoted(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code === LINE_FEED) return -index;
  }
  return -text.length;
}
