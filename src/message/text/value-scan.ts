/** How strings and brackets are told from the text that they stand in. */
export interface ScanRule {
  /** What says something outside of strings: quotes, brackets, line breaks before which nothing counts, backslashes that escape, and what no value holds. */
  readonly outside: RegExp;
  /** What does in strings. */
  readonly inside: RegExp;
  /** A quote behind one of these, blanks aside, begins a string; absent: any quote. */
  readonly before?: string;
  /** What follows a string, blanks aside; absent: anything. */
  readonly after?: string;
  /** A line break ends a string, escaped or not. */
  readonly isOnLine?: boolean;
  /** What a backslash escapes; absent: anything. */
  readonly escaped?: RegExp;
}

/** What strings of JSON, of Python and of calls in brackets stand behind and before. */
export const ofValues = { before: "([{,:=", after: ",:)]}" };

/** The strings and brackets of values, such as those of JSON, in text that comes in pieces. What says nothing of them is passed over. */
export class ValueScan {
  readonly #rule: ScanRule;
  /** Brackets that are open. */
  depth = 0;
  /** What delimits the string that is open; empty: none is. */
  quote = "";
  /** What stands last outside of strings, blanks aside. */
  before = "";
  /** What stands there: a bracket, a string, a quote that begins none, what no value holds there, or a line break. */
  found: "opens" | "closes" | "begins" | "ends" | "quote" | "misplaced" | "break" | undefined;
  /** Up to where the piece has been read. */
  to = 0;
  #isEscaped = false;
  /** A string has just ended: what follows says whether it may have. */
  #hasEnded = false;

  constructor(rule: ScanRule) {
    this.#rule = rule;
  }

  /** Where in a piece the next thing stands that says something; its end: nowhere. */
  next(text: string, from: number): number {
    const at = this.quote === "" ? this.#nextOutside(text, from) : this.#nextInside(text, from);
    this.to = this.found === "misplaced" ? at : at + 1;
    return at;
  }

  /** No value is open any more. */
  leave(): void {
    this.depth = 0;
    this.leaveString();
  }

  /** No string is open any more. */
  leaveString(): void {
    this.quote = "";
    this.#isEscaped = this.#hasEnded = false;
  }

  #nextInside(text: string, from: number): number {
    const { after, escaped = anyUnit, inside, isOnLine } = this.#rule;
    for (let at = from; ; at++) {
      if (this.#isEscaped) {
        at = find(escaped, text, at);
        if (at === text.length) return at;
        this.#isEscaped = false;
        if (!isOnLine || !lineBreaks.includes(text[at])) at++;
      }
      at = find(inside, text, at);
      if (at === text.length) return at;
      const unit = text[at];
      const isEnd = unit === this.quote;
      if (unit === "\\") this.#isEscaped = true;
      else if (isEnd || lineBreaks.includes(unit)) {
        if (isEnd || isOnLine) this.leaveString();
        this.#hasEnded = isEnd && after !== undefined;
        this.found = isEnd ? "ends" : "break";
        return at;
      }
    }
  }

  #nextOutside(text: string, from: number): number {
    const { after, before, outside } = this.#rule;
    if (this.#hasEnded) {
      const first = find(notBlank, text, from);
      if (first === text.length) return first;
      this.#hasEnded = false;
      if (!after?.includes(text[first])) {
        this.found = "misplaced";
        return first;
      }
    }
    for (let start = from; ; ) {
      const at = find(outside, text, start);
      const words = text.slice(start, at).trim();
      // What is escaped stands before nothing.
      if (words.length > (this.#isEscaped ? 1 : 0)) this.before = words[words.length - 1];
      this.#isEscaped &&= words === "";
      if (at === text.length) return at;
      const unit = text[at];
      const isEscape = unit === "\\";
      const isBreak = lineBreaks.includes(unit);
      const last = this.before;
      this.before = isEscape || this.#isEscaped || isBreak ? "" : unit;
      this.#isEscaped = isEscape && !this.#isEscaped;
      start = at + 1;
      if (isEscape) continue;
      if (opening.includes(unit)) {
        this.found = "opens";
        this.depth++;
      } else if (closing.includes(unit)) {
        this.found = "closes";
        this.depth = Math.max(0, this.depth - 1);
      } else if (isBreak) this.found = "break";
      else if (!quotes.includes(unit)) this.found = "misplaced";
      else if (before === undefined || (last !== "" && before.includes(last))) {
        this.found = "begins";
        this.quote = unit;
      } else this.found = "quote";
      return at;
    }
  }
}

/** Where from a place on one of some units stands; the end of the text: nowhere. */
export function find(units: RegExp, text: string, from: number): number {
  units.lastIndex = from;
  return units.test(text) ? units.lastIndex - 1 : text.length;
}

const anyUnit = /[\s\S]/g;
const notBlank = /\S/g;
const quotes = "\"'";
const lineBreaks = "\r\n";
const opening = "{[(";
const closing = "}])";
