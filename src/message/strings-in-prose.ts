import type { TextSource } from "../machine/text-store.ts";

/**
 * The strings of values that stand among other text, as JSON, Python and their calls in brackets write them: a result that is repeated
 * may show a call. A string ends with its line. Read as far as they are asked about: whatever such values do not hold says that none has begun.
 */
export class StringsInProse {
  readonly #store: TextSource;
  #to = 0;
  /** Brackets that are open, and where the first of them stands. */
  #depth = 0;
  #start = 0;
  /** What opened the string that is open. */
  #quote = "";
  #isEscaped = false;
  #holdsBreaks = false;
  /** Outside of values a mark of a code span has no partner on its line: the next one ends what has begun behind it. */
  #isInCode = false;
  /** A string has just ended: what follows says whether it may have. */
  #hasEnded = false;
  /** What stands last outside of strings, blanks aside, and whether these follow it. */
  #last = "";
  #hasBlank = false;

  constructor(store: TextSource) {
    this.#store = store;
  }

  /** Other text begins here. */
  begin(from: number): void {
    this.#to = from;
    this.#depth = 0;
    this.#quote = "";
    this.#isEscaped = this.#isInCode = this.#holdsBreaks = false;
  }

  /** What has begun at an offset has ended at another, with the values in it. */
  end(from: number | undefined, to: number): void {
    this.readTo(to);
    if (from !== undefined && this.#start >= from) this.begin(to);
  }

  isOpenAt(at: number): boolean {
    this.readTo(at);
    return this.#quote !== "";
  }

  /** What goes to here is a whole call in the string that is open: its strings are its own, and line breaks may follow it there. */
  skipTo(end: number): void {
    this.#to = Math.max(this.#to, end);
    this.#holdsBreaks = true;
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    const from = this.#to;
    const text = this.#store.slice(from, end);
    this.#to = end;
    for (let at = 0; at < text.length; at++) {
      // Most of a text stands in no bracket.
      plain.lastIndex = at;
      if (this.#depth > 0) this.#read(text[at]);
      else if (plain.test(text)) at = plain.lastIndex - 1;
      else if (text[at] === "`") this.#isInCode = !this.#isInCode;
      else if (lineBreaks.includes(text[at])) this.#isInCode = false;
      else this.#open(text[at], from + at);
    }
  }

  #open(unit: string, at: number): void {
    this.#start = at;
    this.#depth++;
    this.#last = unit;
    this.#hasBlank = this.#hasEnded = false;
  }

  #read(unit: string): void {
    const isBreak = lineBreaks.includes(unit);
    if (isBreak ? this.#quote !== "" && !this.#holdsBreaks : unit === "`" && this.#isInCode) {
      this.#quote = "";
      this.#isEscaped = false;
      this.#depth = 0;
    }
    if (isBreak || this.#depth === 0) this.#isInCode = false;
    if (this.#depth === 0) return;
    if (this.#quote !== "") this.#readString(unit);
    else if (unit.trim() === "") this.#hasBlank = true;
    else this.#readOutside(unit);
  }

  #readString(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.#quote) {
      this.#quote = "";
      this.#holdsBreaks = false;
      this.#hasEnded = true;
    }
  }

  #readOutside(unit: string): void {
    const isValue = beforeString.includes(this.#last);
    const isSentence = this.#hasBlank && wordUnit.test(unit) && wordUnit.test(this.#last);
    if (isSentence || (this.#hasEnded && !afterString.includes(unit))) this.#depth = 0;
    else if (quotes.includes(unit) && isValue) this.#quote = unit;
    else if (openers.includes(unit)) this.#depth++;
    else if (closers.includes(unit)) this.#depth--;
    this.#last = unit;
    this.#hasBlank = this.#hasEnded = false;
  }
}

const plain = /[^`{[\r\n]+/y;
const wordUnit = /\w/;
const lineBreaks = "\r\n";
const quotes = "\"'";
const openers = "([{";
const closers = ")]}";
const beforeString = "([{,:=";
const afterString = ",:)]}";
