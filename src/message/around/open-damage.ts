import type { Halt } from "../../blocks/state.ts";
import type { TextSource } from "../../machine/text-store.ts";
import type { Enclosure, Enclosures } from "../readings/enclosures.ts";
import type { FormatList } from "../readings/format-list.ts";
import { tagOf } from "../readings/message-sets.ts";
import { CountedStrings, holdsOpenMark, lineCharsMax } from "../text/string-scan.ts";

/** A tag up to the name of an attribute. */
const attributeName = /^<\S+\s+\w+$/;

/** What follows openers that open no call, while a damaged one may stand there: what closes calls would say so. */
export class OpenDamage {
  readonly #list: FormatList;
  readonly #store: TextSource;
  readonly #enclosures: Enclosures;
  /** Its strings. */
  #strings: CountedStrings | undefined;

  /** @param enclosures what is open in visible text: damage is among it, and only what is open last goes on */
  constructor(list: FormatList, store: TextSource, enclosures: Enclosures) {
    this.#list = list;
    this.#store = store;
    this.#enclosures = enclosures;
  }

  get #last(): Enclosure | undefined {
    const { last } = this.#enclosures;
    return last?.kind === "damaged" ? last : undefined;
  }

  /** Text up to here is about to be let go. */
  readTo(end: number): void {
    this.#strings?.readTo(end);
  }

  /**
   * What follows an opener that opens no call may be a damaged one. Any closer of such ends all that have begun.
   *
   * @param openerEnd Where the opener ends; -1: only its beginning stands here, which may be a word of a sentence.
   */
  begin(halt: Halt, openerEnd: number): void {
    const opener = this.#store.slice(halt.start, halt.end);
    const isBegun = openerEnd < 0;
    const after = this.#list.closersAfter(opener);
    const closers = new Set(after.closers);
    const lastClosers = new Set(after.lastClosers);
    const openers = new Set([opener]);
    const last = this.#last;
    let from = Math.max(openerEnd, halt.end);
    if (last !== undefined) {
      this.#enclosures.takeLast();
      for (const closer of last.closers) closers.add(closer);
      for (const closer of last.lastClosers ?? []) lastClosers.add(closer);
      for (const other of last.openers ?? []) openers.add(other);
      from = last.from;
      if (!isBegun) this.#strings?.afterWholeOpener();
    } else {
      const isAfterMark = holdsOpenMark(this.#store.slice(Math.max(0, halt.start - lineCharsMax), halt.start));
      const isInAttribute = attributeName.test(this.#store.slice(halt.start, from));
      this.#strings = new CountedStrings(this.#store, from, { isAfterWord: isBegun, isAfterMark, isInAttribute });
    }
    this.#enclosures.push({ kind: "damaged", closers: [...closers], lastClosers: [...lastClosers], openers, from });
  }

  /** Nothing of a call stands between its opener and this place. */
  forget(end: number): void {
    const last = this.#last;
    if (last !== undefined && last.from <= end) this.#enclosures.takeLast();
  }

  /** Directly behind its opener another opens what follows; what closes parts of a call still says that these stood around it. */
  passOpeners(end: number): void {
    const last = this.#last;
    if (last === undefined || last.from > end) return;
    this.#enclosures.takeLast();
    const closers = last.closers.filter((closer) => !last.lastClosers?.includes(closer));
    if (closers.length > 0) this.#enclosures.push({ ...last, closers, lastClosers: closers });
  }

  /** A pair that stands directly after its opener has closed, a closer of thoughts aside. */
  forgetBefore(from: number): void {
    const last = this.#last;
    if (last === undefined) return;
    const before = this.#store.slice(last.from, from).trim();
    if (before === "" || this.#list.sets.thinkClosers.has(tagOf(before))) this.#enclosures.takeLast();
  }

  /** A place stands in it, and there in a string. */
  holdsInString(at: number): boolean {
    return this.#last !== undefined && this.mayBeInString(at);
  }

  /** The same of what is damage. */
  mayBeInString(at: number): boolean {
    return this.#strings?.mayBeOpenAt(at) === true;
  }

  /** One of its closers has closed a part of it, or all. */
  passCloser(end: number): void {
    this.#strings?.passCloser(end);
  }

  /** A block may begin in it. */
  beginBlock(at: number): void {
    if (this.#last !== undefined) this.#strings?.beginCall(at);
  }

  /** It has ended, and all its calls are whole. */
  endBlock(end: number): void {
    if (this.#last !== undefined) this.#strings?.endCall(end);
  }
}
