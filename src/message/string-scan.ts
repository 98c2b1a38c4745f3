import type { TextSource } from "../machine/text-store.ts";

const beforeString = "([{,:";
const afterString = ",:}])";
/** After a string that stands after `=`, blanks aside, nothing of a word follows at once. */
const inWord = /[\p{L}\p{N}_]/u;

/**
 * Says of text in pieces whether a string of JSON or Python is open at its end. Where one that begins as a value or key
 * would has not ended as one, nothing is known any more. A single quote begins a string only where a value may begin:
 * elsewhere it is an apostrophe.
 */
export class StringScan {
  /** What the open string is delimited by; empty: none is open. */
  #quote = "";
  #isEscaped = false;
  /** What stood before the string, blanks aside; until the text says more, it has ended as one. */
  #before = "";
  #hasJustEnded = false;
  #isBroken = false;
  /** What stood last outside of strings, blanks aside. */
  #last = "";

  get mayBeOpen(): boolean {
    return this.#quote !== "" || this.#isBroken;
  }

  read(text: string): void {
    for (const unit of text) {
      if (this.#isBroken) return;
      if (this.#quote !== "") this.#readInside(unit);
      else if (unit.trim() !== "") this.#readOutside(unit);
      else if (this.#before === "=") this.#hasJustEnded = false;
    }
  }

  /** What follows closes what the strings stand in: a string may end before it. */
  passCloser(): void {
    this.#hasJustEnded = false;
    this.#last = "";
  }

  #readInside(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.#quote) {
      this.#quote = "";
      this.#hasJustEnded = this.#before !== "";
    }
  }

  #readOutside(unit: string): void {
    const isBroken = this.#before === "=" ? inWord.test(unit) : !afterString.includes(unit);
    if (this.#hasJustEnded && isBroken) this.#isBroken = true;
    this.#hasJustEnded = false;
    const last = this.#last;
    const isValue = last !== "" && (last === "=" || beforeString.includes(last));
    if (unit === '"' || (unit === "'" && isValue)) {
      this.#quote = unit;
      this.#before = isValue ? last : "";
    }
    this.#last = unit;
  }
}

/** The strings of a text from a place on, read as far as they are asked about. */
export class CountedStrings {
  readonly #store: TextSource;
  readonly #scan = new StringScan();
  #to: number;

  constructor(store: TextSource, from: number) {
    this.#store = store;
    this.#to = from;
  }

  /** Whether a string is open at a place, as far as is known. */
  mayBeOpenAt(at: number): boolean {
    this.readTo(at);
    return this.#scan.mayBeOpen;
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    this.#scan.read(this.#store.slice(this.#to, end));
    this.#to = end;
  }

  /** A closer that ends at a place: outside of the strings that have been read, one may end before it. */
  passCloser(end: number): void {
    if (end <= this.#to) return;
    this.#scan.passCloser();
    this.#to = end;
  }
}
