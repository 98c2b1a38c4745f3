import { MachineReader } from "../../blocks/machine-reader.ts";
import type { ReaderOwner } from "../../blocks/reader-owner.ts";
import type { Recovery } from "../../blocks/recovery-types.ts";
import type { Halt } from "../../blocks/state.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import { AwaitedLiteral } from "../../machine/awaited-literal.ts";
import { indentMax, replyLineBegin } from "../../machine/indent.ts";
import { fetchedBefore } from "../../machine/machine.ts";
import type { MessageMode } from "../../machine/message-modes.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import { TextStore } from "../../machine/text-store.ts";
import type { Policy } from "../../validation/policy.ts";
import type { Alternative } from "../readings/alternative.ts";
import { type FormatList, formatList } from "../readings/format-list.ts";
import { LookaheadBudget } from "../readings/lookahead-budget.ts";
import type { MessageOwner } from "../readings/message-owner.ts";
import type { MessageSets } from "../readings/message-sets.ts";
import { openerCharsMax } from "../readings/openers.ts";
import { Openings } from "../readings/openings.ts";
import { PlainText } from "../readings/plain-text.ts";
import { Region } from "../readings/region.ts";
import { answerBeginningMax, beginsAnswer } from "../text/answer-beginning.ts";
import { BareValue } from "../text/bare-value.ts";
import { notBlank } from "../text/line-start.ts";
import { OpenCode } from "../text/open-code.ts";
import { StringsInProse } from "../text/strings-in-prose.ts";
import { OpenTurn } from "./open-turn.ts";
import { TextOpeners } from "./openers-left-as-text.ts";
import { noFormat, type ProseOwner } from "./prose.ts";
import { ThoughtsAndQuotations } from "./thoughts-and-quotations.ts";
import { UnknownCalls } from "./unknown-calls.ts";
import { UnmatchedOpeners } from "./unmatched-openers.ts";

export interface TextFlowOptions {
  alternatives: readonly Alternative[];
  owner: MessageOwner;
  /** The text that the reply goes on with. */
  begun: string;
  marker: string | undefined;
  recovery: Recovery | undefined;
  /** JSON was asked for as the answer. */
  answersInJson?: boolean | undefined;
}

/** How the text goes on while a quoting tag is open. */
const modesInTag: Partial<Record<MessageMode, MessageMode>> = {
  prose: "proseInTag",
  unopened: "unopenedInTag",
  unmarked: "unmarkedInTag",
  asContent: "asContentInTag",
};

/**
 * The text around blocks: what stands in it, and how it goes on. What is plain is read at once, the rest with the grammar, in one of its
 * modes. Where too little text is there to say, reading stands until there is more. Each of the parts owns its state.
 */
export class TextFlow implements ProseOwner {
  readonly list: FormatList;
  readonly sets: MessageSets;
  readonly policy: Policy;
  /** Names of the tools, if there are any. */
  readonly names: readonly string[] | undefined;
  readonly store = new TextStore();
  readonly prefillEnd: number;
  readonly plainText: PlainText;
  /** Reads with the grammar. */
  readonly prose: MachineReader;
  readonly openings: Openings;
  readonly region: Region;
  /** What the place stands in. */
  readonly around: ThoughtsAndQuotations;
  readonly bareValue = new BareValue(this.store);
  /** Those of values in the thoughts, or in the visible text, that go on. */
  readonly strings = new StringsInProse(this.store);
  /** Where lines may be calls. */
  readonly openCode: OpenCode | undefined;
  /** Where tags are the names of tools. */
  readonly unknownCalls: UnknownCalls | undefined;
  readonly openTurn: OpenTurn;
  readonly unmatched: UnmatchedOpeners;
  readonly textOpeners: TextOpeners;
  readonly budget = new LookaheadBudget();
  /** What may open a block is read on from. */
  readonly meet: (halt: Halt) => void;
  hasBegun = false;
  /** The message is the answer in JSON that was asked for: nothing in it is a call. */
  isAnswer = false;
  /** JSON was asked for, and the message has not said anything. */
  #mayBeAnswer: boolean;
  /** Where the first call begins that does not stand in thoughts. */
  firstCall = Number.POSITIVE_INFINITY;
  /** Something has been said or called: what only the start of a message may hold can no longer come. */
  isUnderWay = false;
  /** Something has been shown or called since what frames visible text: what that may begin with can no longer come. */
  hasContent = false;
  /** Where visible text has begun last, or may begin. */
  #contentStart = 0;
  /** Where the last block has ended. */
  blockEnd = -1;
  /** Up to where a refused call goes that no marker opens. */
  refusedTo = -1;
  /** Where the last opener begins that is quoted; -1: none is. */
  quotedOpener = -1;
  /** Reading stands here until there is more text than has been seen; -1: somebody reads. */
  #pausedAt = -1;
  /** Then it goes on in this mode, or asks again what too little text was there to say. */
  #goesOn: MessageMode | (() => void) = "prose";
  #seenTo = 0;
  /** What may stand there. */
  readonly #awaited = new AwaitedLiteral();

