import type { Recovery } from "../../blocks/recovery-types.ts";
import type { Halt } from "../../blocks/state.ts";
import { fenceIndentMax } from "../../machine/fence-containers.ts";
import { indentMax, isLineBreak } from "../../machine/indent.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import type { TextSource } from "../../machine/text-store.ts";
import { blanks, indentBegin, isInWord } from "../text/line-start.ts";
import { type Alternative, type BegunLine, type BlockEntry, lineBegunFor } from "./alternative.ts";
import { AlternativeReading } from "./alternative-reading.ts";
import type { FormatList } from "./format-list.ts";
import { glanceChars } from "./glances.ts";
import { LimitedText } from "./limited-text.ts";
import type { LookaheadBudget } from "./lookahead-budget.ts";
import { opensBehind } from "./message-sets.ts";
import { openerCharsMax } from "./openers.ts";

export interface OpeningsOptions {
  list: FormatList;
  store: TextSource;
  prefillEnd: number;
  /** Where the reply begins a line behind that. */
  replyBegin: number;
  marker: string | undefined;
  recovery: Recovery | undefined;
  budget: LookaheadBudget;
  /** A block is certain: what stood before it is complete. */
  onClaim: () => void;
}

/**
 * What may begin at a place of the message: which formats may read a block there, where the openers of theirs end, and
 * whether a line begins there. The formats that have been asked are kept.
 */
export class Openings {
  readonly #options: OpeningsOptions;
  readonly #list: FormatList;
  readonly #store: TextSource;
  readonly #prefillEnd: number;
  readonly #readings = new Map<Alternative, AlternativeReading>();
  /** The text of all readings of a place: they see as much of it as each other. */
  readonly text: LimitedText;
  /** By what has ended last. */
  begunLine: BegunLine;
  /** All that stands before is framing to these: calls that only the start of a message may hold may begin. */
  #startFor: readonly Alternative[];
  /** No more text comes. */
  hasEnded = false;

