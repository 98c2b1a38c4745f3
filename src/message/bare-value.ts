import type { TextSource } from "../machine/text-store.ts";

/**
 * Visible text that begins as JSON does, or as calls in brackets do, and that no marker opens. Damaged or not, what stands
 * in its strings is text. Where one does not end as strings do, nothing that follows is certain to stand outside of them.
 * Others may follow it, as in JSON Lines. Read piece by piece, each once.
 */
export class BareValue {
  readonly #store: TextSource;
  #start = 0;
  /** Up to where it has been read. */
  #to = 0;
  #isKnown = false;
  /** A word before it may be the name of a tool. */
  #isAfterToken = false;
  /** Another value stands before it. */
  #isFurther = false;
  /** It is none: what follows is other text. */
  #isOver = false;
  #depth = 0;
  /** What opened the string that is open. */
  #quote = "";
  #isEscaped = false;
  /** A string has just ended: what follows says whether it may have. */
  #hasEnded = false;
  #isSpoilt = false;
  #last = "";

  constructor(store: TextSource) {
    this.#store = store;
  }

  /** Visible text begins here, right after a token that stands in calls or not. */
  begin(start: number, isAfterToken = false): void {
    this.#isAfterToken = isAfterToken || (this.#isAfterToken && start === this.#start);
    this.#start = this.#to = start;
    this.#isKnown = this.#isOver = this.#isEscaped = this.#hasEnded = this.#isSpoilt = this.#isFurther = false;
    this.#depth = 0;
    this.#quote = this.#last = "";
  }

  /** Something begins here as a call does, up to an offset: its value is what it leaves open, or what follows. */
  beginCall(start: number, end: number): void {
    const open: number[] = [];
    for (const { 0: unit, index } of this.#store.slice(start, end).matchAll(brackets)) {
      if (openers.includes(unit)) open.push(index);
      else open.pop();
    }
    this.begin(open.length > 0 ? start + open[0] : end);
    this.#isKnown = open.length > 0;
  }

  /** Text before this offset is no longer asked for, once {@link readTo} has seen it. */
  get neededFrom(): number {
    return this.#isKnown ? Number.POSITIVE_INFINITY : this.#start;
  }

  /** Text up to here is about to be let go. */
  readTo(end: number): void {
    if (this.#isKnown || end >= this.#start + beginningCharsMax) this.#isIn(end, false);
  }

  /** Does this place stand in it, in a string or not? */
  holds(at: number): boolean {
    return this.#isIn(at) && (this.#isSpoilt || this.#depth > 0 || this.#quote !== "");
  }

  /** @param isSettled more text will not be asked for before this place */
  #isIn(at: number, isSettled = true): boolean {
    while (this.#isKnown || this.#isBegun(at, isSettled)) {
      if (this.#isOver) return false;
      if (at <= this.#to || !this.#endsIn(this.#store.slice(this.#to, at))) {
        this.#to = Math.max(this.#to, at);
        return true;
      }
    }
    return false;
  }

  /** What begins here is there, so it is known what it is. */
  #isBegun(at: number, isSettled: boolean): boolean {
    const text = this.#store.slice(this.#start, Math.min(at + 1, this.#start + beginningCharsMax));
    if (text.length < beginningCharsMax) {
      const word = this.#leadingWord(text);
      if (!isSettled || text.slice(word, Math.max(word, at - this.#start)).trim() === "") return false;
    }
    this.#isKnown = true;
    const value = text.slice(this.#leadingWord(text));
    this.#isOver = !(beginsValue.test(value) || (this.#isFurther && beginsString.test(value)));
    return true;
  }

  #leadingWord(text: string): number {
    return this.#isAfterToken ? leadingWord.exec(text)![0].length : 0;
  }

  /** Whether the value ends in a text that it goes on with: another may begin there. */
  #endsIn(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.#isSpoilt) return false;
      const unit = text[index];
      const isString = this.#quote !== "";
      if (isString) this.#readString(unit);
      if (this.#isOver) return false;
      if (isString ? this.#isWhole : !blank.test(unit) && this.#endsWith(unit)) {
        this.begin(this.#to + index + 1);
        this.#isFurther = true;
        return true;
      }
    }
    return false;
  }

  /** A string that is all of the value has ended. */
  get #isWhole(): boolean {
    return this.#quote === "" && this.#depth === 0;
  }

  #readString(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.#quote) {
      this.#quote = "";
      this.#hasEnded = true;
    } else if (lineBreaks.includes(unit) && this.#depth === 0) {
      this.#quote = "";
      this.#isOver = true;
    }
  }

  /** A unit outside strings. */
  #endsWith(unit: string): boolean {
    if (this.#hasEnded && !afterString.includes(unit)) this.#isSpoilt = true;
    this.#hasEnded = false;
    if (quotes.includes(unit) && beforeString.includes(this.#last)) this.#quote = unit;
    else if (unit === '"' && this.#last === "" && this.#isFurther) this.#quote = unit;
    else if (unit === '"') this.#isSpoilt = true;
    else if (openers.includes(unit)) this.#depth++;
    else if (closers.includes(unit) && --this.#depth <= 0) return true;
    this.#last = unit;
    return false;
  }
}

/** What JSON begins with, and calls in brackets. */
const beginsValue =
  /^\s*(?:\{(?:\s|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*\/)*(?:["'“}]|[^\s"'{}[\]:,]{1,64}\s*:\s*(?:["'“[{\d]|true|false|null))|\[\s*(?:[{["'\]]|[\w.-]+\(|(?:-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))/;
/** A string that is all of a value holds no line break; on a line without its end it is none. */
const beginsString = /^\s*"(?:[^"\\\r\n]|\\.)*(?:"|$)/;
const leadingWord = /^\s*[\w.:/-]{0,128}/;
/** So much says which it is. */
const beginningCharsMax = 1280;

const blank = /\s/;
const lineBreaks = "\r\n";
const brackets = /[([{)\]}]/g;
const quotes = "\"'";
const openers = "([{";
const closers = ")]}";
const beforeString = "([{,:=";
const afterString = ",:)]}";
