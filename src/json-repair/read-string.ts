import { isHighSurrogate } from "../machine/string-units.ts";
import { cleanStrings } from "./begin-string.ts";
import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isQuote,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  WAIT,
} from "./characters.ts";
import type { Closing } from "./closing-places.ts";
import { cutString } from "./end-of-text.ts";
import { colonEndsKey, commaEndsString } from "./missing-quote.ts";
import { noteInnerQuote, type OpenString } from "./open-string.ts";
import { readEscape, STRING_OVER } from "./read-escape.ts";
import type { Reading } from "./reading.ts";
import { endString, sendPlain, sendUpTo } from "./string-content.ts";

/** Runs over the content of the open string, and stops to think where it may end or is damaged. */
export function readString(reading: Reading): boolean {
  const window = reading.window;
  const text = window.text;
  const length = text.length;
  const string = reading.string as OpenString;
  const specials = reading.specials;
  // A string in other quotes than JSON's: any quote in it may be the one that ends it.
  const isStyled = string.style !== undefined || string.closers.some((closer) => closer > 0x7f);
  let at = reading.pos;
  reading.run = at;
  for (;;) {
    const from = at;
    let code = 0;
    if (isStyled) {
      while (at < length) {
        code = text.charCodeAt(at);
        if (code < 0x80 ? specials[code] === 1 : isQuote(code)) break;
        at++;
      }
    } else {
      while (at < length) {
        code = text.charCodeAt(at);
        if (code < 0x80 && specials[code] === 1) break;
        at++;
      }
    }
    window.steps += at - from + 1;
    if (at >= length) {
      const whole = at > reading.run && isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
      sendUpTo(reading, whole);
      return window.ended ? cutString(reading, whole) : false;
    }
    if (code < 0x20) {
      let end = at + 1;
      while (end < length && text.charCodeAt(end) < 0x20) end++;
      window.steps += end - at;
      sendPlain(reading, at, end);
      reading.reportInString("raw-control-character", "safe", at, end);
      at = end;
      continue;
    }
    if (code === BACKSLASH) {
      const next = readEscape(reading, string, at);
      if (next < 0) return next === STRING_OVER;
      at = next;
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (string.openInner === 0) string.depth++;
      at++;
      continue;
    }
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (string.openInner === 0 && string.depth > 0) string.depth--;
      at++;
      continue;
    }
    if (code === COMMA || code === COLON) {
      const isKey = code === COLON;
      const missing = isKey ? colonEndsKey(reading, string, at) : commaEndsString(reading, string, at);
      if (missing === "no") {
        at++;
        continue;
      }
      sendUpTo(reading, at);
      if (missing === "more") return false;
      reading.report(isKey ? "missing-key-quote" : "missing-closing-quote", "guess", at, at);
      if (isKey) reading.key = reading.key.trimEnd();
      return endString(reading, at, at);
    }
    if (code === APOSTROPHE && string.opener === QUOTE) {
      string.bareApostrophe = true;
      if (string.escapedApostrophe !== undefined) string.escapedApostrophe.level = "guess";
      at++;
      continue;
    }
    if (!string.closers.includes(code)) {
      // A quote of another kind is content, but must be escaped in JSON.
      if (mayCloseInstead(reading, string, at) === "more") {
        sendUpTo(reading, at);
        return false;
      }
      sendPlain(reading, at, at + 1);
      at++;
      continue;
    }
    const closes = quoteCloses(reading, string, at, code);
    if (closes === "more") {
      sendUpTo(reading, at);
      return false;
    }
    if (closes === "yes") {
      sendUpTo(reading, at);
      if (string.straightQuotes && code < 0x80) reading.report("inner-quote", "guess", at, at + 1);
      return endString(reading, at, at + string.width);
    }
    if (typeof closes === "object") {
      const opening = closes.nextOpening;
      sendUpTo(reading, at);
      reading.report("adjacent-strings", "guess", at, opening + 1);
      at = reading.run = opening + 1;
      continue;
    }
    reading.refusedHalfOpen ||= closes === "half-open";
    if (string.width === 1) {
      // A smart string may hold straight quotes: they are not of its kind.
      if (code === string.opener || code > 0x7f) {
        noteInnerQuote(string, code, at > 0 ? text.charCodeAt(at - 1) : 0, window.at(at + 1));
        string.innerQuotes++;
        reading.reportInString("inner-quote", "guess", at, at + 1);
      } else string.straightQuotes = true;
    }
    sendPlain(reading, at, at + 1);
    at++;
  }
}

/**
 * Quotes that are none of JSON's have one reading only where no quote of another kind in the string stands where it
 * could end: else the first or the last may be the one that is wrong.
 */
function mayCloseInstead(reading: Reading, { style, place }: OpenString, at: number): "more" | undefined {
  if (style === undefined || style.level === "guess") return undefined;
  const closes = reading.closing.closes(cleanStrings[place], at + 1);
  if (closes === "more") return "more";
  if (closes !== "no") style.level = "guess";
  return undefined;
}

/** Does the quote at `at` close the string, alone or as the last of two or three? */
function quoteCloses(reading: Reading, string: OpenString, at: number, code: number): Closing {
  const window = reading.window;
  if (string.width === 1) return reading.closing.closes(string, at + 1);
  for (let index = 1; index < string.width; index++) {
    const next = window.at(at + index);
    if (next !== code) return next === WAIT ? "more" : "no";
  }
  const next = window.at(at + string.width);
  if (next === code) return "no";
  const closes = reading.closing.closes(string, at + string.width);
  return typeof closes === "object" ? "no" : closes;
}
