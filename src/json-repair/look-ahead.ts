import { isStringPrefix } from "./bare-values.ts";
import {
  APOSTROPHE,
  BACKSLASH,
  COMMA,
  closersOf,
  DOT,
  END,
  isCloser,
  isDigit,
  isLetter,
  isQuote,
  LINE_FEED,
  MINUS,
  PLUS,
  QUOTE,
  WAIT,
} from "./characters.ts";
import type { TextWindow } from "./text-window.ts";

/** What a question about a text that comes in pieces is answered with; `more`: the answer lies in text that has not come. */
export type Answer = "yes" | "no" | "more";

/** How far a look-ahead goes for the end of a key or of a short value. With it the whole stays linear. */
const lookAheadMax = 256;
/** Nobody writes more quotes in a row than this; a flood of them is not looked over again for each. */
const quoteRunMax = 8;
/** Nor so many closers with blanks or comments between them. */
export const closerGapsMax = 1024;
/** No literal has more letters. */
const literalMax = 9;

const knownLiterals: ReadonlySet<string> = new Set(["true", "false", "null", "none", "undefined", "nan"]);

/** Where a short string ends: after its closing quote; `cut`: the text ends before it; `long`: it ends further away than is looked. */
export type StringEnd = number | "cut" | "long";

/**
 * Looks ahead of the reading, over a bounded distance, and changes nothing in it. Where the text has not come yet, it
 * answers as if the text ended there and sets {@link needsMore}: then whatever was found out is void, and the question has
 * to be asked again with more text. So the questions themselves need not ask at each step whether the text is there.
 */
export class LookAhead {
  readonly window: TextWindow;
  /** Text that has not come would have been looked at. */
  needsMore = false;
  /** All quotes of the document are doubled. */
  doubled = false;

  constructor(window: TextWindow) {
    this.window = window;
  }

  /** The character at `index`, or {@link END}. */
  at(index: number): number {
    const { text } = this.window;
    if (index < text.length) return text.charCodeAt(index);
    this.#noteEnd();
    return END;
  }

  /** First index at or after `index` that holds neither blank nor comment. */
  skipBlanks(index: number): number {
    const next = this.window.skipBlanks(index);
    return next === WAIT ? this.#noteEnd() : next;
  }

  /** First index at or after `index` that holds neither blank, comment nor comma, unless there are too many. */
  skipCommas(index: number): number {
    const next = this.window.skipCommas(index, lookAheadMax);
    return next === WAIT ? this.#noteEnd() : next;
  }

