/** How strings and brackets are told from the text that they stand in. */
export interface ScanRule {
  /** What says something outside of strings: quotes, brackets, line breaks before which nothing counts, backslashes that escape, and what no value holds. */
  readonly outside: RegExp;
  /** What does in strings. */
  readonly inside: RegExp;
  /** A quote behind one of these, blanks aside, begins a string; absent: any quote. */
  readonly before?: string;
  /** Letters that may stand between these and the quote, behind one of these. */
  readonly prefix?: RegExp;
  /** What follows a string, blanks aside; absent: anything. */
  readonly after?: string;
  /** Words may have apostrophes: no value holds a quote that begins no string, nor a single one behind which more parentheses close than open. */
  readonly hasApostrophes?: boolean;
  /** A line break ends a string, escaped or not. */
  readonly isOnLine?: boolean;
  /** Three quotes begin a string that three end, of any number of lines. */
  readonly hasTriples?: boolean;
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
  /** What strings stand behind, with what may be the prefix of one. */
  #lead = "";
  /** Parentheses that the open string has opened. */
  #opened = 0;
  #isEscaped = false;
  /** A string has just ended: what follows says whether it may have. */
  #hasEnded = false;
  /** What delimits that string, if nothing stands in it: one more of the kind begins one of three. */
  #empty = "";
  /** Three quotes delimit the string that is open. */
  #isTriple = false;
  /** Quotes that stand last in such a string. */
  #run = 0;

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
    this.quote = this.#empty = "";
    this.#isEscaped = this.#hasEnded = this.#isTriple = false;
    this.#opened = this.#run = 0;
  }

  #nextInside(text: string, from: number): number {
    const { after, escaped = anyUnit, hasTriples, inside, isOnLine } = this.#rule;
    for (let at = from; ; at++) {
      const begin = at;
      if (this.#isEscaped) {
        at = find(escaped, text, at);
        if (at === text.length) return at;
        this.#isEscaped = false;
        if (!isOnLine || !lineBreaks.includes(text[at])) at++;
      }
      at = find(inside, text, at);
      if (at > begin) {
        this.#run = 0;
        this.#empty = "";
      }
      if (at === text.length) return at;
      const unit = text[at];
      const { quote } = this;
      const isEnd = unit === quote;
      if (!isEnd) this.#empty = "";
      if (this.#isTriple) this.#run = isEnd ? this.#run + 1 : 0;
      if (unit === "\\") this.#isEscaped = true;
      else if (this.#isTriple && this.#run < tripled) continue;
      else if (isEnd || lineBreaks.includes(unit)) {
        const isEmpty = isEnd && hasTriples && this.#empty !== "";
        if (isEnd || isOnLine) this.leaveString();
        this.#empty = isEmpty ? quote : "";
        this.#hasEnded = isEnd && after !== undefined;
        this.found = isEnd ? "ends" : "break";
        return at;
      } else if (unit === "(") this.#opened++;
      else if (unit === ")" && quote === "'" && --this.#opened < 0) {
        this.leaveString();
        this.found = "misplaced";
        return at;
      }
    }
  }

  #nextOutside(text: string, from: number): number {
    const { after, before, hasApostrophes, outside, prefix } = this.#rule;
    if (this.#hasEnded) {
      const first = find(notBlank, text, from);
      if (first > from) this.#empty = "";
      if (first === text.length) return first;
      this.#hasEnded = false;
      if (first === from && text[first] === this.#empty) {
        this.quote = this.#empty;
        this.#isTriple = true;
        this.found = "begins";
        return first;
      }
      if (!after?.includes(text[first])) {
        this.found = "misplaced";
        return first;
      }
    }
    for (let start = from; ; ) {
      const at = find(outside, text, start);
      const gap = text.slice(start, at);
      const words = gap.trim();
      // What is escaped stands before nothing.
      if (words.length > (this.#isEscaped ? 1 : 0)) this.before = words[words.length - 1];
      this.#isEscaped &&= words === "";
      if (prefix && (at === text.length || quotes.includes(text[at])))
        this.#lead = beforeString.exec(this.#lead + gap)?.[0].replace(blanks, "") ?? "";
      if (at === text.length) return at;
      const unit = text[at];
      const isEscape = unit === "\\";
      const isBreak = lineBreaks.includes(unit);
      const last = this.before;
      const hasPrefix = prefix?.test(this.#lead);
      this.before = this.#lead = isEscape || this.#isEscaped || isBreak ? "" : unit;
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
      else if (before === undefined || hasPrefix || (last !== "" && before.includes(last))) {
        this.found = "begins";
        this.quote = this.#empty = unit;
      } else this.found = hasApostrophes ? "misplaced" : "quote";
      return at;
    }
  }
}

/** Where from a place on one of some units stands; the end of the text: nowhere. */
export function find(units: RegExp, text: string, from: number): number {
  units.lastIndex = from;
  return units.test(text) ? units.lastIndex - 1 : text.length;
}

const tripled = 3;
const anyUnit = /[\s\S]/g;
const notBlank = /\S/g;
const blanks = /\s+/;
const beforeString = /[([{,:=]\s*\w{0,2}$/;
const quotes = "\"'";
const lineBreaks = "\r\n";
const opening = "{[(";
const closing = "}])";
