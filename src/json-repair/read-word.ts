import type { RepairKind } from "../contract/repairs.ts";
import {
  completeLiteral,
  isPlainValue,
  isStringPrefix,
  mayBecomeNoValue,
  mayBeNumber,
  readBareWord,
} from "./bare-values.ts";
import { enterString, knowsBeginning } from "./begin-string.ts";
import {
  APOSTROPHE,
  BACKSLASH,
  COMMA,
  DOT,
  ELLIPSIS,
  END,
  isDigit,
  isOddBlank,
  isQuote,
  MINUS,
  OPEN_PAREN,
  PLUS,
  QUOTE,
  SLASH,
  WAIT,
} from "./characters.ts";
import { endOfText } from "./end-of-text.ts";
import type { ExpectedType } from "./open-containers.ts";
import { openString } from "./open-string.ts";
import { readBareText } from "./read-bare-text.ts";
import { readWrapped } from "./read-wrapped.ts";
import type { Reading } from "./reading.ts";
import { wordEnds } from "./word-end.ts";

/** ASCII characters that end a word: the rest of a value without quotes is looked at only if it goes on after one. */
const wordEnders = new Uint8Array(128);
wordEnders.fill(1, 0, 0x21);
for (const character of ",:;\"'`/<=\\{}[]()") wordEnders[character.charCodeAt(0)] = 1;

/** A literal, a number or a word; what goes on after it is read as text. */
export function readWord(reading: Reading): boolean {
  const window = reading.window;
  const text = window.text;
  const from = reading.pos;
  const container = reading.open.top;
  let at = from;
  while (at < text.length && !endsWord(text.charCodeAt(at))) at++;
  window.steps += at - from + 1;
  const code = window.at(at);
  if (code === WAIT) return false;
  const word = text.slice(from, at);
  if (code === OPEN_PAREN && readWrapped(reading, "constructor-call")) return true;
  if (code === END) return cutWord(reading, word, from);
  if ((code === QUOTE || code === APOSTROPHE) && isStringPrefix(word)) {
    if (!knowsBeginning(reading, at + 1)) return false;
    const string = openString(reading.placeOfValue(), code, 1, window.offset + at);
    // `B", "n": 1`: the letter is the text, and the quote its end.
    const closes = container === undefined ? "no" : reading.closing.closes(string, at + 1);
    if (closes === "more") return false;
    if (closes === "yes" && window.at(at + 1) !== END) return readBareText(reading);
    string.raw = word.toLowerCase().includes("r");
    reading.report("string-prefix", "guess", from, at);
    return enterString(reading, string, at + 1);
  }
  const cutAfter = (code === SLASH || code === BACKSLASH) && window.at(at + 1) === END;
  if (cutAfter && mayBeNumber(word) && !reading.final) return endOfText(reading, "cut-number");
  const ends = wordEnds(reading, at, word);
  if (ends === "more") return false;
  if (ends === "yes" && isPlainValue(word)) {
    reading.literal(word, from, at);
    reading.pos = at;
    return true;
  }
  if (ends === "yes" && word.length > 0) {
    const value = readBareWord(word, container === undefined ? undefined : expectedTypeOf(reading, word));
    if (value !== undefined) {
      const isHalf = value.kind === "number-spelling" && container?.isObject === false && mayBeHalf(reading, from, at);
      if (isHalf === undefined) return false;
      if (value.kind !== undefined) {
        const isSure = !isHalf && !mayLackQuotes(reading, word, value.kind);
        reading.report(value.kind, isSure ? value.level : "guess", from, at);
      }
      if (value.json === undefined) reading.plainString(word, from, at);
      else reading.literal(value.json, from, at);
      reading.pos = at;
      return true;
    }
  }
  if (container === undefined) return reading.fail("no-value", from, "no JSON value begins here");
  return readBareText(reading);
}

/** `None` is null in Python, where the schema does not list it as a text; `+49151` may be a text wherever one is legal. */
function mayLackQuotes({ open }: Reading, word: string, kind: RepairKind): boolean {
  const legal = open.legalText(word);
  return legal === "listed" || (legal === "any" && kind === "number-spelling");
}

/** Of a list: `3,.5` and `3.,5` may be one number, with a comma too many. Undefined: text that has not come says it. */
function mayBeHalf(reading: Reading, from: number, at: number): boolean | undefined {
  const { window, integerEnd } = reading;
  if (window.at(from) === DOT && integerEnd === window.offset + from - 1 && window.at(from - 1) === COMMA) return true;
  if (window.at(at - 1) !== DOT || window.at(at) !== COMMA) return false;
  let next = at + 1;
  while (next - at < digitsMax && isDigit(window.at(next))) next++;
  const code = window.at(next);
  return code === WAIT ? undefined : next > at + 1 && code !== DOT;
}

/** A number has no more of them that count. */
const digitsMax = 32;

/** The schema is asked only about numbers that JSON would not take as they are. */
function expectedTypeOf(reading: Reading, word: string): ExpectedType | undefined {
  const first = word.charCodeAt(0);
  if (!isDigit(first) && first !== PLUS && first !== MINUS) return undefined;
  const odd = word.length > 15 || word.includes("_") || /^[+-]?0[0-9xXoObB]/.test(word);
  return odd ? reading.open.expectedType() : undefined;
}

/** The text ends right after a word: a literal is completed, a number may go on, other text is shown as far as it is. */
function cutWord(reading: Reading, word: string, from: number): boolean {
  const window = reading.window;
  const length = window.text.length;
  const literal = completeLiteral(word);
  const whole = readBareWord(word, undefined);
  // Without braces nothing but the end of the text can end the last member, and all of it is a guess already.
  const implied = reading.open.stack.length === 1 && reading.open.stack[0].implied;
  if (whole?.json !== undefined && (reading.final || implied || !mayBeNumber(word))) {
    if (implied && !reading.final && mayBeNumber(word)) reading.report("cut-number", "truncated", from, length);
    if (whole.kind !== undefined) {
      const level = mayLackQuotes(reading, word, whole.kind) ? "guess" : whole.level;
      reading.report(whole.kind, level, from, length);
    }
    reading.literal(whole.json, from, length);
  } else if (literal !== undefined) {
    reading.report("cut-literal", "truncated", from, length);
    reading.literal(literal, from, length);
  } else if (mayBeNumber(word) && !reading.final) {
    return endOfText(reading, "cut-number");
  } else if (reading.open.stack.length === 0) {
    return reading.fail("no-value", from, "no JSON value begins here");
  } else if (word.length < 2 || mayBecomeNoValue(word)) {
    return endOfText(reading, "cut-literal");
  } else {
    reading.report("bare-word", "guess", from, length);
    reading.report("cut-string", "truncated", from, length);
    reading.plainString(word, from, length);
  }
  reading.pos = length;
  return true;
}

function endsWord(code: number): boolean {
  return code < 0x80 ? wordEnders[code] === 1 : isOddBlank(code) || isQuote(code) || code === ELLIPSIS;
}
