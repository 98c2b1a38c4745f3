import type { Halt } from "../../blocks/state.ts";
import { fetchedBefore } from "../../machine/machine.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import type { Alternative, BlockEntry } from "../readings/alternative.ts";
import { Disambiguation } from "../readings/disambiguation.ts";
import type { Enclosure } from "../readings/enclosures.ts";
import { framedCharsMax } from "../readings/frames.ts";
import { glanceChars } from "../readings/glances.ts";
import { doubtfulSpanIn } from "../readings/left-open.ts";
import { beginsInThoughts } from "../readings/message-sets.ts";
import { openerCharsMax, openerCharsMin, opensByName, opensByTag } from "../readings/openers.ts";
import { provenFrame } from "../readings/proven-frame.ts";
import { beginsNextReply } from "../readings/turns.ts";
import { type DeclinedPlaces, inValue } from "./declined-places.ts";
import type { TextFlow } from "./text-flow.ts";

/** A place at which formats read. */
export interface BlockPlace {
  readonly halt: Halt;
  readonly disambiguation: Disambiguation;
  /** The line that is read stands in a value that begins before it. */
  readonly isInValue: boolean;
}

/** Places at which a block may begin: what is known of each before formats read there, and which of them do. */
export class BlockPlaces {
  readonly #flow: TextFlow;
  readonly #declined: DeclinedPlaces;
  /** The one that is read. */
  place: BlockPlace | undefined;
  /** Where the last opener begins that has one of another format directly after it. */
  #framesOther = -1;

  constructor(flow: TextFlow, declined: DeclinedPlaces) {
    this.#flow = flow;
    this.#declined = declined;
  }

