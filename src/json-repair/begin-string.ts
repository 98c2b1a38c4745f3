import { APOSTROPHE, BACKSLASH, COLON, COMMA, END, isBlank, isLetter, QUOTE, WAIT } from "./characters.ts";
import { leavesOpen, type OpenString, openString, type StringPlace } from "./open-string.ts";
import type { Reading } from "./reading.ts";
import { isSeparator } from "./string-content.ts";
import { specialsOf } from "./string-specials.ts";

/** Strings of which nothing odd is known, to ask where they end. Never changed. */
export const cleanStrings: Readonly<Record<StringPlace, OpenString>> = {
  key: /* @__PURE__ */ openString("key", QUOTE, 1, 0),
  member: /* @__PURE__ */ openString("member", QUOTE, 1, 0),
  item: /* @__PURE__ */ openString("item", QUOTE, 1, 0),
  top: /* @__PURE__ */ openString("top", QUOTE, 1, 0),
};

/** One, two or three quotes open a string here. */
export function beginString(reading: Reading, code: number): boolean {
  const window = reading.window;
  const place = reading.placeOfValue();
  const at = reading.pos;
  if (code === QUOTE && readCleanString(reading, place, at)) return true;
  const string = openString(place, code, 1, window.offset + at);
  const next = window.at(at + 1);
  if (next === WAIT || !knowsBeginning(reading, at + 1)) return false;
  if (next === code) {
    const third = window.at(at + 2);
    if (third === WAIT) return false;
    if (third === code) {
      const fourth = window.at(at + 3);
      if (fourth === WAIT) return false;
      if (fourth === code && reading.closing.doubled) {
        const empty = reading.closing.closes(string, at + 4);
        if (empty === "more") return false;
        if (empty === "yes") {
          string.width = 2;
          return enterString(reading, string, at + 2);
        }
      }
      const closes = fourth === code || fourth === END ? "no" : reading.closing.closes(string, at + 3);
      if (closes === "more") return false;
      if (closes === "no") {
        if (!knowsBeginning(reading, at + 3)) return false;
        string.width = 3;
        reading.report("triple-quote", "guess", at, at + 3);
      }
    } else if (reading.closing.doubled && (code === QUOTE || code === APOSTROPHE)) {
      if (!knowsBeginning(reading, at + 2)) return false;
      string.width = 2;
      if (code === APOSTROPHE) reading.report("quote-style", "guess", at, at + 2);
    }
  }
  if (string.width === 1 && code !== QUOTE) string.style = reading.report("quote-style", "safe", at, at + 1);
  return enterString(reading, string, at + string.width);
}

/**
 * The usual string: no escape, nothing odd, and its first quote closes it. Says the same as the long way, which
 * everything else takes.
 */
export function readCleanString(reading: Reading, place: StringPlace, at: number): boolean {
  const window = reading.window;
  const text = window.text;
  let end = at + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === QUOTE || code === BACKSLASH || code < 0x20) break;
    end++;
  }
  window.steps += end - at;
  if (end === at + 1 || end >= text.length || text.charCodeAt(end) !== QUOTE) return false;
  const last = text.charCodeAt(end - 1);
  // After a comma the quote may begin the next key.
  if (last === COMMA || isBlank(last) || reading.closing.doubled || reading.givenPlans !== undefined) return false;
  if (reading.closing.closes(cleanStrings[place], end + 1) !== "yes") return false;
  const content = text.slice(at + 1, end);
  reading.beginValue();
  reading.sink.beginString(window.offset + at, false);
  reading.sink.escaped(content);
  reading.sink.endString(window.offset + end);
  reading.endsOpen = leavesOpen(content);
  reading.pos = end + 1;
  reading.valueEnded(true, isSeparator(last));
  return true;
}

/** A drive letter is recognised three characters ahead. */
export function knowsBeginning(reading: Reading, at: number): boolean {
  const window = reading.window;
  if (window.at(at) === WAIT) return false;
  if (!isLetter(window.at(at))) return true;
  const second = window.at(at + 1);
  return second !== WAIT && !(second === COLON && window.at(at + 2) === WAIT);
}

/** The reading of `string` begins at `at`; the sink is notified. */
export function enterString(reading: Reading, string: OpenString, at: number): boolean {
  const window = reading.window;
  string.pathLike = isLetter(window.at(at)) && window.at(at + 1) === COLON && window.at(at + 2) === BACKSLASH;
  const plan = reading.givenPlans?.get(string.start);
  string.literal = plan === "literal";
  string.evidentlyEscaped = plan === "escaped";
  string.escapedQuote = plan === "escaped";
  reading.entry = {};
  if (string.literal) reading.reportInString("unescaped-backslashes", "guess", reading.pos, at);
  reading.beginValue();
  reading.sink.beginString(string.start, false);
  reading.string = string;
  reading.lastOfString = 0;
  reading.specials = specialsOf(
    string.opener,
    false,
    string.place !== "top" && string.place !== "key" && string.width === 1,
  );
  reading.pos = at;
  reading.mode = "string";
  return true;
}
