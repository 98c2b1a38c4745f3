import type { RejectionReason } from "../../contract/reasons.ts";
import type { TextSource } from "../../machine/text-store.ts";
import type { BegunLine } from "../readings/alternative.ts";
import type { MessageOwner } from "../readings/message-owner.ts";
import type { Openings } from "../readings/openings.ts";

/** An opener that opens nothing, or a token that stands for nothing, and why. */
interface UnmatchedOpener {
  readonly reason: RejectionReason;
  readonly message: string;
  readonly start: number;
  /** Before it, what has ended last. */
  readonly begunLine: BegunLine;
  /** Up to where it goes, where that is known. */
  readonly end?: number | undefined;
}

/** What may stand between an opener and what follows it, and so much of it. */
const blanksOrBrackets = /^[\s[]*$/;
const blanksMax = 8;

/**
 * Openers that open nothing. They are listed at the end of the message, and as far as they go: so much text must be there that
 * all of one is.
 */
export class UnmatchedOpeners {
  readonly #store: TextSource;
  readonly #prefillEnd: number;
  readonly #openings: Openings;
  /** Those that are not measured yet. */
  readonly #open: UnmatchedOpener[] = [];
  readonly #listings: Parameters<MessageOwner["listed"]>[] = [];
  #listedTo = -blanksMax - 1;
  /** Where the last one begins of those that have been measured and are openers. */
  #lastOpener = -1;
  /** Up to where what the last of them is followed by begins as a call does. */
  #headTo = -1;

  constructor(store: TextSource, prefillEnd: number, openings: Openings) {
    this.#store = store;
    this.#prefillEnd = prefillEnd;
    this.#openings = openings;
  }

  note(reason: RejectionReason, message: string, start: number, end?: number): void {
    const { begunLine } = this.#openings;
    this.#open.push({ reason, message, start, begunLine, end });
  }

  /** What begins here is no opener after all. */
  forget(start: number): void {
    if (this.#open.at(-1)?.start === start) this.#open.pop();
  }

  /** Whether one begins at an offset or after it, as far as it goes; whether it has been measured says nothing. */
  areSince(from: number): boolean {
    if (this.#lastOpener >= from) return true;
    for (let at = this.#open.length - 1; at >= 0 && this.#open[at].start >= from; at--)
      if (this.#endOfOne(this.#open[at]) >= 0) return true;
    return false;
  }

  /** From where text is needed to measure them; undefined: none is left. */
  get neededFrom(): number | undefined {
    return this.#open[0]?.start;
  }

  /** Measures what has so many characters after it. */
  measure(room: number): void {
    if (this.#open.length === 0) return;
    const open = this.#open.findIndex(({ start }) => start + room > this.#store.end);
    const known = this.#open.splice(0, open < 0 ? this.#open.length : open);
    for (const opener of known) this.#measureOne(opener);
  }

  /** Where a set has only its first literal, the format says how far an opener goes, or that it is none. */
  #endOfOne({ start, begunLine, end }: UnmatchedOpener): number {
    return end ?? this.#openings.openerEnd(start, begunLine) ?? -1;
  }

  #measureOne(opener: UnmatchedOpener): void {
    const { reason, message, start, begunLine } = opener;
    let end = this.#endOfOne(opener);
    if (end >= 0) this.#lastOpener = start;
    if (end < 0 && start >= this.#headTo) {
      const mayBegin = !this.#openings.isInWord(start);
      const begunEnd = (mayBegin ? this.#openings.begunEnd(start, undefined, begunLine, true) : undefined) ?? -1;
      if (this.#isAfterListed(start)) this.#headTo = begunEnd;
      else end = begunEnd;
    }
    const from = Math.max(start, this.#prefillEnd, this.#listedTo);
    if (end <= from || from > start) return;
    this.#listedTo = end;
    const span = { start: from - this.#prefillEnd, end: end - this.#prefillEnd, raw: this.#store.slice(from, end) };
    this.#listings.push([reason, message, span]);
  }

  /** What an opener is followed by has begun with it. */
  #isAfterListed(start: number): boolean {
    return start - this.#listedTo <= blanksMax && blanksOrBrackets.test(this.#store.slice(this.#listedTo, start));
  }

  /** Lists them all, whatever the chunks. */
  listAll(owner: MessageOwner): void {
    this.measure(0);
    for (const listing of this.#listings) owner.listed(...listing);
  }
}
