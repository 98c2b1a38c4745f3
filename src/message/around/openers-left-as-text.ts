import type { FormatData } from "../../formats/format-data.ts";
import { countOf } from "../../values/escaped-quotes.ts";
import { openerOf } from "../readings/call-end.ts";
import type { FormatList } from "../readings/format-list.ts";
import { openerCharsMax } from "../readings/openers.ts";

const none: ReadonlySet<string> = new Set();

/** Openers that have stayed text since the last block: what closes them, or stands inside their calls, is text, too. */
export class TextOpeners {
  readonly #list: FormatList;
  #openers = none;
  /** What only begins as one of them: what follows it may as well be left over after the block. */
  #loose = none;
  /** Those that stand in strings of values alone. */
  readonly #inValues = new Set<string>();
  /** What was looked at last as an opener: a closer may begin as it does. */
  #met: { readonly start: number; readonly openers: ReadonlySet<string> } | undefined;
  /** Parts of the calls that they might open, by what closes them. */
  readonly #parts = new Map<string, TextParts>();

  constructor(list: FormatList) {
    this.#list = list;
  }

  /**
   * After one like it, an opener says nothing.
   *
   * @param isOpener false: it only begins as one, and has opened nothing
   */
  add(opener: string, isOpener = true): void {
    if (isOpener && this.#inValues.size > 0) this.#inValues.delete(opener);
    if (this.#openers.has(opener)) return;
    if (!isOpener) this.#loose = new Set([...this.#loose, opener]);
    this.#openers = new Set([...this.#openers, opener]);
  }

  /**
   * The same of one in a string, where the parts of its call are pairs, too.
   *
   * @param isOfValue the string is known to stand in a value, so that its end will be
   */
  addInString(opener: string, isOfValue: boolean): void {
    const isInNoOther = !this.#openers.has(opener) || this.#inValues.has(opener);
    this.add(opener);
    if (isInNoOther && isOfValue) this.#inValues.add(opener);
    const { formats, closers, lastClosers } = this.#list.closersAfter(opener);
    for (const closer of closers) {
      if (lastClosers.includes(closer) || this.#parts.has(closer)) continue;
      this.#parts.set(closer, new TextParts(new Set(formats.map(({ template }) => openerOf(closer, template)))));
    }
  }

  /** What stands behind a value belongs to nothing that its strings hold. */
  leaveValue(): void {
    if (this.#inValues.size === 0) return;
    this.#openers = new Set([...this.#openers].filter((opener) => !this.#inValues.has(opener)));
    this.#inValues.clear();
    this.#parts.clear();
  }

  /** Visible text, after which a closer may be met. */
  read(piece: string): void {
    for (const parts of this.#parts.values()) parts.read(piece);
  }

  /** A block has begun. */
  forget(): void {
    this.#openers = this.#loose = none;
    this.#inValues.clear();
    if (this.#parts.size > 0) this.#parts.clear();
  }

  /** Something is looked at as an opener. */
  meet(start: number): void {
    this.#met = { start, openers: this.#openers };
  }

  /** A closer stands here. @returns whether it has been looked at as an opener, and was none */
  takeBack(start: number): boolean {
    if (this.#met?.start !== start) return false;
    this.#openers = this.#met.openers;
    return true;
  }

  /** Whether a closer, or a token of calls, belongs to one of them. */
  isText(closer: string): boolean {
    return this.#isOf(this.#openers, closer);
  }

  /**
   * The formats of those openers that it may close: to others it belongs to none. What closes a part of a call belongs to one of
   * them where a string has opened that part, and what only begins as one of them hides no closer.
   */
  formatsOf(closer: string): readonly FormatData[] {
    if (this.#isOf(this.#loose, closer)) return [];
    const closesPart = this.#parts.get(closer)?.close() === true;
    return [...this.#openers].flatMap((opener) => {
      const { formats, closers } = this.#list.closersAfter(opener);
      return closesPart && closers.includes(closer) ? formats : this.#list.formatsClosed(opener, closer);
    });
  }

  #isOf(openers: ReadonlySet<string>, closer: string): boolean {
    for (const opener of openers) if (this.#list.closersAfter(opener).tokens.has(closer)) return true;
    return false;
  }
}

/** Parts of one kind in calls that are text. */
class TextParts {
  readonly #openers: ReadonlySet<string>;
  #open = 0;
  #before = "";

  constructor(openers: ReadonlySet<string>) {
    this.#openers = openers;
  }

  read(piece: string): void {
    const text = this.#before + piece;
    for (const opener of this.#openers) {
      const from = Math.max(0, this.#before.length - opener.length + 1);
      this.#open += countOf(text.slice(from), opener);
    }
    this.#before = text.slice(-openerCharsMax);
  }

  /** @returns whether one is open that is closed with this */
  close(): boolean {
    if (this.#open === 0) return false;
    this.#open--;
    return true;
  }
}