  /** What the reply goes on with is there from the beginning. */
  constructor(
    { alternatives, owner, begun, marker, recovery, answersInJson = false }: TextFlowOptions,
    meet: (halt: Halt) => void,
  ) {
    const [{ validator }] = alternatives;
    const { store } = this;
    this.#mayBeAnswer = answersInJson;
    const list = formatList(alternatives, marker);
    const { sets } = list;
    this.list = list;
    this.sets = sets;
    this.policy = validator.policy;
    this.names = validator.hints.names;
    this.meet = meet;
    const prefillEnd = begun.length;
    const replyBegin = replyLineBegin(begun);
    this.prefillEnd = prefillEnd;
    this.openings = new Openings({
      list,
      store,
      prefillEnd,
      replyBegin,
      marker,
      recovery,
      budget: this.budget,
      onClaim: () => {
        this.isUnderWay = true;
        this.textOpeners.forget();
        this.prose.endText();
      },
    });
    this.unmatched = new UnmatchedOpeners(store, prefillEnd, this.openings);
    if (this.policy.bare === "anywhere" || list.opensByName) this.openCode = new OpenCode(store);
    this.plainText = new PlainText(list, store, prefillEnd);
    if (this.names !== undefined && list.opensByTag) this.unknownCalls = new UnknownCalls(store, list);
    this.prose = new MachineReader({
      format: noFormat,
      program: () => sets.program,
      owner: this as ProseOwner as ReaderOwner,
      hints: { ...validator.hints, closesPair: (start) => this.around.closesPair(start) },
      openers: [],
      store,
      prefillEnd,
      replyBegin,
    });
    this.region = new Region(owner, this.prose, store, prefillEnd);
    this.around = new ThoughtsAndQuotations(list, store, this.prose, this.region);
    this.openTurn = new OpenTurn(sets.ownTurns, store);
    this.textOpeners = new TextOpeners(list);
    store.append(begun);
  }

  /** A wrapper round calls that has opened, while none has followed it. */
  wrapper: { readonly start: number; readonly end: number } | undefined;

