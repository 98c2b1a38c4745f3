import type { TextSource } from "../../machine/text-store.ts";
import { StringsOfKeys } from "./strings-of-keys.ts";
import { find, ofValues, type ScanRule, ValueScan } from "./value-scan.ts";

/**
 * The strings of values that stand among other text, as JSON, Python and their calls in brackets write them: a result that is repeated
 * may show a call. A string ends with its line. Read as far as they are asked about: whatever such values do not hold says that none has begun.
 */
export class StringsInProse {
  /** Each says it by itself: what stands in parentheses may be words. */
  readonly #kinds: readonly (StringsInBrackets | StringsOfKeys)[];
  /** Those in a string of which stands what was asked about last. */
  #open: readonly (StringsInBrackets | StringsOfKeys)[] = [];

  readonly #store: TextSource;
  /** Three quotes have stood in the text: a string may go on over lines. */
  #hasTriples = false;
  /** Up to where none have, and what stands directly before. */
  #seen = 0;
  #tail = "";
  /** Thoughts have ended here in a string of a value: that may as well have broken off. */
  #leftAt = -1;

  constructor(store: TextSource) {
    this.#store = store;
    this.#kinds = [
      new StringsInBrackets(store, /[`{[]/g, inProse),
      new StringsInBrackets(store, /[`(]/g, inParentheses),
      new StringsOfKeys(store),
    ];
  }

  /** Other text begins here. */
  begin(from: number): void {
    this.#hasTriples = false;
    this.#seen = from;
    this.#tail = "";
    this.#leftAt = -1;
    for (const kind of this.#kinds) kind.begin(from);
  }

  /** Thoughts end here; a string that is open goes on if its quote follows. */
  leave(at: number): void {
    this.#leftAt = at;
  }

  /** What has begun the string that is open, of a value that thoughts have left open; undefined: none is. */
  leftQuoteAt(at: number): string | undefined {
    return this.#leftAt >= 0 && this.isOpenAt(at) && this.#isLeft ? this.#open[0].quote : undefined;
  }

  get #isLeft(): boolean {
    return this.#open.some(({ start }) => start < this.#leftAt);
  }

