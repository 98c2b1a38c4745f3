import type { TextSource } from "../../machine/text-store.ts";
import { find } from "./value-scan.ts";

/**
 * Strings that stand behind a key: in JSON behind its quote and a colon, in a call of Python behind a comma and an equals sign. What opens the
 * value that they stand in may be lost. A string ends with its line, and marks of code say that it is spoken of.
 */
export class StringsOfKeys {
  readonly #store: TextSource;
  #to = 0;
  /** Where the last has begun, and what delimits it while it is open. */
  start = 0;
  quote = "";
  /** What stands before, on the line and outside of strings. */
  #before = "";
  #isInCode = false;
  #isEscaped = false;
  #holdsBreaks = false;

  constructor(store: TextSource) {
    this.#store = store;
  }

  begin(from: number): void {
    this.#to = from;
    this.#endLine();
  }

  #endLine(): void {
    this.quote = this.#before = "";
    this.#isInCode = this.#isEscaped = this.#holdsBreaks = false;
  }

  /** Nothing but an open string goes on anyway. */
  end(_from: number | undefined, to: number): void {
    this.readTo(to);
  }

  isOpenAt(at: number): boolean {
    this.readTo(at);
    return this.quote !== "";
  }

  skipTo(end: number): void {
    this.#to = Math.max(this.#to, end);
    this.#holdsBreaks = true;
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    let text = this.#store.slice(this.#to, end);
    // What stands on lines before says nothing, unless a string goes on over them.
    const line = this.quote !== "" && this.#holdsBreaks ? 0 : lastLineOf(text);
    if (line > 0) {
      this.#endLine();
      this.#to += line;
      text = text.slice(line);
    }
    for (let at = 0; at < text.length; at++)
      at = this.quote === "" ? this.#readOutside(text, at) : this.#readInside(text, at);
    this.#to = end;
  }

  /** @returns where something stands that says something; the end: nowhere */
  #readOutside(text: string, from: number): number {
    const at = find(outside, text, from);
    this.#before = (this.#before + text.slice(Math.max(from, at - keyCharsMax), at)).slice(-keyCharsMax);
    if (at === text.length) return at;
    const unit = text[at];
    if (lineBreaks.includes(unit)) this.#endLine();
    else if (unit === "`") this.#isInCode = !this.#isInCode;
    else if (!this.#isInCode && afterKey.test(this.#before)) {
      this.quote = unit;
      this.start = this.#to + at;
    } else this.#before += unit;
    return at;
  }

  #readInside(text: string, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return from;
    }
    const at = find(inside, text, from);
    if (at === text.length) return at;
    const unit = text[at];
    if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.quote) {
      this.quote = "";
      this.#before = unit;
      this.#holdsBreaks = false;
    } else if (lineBreaks.includes(unit) && !this.#holdsBreaks) this.#endLine();
    return at;
  }
}

function lastLineOf(text: string): number {
  const begin = text.lastIndexOf("\n") + 1;
  return begin + text.slice(begin).lastIndexOf("\r") + 1;
}

const lineBreaks = "\r\n";
const outside = /["'`\r\n]/g;
const inside = /["'\\\r\n]/g;
/** Of JSON, or behind another argument of Python. */
const afterKey = /(?:["'][^\S\r\n]*:|[,(][^\S\r\n]*\w+[^\S\r\n]*=)[^\S\r\n]*$/;
const keyCharsMax = 128;