  constructor(options: OpeningsOptions) {
    this.#options = options;
    this.#list = options.list;
    this.#startFor = options.list.alternatives;
    this.begunLine = { at: -1, to: this.#startFor };
    this.#store = options.store;
    this.#prefillEnd = options.prefillEnd;
    this.text = new LimitedText(options.store);
  }

  // ----- Readings -----

  /** Of all formats that have been asked. */
  get readings(): Iterable<AlternativeReading> {
    return this.#readings.values();
  }

  readingOf(alternative: Alternative): AlternativeReading {
    let reading = this.#readings.get(alternative);
    if (!reading) {
      reading = this.makeReading(alternative, this.text, this.#options.onClaim);
      this.#readings.set(alternative, reading);
    }
    return reading;
  }

  /** A reading of its own, beside the one that is kept. */
  makeReading(alternative: Alternative, text: LimitedText, onClaim: () => void): AlternativeReading {
    const { marker, recovery, replyBegin } = this.#options;
    return new AlternativeReading(alternative, {
      store: text,
      allText: this.#store,
      prefillEnd: this.#prefillEnd,
      replyBegin,
      marker,
      list: this.#list,
      recovery,
      onClaim,
    });
  }

  // ----- Lines and words -----

  /** What framing or a block ends begins a line, with the blanks that it has taken along from there. */
  beginLine(from: number, formats = this.#list.alternatives): void {
    const before = this.#store.slice(Math.max(this.#prefillEnd, from - fenceIndentMax), from);
    let blanks = before.length;
    while (blanks > 0 && (before[blanks - 1] === " " || before[blanks - 1] === "\t")) blanks--;
    this.beginAt(from - before.length + blanks, formats);
  }

  /** To other formats what has ended is text. */
  beginAt(at: number, to: readonly Alternative[]): void {
    this.begunLine = { at, to };
    if (!this.#isBegunForAll) this.#startFor = this.#startFor.filter((one) => to.includes(one));
  }

  get #isBegunForAll(): boolean {
    return this.begunLine.to.length === this.#list.alternatives.length;
  }

  /** A line begins here, and no blank stands before. */
  isLineBegin(start: number): boolean {
    const isBehind = start === this.begunLine.at && this.#isBegunForAll;
    const isFirst = start === 0 || start === this.#prefillEnd || isBehind;
    return isFirst || isLineBreak(this.#store.slice(start - 1, start));
  }

  beginsLine(start: number, begunAt = this.begunLine.at): boolean {
    const text = this.#store.slice(Math.max(0, start - indentMax - 1), start);
    const at = indentBegin(text, text.length);
    const place = start - text.length + at;
    return place === 0 || place === this.#prefillEnd || place === begunAt || isLineBreak(text[at - 1]);
  }

  beginsLineTo(alternative: Alternative, start: number): boolean {
    return this.beginsLine(start, lineBegunFor(this.begunLine, alternative));
  }

  isInWord(start: number): boolean {
    const from = Math.max(this.#prefillEnd, start - 1);
    return isInWord(this.#store.slice(from, start + 1), start - from);
  }

  // ----- Formats -----

  /** Which formats may begin here, by what stands first; none on a line, where lines may no longer be read for nothing. */
  alternativesAt({ start, end }: Halt, entry: BlockEntry): readonly Alternative[] {
    if (entry === "block") return this.#list.openedBy(this.#store.slice(start, end));
    if (entry === "line" && !this.#options.budget.mayReadTwice) return [];
    const text = this.#store.slice(start, start + leadCharsMax).replace(blanks, "");
    return this.#list.leading(entry, text.slice(0, 1));
  }

  /** Of several formats those to which the message, or a line, begins here where their form has to. */
  beginningAt(start: number, entry: BlockEntry, alternatives: readonly Alternative[]): readonly Alternative[] {
    if (entry === "start") return alternatives.filter((one) => this.#startFor.includes(one));
    if (entry === "block" || this.#isBegunForAll) return alternatives;
    return alternatives.filter((one) => this.beginsLineTo(one, start));
  }

  /** Of several formats those that the first characters do not exclude. */
  mayRead(alternatives: readonly Alternative[], entry: BlockEntry, { start, end }: Halt): readonly Alternative[] {
    if (this.#list.alternatives.length === 1 || alternatives.length === 0 || start < this.#prefillEnd)
      return alternatives;
    const place = {
      opener: this.#store.slice(start, end),
      after: this.#store.slice(end, end + glanceChars),
      beginsLine: this.beginsLine(start),
    };
    return this.#list.glance(entry, alternatives, place);
  }

  // ----- Openers -----

  /** An opener for certain: no other literal begins there, whatever follows. */
  plainOpenerAt(start: number): string | undefined {
    const text = this.#store.slice(start, start + openerCharsMax);
    const opener = this.#list.openerAt(text);
    if (opener === undefined || start < this.#prefillEnd || !this.beginsLine(start)) return opener;
    // What a line begins with may be a call that no marker opens.
    const unmarked = this.#list.leading("line", text[0]);
    return this.mayRead(unmarked, "line", { role: role.LineLead, start, end: start }).length === 0 ? opener : undefined;
  }

  /** Where what begins at an offset as an opener does ends as one; -1: nowhere; undefined: more text has to come. */
  openerEnd(start: number, begunLine = this.begunLine): number | undefined {
    const ends = this.openerEnds(start, begunLine);
    return ends && Math.max(-1, ...ends);
  }

  /** The same for each format that may open a block there. */
  openerEnds(start: number, begunLine = this.begunLine): readonly number[] | undefined {
    const text = this.#store.slice(start, start + openerCharsMax);
    const ends: number[] = [];
    for (const one of this.#list.mayOpen(text, this.beginsLine(start, begunLine.at))) {
      const end = this.readingOf(one).openerEnd(start, begunLine, this.hasEnded);
      if (end === undefined) return undefined;
      if (end >= 0 && !ends.includes(end)) ends.push(end);
    }
    return ends;
  }

  /** Where what begins at an offset as a call does that is listed ends as such; -1: nowhere; undefined: more text has to come. */
  begunEnd(
    start: number,
    alternatives = this.#list.alternatives,
    begunLine = this.begunLine,
    isLast = this.hasEnded,
  ): number | undefined {
    let end = -1;
    for (const one of alternatives) {
      const itsEnd = one.format.begun ? this.readingOf(one).endOf("begun", start, begunLine, isLast) : -1;
      if (itsEnd === undefined) return undefined;
      end = Math.max(end, itsEnd);
    }
    return end;
  }

  /** Whether what looks like the beginning of calls without a marker has one in another format, which reads it. */
  isMarked({ role: found, start }: Halt): boolean {
    if (found === role.Opener) return false;
    const text = this.#store.slice(start, start + openerCharsMax);
    return (this.openerEnd(start + text.length - text.trimStart().length) ?? -1) >= 0;
  }

  /**
   * Whether another format may begin a call directly after an opener, and none of those that this one may open; undefined: more
   * text has to come.
   *
   * @param ends where the opener ends, in each format
   */
  opensOther(start: number, ends: readonly number[]): boolean | undefined {
    for (const end of ends) {
      const after = this.#store.slice(end, end + openerCharsMax);
      const text = after.replace(blanks, "");
      const at = end + after.length - text.length;
      const mayGrow = !this.hasEnded && after.length < openerCharsMax;
      if (text === "" && mayGrow) return undefined;
      const own = this.#list.mayOpen(this.#store.slice(start, end), this.beginsLine(start));
      const others = this.#list.mayOpen(text, this.beginsLine(at));
      if (others.length === 0) continue;
      if (text.length < glanceChars && mayGrow) return undefined;
      if (own.some((one) => others.includes(one))) continue;
      const otherEnd = this.openerEnd(at);
      if (otherEnd === undefined || (!this.hasEnded && this.#store.end < otherEnd + glanceChars)) return undefined;
      if (otherEnd < 0) continue;
      if (this.mayRead(others, "block", { role: role.Opener, start: at, end: otherEnd }).length > 0) return true;
    }
    return false;
  }

  /** Whether thoughts or a quotation are opened in an opener or directly after it; a text: more has to come, such as this. */
  opensAround(start: number, ends: readonly number[] | undefined): boolean | string {
    const { sets } = this.#list;
    let around: boolean | string = ends === undefined && !this.hasEnded ? "" : false;
    for (const end of ends ?? []) {
      const found = opensBehind(sets, this.#store.slice(start, end + openerCharsMax), end - start);
      if (found === true) return true;
      if (typeof found === "string" && !this.hasEnded) around = ends?.length === 1 ? found : "";
    }
    return around;
  }
}

/** So many blanks may stand before a form that begins the message. */
const leadCharsMax = 1024;
