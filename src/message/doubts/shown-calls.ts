import { countOf } from "../../values/escaped-quotes.ts";
import { find, ValueScan } from "../text/value-scan.ts";
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
  readonly #scan = new ValueScan(json);
  /** The string that is open, as far as it is there. */
  #string = "";
  /** Closers in it: one that frames text stands in no string. */
  readonly #taken = new Map<string, number>();
  /** With so many brackets open, what holds the string has closed; undefined: none has held a closer. */
  #provenAt: number | undefined;
  /** One that held closers has ended so. */
  hasShown = false;

  /** @param openers what opens what the closers of the calls close */
  constructor(openers: ReadonlyMap<string, string>) {
    this.#openers = openers;
  }

  /** @returns whether a closer stands in such a string: the end of that says whether it is left over */
  takesCloser(closer: string): boolean {
    if (this.#scan.quote === "") return false;
    this.#provenAt ??= this.#scan.depth - 1;
    this.#taken.set(closer, (this.#taken.get(closer) ?? 0) + 1);
    return true;
  }

  contradictedAt(piece: string, what: Following): number {
    const scan = this.#scan;
    // Thoughts are no text that goes on: a string ends before them.
    const text = what === "text" || piece === "" ? piece : "\n";
    for (let from = 0; from < text.length; ) {
      if (scan.depth === 0) from = find(opens, text, from);
      const isString = scan.quote !== "";
      const at = scan.next(text, from);
      const left = stringCharsMax - this.#string.length;
      // One that is longer is none.
      if (isString && at - from > left) {
        scan.leaveString();
        if (this.#provenAt !== undefined) return from + left;
        from += left + 1;
        continue;
      }
      if (isString) this.#string += text.slice(from, at);
      if (at < text.length && this.#isContradicted()) return at;
      from = scan.to;
    }
    return -1;
  }

  /** Whether what has been found says that closers are left over. */
  #isContradicted(): boolean {
    const { depth, found } = this.#scan;
    if (found === "begins") {
      this.#string = "";
      this.#taken.clear();
    } else if (found === "closes" && depth === this.#provenAt) {
      this.#provenAt = undefined;
      this.hasShown = true;
    }
    if (this.#provenAt === undefined) return false;
    return found === "misplaced" || found === "break" || (found === "ends" && !this.#isBalanced);
  }

  /** A mark alone opens what others close as well. */
  get #isBalanced(): boolean {
    const open = openAfter(nothingOpen, this.#string, this.#openers);
    const areText = [...this.#taken].every(([closer, count]) => count <= countOf(this.#string, closer));
    const isClosed = (closer: string) => !this.#taken.has(closer) && this.#openers.get(closer)?.length === 1;
    return areText && open !== undefined && [...open].every(([closer, count]) => count === 0 || isClosed(closer));
  }

  get contradictedByEnd(): boolean {
    return this.#provenAt !== undefined;
  }
}

const json = {
  outside: /["{}[\]]/g,
  inside: /["\\\r\n]/g,
  before: "{[,:",
  after: ",:}]",
  isOnLine: true,
};
const opens = /[{[]/g;
/** More of a string is not looked at. */
const stringCharsMax = 16_384;
