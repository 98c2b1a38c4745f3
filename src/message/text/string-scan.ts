import { latePattern } from "../../machine/late-pattern.ts";
import type { TextSource } from "../../machine/text-store.ts";

const beforeString = "([{,:";
const afterString = ",:}])";
const lineBreaks = "\r\n";
const words = /\w[\w ]*/y;
/** What may stand between the name of an attribute and its value, and what that is delimited by. */
const beforeAttribute = "= \t\"'";
const wordUnit = latePattern("[\\p{L}\\p{N}_]");
/** After a string that stands after `=`, blanks aside, nothing of a word follows at once, and no bracket of other values. */
const notAfterKeyword = latePattern("[\\p{L}\\p{N}_}\\]]");

/**
 * Says of text in pieces whether a string of JSON or Python is open at its end. Where one that begins as a value or key
 * would has not ended as one, or one has whose opening quote is lost, nothing is known any more. A single quote begins a
 * string only where a value may begin: elsewhere it is an apostrophe.
 */
class StringScan {
  /** What the open string is delimited by; empty: none is open. */
  #quote = "";
  #isEscaped = false;
  /** What stood before the string, blanks aside; until the text says more, it has ended as one. */
  #before = "";
  #hasJustEnded = false;
  /** A string that began as a value stands last on this line: what stands there then may be in it, and that quote, too. */
  #isBehindValue = false;
  #isBroken = false;
  /** Something has stood outside of strings that sentences need not have: a string after a comma may be a word in quotation marks. */
  #isCode = false;
  /** What stood last outside of strings, blanks aside. */
  #last = "";
  /** Blanks stand after that. */
  #hasBlank = false;
  /** The open string began directly after a word: its quote may be the end of one whose opening quote is lost. */
  #mayBeEnd = false;
  /** The text begins after the name of an attribute, and its value has not ended: that holds no line break. */
  #isInAttribute: boolean;

  constructor(isInAttribute: boolean) {
    this.#isInAttribute = isInAttribute;
  }

  get mayBeOpen(): boolean {
    return this.#quote !== "" || this.#isBroken || this.#isBehindValue;
  }

  /** A string is open that began where a value or key would, or one has just ended that may go on with what follows. */
  get isOpenValue(): boolean {
    return this.#isBehindValue || (this.#quote !== "" && this.#before !== "");
  }

