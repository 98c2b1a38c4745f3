import {
  BACKTICK,
  DOT,
  END,
  isDigit,
  isLetter,
  isOpener,
  isQuote,
  MINUS,
  PLUS,
  QUOTE,
  TILDE,
  WAIT,
} from "./characters.ts";
import type { Answer } from "./look-ahead.ts";
import type { Reading } from "./reading.ts";

const infoStringMax = 32;

/** Before the top value: a fence, members without braces, or the value. */
export function readStart(reading: Reading): boolean {
  if (!reading.skip()) return false;
  const window = reading.window;
  const code = window.at(reading.pos);
  if (code === END) return reading.fail("no-value", reading.pos, "the text holds no value");
  if ((code === BACKTICK || code === TILDE) && reading.window.fence === 0) {
    const fence = openFence(reading, code);
    if (fence !== "no") return fence === "yes";
  }
  if (code === QUOTE) {
    const member = reading.closing.beginsMember(reading.pos);
    if (member === "more") return false;
    if (member === "yes") {
      reading.beginMembers();
      return true;
    }
  }
  const readable =
    isOpener(code) ||
    isQuote(code) ||
    isDigit(code) ||
    code === MINUS ||
    code === PLUS ||
    code === DOT ||
    isLetter(code);
  if (!readable) return reading.fail("no-value", reading.pos, "no JSON value begins here");
  reading.mode = "value";
  return true;
}

/** Three backticks or tildes, an info word, and the value inside. */
function openFence(reading: Reading, code: number): Answer {
  const window = reading.window;
  let at = reading.pos;
  while (window.at(at) === code) at++;
  if (window.at(at) === WAIT) return "more";
  if (at - reading.pos < 3) return "no";
  const limit = at + infoStringMax;
  let next = window.at(at);
  while (at < limit && next >= 0 && (isLetter(next) || isDigit(next) || next === MINUS || next === PLUS)) {
    at++;
    next = window.at(at);
  }
  if (next === WAIT) return "more";
  reading.report("fence", "safe", reading.pos, at);
  reading.window.fence = code;
  reading.pos = at;
  return "yes";
}