  /** Begins to read with the first text that is there: what is known at once needs no grammar. */
  begin(): void {
    this.hasBegun = true;
    const { around } = this;
    const { startsInReasoning, mayStartInReasoning } = this.sets;
    if (mayStartInReasoning.length > 0 && this.policy.reasoning !== "parse")
      around.mayBeginInThoughts(mayStartInReasoning);
    this.#goAsAnswerOr("begin", 0, () => {
      if (!startsInReasoning) return this.go("begin", 0);
      around.beginInThoughts(startsInReasoning);
      this.go("beginInThoughts", 0);
    });
  }

  /** What begins here may be the answer: reading goes on when that is known. */
  #goAsAnswerOr(mode: MessageMode, from: number, goOn: () => void): void {
    const isKnown = !this.#mayBeAnswer || this.firstCall < from || this.noteAnswer(from);
    if (!isKnown && !this.openings.hasEnded) this.#pause(() => this.#goAsAnswerOr(mode, from, goOn), from);
    else if (this.isAnswer) this.go(mode, from);
    else goOn();
  }

  /** @returns false: more text has to say whether the answer begins here */
  noteAnswer(from: number): boolean {
    const begins = beginsAnswer(this.store.slice(from, from + answerBeginningMax));
    if (begins === true) this.isAnswer = true;
    return begins !== undefined;
  }

  /** Reading stands. */
  get isPaused(): boolean {
    return this.#pausedAt >= 0;
  }

  /** It does so since too little text is there to say something of an opener. */
  get asksAgain(): boolean {
    return this.isPaused && typeof this.#goesOn !== "string";
  }

  /** From where text is needed then. */
  get neededFrom(): number | undefined {
    return this.isPaused ? this.#pausedAt - fetchedBefore : undefined;
  }

  /** A chunk that only goes on with what may stand there says nothing. */
  keeps(chunk: string): boolean {
    return this.#awaited.keeps(chunk);
  }

  /** No more text comes: what has been seen is all. */
  end(): void {
    this.#seenTo = -1;
  }

  /** @returns whether there is more text than has been seen, so that reading has gone on */
  resume(): boolean {
    if (this.store.end <= this.#seenTo) return false;
    const from = this.#pausedAt;
    const goesOn = this.#goesOn;
    this.#pausedAt = -1;
    this.#awaited.end();
    if (typeof goesOn === "string") this.go(goesOn, from);
    else goesOn();
    return true;
  }

  #pause(goesOn: MessageMode | (() => void), from: number, seenTo = this.store.end): void {
    this.#goesOn = goesOn;
    this.#pausedAt = from;
    this.#seenTo = seenTo;
  }

  /** Too little text is there to say something of an opener, such as what may stand after it: it is asked again with more. */
  askAgain({ start }: Halt, ask: () => void, literal = ""): void {
    this.#pause(ask, start);
    this.#awaited.begin(literal, 0);
  }

  go(mode: MessageMode, from: number): void {
    const { around, openings, prose, sets, store } = this;
    if (mode === "begin" || mode === "unled") {
      this.beginText(from);
      this.openCode?.begin(from);
    }
    // A form that any character may begin is looked for before anything else.
    if (mode === "begin" && sets.anyLead && !this.isUnderWay)
      return this.meet({ role: role.Lead, start: from, end: from });
    const plainEnd = this.plainText.endFrom(mode, from, around.damagedBy);
    const isBegun = plainEnd > from && (mode === "prose" || notBlank.test(store.slice(from, plainEnd)));
    const begun = isBegun ? "prose" : mode;
    const opener = plainEnd < 0 ? undefined : openings.plainOpenerAt(plainEnd);
    const waits = opener === undefined && !openings.hasEnded && this.#mayGrow(from, plainEnd);
    // Blanks before what is not known yet are read again with it.
    if (waits && begun !== "prose") return this.#pause(mode, from);
    // Blanks before what the grammar reads are its own: it counts more of them as such than text does.
    const isPlain = plainEnd > from && (isBegun || opener !== undefined);
    if (isPlain) prose.addText("content", from, plainEnd);
    if (opener !== undefined) return this.meet({ role: role.Opener, start: plainEnd, end: plainEnd + opener.length });
    if (waits || (begun === "prose" && plainEnd === store.end)) return this.#pause("prose", plainEnd);
    const { entries } = sets.program.source;
    const inTag = around.isQuoted ? modesInTag[begun] : undefined;
    prose.begin(entries[inTag ?? begun], isPlain ? plainEnd : from, openings.begunLine.at);
  }

  /** Whether nothing is known of what stands here before more of it has come: it is blank, or the beginning of an opener. */
  #mayGrow(from: number, plainEnd: number): boolean {
    const at = Math.max(from, plainEnd);
    const text = this.store.slice(at, at + openerCharsMax);
    if (plainEnd < 0) return text.length < indentMax && text.trim() === "";
    const opener = this.list.openerBegunBy(text);
    if (opener !== undefined) this.#awaited.begin(opener, text.length);
    return opener !== undefined;
  }

  /** What begins at a place in thoughts stands in a string of a value, which shows it. */
  isShownInThoughts(start: number): boolean {
    return this.around.inThoughts && this.strings.isOpenAt(start);
  }

  textOf({ start, end }: Halt): string {
    return this.store.slice(start, end);
  }

  /** What was looked at is text after all. */
  goAsText({ start }: Halt): void {
    this.go(this.around.inThoughts ? "asReasoning" : "asContent", start);
  }

  /** What follows framing, thoughts or a block: visible text. @param start where the framing begins, or the thoughts that it ends */
  goOn(from: number, start = from, formats = this.list.framedBy(this.store.slice(start, from))): void {
    const { around } = this;
    this.openings.beginLine(from, formats);
    if (around.inThoughts) return this.go("thoughts", from);
    // Where nothing has been shown before, it may begin here.
    const isBlank =
      start - this.#contentStart <= blanksMax && this.store.slice(this.#contentStart, start).trim() === "";
    if (isBlank) this.beginText(from);
    this.#goAsAnswerOr("answer", from, () => {
      if (!this.isUnderWay) this.go("begin", from);
      else this.go(this.hasContent || around.last !== undefined ? "prose" : "unled", from);
    });
  }

  /** The same, but not at once: there may be as many of them as there is text. */
  goOnLater(from: number, formats: readonly Alternative[]): void {
    this.#pause(() => this.goOn(from, from, formats), from, from);
  }

  /** Visible text may begin here. */
  beginText(from: number): void {
    this.#contentStart = from;
    this.bareValue.begin(from);
  }

  /** What looked like an opener is content. */
  passPlain({ start }: Halt, length: number): void {
    this.prose.addText("content", start, start + length);
    // Not at once: there may be as many of them as there is text.
    this.#pause("prose", start + length, start + length);
  }

  /** Nothing has been shown before this place. */
  isFirst(start: number): boolean {
    return !this.hasContent && this.store.slice(Math.max(this.prefillEnd, this.#contentStart), start).trim() === "";
  }

  /** A block has been read. */
  passBlock(start: number, end: number): void {
    this.blockEnd = end;
    this.wrapper = undefined;
    this.openCode?.begin(end);
    this.strings.begin(end);
    if (!this.around.inThoughts) this.beginText(end);
    this.unknownCalls?.skip(start, end);
  }

  /** The turn has ended: what follows belongs to another. */
  endTurn(start: number, end: number): void {
    this.prose.endText();
    this.around.endTurn(start);
    this.go("afterTurn", end);
  }

  // ----- What it turns out to be -----

  text(kind: "content" | "reasoning", piece: string, start: number): void {
    const { around, region } = this;
    if (kind === "content") {
      this.isUnderWay = this.hasContent = true;
      if (this.#mayBeAnswer) this.#mayBeAnswer = !notBlank.test(piece);
      this.textOpeners.read(piece);
    }
    around.readText(piece);
    if (region.isOpen && notBlank.test(piece)) region.textEnd = start + piece.length;
    // Thoughts go on after a call.
    if (region.endsMessage) {
      around.endUnopened();
      region.refuseTrailing(start + this.prefillEnd);
    }
    region.sink.text(kind, piece, start);
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.region.sink.textEnd(kind, start, end);
  }

  /** An opener in quoted text or in thoughts. */
  listed(reason: RejectionReason, message: string, { start }: { start: number }): void {
    this.quotedOpener = start + this.prefillEnd;
    // What stands in a call that was refused is listed with it.
    if (this.quotedOpener >= this.refusedTo) this.unmatched.note(reason, message, this.quotedOpener);
  }
}

/** More of them say that something else was meant. */
const blanksMax = 1024;