  /** The text ends here, for all that is known; answers where. */
  #noteEnd(): number {
    if (!this.window.ended) this.needsMore = true;
    return this.window.text.length;
  }

  /** Whether an end marker stands at `index`. */
  isMarker(index: number): boolean {
    return this.#isLong(this.window.markerAt(index));
  }

  /** Whether three backticks or tildes stand at `index`. */
  isFence(index: number): boolean {
    return this.#isLong(this.window.fenceLength(index));
  }

  #isLong(length: number): boolean {
    if (length === WAIT) this.needsMore = true;
    return length > 0;
  }

  /** Whether a comma, a closer, an end marker or the end of the text stands at `index`. */
  endsValue(index: number): boolean {
    const code = this.at(index);
    return code === COMMA || code === END || isCloser(code) || this.isMarker(index);
  }

  /** An ellipsis that stands for left-out content: a comma, closer or the end must follow. */
  isEllipsis(at: number): boolean {
    const length = this.window.ellipsisAt(at);
    return this.#isLong(length) && this.endsValue(this.skipBlanks(at + length));
  }

  /** Index after the run of `quote` that goes on at `at`. */
  endOfQuotes(at: number, quote: number): number {
    let end = at + 1;
    while (end - at < quoteRunMax && this.at(end) === quote) end++;
    this.window.steps += end - at;
    return end;
  }

  /** Where the string ends that opens at `at`. */
  endOfString(at: number): StringEnd {
    const { window, doubled } = this;
    const opener = window.at(at);
    if (opener === QUOTE && !doubled) return this.#endOfUsualString(at);
    if (doubled && window.text.charCodeAt(at + 1) === QUOTE) return this.#endOfDoubledString(at);
    const closers = closersOf(opener);
    const limit = at + 1 + lookAheadMax;
    for (let index = at + 1; index <= limit; index++) {
      const code = this.at(index);
      if (code === END) {
        window.steps += index - at;
        return "cut";
      }
      if (code === BACKSLASH) index++;
      else if (closers.includes(code)) {
        window.steps += index - at;
        return index + 1;
      }
    }
    window.steps += lookAheadMax;
    return "long";
  }

  #endOfUsualString(at: number): StringEnd {
    const { window } = this;
    const { text } = window;
    const limit = at + 2 + lookAheadMax;
    const end = Math.min(text.length, limit);
    for (let index = at + 1; index < end; index++) {
      const code = text.charCodeAt(index);
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) {
        window.steps += index - at;
        return index + 1;
      }
    }
    window.steps += end - at;
    if (end === limit) return "long";
    this.#noteEnd();
    return "cut";
  }

  #endOfDoubledString(at: number): StringEnd {
    const { window } = this;
    const { text } = window;
    const from = at + 2;
    const end = text.slice(from, from + lookAheadMax).indexOf('""');
    window.steps += end < 0 ? Math.min(lookAheadMax, text.length - at) : end;
    if (end >= 0) return from + end + 2;
    if (from + lookAheadMax < text.length) return "long";
    this.#noteEnd();
    return "cut";
  }

  /** Index of the quote that begins a string at `at`, after a Python prefix if there is one; -1 if none begins. */
  openingQuote(at: number): number {
    if (isQuote(this.at(at))) return at;
    let index = at;
    while (index < at + 3 && isLetter(this.at(index))) index++;
    const code = this.at(index);
    const isPrefixed = code === QUOTE || code === APOSTROPHE;
    return isPrefixed && isStringPrefix(this.window.text.slice(at, index)) ? index : -1;
  }

  /** A number or literal that ends at a comma, a closer or the end of the text. */
  isScalar(at: number, inObject: boolean): boolean {
    const first = this.at(at);
    if (!isDigit(first) && first !== MINUS && first !== PLUS && first !== DOT) return this.isLiteral(at);
    let index = at;
    while (isNumberCharacter(this.at(index))) {
      index++;
      if (index - at > lookAheadMax) return false;
    }
    this.window.steps += index - at + 1;
    const last = this.window.text.charCodeAt(index - 1);
    return (isDigit(last) || last === DOT) && this.#scalarEnds(index, inObject);
  }

  /** A literal that ends in the same way. */
  isLiteral(at: number): boolean {
    let index = at;
    while (isLetter(this.at(index))) {
      index++;
      if (index - at > literalMax) return false;
    }
    this.window.steps += index - at + 1;
    return knownLiterals.has(this.window.text.slice(at, index).toLowerCase()) && this.#scalarEnds(index, true);
  }

  #scalarEnds(index: number, inObject: boolean): boolean {
    const at = this.skipBlanks(index);
    if (!isCloser(this.at(at)) || !inObject) return this.endsValue(at);
    return this.closersEnd(at);
  }

  /** Whether no quote stands right after the closers at `at`: else they are content of the string that it closes. */
  closersEnd(at: number): boolean {
    let index = at;
    for (let gaps = 0; isCloser(this.at(index)) && gaps < closerGapsMax; ) {
      const next = this.skipBlanks(index + 1);
      if (next > index + 1) gaps++;
      index = next;
    }
    return !isQuote(this.at(index)) || this.isMarker(index);
  }

  /** Words without quotes on this line: where the comma, the closer or the end of the text stands that ends them, or -1. */
  endOfBareText(at: number): number {
    let index = at;
    while (!this.endsValue(index)) {
      const code = this.at(index);
      if (isQuote(code) || code === LINE_FEED || index - at > lookAheadMax) {
        this.window.steps += index - at + 1;
        return -1;
      }
      index++;
    }
    this.window.steps += index - at + 1;
    return index > at ? index : -1;
  }

  /** Index after the characters from `at` on that `belongs` takes; -1 if there are more than a key has. */
  endOfRun(at: number, belongs: (code: number) => boolean): number {
    let index = at;
    let code = this.at(index);
    while (code >= 0 && belongs(code)) {
      index++;
      if (index - at > lookAheadMax) return -1;
      code = this.at(index);
    }
    this.window.steps += index - at + 1;
    return index;
  }
}

/** Digits, signs, the dot and the letter of an exponent. */
function isNumberCharacter(code: number): boolean {
  return isDigit(code) || code === MINUS || code === PLUS || code === DOT || code === 0x65 || code === 0x45;
}
