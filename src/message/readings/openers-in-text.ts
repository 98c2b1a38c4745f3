import { indentMax } from "../../machine/indent.ts";
import { beginsLine, isInWord } from "../text/line-start.ts";
import type { Alternative } from "./alternative.ts";
import type { FormatList } from "./format-list.ts";
import { openerCharsMax } from "./openers.ts";

/** Where an opener stands, and its text. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
}

/** So much of it at least is looked at in one go. */
const readAtOnce = 8 * openerCharsMax;

/** Openers of other formats in the thoughts or the visible text of a block: they open nothing there. Read piece by piece, each once. */
export class OpenersInText {
  readonly #list: FormatList;
  readonly #own: Alternative;
  /** What may still hold one that is not known, and before it what may be an indentation. */
  #text = "";
  #start = 0;
  /** Up to where it has been looked at. */
  #seen = 0;
  #found: Found[] = [];

  /** @param own the format of the block */
  constructor(list: FormatList, own: Alternative) {
    this.#list = list;
    this.#own = own;
  }

  /** Text begins or goes on. */
  read(piece: string, start: number): void {
    if (this.#text === "") this.#start = start;
    this.#text += piece;
    if (this.#text.length < readAtOnce) return;
    this.#lookUpTo(this.#text.length - openerCharsMax);
    const kept = Math.max(0, this.#seen - indentMax - 1);
    this.#text = this.#text.slice(kept);
    this.#start += kept;
    this.#seen -= kept;
  }

  /** It has ended. @returns the openers that it held */
  end(): readonly Found[] {
    this.#lookUpTo(this.#text.length);
    const found = this.#found;
    this.#found = [];
    this.#text = "";
    this.#seen = 0;
    return found;
  }

  #lookUpTo(last: number): void {
    const text = this.#text;
    const search = this.#list.openerSearch();
    let at = this.#seen;
    while ((at = search.from(text, at)) < last) {
      const rest = text.slice(at, at + openerCharsMax);
      const length = isInWord(text, at) ? -1 : this.#list.openerLength(rest, beginsLine(text, at), this.#own);
      if (length > 0) {
        const start = this.#start + at;
        this.#found.push({ start, end: start + length, raw: rest.slice(0, length) });
      }
      at += Math.max(1, length);
    }
    this.#seen = Math.max(this.#seen, Math.min(at, last));
  }
}
