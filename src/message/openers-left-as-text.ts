import type { FormatData } from "../formats/format-data.ts";
import type { FormatList } from "./format-list.ts";

const none: ReadonlySet<string> = new Set();

/** Openers that have stayed text since the last block: what closes them, or stands inside their calls, is text, too. */
export class TextOpeners {
  readonly #list: FormatList;
  #openers = none;
  /** What only begins as one of them: what follows it may as well be left over after the block. */
  #loose = none;
  /** What was looked at last as an opener: a closer may begin as it does. */
  #met: { readonly start: number; readonly openers: ReadonlySet<string> } | undefined;

  constructor(list: FormatList) {
    this.#list = list;
  }

  /**
   * After one like it, an opener says nothing.
   *
   * @param isOpener false: it only begins as one, and has opened nothing
   */
  add(opener: string, isOpener = true): void {
    if (this.#openers.has(opener)) return;
    if (!isOpener) this.#loose = new Set([...this.#loose, opener]);
    this.#openers = new Set([...this.#openers, opener]);
  }

  /** A block has begun. */
  forget(): void {
    this.#openers = this.#loose = none;
  }

  /** Something is looked at as an opener. */
  meet(start: number): void {
    this.#met = { start, openers: this.#openers };
  }

  wasMet(start: number): boolean {
    return this.#met?.start === start;
  }

  /** What was looked at last was a closer. */
  takeBack(): void {
    if (this.#met) this.#openers = this.#met.openers;
  }

  /** Whether a closer, or a token of calls, belongs to one of them. */
  isText(closer: string): boolean {
    return this.#isOf(this.#openers, closer);
  }

  /**
   * The formats of those openers that it may close: to others it belongs to none. What closes a part of a call closes none of
   * them, and what only begins as one of them hides no closer.
   */
  formatsOf(closer: string): readonly FormatData[] {
    if (this.#isOf(this.#loose, closer)) return [];
    return [...this.#openers].flatMap((opener) => this.#list.formatsClosed(opener, closer));
  }

  #isOf(openers: ReadonlySet<string>, closer: string): boolean {
    for (const opener of openers) if (this.#list.closersAfter(opener).tokens.has(closer)) return true;
    return false;
  }
}
