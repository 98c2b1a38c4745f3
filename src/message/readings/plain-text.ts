import { indentMax, isLineBreak } from "../../machine/indent.ts";
import type { MessageMode } from "../../machine/message-modes.ts";
import type { TextSource } from "../../machine/text-store.ts";
import { indentBegin, notBlank } from "../text/line-start.ts";
import type { PlainTextSearch } from "../text/plain-text-search.ts";
import { type FormatList, plainCharsMax } from "./format-list.ts";
import { glanceChars } from "./glances.ts";
import { openerCharsMin } from "./openers.ts";

/** The text around blocks as far as it needs no grammar: most of it is plain content. */
export class PlainText {
  readonly #list: FormatList;
  readonly #store: TextSource;
  readonly #prefillEnd: number;
  readonly #places: PlainTextSearch;

  constructor(list: FormatList, store: TextSource, prefillEnd: number) {
    this.#list = list;
    this.#store = store;
    this.#prefillEnd = prefillEnd;
    this.#places = list.search();
  }

  /**
   * Up to where the text is plain content. -1: the grammar has to say.
   *
   * @param damagedBy openers of the damage that is open
   */
  endFrom(mode: MessageMode, from: number, damagedBy: ReadonlySet<string>): number {
    if (mode !== "prose" && mode !== "begin" && mode !== "unled") return -1;
    const { beginners } = this.#list.sets;
    const text = this.#store.slice(from, this.#store.end);
    if (mode !== "prose") {
      const first = text.search(notBlank);
      if (first < 0 || beginners.includes(text[first])) return -1;
    }
    for (let at = 0; ; ) {
      at = this.#places.from(text, at);
      if (at === text.length) return from + at;
      const length = this.#lengthIn(text, at);
      if (length === 0 || !this.#saysNothing(text.slice(at, at + glanceChars), length, damagedBy)) return from + at;
      // Within an opener that is text another one may begin: the last three of a run are one.
      at += length < openerCharsMin ? length : 1;
    }
  }

  /** How many characters are content for certain where an opener may begin, but does not; 0: that is not known. */
  lengthAt(start: number): number {
    const from = Math.max(this.#prefillEnd, start - indentMax - 1);
    return this.#lengthIn(this.#store.slice(from, Math.min(start + plainCharsMax, this.#store.end)), start - from);
  }

  /** Whether an opener that is text says nothing of what follows: it is none after all, and one like it began the damage. */
  #saysNothing(text: string, length: number, damagedBy: ReadonlySet<string>): boolean {
    if (length < openerCharsMin) return true;
    const opener = text.slice(0, length);
    if (!damagedBy.has(opener) || this.#list.mayOpen(text, false).length > 0) return false;
    // What begins as a call does is listed.
    const isBegun = (literal: string) => literal.startsWith(opener) || opener.startsWith(literal);
    return !this.#list.alternatives.some(({ format }) => format.begun?.some(isBegun));
  }

  /** An opener that is text to all formats is known from what follows. */
  #lengthIn(text: string, at: number): number {
    if (at <= indentMax) return 0;
    return isLineBreak(text[indentBegin(text, at) - 1])
      ? 0
      : this.#list.plainLength(text.slice(at, at + plainCharsMax));
  }
}
