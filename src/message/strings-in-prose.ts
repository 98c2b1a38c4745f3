import type { TextSource } from "../machine/text-store.ts";

/**
 * The strings of values that stand among other text, as JSON, Python and their calls in brackets write them: a result that a thought
 * repeats may show a call. Read as far as they are asked about. Whatever such values do not hold says that none has begun.
 */
export class StringsInProse {
  readonly #store: TextSource;
  #to: number;
  /** Brackets that are open. */
  #depth = 0;
  /** What opened the string that is open. */
  #quote = "";
  #isEscaped = false;
  /** It is the value of a key in quotes: damaged, it may hold line breaks. */
  #hasKey = false;
  /** A string has just ended: what follows says whether it may have. */
  #hasEnded = false;
  /** What stands last outside of strings, blanks aside, and whether these follow it. */
  #last = "";
  #hasBlank = false;

  constructor(store: TextSource, from: number) {
    this.#store = store;
    this.#to = from;
  }

  isOpenAt(at: number): boolean {
    this.readTo(at);
    return this.#quote !== "";
  }

  /** What goes to here is a whole call: its strings are its own. */
  skipTo(end: number): void {
    this.#to = Math.max(this.#to, end);
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    const text = this.#store.slice(this.#to, end);
    this.#to = end;
    for (let at = 0; at < text.length; at++) {
      if (this.#depth > 0) this.#read(text[at]);
      else {
        // Most of a text stands in no bracket.
        opening.lastIndex = at;
        at = opening.exec(text)?.index ?? text.length;
        if (at < text.length) this.#open(text[at]);
      }
    }
  }

  #open(unit: string): void {
    this.#depth++;
    this.#last = unit;
    this.#hasBlank = this.#hasEnded = this.#hasKey = false;
  }

  #read(unit: string): void {
    if (this.#quote !== "") this.#readString(unit);
    else if (unit.trim() === "") this.#hasBlank = true;
    else this.#readOutside(unit);
  }

  #readString(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.#quote) {
      this.#quote = "";
      this.#hasEnded = true;
    } else if (!this.#hasKey && lineBreaks.includes(unit)) {
      this.#quote = "";
      this.#depth = 0;
    }
  }

  #readOutside(unit: string): void {
    const isValue = beforeString.includes(this.#last);
    const isSentence = this.#hasBlank && wordUnit.test(unit) && wordUnit.test(this.#last);
    if (isSentence || (this.#hasEnded && !afterString.includes(unit))) this.#depth = 0;
    else if (quotes.includes(unit) && isValue) this.#quote = unit;
    else if (unit === ":") this.#hasKey = this.#hasEnded;
    else if (openers.includes(unit)) this.#depth++;
    else if (closers.includes(unit)) this.#depth--;
    if (unit === "," || openers.includes(unit)) this.#hasKey = false;
    this.#last = unit;
    this.#hasBlank = this.#hasEnded = false;
  }
}

const opening = /[{[]/g;
const wordUnit = /\w/;
const lineBreaks = "\r\n";
const quotes = "\"'";
const openers = "([{";
const closers = ")]}";
const beforeString = "([{,:=";
const afterString = ",:)]}";
