import type { RepairKind } from "../contract/repairs.ts";
import { isHighSurrogate } from "../machine/string-units.ts";
import { APOSTROPHE, BACKSLASH, isHexDigit, QUOTE, SLASH, WAIT } from "./characters.ts";
import { cutString } from "./end-of-text.ts";
import type { EscapePlan, OpenString } from "./open-string.ts";
import type { Reading } from "./reading.ts";
import { endString, sendPlain, sendUpTo } from "./string-content.ts";

/** What reading an escape answers when the string ended with it; unlike WAIT, the reading goes on. */
export const STRING_OVER = -1;

/** Reads the escape at `at` and returns where to go on, {@link STRING_OVER}, or {@link WAIT}. */
export function readEscape(reading: Reading, string: OpenString, at: number): number {
  const window = reading.window;
  const code = window.at(at + 1);
  if (code < 0) return halfEscape(reading, code, at);
  if (string.raw) return keepPlain(reading, at, at + 2);
  const ownQuote = string.closers.includes(code);
  if (code === QUOTE && ownQuote && string.width === 1 && !string.escapedQuote) {
    const swallowed = reading.closing.swallowed(string, at + 2);
    if (swallowed === "more") return halfEscape(reading, WAIT, at);
    reading.refusedHalfOpen ||= swallowed === "half-open";
    if (swallowed === "yes") {
      sendPlain(reading, at, at + 1);
      reading.report("swallowed-quote", "guess", at, at + 2);
      if (string.decoded && !string.evidentlyEscaped) contradict(reading, string, "literal", at);
      endString(reading, at + 1, at + 2);
      return STRING_OVER;
    }
  }
  if (code === QUOTE || code === BACKSLASH) {
    if (code === BACKSLASH && reading.givenPlans?.get(string.start) === "literal")
      return keepPlain(reading, at, at + 2);
    if (string.kept && !string.evidentlyEscaped) contradict(reading, string, "escaped", at);
    string.evidentlyEscaped = true;
    string.escapedQuote ||= code === QUOTE;
    string.literal = false;
    return at + 2;
  }
  if (ownQuote || code === APOSTROPHE) {
    // A quote of the string's own kind, or the apostrophe that other languages escape.
    if (!ownQuote && string.literal) return keepPlain(reading, at, at + 2);
    if (!ownQuote) {
      const level = string.bareApostrophe ? "guess" : "safe";
      string.escapedApostrophe = reading.reportInString("escaped-apostrophe", level, at, at + 2);
    }
    sendUpTo(reading, at);
    reading.run = at + 1;
    return keepPlain(reading, at + 1, at + 2);
  }
  if (isControlLetter(code)) {
    if (!string.literal) {
      string.decoded = true;
      return at + 2;
    }
    string.kept = true;
    reading.reportInString("unescaped-backslashes", "guess", at, at + 2);
    return keepPlain(reading, at, at + 2);
  }
  return code === 0x75 ? readUnicodeEscape(reading, string, at) : invalidEscape(reading, string, "invalid-escape", at);
}

function readUnicodeEscape(reading: Reading, string: OpenString, at: number): number {
  for (let index = at + 2; index < at + 6; index++) {
    const digit = reading.window.at(index);
    if (digit < 0) return halfEscape(reading, digit, at);
    if (!isHexDigit(digit)) return invalidEscape(reading, string, "invalid-unicode-escape", at);
  }
  if (!string.literal) {
    string.decoded = true;
    return readSurrogates(reading, at);
  }
  string.kept = true;
  return keepPlain(reading, at, at + 6);
}

/** A high surrogate waits for its partner, so that no piece ends between the halves. */
function readSurrogates(reading: Reading, at: number): number {
  const window = reading.window;
  const high = Number.parseInt(window.text.slice(at + 2, at + 6), 16);
  if (!isHighSurrogate(high)) return at + 6;
  for (let index = 6; index < 12; index++) {
    const code = window.at(at + index);
    if (code < 0) return halfEscape(reading, code, at);
    const fits = index === 6 ? code === BACKSLASH : index === 7 ? code === 0x75 : isHexDigit(code);
    if (!fits) return at + 6;
  }
  const low = Number.parseInt(window.text.slice(at + 8, at + 12), 16);
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : at + 6;
}

/** Half an escape is held back; where the text is over, it is dropped. */
function halfEscape(reading: Reading, code: number, at: number): number {
  sendUpTo(reading, at);
  if (code === WAIT) return WAIT;
  cutString(reading, at);
  return STRING_OVER;
}

function keepPlain(reading: Reading, from: number, to: number): number {
  sendPlain(reading, from, to);
  return to;
}

/** A backslash that escapes nothing: it is data, and unless the string shows that it was escaped, all of them are. */
function invalidEscape(reading: Reading, string: OpenString, kind: RepairKind, at: number): number {
  reading.reportInString(kind, "guess", at, at + 2);
  if (!string.evidentlyEscaped && !string.literal) {
    string.literal = true;
    if (string.decoded) contradict(reading, string, "literal", at);
  }
  return keepPlain(reading, at, at + 1);
}

/** What was sent to the sink of the string is wrong: a second reading takes the other plan. */
function contradict(reading: Reading, string: OpenString, plan: EscapePlan, at: number): void {
  // Everything before is sent now, as it would have been in smaller chunks.
  if (at > reading.run) sendUpTo(reading, at);
  reading.contradict();
  reading.plans.set(string.start, plan);
  reading.reportInString("unescaped-backslashes", "guess", at, at + 1);
}

/** Letters whose escape is another character, and the slash: valid, but in `C:\new` not meant. */
function isControlLetter(code: number): boolean {
  return code === SLASH || code === 0x6e || code === 0x74 || code === 0x72 || code === 0x62 || code === 0x66;
}