  read(text: string): void {
    for (let at = 0; at < text.length && !this.#isBroken; ) {
      const wordsEnd = this.#wordsEnd(text, at);
      if (wordsEnd > at) {
        at = wordsEnd;
        continue;
      }
      const unit = String.fromCodePoint(text.codePointAt(at) as number);
      at += unit.length;
      if (this.#isInAttribute) this.#readAttribute(unit);
      if (this.#quote !== "") this.#readInside(unit);
      else if (unit.trim() !== "") this.#readOutside(unit);
      else {
        this.#hasBlank = true;
        if (lineBreaks.includes(unit)) this.#isBehindValue = false;
        if (this.#before === "=") this.#hasJustEnded = false;
      }
    }
  }

  /** Where words end that change nothing but what stands last: most of a text is such. */
  #wordsEnd(text: string, at: number): number {
    if (this.#isInAttribute || this.#quote !== "" || this.#hasJustEnded) return at;
    words.lastIndex = at;
    if (!words.test(text)) return at;
    const end = words.lastIndex;
    this.#isBehindValue = false;
    this.#hasBlank = text[end - 1] === " ";
    this.#last = this.#hasBlank ? text.slice(at, end).trimEnd().slice(-1) : text[end - 1];
    return end;
  }

  copy(): StringScan {
    const copied = new StringScan(this.#isInAttribute);
    copied.#quote = this.#quote;
    copied.#isEscaped = this.#isEscaped;
    copied.#before = this.#before;
    copied.#hasJustEnded = this.#hasJustEnded;
    copied.#isBehindValue = this.#isBehindValue;
    copied.#isBroken = this.#isBroken;
    copied.#isCode = this.#isCode;
    copied.#last = this.#last;
    copied.#hasBlank = this.#hasBlank;
    copied.#mayBeEnd = this.#mayBeEnd;
    return copied;
  }

  /** What follows closes what the strings stand in: a string may end before it. */
  passCloser(): void {
    this.#hasJustEnded = this.#isBehindValue = false;
    this.#last = "";
  }

  #readAttribute(unit: string): void {
    if (unit === "\n") this.#quote = "";
    this.#isInAttribute = unit !== "\n" && (this.#quote !== "" || beforeAttribute.includes(unit));
  }

  #readInside(unit: string): void {
    if (this.#mayBeEnd && unit.trim() !== "") {
      this.#mayBeEnd = false;
      this.#isBroken = afterString.includes(unit);
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === "\\") this.#isEscaped = true;
    else if (unit === this.#quote) {
      this.#quote = "";
      this.#hasJustEnded = this.#isBehindValue = this.#before !== "";
    }
  }

  #readOutside(unit: string): void {
    const isBroken = this.#before === "=" ? notAfterKeyword().test(unit) : !afterString.includes(unit);
    if (this.#hasJustEnded && isBroken && this.#isCode) this.#isBroken = true;
    this.#hasJustEnded = this.#isBehindValue = false;
    const last = this.#last;
    const isValue = last !== "" && (last === "=" || beforeString.includes(last));
    if (unit === '"' || (unit === "'" && isValue)) {
      this.#quote = unit;
      this.#before = isValue ? last : "";
      this.#mayBeEnd = !this.#hasBlank && wordUnit().test(last);
    }
    this.#isCode ||= unit === "=" || (beforeString.includes(unit) && unit !== ",");
    this.#last = unit;
    this.#hasBlank = false;
  }
}

/** What stands before a text whose strings are counted. */
export interface StringsStart {
  /** It may be a word of a sentence: only strings that begin as values count. */
  readonly isAfterWord: boolean;
  /** A quotation mark that nothing has closed stands before that on its line. */
  readonly isAfterMark: boolean;
  /** It is the beginning of a tag that has not ended. */
  readonly isInAttribute: boolean;
}

/** The strings of a text from a place on, read as far as they are asked about. */
export class CountedStrings {
  readonly #store: TextSource;
  #scan: StringScan;
  /** What was known where the last call begins. */
  #beforeCall: StringScan | undefined;
  #to: number;
  #isAfterWord: boolean;
  /** The same, and what closes it may follow. */
  #mayEndWord: boolean;

  constructor(store: TextSource, from: number, { isAfterWord, isAfterMark, isInAttribute }: StringsStart) {
    this.#store = store;
    this.#to = from;
    this.#isAfterWord = isAfterWord;
    this.#mayEndWord = isAfterMark;
    this.#scan = new StringScan(isInAttribute);
  }

  /** Whether a string is open at a place, as far as is known. */
  mayBeOpenAt(at: number): boolean {
    this.#endWord(at);
    this.readTo(at);
    return this.#isAfterWord ? this.#scan.isOpenValue : this.#scan.mayBeOpen;
  }

  /** A whole opener has followed. */
  afterWholeOpener(): void {
    this.#isAfterWord = false;
  }

  readTo(end: number): void {
    if (this.#mayEndWord && end - this.#to >= wordCharsMax) this.#endWord(end);
    if (end <= this.#to || this.#mayEndWord) return;
    this.#scan.read(this.#store.slice(this.#to, end));
    this.#to = end;
  }

  /** What stands between quotation marks is a word that is spoken of: the second of them opens no string. */
  #endWord(end: number): void {
    if (!this.#mayEndWord) return;
    this.#mayEndWord = false;
    const [rest] = restOfWord.exec(this.#store.slice(this.#to, Math.min(end, this.#to + wordCharsMax))) ?? [""];
    this.#to += rest.length;
    if (rest.endsWith('>"')) this.#scan = new StringScan(false);
  }

  /** What begins here may be a call. */
  beginCall(at: number): void {
    this.#endWord(at);
    this.readTo(at);
    this.#beforeCall = this.#scan.copy();
  }

  /** It is one, and whole: its strings are its own. */
  endCall(end: number): void {
    if (this.#beforeCall === undefined) return;
    this.#scan = this.#beforeCall;
    this.#scan.passCloser();
    this.#to = end;
  }

  /** A closer that ends at a place: outside of the strings that have been read, one may end before it. */
  passCloser(end: number): void {
    if (end <= this.#to) return;
    this.#scan.passCloser();
    this.#to = end;
  }
}

/** Whether on the last line of a text a quotation mark has no partner. */
export function holdsOpenMark(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  return (line.match(/\\.|"/g) ?? []).filter((one) => one === '"').length % 2 === 1;
}

/** Whether the last line of a text may be that of a string whose beginning is lost: a mark has no partner, or something is escaped as in JSON. */
export const mayStandInString = (text: string): boolean =>
  holdsOpenMark(text) || /\\[nrt"]/.test(text.slice(text.lastIndexOf("\n") + 1));

/** So much of a line is looked at. */
export const lineCharsMax = 128;

/** What may stand between an opener in quotation marks and the second of them, and so much of it. */
const restOfWord = /^(?:="[^"<>\r\n]*")?[^"(){}[\]<>=,\r\n]*(?:"?>)?"/;
const wordCharsMax = 64;
