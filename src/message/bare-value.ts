import type { TextSource } from "../machine/text-store.ts";

/**
 * Visible text that begins as JSON does, or as calls in brackets do, and that no marker opens. Damaged or not, what stands
 * in its strings is text. Where one does not end as strings do, nothing that follows is certain to stand outside of them.
 * Read piece by piece, each once.
 */
export class BareValue {
  readonly #store: TextSource;
  #start = 0;
  /** Up to where it has been read. */
  #to = 0;
  #isKnown = false;
  /** A word before it may be the name of a tool. */
  #isAfterToken = false;
  /** It was none, or has ended as it should: what follows is other text. */
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
    this.#isKnown = this.#isOver = this.#isEscaped = this.#hasEnded = this.#isSpoilt = false;
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
    if (this.#isKnown || end >= this.#start + beginningCharsMax) this.#isIn(end);
  }

  /** Does this place stand in it, in a string or not? */
  holds(at: number): boolean {
    return this.#isIn(at) && (this.#isSpoilt || this.#depth > 0);
  }

  #isIn(at: number): boolean {
    if (!this.#isKnown) {
      const text = this.#store.slice(this.#start, Math.min(at + 1, this.#start + beginningCharsMax));
      const word = this.#isAfterToken ? leadingWord.exec(text)![0].length : 0;
      // What begins here is not there yet.
      if (text.length < beginningCharsMax && text.slice(word, Math.max(word, at - this.#start)).trim() === "")
        return false;
      this.#isKnown = true;
      this.#isOver = !beginsValue.test(text.slice(word));
    }
    if (!this.#isOver && at > this.#to) this.#read(this.#store.slice(this.#to, at));
    this.#to = Math.max(this.#to, at);
    return !this.#isOver;
  }

  #read(text: string): void {
    for (const unit of text) {
      if (this.#isOver || this.#isSpoilt) return;
      if (this.#quote !== "") this.#readString(unit);
      else if (!blank.test(unit)) this.#readUnit(unit);
    }
  }

  #readString(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.#quote) {
      this.#quote = "";
      this.#hasEnded = true;
    }
  }

  #readUnit(unit: string): void {
    if (this.#hasEnded && !afterString.includes(unit)) this.#isSpoilt = true;
    this.#hasEnded = false;
    if (quotes.includes(unit) && beforeString.includes(this.#last)) this.#quote = unit;
    else if (unit === '"') this.#isSpoilt = true;
    else if (openers.includes(unit)) this.#depth++;
    else if (closers.includes(unit)) this.#isOver = --this.#depth <= 0;
    this.#last = unit;
  }
}

/** What JSON begins with, and calls in brackets. */
const beginsValue =
  /^\s*(?:\{(?:\s|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*\/)*(?:["'“}]|[^\s"'{}[\]:,]{1,64}\s*:\s*(?:["'“[{\d]|true|false|null))|\[\s*(?:[{["']|[\w.-]+\())/;
const leadingWord = /^\s*[\w.:/-]{0,128}/;
/** So much says which it is. */
const beginningCharsMax = 1280;

const blank = /\s/;
const brackets = /[([{)\]}]/g;
const quotes = "\"'";
const openers = "([{";
const closers = ")]}";
const beforeString = "([{,:=";
const afterString = ",:)]}";
