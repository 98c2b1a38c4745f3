import { latePattern } from "../machine/late-pattern.ts";
import { BACKSLASH, COLON, END, isBlank, WAIT } from "./characters.ts";
import type { Answer } from "./look-ahead.ts";
import type { OpenString } from "./open-string.ts";
import { keyCharactersMax, type Reading } from "./reading.ts";
import type { TextWindow } from "./text-window.ts";

/** A comma in a member value, then a quote that begins a member: the closing quote before the comma is missing. */
export function commaEndsString(reading: Reading, string: OpenString, comma: number): Answer {
  const window = reading.window;
  const text = window.text;
  let at = comma + 1;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  window.steps += at - comma;
  const quote = window.at(at);
  if (quote === WAIT) return "more";
  if (quote !== string.opener) return "no";
  if (string.place === "item" && !endsItem(window, comma, at)) return "no";
  const closes = reading.closing.closes(string, at + 1);
  if (closes === "more") return "more";
  if (closes !== "no" && closes !== "half-open") return "no";
  return reading.closing.closingQuoteMissing(string, at);
}

/** As lists are written: the comma directly after the item, and the next one directly after it or on a line of its own. */
function endsItem(window: TextWindow, comma: number, at: number): boolean {
  return !isBlank(window.text.charCodeAt(comma - 1)) && (at === comma + 1 || window.crossesLine(comma, at));
}

/** A colon in a key, and the next quote does not close a key: the closing quote before the colon is missing. */
export function colonEndsKey(reading: Reading, string: OpenString, colon: number): Answer {
  const window = reading.window;
  if (string.width > 1 || (reading.key.length === 0 && colon === reading.run)) return "no";
  const limit = colon + keyCharactersMax;
  let at = colon + 1;
  for (; at < limit; at++) {
    const code = window.at(at);
    if (code === WAIT) return "more";
    if (code === BACKSLASH) at++;
    else if (code === END || string.closers.includes(code)) break;
  }
  window.steps += at - colon;
  const code = window.at(at);
  if (code === WAIT) return "more";
  if (code === END) {
    // Cut inside a key, unless the key is plain and the rest is a value and exactly the closers that are due.
    const key = reading.key + window.text.slice(reading.run, colon);
    return plainKey().test(key) ? reading.closing.endsWithScalar(colon) : "no";
  }
  if (at >= limit) return "yes";
  const next = window.skipBlanks(at + 1);
  if (next === WAIT) return "more";
  const follows = window.at(next);
  return follows === COLON || follows === END ? "no" : "yes";
}

const plainKey = latePattern("^[\\p{L}_$][\\p{L}\\p{N}_$-]*$");