  /** The formats that may begin here read on. */
  meet(halt: Halt): void {
    const { start } = halt;
    const { around, store } = this.#flow;
    around.closeUnknown(this.#flow.unknownCalls, start);
    if (!around.inThoughts) this.#meetInSpan(start);
    if (halt.role !== role.Opener) return this.#meetOpener(halt);
    if (beginsNextReply(this.#flow.sets.replies, store, start)) return this.#flow.endTurn(start, start);
    if (this.#flow.openings.isInWord(start))
      return around.inThoughts ? this.#declined.draft(halt) : this.#declined.passOpener(halt);
    if (this.#beginsAnswer(halt)) return this.#flow.go("unopened", start);
    this.#flow.textOpeners.meet(start);
    // Marks with more than blanks after them close no fence in CommonMark: more of them will say.
    const marks = around.inThoughts ? undefined : this.#marksBefore(start);
    if (marks !== undefined) this.#flow.region.sink.openFence(marks);
    const span = around.inThoughts ? undefined : doubtfulSpanIn(this.#textBefore(start));
    if (span !== undefined) this.#flow.region.sink.openSpan(span);
    this.#encloseRest(halt);
    this.#lookAround(halt);
  }

  /** A call may begin in a code span that has been left open, or in a string. */
  #meetInSpan(start: number): void {
    const { around, region, strings } = this.#flow;
    around.meetInSpan(start);
    const quote = strings.leftQuoteAt(start);
    if (quote !== undefined) region.sink.openSpan(quote);
  }

  /** Among several formats the answer of one is text to the others, which read on. */
  #beginsAnswer({ start, end }: Halt): boolean {
    const { list } = this.#flow;
    const all = list.alternatives;
    const opener = this.#flow.store.slice(start, end);
    const begun = all.length > 1 && !this.#flow.around.inThoughts ? list.openedBy(opener) : [];
    if (begun.length === 0 || !begun.every(({ format }) => format.answers?.includes(opener))) return false;
    if (begun.length === all.length || (this.#flow.openings.openerEnd(start) ?? -1) < 0) return false;
    this.#flow.openTurn.noteAnswer(begun, all);
    return true;
  }

  /** The marks of a fence that stand before a place, with nothing else on their line. */
  #marksBefore(at: number): string | undefined {
    const { prefillEnd, store } = this.#flow;
    if (!endOfMarks.includes(store.slice(Math.max(prefillEnd, at - 1), at))) return undefined;
    return marksOnLine.exec(this.#textBefore(at))?.[1];
  }

  #textBefore(at: number): string {
    return this.#flow.store.slice(Math.max(this.#flow.prefillEnd, this.#flow.blockEnd, at - fetchedBefore), at);
  }

  /**
   * What stands directly after a quoted opener belongs to it, although the quotation has ended in between, as it does where
   * lines leave a block quote.
   */
  #encloseRest({ start }: Halt): void {
    const from = this.#flow.quotedOpener;
    this.#flow.quotedOpener = -1;
    if (from < 0 || start - from > fetchedBefore) return;
    const end = this.#flow.openings.openerEnd(from) ?? -1;
    if (end >= start || (end >= 0 && this.#flow.store.slice(end, start).trim() === ""))
      this.#flow.around.quoteRest(from, end);
  }

  /** What opens thoughts or a quotation directly after an opener has no block around it. */
  #lookAround(halt: Halt, known?: readonly number[]): void {
    const { list, openings } = this.#flow;
    const { start } = halt;
    const text = this.#flow.store.slice(start, start + openerCharsMax);
    // Most openers of a message stand alike: on a line of their own, with the same text after them.
    const mayBeKnown = !openings.hasEnded && text.length < alikeCharsMax && openings.isLineBegin(start);
    let around = mayBeKnown ? list.around.get(text) : undefined;
    let ends = known;
    if (around === undefined) {
      ends ??= openings.openerEnds(start);
      around = openings.opensAround(start, ends);
      if (mayBeKnown) list.around.keep(text, around);
    }
    if (typeof around === "string") return this.#lookAgain(halt, ends, around);
    if (around) {
      this.#flow.around.damage.begin(halt, openings.openerEnd(start) ?? -1);
      return this.#declined.passOpener(halt);
    }
    if (list.alternatives.length > 1) {
      const found = ends ?? openings.openerEnds(start);
      const framesOther = found && openings.opensOther(start, found);
      if (framesOther === undefined) return this.#lookAgain(halt, ends);
      if (framesOther) this.#framesOther = start;
    }
    this.#meetOpener(halt);
  }

  #lookAgain(halt: Halt, ends: readonly number[] | undefined, literal?: string): void {
    this.#flow.askAgain(halt, () => this.#lookAround(halt, ends), literal);
  }

  #meetOpener(halt: Halt): void {
    // Where something is open, an opener says something of it, but not one that no format can read on from.
    const isAmongOthers = this.#flow.around.last !== undefined && this.#flow.list.alternatives.length > 1;
    // How far an opener goes that the sets know by its first characters only has to be known where it opens nothing.
    if (
      (isAmongOthers || isBegun(halt)) &&
      !this.#flow.openings.hasEnded &&
      this.#flow.store.end < halt.end + glanceChars
    )
      this.#flow.askAgain(halt, () => this.#meetOpener(halt));
    else this.meetFormats(halt);
  }

  meetFormats(halt: Halt): void {
    const { around, bareValue, budget, openTurn, list, openCode, openings } = this.#flow;
    const { policy, region, store, unknownCalls } = this.#flow;
    const declined = this.#declined;
    const entry: BlockEntry = halt.role === role.Lead ? "start" : halt.role === role.LineLead ? "line" : "block";
    const { inThoughts } = around;
    const { start } = halt;
    const isInValue = entry === "line" && !inThoughts && (bareValue.holds(start) || openCode?.holds(start) === true);
    const begun = openings.alternativesAt(halt, entry);
    const owned = openTurn.of(begun);
    const isAffordable = ({ format }: Alternative) => entry !== "block" || budget.mayRead(format, halt.end);
    const mayCall = (one: Alternative) =>
      isAffordable(one) && (entry !== "line" || !openings.readingOf(one).isVainAt(start));
    // What a glance says is remembered for all that begin so.
    const read = openings.mayRead(begun, entry, halt);
    // No opener at all: it is passed as plain text.
    if (isBegun(halt) && begun.length > 0) {
      const end = read.length === 0 ? -1 : openings.openerEnd(start);
      if (end === undefined) return this.#flow.askAgain(halt, () => this.meetFormats(halt));
      if (end === -1) return declined.decline(halt);
    }
    const readable = openTurn.of(openings.beginningAt(start, entry, read));
    const alternatives = readable.every(mayCall) ? readable : readable.filter(mayCall);
    const isTentative =
      (policy.reasoning !== "parse" && alternatives.some(({ format }) => around.areThoughtsTo(format))) ||
      this.#flow.isShownInThoughts(start) ||
      around.isInFrame ||
      entry === "line" ||
      halt.role === role.ThinkOpener;
    // To all formats that begin here a turn has ended before.
    if (owned.length === 0 && begun.length > 0 && entry === "block") return declined.passAfterTurn(halt);
    // An opener that was written twice holds nothing, and so does one directly before the tag of a tool.
    const { last } = around;
    const opensTool = () => begun.some(opensByTag) && unknownCalls?.opensTool(start) === true;
    const isOther = last?.openers?.has(store.slice(start, halt.end)) === false && opensTool();
    const isMarker = entry === "block" && (isOther || halt.end - start >= openerCharsMin);
    const isNear = last !== undefined && start - last.from <= fetchedBefore;
    const isAgain = isNear && isMarker && store.slice(last.from, start).trim() === "";
    if (isAgain) around.damage.passOpeners(start);
    if (start < this.#flow.refusedTo && entry === "block") return this.#flow.go("unopened", start);
    if (
      !inThoughts &&
      (entry === "block" || alternatives.length > 0) &&
      (around.damage.holdsInString(start) ||
        (entry === "block" && (bareValue.holds(start) || declined.opensInString(start))))
    )
      return declined.passInString(halt);
    if (inThoughts && entry === "block" && openTag.test(store.slice(Math.max(0, start - fetchedBefore), start)))
      return declined.draft(halt);
    if (openCode && begun.some(opensByName) && openCode.holds(start))
      return inThoughts ? declined.draft(halt) : declined.passOpener(halt, ...inValue);
    const elements = unknownCalls && !inThoughts && entry === "block" ? unknownCalls.openAt(start) : [];
    // What stands directly before it may have been read only now.
    around.closeUnknown(unknownCalls, start);
    if (elements.length > 0 && (opensTool() || !alternatives.every(opensByTag))) around.encloseUnknown(elements, start);
    // One alone may be the parameter of a call whose opener is lost.
    if (unknownCalls?.isOpen && !inThoughts && entry === "block")
      region.openParts(list.alternatives.filter(opensByTag));
    // What a glance excludes depends on how much text is there, so what is known before it is said first.
    if (alternatives.length === 0) return declined.decline(halt);
    if (entry === "block") around.damage.beginBlock(start);
    const enclosure = around.last;
    const isEnclosed = inThoughts ? enclosure?.kind === "quoted" && !isTentative : enclosure !== undefined;
    if (isEnclosed && around.needsRegion) around.beginRegion(start, { kind: (enclosure as Enclosure).kind });
    const disambiguation = new Disambiguation({
      readings: alternatives.map((alternative) => openings.readingOf(alternative)),
      place: { entry, start, begunLine: openings.begunLine },
      openerEnd: halt.end,
      store,
      text: openings.text,
      ownerFor: (calling) => around.ownerFor(calling, start),
      lookaheadBudget: budget.leftAt(halt.end),
      mayGoOn: () => entry !== "block" && budget.takeLongPlace(),
      isTentative,
      framesOther: entry === "block" && this.#framesOther === start,
      frames: entry === "block" && !isTentative && budget.mayTryFrames ? list.frames.of(alternatives) : [],
      onAlike: (readings) => {
        if (entry !== "block" || isTentative || readings.length < alternatives.length) return;
        const isShort = (readings[0].settledAt as number) - start <= framedCharsMax;
        const frame = isShort && budget.takeProof() ? provenFrame(readings, start, store, openings) : undefined;
        if (frame) list.addFrame(alternatives, frame);
      },
      onVain: () => budget.frameInVain(),
      isRecorded: around.mayBeThoughts && !inThoughts && alternatives.some(({ format }) => beginsInThoughts(format)),
    });
    this.place = { halt, disambiguation, isInValue };
  }
}

/** An opener that the sets know by its first characters only. */
const isBegun = ({ role: found, start, end }: Halt): boolean => found === role.Opener && end - start < openerCharsMin;

const marksOnLine = /(?:^|[\r\n])[ \t>]*(`{3,}|~{3,})[ \t]*$/;
const endOfMarks = ["`", "~", " ", "\t"];
/** A tag that is open in its attribute, on its line. */
const openTag = /<[^\s<>]+[ \t]+\w+="[^<>\r\n]*$/;
/** An opener with no more than the beginning of its call. */
const alikeCharsMax = 128;