  /** What has begun at an offset has ended at another, with the values in it; a string that is open there goes on: it shows the closer. */
  end(from: number | undefined, to: number): void {
    for (const kind of this.#kinds) kind.end(from, to);
  }

  isOpenAt(at: number): boolean {
    const hasTriples = this.#meetTriples(at);
    this.#open = this.#kinds.filter((kind) => kind.isOpenAt(at, hasTriples));
    return this.#open.length > 0;
  }

  #meetTriples(at: number): boolean {
    if (this.#hasTriples || at <= this.#seen) return this.#hasTriples;
    const text = this.#tail + this.#store.slice(this.#seen, at);
    this.#hasTriples = threeQuotes.some((quotes) => text.includes(quotes));
    this.#tail = text.slice(-2);
    this.#seen = at;
    return this.#hasTriples;
  }

  /** The same, of a value that thoughts have not left open. */
  isKeptOpenAt(at: number): boolean {
    return this.isOpenAt(at) && !this.#isLeft;
  }

  /** What has begun the string that is open; undefined: none is. */
  quoteAt(at: number): string | undefined {
    return this.isOpenAt(at) ? this.#open[0].quote : undefined;
  }

  /** What goes to here is a whole call in the string that is open: its strings are its own, and line breaks may follow it there. */
  skipTo(end: number): void {
    for (const kind of this.#open) kind.skipTo(end);
  }

  readTo(end: number): void {
    this.#meetTriples(end);
    for (const kind of this.#kinds) kind.readTo(end);
  }
}

/** Those of values that some brackets begin. */
class StringsInBrackets {
  readonly #store: TextSource;
  #to = 0;
  readonly #begins: RegExp;
  readonly #scan: ValueScan;
  /** Where the last value or code span begins. */
  #start = 0;
  /** What has been read of an open one ends in it, outside of strings. */
  #word = "";
  #holdsBreaks = false;
  /** Outside of values a mark of a code span has no partner on its line: the next one ends what has begun behind it. */
  #isInCode = false;

  constructor(store: TextSource, begins: RegExp, rule: ScanRule) {
    this.#store = store;
    this.#begins = begins;
    this.#scan = new ValueScan(rule);
  }

  begin(from: number): void {
    this.#to = from;
    this.#isInCode = false;
    this.#leave();
  }

  #leave(): void {
    this.#scan.leave();
    this.#word = "";
    this.#holdsBreaks = false;
  }

  end(from: number | undefined, to: number): void {
    this.readTo(to);
    if (from !== undefined && this.#start >= from && this.quote === "") this.begin(to);
  }

  get quote(): string {
    return this.#scan.quote;
  }

  get start(): number {
    return this.#start;
  }

  isOpenAt(at: number, mayGoOnOverLines: boolean): boolean {
    const before = this.#store.slice(Math.max(this.#to, at - lineCharsMax), at);
    // Most that begins something stands at the beginning of a line.
    if (!this.#holdsBreaks && !mayGoOnOverLines && lineWithoutString.test(before)) return false;
    this.readTo(at);
    return this.#scan.quote !== "";
  }

  skipTo(end: number): void {
    this.#to = Math.max(this.#to, end);
    this.#holdsBreaks = true;
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    const text = this.#store.slice(this.#to, end);
    const scan = this.#scan;
    this.#to = end;
    if (this.#word !== "" && twoWords.test(this.#word + text)) this.#leave();
    for (let at = this.#isInCode ? this.#passCode(text, 0) : 0; at < text.length; ) {
      if (scan.depth === 0) at = find(this.#begins, text, at);
      if (at === text.length) break;
      if (scan.depth === 0) this.#start = end - text.length + at;
      at = scan.depth === 0 && text[at] === "`" ? this.#passCode(text, at + 1) : this.#readOn(text, at);
    }
    const isInWord = scan.depth > 0 && scan.quote === "" && wordUnit.test(scan.before);
    this.#word = !isInWord ? "" : text.endsWith(scan.before) ? scan.before : `${scan.before} `;
  }

  /** A code span goes on here. @returns behind the mark that ends it; here, if its line ends before, or is not there yet */
  #passCode(text: string, at: number): number {
    const end = find(endsCode, text, at);
    this.#isInCode = end === text.length;
    if (text[end] !== "`") return at;
    this.#leave();
    return end + 1;
  }

  /** The next thing in a value. @returns behind it */
  #readOn(text: string, at: number): number {
    const scan = this.#scan;
    const { quote } = scan;
    const next = scan.next(text, at);
    if (next === text.length) return next;
    if (scan.found === "ends") this.#holdsBreaks = false;
    else if (scan.found === "break" && this.#holdsBreaks) scan.quote = quote;
    else if (scan.found === "break" || scan.found === "misplaced") this.#leave();
    return scan.to;
  }
}

/** So much of a line is looked at. */
const lineCharsMax = 128;
const threeQuotes = ["'''", '"""'];
const lineWithoutString = /\n[^"'\n]*$/;
const endsCode = /[`\r\n]/g;
const wordUnit = /\w/;
/** Words with nothing but blanks between them are those of a sentence. */
const inProse = {
  ...ofValues,
  outside: /["'([{)\]}]|\w\s+\w/g,
  inside: /["'\\\r\n]/g,
  isOnLine: true,
  hasTriples: true,
  prefix: /\W(?:[bfru]|[bf]r|r[bf])$/i,
};
const twoWords = /^\w\s+\w/;
/** Those of a sentence, or of a call or a tuple of Python. */
const inParentheses = { ...inProse, inside: /["'\\\r\n()]/g, hasApostrophes: true };
