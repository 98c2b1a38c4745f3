import { countOf } from "../values/escaped-quotes.ts";
import { closersLeftOver, nothingOpen, openAfter } from "./contradicting-text.ts";
import { type Doubt, type Following, textAndThoughts } from "./doubt.ts";

/**
 * What follows a call with raw values: a string of JSON in prose may show calls, such as a result that echoes one. The closers in it are
 * none of the call before if the string ends as strings do, on its line, has opened all that it closes, and nothing else, and the object
 * or list that it stands in is closed.
 */
export class ShownCalls implements Doubt {
  readonly message = closersLeftOver;
  readonly looksAt = textAndThoughts;
  readonly #openers: ReadonlyMap<string, string>;
  /** The string that is open; undefined: none is. */
  #string: string | undefined;
  #isEscaped = false;
  /** A string has ended: what follows says whether it may have. */
  #hasEnded = false;
  /** Closers in it: one that frames text stands in no string. */
  readonly #taken = new Map<string, number>();
  /** What stands last, blanks aside. */
  #before = "";
  /** Brackets that are open. */
  #depth = 0;
  /** With so many open, what holds the string has closed; undefined: none has held a closer. */
  #provenAt: number | undefined;
  /** One that held closers has ended so. */
  hasShown = false;

  /** @param openers what opens what the closers of the calls close */
  constructor(openers: ReadonlyMap<string, string>) {
    this.#openers = openers;
  }

  /** @returns whether a closer stands in such a string: the end of that says whether it is left over */
  takesCloser(closer: string): boolean {
    if (this.#string === undefined) return false;
    this.#provenAt ??= this.#depth - 1;
    this.#taken.set(closer, (this.#taken.get(closer) ?? 0) + 1);
    return true;
  }

  contradictedAt(text: string, what: Following): number {
    if (this.#depth === 0 && this.#string === undefined && !holdsOpening.test(text)) return -1;
    for (let at = 0; at < text.length; at++) if (!this.#read(what === "text" ? text[at] : "\n")) return at;
    return -1;
  }

  /** @returns false: what follows says that closers are left over */
  #read(unit: string): boolean {
    if (this.#string === undefined) return this.#readOutside(unit);
    if (unit === '"' && !this.#isEscaped) {
      this.#hasEnded = true;
      const isShown = this.#provenAt === undefined || this.#isBalanced;
      this.#string = undefined;
      return isShown;
    }
    if (lineBreaks.includes(unit) || this.#string.length >= stringCharsMax) {
      this.#string = undefined;
      return this.#provenAt === undefined;
    }
    this.#isEscaped = unit === "\\" && !this.#isEscaped;
    this.#string += unit;
    return true;
  }

  #readOutside(unit: string): boolean {
    if (this.#depth === 0 ? !opening.includes(unit) : unit.trim() === "") return true;
    if (this.#hasEnded && this.#provenAt !== undefined && !afterString.includes(unit)) return false;
    this.#hasEnded = false;
    if (unit === '"' && beforeString.includes(this.#before)) {
      this.#string = "";
      this.#taken.clear();
      this.#isEscaped = false;
    } else if (opening.includes(unit)) this.#depth++;
    else if (closing.includes(unit) && this.#depth > 0 && --this.#depth === this.#provenAt) {
      this.#provenAt = undefined;
      this.hasShown = true;
    }
    this.#before = unit;
    return true;
  }

  /** A mark alone opens what others close as well. */
  get #isBalanced(): boolean {
    const text = this.#string ?? "";
    const open = openAfter(nothingOpen, text, this.#openers);
    const areText = [...this.#taken].every(([closer, count]) => count <= countOf(text, closer));
    const isClosed = (closer: string) => !this.#taken.has(closer) && this.#openers.get(closer)?.length === 1;
    return areText && open !== undefined && [...open].every(([closer, count]) => count === 0 || isClosed(closer));
  }

  get contradictedByEnd(): boolean {
    return this.#provenAt !== undefined;
  }
}

const beforeString = "{[,:";
const afterString = ",:}]";
const opening = "{[";
const holdsOpening = /[{[]/;
const closing = "}]";
const lineBreaks = "\r\n";
/** More of a string is not looked at. */
const stringCharsMax = 16_384;
