import { MachineReader } from "../blocks/machine-reader.ts";
import type { ReaderOwner } from "../blocks/reader-owner.ts";
import type { Recovery } from "../blocks/recovery-types.ts";
import type { Halt } from "../blocks/state.ts";
import type { RejectionReason } from "../contract/reasons.ts";
import { AwaitedLiteral } from "../machine/awaited-literal.ts";
import { indentMax } from "../machine/indent.ts";
import { fetchedBefore } from "../machine/machine.ts";
import type { MessageMode } from "../machine/message-modes.ts";
import { roleCodes as role } from "../machine/roles.ts";
import { TextStore } from "../machine/text-store.ts";
import type { Candidate } from "../values/candidate.ts";
import type { Alternative, BlockEntry } from "./alternative.ts";
import type { AlternativeReading } from "./alternative-reading.ts";
import { BareValue } from "./bare-value.ts";
import { closersMax, isCutCloser } from "./cut-closer.ts";
import { Disambiguation } from "./disambiguation.ts";
import type { Enclosure } from "./enclosures.ts";
import { type FormatList, formatList } from "./format-list.ts";
import { FormatsPastTurn } from "./formats-past-turn.ts";
import { framedCharsMax } from "./frames.ts";
import { glanceChars } from "./glances.ts";
import { endBeforeBlanks, notBlank } from "./line-start.ts";
import { LookaheadBudget } from "./lookahead-budget.ts";
import type { MessageOwner } from "./message-owner.ts";
import { beginsInThoughts, beginsNextReply, type MessageSets, tagOf } from "./message-sets.ts";
import { objectBefore } from "./object-before-closer.ts";
import { OpenCode } from "./open-code.ts";
import { openerCharsMax, openerCharsMin, opensByName, opensByTag } from "./openers.ts";
import { TextOpeners } from "./openers-left-as-text.ts";
import { Openings } from "./openings.ts";
import { PlainText } from "./plain-text.ts";
import { replyStart } from "./prefill.ts";
import { noFormat, type ProseOwner } from "./prose.ts";
import { provenFrame } from "./proven-frame.ts";
import { enclosureReasons, Region } from "./region.ts";
import { ThoughtsAndQuotations } from "./thoughts-and-quotations.ts";
import { UnknownCalls } from "./unknown-calls.ts";
import { UnmatchedOpeners } from "./unmatched-openers.ts";

export interface MessageReaderOptions {
  alternatives: readonly Alternative[];
  owner: MessageOwner;
  prefill: string;
  marker: string | undefined;
  recovery: Recovery | undefined;
}

/** How the text goes on while a quoting tag is open. */
const modesInTag: Partial<Record<MessageMode, MessageMode>> = {
  prose: "proseInTag",
  unopened: "unopenedInTag",
  unmarked: "unmarkedInTag",
  asContent: "asContentInTag",
};

/** Text that is no longer needed is let go in stretches of this length. */
const releasedChars = 8192;

/**
 * Reads a message: the text around blocks with one reader, and at each opener the formats that may begin there. One
 * format is a list of one. The rules of plain text are here and in `grammars/message.peggy`: quotations, thoughts, turns,
 * framing.
 */
export class MessageReader implements ProseOwner {
  readonly #options: MessageReaderOptions;
  readonly #list: FormatList;
  readonly #sets: MessageSets;
  readonly #store = new TextStore();
  readonly #prefillEnd: number;
  readonly #plainText: PlainText;
  readonly #prose: MachineReader;
  readonly #openings: Openings;
  #disambiguation: Disambiguation | undefined;
  /** The place that was read last: it is kept with the message. */
  lastPlace: Disambiguation | undefined;
  #halt: Halt | undefined;
  readonly #region: Region;
  /** What the place stands in. */
  readonly #around: ThoughtsAndQuotations;
  /** Up to where a refused call goes that no marker opens. */
  #refusedTo = -1;
  readonly #bareValue = new BareValue(this.#store);
  /** Where lines may be calls. */
  readonly #openCode: OpenCode | undefined;
  /** Where tags are the names of tools. */
  readonly #unknownCalls: UnknownCalls | undefined;
  /** The line that is read stands in such a value. */
  #isInValue = false;
  /** Where the last closer has ended that closes nothing. */
  #closedTo = 0;
  /** Where the last opener begins that has one of another format directly after it. */
  #framesOther = -1;
  /** Where the last block has ended. */
  #blockEnd = -1;
  /** What opened it, if it has no calls and nothing has closed it: then it is the header of what follows. */
  #header: string | undefined;
  readonly #formatsPastTurn: FormatsPastTurn;
  /** What the message has begun with may turn out to be thoughts: some format of the list begins in them. */
  #mayBeThoughts = false;
  /** Something has been said or called: what only the start of a message may hold can no longer come. */
  #isUnderWay = false;
  /** Something has been shown or called since what frames visible text: what that may begin with can no longer come. */
  #hasContent = false;
  /** Where visible text has begun last, or may begin. */
  #contentStart = 0;
  #hasBegun = false;
  /** Reading stands here until there is more text than has been seen; -1: somebody reads. */
  #pausedAt = -1;
  /** Then it goes on in this mode, or asks again what too little text was there to say. */
  #goesOn: MessageMode | (() => void) = "prose";
  #seenTo = 0;
  /** The opener that may stand there. */
  readonly #awaited = new AwaitedLiteral();
  readonly #unmatched: UnmatchedOpeners;
  readonly #textOpeners: TextOpeners;
  /** Where the last opener begins that is quoted; -1: none is. */
  #quotedOpener = -1;
  readonly #budget = new LookaheadBudget();
  #releaseAt = releasedChars;
  truncated = false;

  constructor(options: MessageReaderOptions) {
    const { alternatives, owner, marker } = options;
    const [{ validator }] = alternatives;
    this.#options = options;
    this.#list = formatList(alternatives, marker);
    // Of a prompt, the turn that the reply goes on with.
    const prefill = options.prefill.slice(replyStart(options.prefill, this.#list.sets.endsOfTurns));
    this.#prefillEnd = prefill.length;
    this.#openings = new Openings({
      list: this.#list,
      store: this.#store,
      prefillEnd: this.#prefillEnd,
      marker,
      recovery: options.recovery,
      onClaim: () => {
        this.#isUnderWay = true;
        this.#textOpeners.forget();
        this.#prose.endText();
      },
    });
    this.#unmatched = new UnmatchedOpeners(this.#store, this.#prefillEnd, this.#openings);
    if (this.#policy.bare === "anywhere" || this.#list.opensByName) this.#openCode = new OpenCode(this.#store);
    this.#plainText = new PlainText(this.#list, this.#store, this.#prefillEnd);
    const { sets } = this.#list;
    this.#sets = sets;
    if (validator.hints.names !== undefined && this.#list.opensByTag)
      this.#unknownCalls = new UnknownCalls(this.#store, this.#list);
    this.#prose = new MachineReader({
      format: noFormat,
      program: () => sets.program,
      owner: this as ProseOwner as ReaderOwner,
      hints: { ...validator.hints, closesPair: (start) => this.#around.closesPair(start) },
      openers: [],
      store: this.#store,
      prefillEnd: this.#prefillEnd,
    });
    this.#region = new Region(owner, this.#prose, this.#store, this.#prefillEnd);
    this.#around = new ThoughtsAndQuotations(this.#list, this.#store, this.#prose, this.#region);
    this.#formatsPastTurn = new FormatsPastTurn(sets, this.#store);
    this.#textOpeners = new TextOpeners(this.#list);
    if (prefill === "") return;
    // What the prefill holds whole has been made before: it is read before any text is there.
    this.#store.append(prefill);
    this.#begin();
    this.#advance(undefined);
  }

  /** Begins to read with the first text that is there: what is known at once needs no grammar. */
  #begin(): void {
    this.#hasBegun = true;
    const { startsInReasoning, mayStartInReasoning } = this.#sets;
    this.#mayBeThoughts = mayStartInReasoning.length > 0 && this.#policy.reasoning !== "parse";
    if (startsInReasoning) {
      this.#around.beginInThoughts(startsInReasoning);
      this.#go("beginInThoughts", 0);
    } else this.#go("begin", 0);
  }

  get open(): Candidate | undefined {
    return this.#disambiguation?.selected?.reader.open;
  }

  /** A block is being read, or something in thoughts or a quotation waits for their end. */
  get isUndecided(): boolean {
    const isAsked = this.#pausedAt >= 0 && typeof this.#goesOn !== "string";
    return this.#disambiguation !== undefined || isAsked || this.#region.isOpen;
  }

  /** The message stands in thoughts. */
  get isInThoughts(): boolean {
    return this.#around.inThoughts;
  }

  /** Characters looked at by all readers. */
  get steps(): number {
    const readings = [...this.#openings.readings].reduce((sum, { reader }) => sum + reader.steps, 0);
    return this.#prose.steps + readings;
  }

  push(chunk: string): void {
    if (chunk === "") return;
    this.#store.append(chunk);
    if (!this.#disambiguation?.push(chunk)) {
      if (!this.#hasBegun) this.#begin();
      else if (this.#awaited.keeps(chunk)) return;
      else if (this.#pausedAt < 0 && !this.#disambiguation) this.#prose.push(chunk);
      this.#advance(undefined);
    }
    this.#unmatched.measure(openerCharsMax);
    if (this.#store.end < this.#releaseAt) return;
    const paused = this.#pausedAt < 0 ? undefined : this.#pausedAt - fetchedBefore;
    const needed = this.#disambiguation?.neededFrom ?? paused ?? this.#prose.neededFrom;
    this.#bareValue.readTo(needed);
    this.#openCode?.readTo(needed);
    this.#unknownCalls?.readTo(needed);
    this.#around.readTo(needed);
    this.#store.release(
      Math.min(
        needed - objectCharsMax,
        this.#bareValue.neededFrom,
        this.#prose.neededText,
        this.#region.start ?? needed,
        (this.#unmatched.neededFrom ?? needed) - fetchedBefore,
      ),
    );
    this.#releaseAt = this.#store.end + releasedChars;
  }

  /** No more text comes. `whole`: the model said so itself. `isCut`: the token limit did. */
  end(whole: boolean, isCut: boolean): void {
    this.#openings.hasEnded = true;
    this.#seenTo = -1;
    if (!this.#hasBegun) this.#begin();
    this.#endReading(whole);
    this.#advance(whole);
    this.#prose.endText();
    this.#closeUnknownCalls(this.#store.end, true);
    this.#prose.endText();
    const closer = this.#around.cutThinkCloser;
    const refuses = isCut || closer !== undefined || this.#around.closesInText;
    if (refuses && this.#around.refuseThoughts(isCut, closer ?? this.#store.end)) this.#prose.endText();
    this.#region.emit();
    this.#unmatched.listAll(this.#options.owner);
  }

  /** Goes from the text around blocks to a block and back as far as the text allows. `whole`: no more text comes. */
  #advance(whole: boolean | undefined): void {
    for (;;) {
      if (this.#disambiguation) {
        if (!this.#disambiguation.isSettled) return;
        this.#leave(this.#disambiguation);
      } else if (this.#pausedAt >= 0) {
        if (this.#store.end <= this.#seenTo) return;
        this.#resume();
      } else {
        const { halt } = this.#prose;
        if (!halt) return;
        this.#decide(halt);
      }
      if (whole !== undefined) this.#endReading(whole);
    }
  }

  /** No more text comes, for whoever reads. */
  #endReading(whole: boolean): void {
    if (this.#disambiguation) this.#disambiguation.end(whole);
    else if (this.#pausedAt < 0) this.#prose.end(whole);
  }

  #go(mode: MessageMode, from: number): void {
    if (mode === "begin" || mode === "unled") {
      this.#bareValue.begin(from);
      this.#openCode?.begin(from);
      this.#contentStart = from;
    }
    // A form that any character may begin is looked for before anything else.
    if (mode === "begin" && this.#sets.anyLead && !this.#isUnderWay) {
      this.#meet({ role: role.Lead, start: from, end: from });
      return;
    }
    const plainEnd = this.#plainText.endFrom(mode, from, this.#around.damagedBy);
    const isBegun = plainEnd > from && (mode === "prose" || notBlank.test(this.#store.slice(from, plainEnd)));
    const begun = isBegun ? "prose" : mode;
    const opener = plainEnd < 0 ? undefined : this.#openings.plainOpenerAt(plainEnd);
    const waits = opener === undefined && !this.#openings.hasEnded && this.#mayGrow(from, plainEnd);
    // Blanks before what is not known yet are read again with it.
    if (waits && begun !== "prose") return this.#pause(mode, from);
    if (plainEnd > from) this.#prose.addText("content", from, plainEnd);
    if (opener !== undefined) return this.#meet({ role: role.Opener, start: plainEnd, end: plainEnd + opener.length });
    if (waits || (begun === "prose" && plainEnd === this.#store.end)) return this.#pause("prose", plainEnd);
    const { entries } = this.#sets.program.source;
    const inTag = this.#around.isQuoted ? modesInTag[begun] : undefined;
    this.#prose.begin(entries[inTag ?? begun], Math.max(from, plainEnd), this.#openings.lineBegin);
  }

  /** Whether nothing is known of what stands here before more of it has come: it is blank, or the beginning of an opener. */
  #mayGrow(from: number, plainEnd: number): boolean {
    const at = Math.max(from, plainEnd);
    const text = this.#store.slice(at, at + openerCharsMax);
    if (plainEnd < 0) return text.length < indentMax && text.trim() === "";
    const opener = this.#list.openerBegunBy(text);
    if (opener !== undefined) this.#awaited.begin(opener, text.length);
    return opener !== undefined;
  }

  /** Reading goes on here with more text than has been seen. */
  #pause(goesOn: MessageMode | (() => void), from: number, seenTo = this.#store.end): void {
    this.#goesOn = goesOn;
    this.#pausedAt = from;
    this.#seenTo = seenTo;
  }

  #resume(): void {
    const from = this.#pausedAt;
    const goesOn = this.#goesOn;
    this.#pausedAt = -1;
    this.#awaited.end();
    if (typeof goesOn === "string") this.#go(goesOn, from);
    else goesOn();
  }

  /** The text up to here may have closed calls of tools that are not on offer. */
  #closeUnknownCalls(at: number, isEnd = false): void {
    if (this.#around.holdsUnknown) this.#around.closeUnknown(this.#unknownCalls?.closedTo(at, isEnd) ?? [], at);
  }

  /** What was looked at is text after all. */
  #goAsText({ start }: Halt): void {
    this.#go(this.#around.inThoughts ? "asReasoning" : "asContent", start);
  }

  /** What follows framing, thoughts or a block: visible text. */
  #goOn(from: number): void {
    this.#openings.beginLine(from);
    if (this.#around.inThoughts) this.#go("thoughts", from);
    else if (!this.#isUnderWay) this.#go("begin", from);
    else this.#go(this.#hasContent || this.#around.last !== undefined ? "prose" : "unled", from);
  }

  #decide(halt: Halt): void {
    this.#budget.halted = halt.end;
    this.#closeUnknownCalls(halt.start);
    if (this.#around.isAfterTurn) return this.#closeAfterTurn(halt);
    const { inThoughts } = this.#around;
    if (!inThoughts || !this.#isWordOfTurns(halt)) this.#formatsPastTurn.note(halt.start, halt.end);
    switch (halt.role) {
      case role.Opener:
        if (inThoughts && !this.#mayCallInThoughts()) this.#draft(halt);
        else this.#meet(halt);
        return;
      case role.Lead:
        if (this.#isUnderWay) this.#go("prose", halt.start);
        else this.#meet({ ...halt, end: halt.start });
        return;
      case role.LineLead:
        return this.#meet({ ...halt, end: halt.start });
      case role.Begun:
        return this.#meetBegun(halt);
      case role.ThinkOpener:
        // A tool may have the name of the tag.
        if (!inThoughts && !this.#around.isQuoted && this.#isTool(halt)) return this.#meetFormats(halt);
        return this.#openThoughts(halt);
      case role.Starter:
        return this.#openThoughts(halt);
      case role.ThinkCloser:
        return this.#closeThoughts(halt);
      case role.QuoteOpener:
        return this.#openQuote(halt);
      case role.QuoteCloser:
        if (this.#closesTool(halt)) return this.#meetCloser(halt);
        this.#around.closeEnclosure(halt);
        if (inThoughts) return this.#goAsText(halt);
        // As a whole: a token may end in one that is framing elsewhere.
        return this.#passPlain(halt, halt.end - halt.start);
      case role.TurnStart:
        return this.#endTurn(halt);
      case role.UnmatchedCloser:
        if (halt.start < this.#refusedTo) return this.#go("asContent", halt.start);
        return this.#meetCloser(halt);
      case role.Framing:
        if (halt.start < this.#refusedTo) return this.#go("asContent", halt.start);
        if (inThoughts) this.#around.dropThoughts();
        // Directly after a block it is that block's. In a value that visible text begins with it says nothing.
        if (halt.start > this.#blockEnd && (inThoughts || !this.#bareValue.holds(halt.start))) {
          this.#around.closeEnclosure(halt);
          this.#hasContent = false;
        }
        if (!inThoughts) this.#around.keepQuoted(halt.start);
        this.#passCloser(this.#store.slice(halt.start, halt.end));
        return this.#goOn(halt.end);
      case role.Empty:
        return this.#meetEmpty(halt);
      default:
        return this.#goOn(halt.end);
    }
  }

  /**
   * A closer directly after an opener: framing, if it is one of a format that begins there. To others what opens nothing is
   * text, and the closer is left over. What closes a part of a call has closed no call. In thoughts both are text.
   */
  #meetEmpty({ start, end }: Halt): void {
    if (this.#around.inThoughts) return this.#go("asReasoning", start);
    const openerEnd = this.#openings.openerEnd(start) ?? -1;
    const opener = this.#store.slice(start, Math.max(start, openerEnd));
    const { closers, lastClosers } = this.#list.closersAfter(opener);
    const text = this.#store.slice(start, end);
    const closer = openerEnd < 0 ? undefined : closers.find((one) => text.endsWith(one));
    if (closer === undefined) return this.#go("asContent", start);
    this.#region.sink.trailingCloser(closer, this.#list.formatsClosed(opener, closer));
    if (lastClosers.includes(closer)) this.#around.forgetDamage(end);
    this.#goOn(end);
  }

  /** A closer that closes nothing is framing; where its opener is text, it is text, unless it is framing anyway. */
  #meetCloser(halt: Halt): void {
    const { start, end } = halt;
    const closer = this.#store.slice(start, end);
    const isDeclined = this.#textOpeners.wasMet(start);
    // What closes a block of one format may open one of another.
    if (!isDeclined && this.#sets.openers.has(closer)) return this.#meet({ ...halt, role: role.Opener });
    this.#around.closeEnclosure(halt);
    this.#around.keepQuoted(start);
    if (isDeclined) {
      this.#textOpeners.takeBack();
      this.#unmatched.forget(start);
    }
    const isText = this.#textOpeners.isText(closer) && !this.#sets.framing.includes(closer);
    if (!isText) this.#listObjectBefore(halt, closer);
    // What stands in a damaged value stays as it is.
    if (isText || this.#bareValue.holds(start)) {
      this.#region.sink.trailingCloser(closer, this.#textOpeners.formatsOf(closer));
      return this.#go("asContent", start);
    }
    if (this.#sets.innerTokens.includes(closer)) {
      this.#unmatched.note("malformed", innerTokenMessage, start, end);
      // What follows it may be the arguments of a call that has lost its opener: what stands in their strings is no call.
      if (!this.#around.inThoughts) this.#bareValue.begin(end, true);
    }
    this.#passCloser(closer);
    this.#goOn(end);
  }

  /** A closer that is no text: one that ends what a header has begun is not left over. */
  #passCloser(closer: string): void {
    const formats = this.#header === undefined ? [] : this.#list.formatsClosed(this.#header, closer);
    if (formats.length > 0) this.#header = undefined;
    this.#region.sink.trailingCloser(closer, formats);
  }

  /** An object that names a tool and has the closer of a call after it is none without an opener, or with one that is spelt otherwise. */
  #listObjectBefore({ start, end }: Halt, closer: string): void {
    const { names } = this.#options.alternatives[0].validator.hints;
    const readTo = Math.max(this.#prefillEnd, this.#closedTo, this.#blockEnd, this.#refusedTo);
    const from = Math.max(readTo, start - objectCharsMax);
    this.#closedTo = end;
    if (names === undefined || this.#around.isQuoted || this.#unmatched.areSince(from)) return;
    const keys = this.#list.closedBy(closer).map((format) => format.keys.name);
    const at = objectBefore(this.#store.slice(from, start), keys, names);
    if (at >= 0) this.#unmatched.note("malformed", noOpenerMessage, from + at, end);
  }

  // ----- Blocks -----

  /** What begins as a call does and is none stays text. */
  #meetBegun(halt: Halt): void {
    if (!this.#listBegun(halt)) return this.#pause(() => this.#meetBegun(halt), halt.start);
    if (this.#around.inThoughts) this.#goAsText(halt);
    else this.#passPlain(halt, 1);
  }

  /** It is listed, if there is one. @returns false: more text has to say */
  #listBegun(halt: Halt): boolean {
    const { start } = halt;
    // What other formats may begin here has not been read yet.
    const isLine = halt.role === role.LineLead;
    const of = isLine ? this.#formatsAt(halt, "line") : undefined;
    const end = this.#openings.begunEnd(start, undefined, undefined, of);
    if (end === undefined) return false;
    if (end < 0 || start < this.#refusedTo || this.#openings.isInWord(start) || this.#bareValue.holds(start))
      return true;
    const { inThoughts } = this.#around;
    const opener = this.#store.slice(start, end);
    const isDamaged = isLine || !this.#list.mayStandAlone || this.#openings.beginsLine(start);
    const ofText = isDamaged ? begun : this.#notAlone;
    this.#unmatched.note(...(inThoughts ? enclosureReasons.reasoning : ofText), start);
    if (inThoughts) return true;
    // What stands in its strings is no call, and what closes its tags is text. A tag alone is that of a part.
    if (!opener.startsWith("<")) this.#bareValue.beginCall(start, end);
    else if (opener.endsWith(">")) this.#openPart(({ format }) => format.begun !== undefined);
    else {
      this.#textOpeners.add(opener);
      this.#around.beginDamage({ ...halt, end }, end);
    }
    return true;
  }

  #openPart(isOf: (one: Alternative) => boolean): void {
    for (const one of this.#list.alternatives) if (isOf(one)) this.#region.sink.openPart(one.format);
  }

  /** The formats that may begin here read on. */
  #meet(halt: Halt): void {
    this.#closeUnknownCalls(halt.start);
    if (halt.role !== role.Opener) return this.#meetOpener(halt);
    if (beginsNextReply(this.#sets, this.#store, halt.start)) return this.#endTurn({ ...halt, end: halt.start });
    if (this.#openings.isInWord(halt.start))
      return this.#around.inThoughts ? this.#draft(halt) : this.#passOpener(halt, "malformed", unopenedMessage);
    if (this.#beginsAnswer(halt)) return this.#go("unopened", halt.start);
    this.#textOpeners.meet(halt.start);
    // Marks with more than blanks after them close no fence in CommonMark: more of them will say.
    const marks = this.#around.inThoughts ? undefined : this.#marksBefore(halt.start);
    if (marks !== undefined) this.#region.sink.openFence(marks);
    this.#encloseRest(halt);
    this.#lookAround(halt);
  }

  /** Among several formats the answer of one is text to the others, which read on. */
  #beginsAnswer({ start, end }: Halt): boolean {
    const all = this.#list.alternatives;
    const opener = this.#store.slice(start, end);
    const begun = all.length > 1 && !this.#around.inThoughts ? this.#list.openedBy(opener) : [];
    if (begun.length === 0 || !begun.every(({ format }) => format.answers?.includes(opener))) return false;
    if (begun.length === all.length || (this.#openings.openerEnd(start) ?? -1) < 0) return false;
    this.#formatsPastTurn.noteAnswer(begun, all);
    return true;
  }

  /** The marks of a fence that stand before a place, with nothing else on their line. */
  #marksBefore(at: number): string | undefined {
    if (!endOfMarks.includes(this.#store.slice(Math.max(this.#prefillEnd, at - 1), at))) return undefined;
    const before = this.#store.slice(Math.max(this.#prefillEnd, this.#blockEnd, at - fetchedBefore), at);
    return marksOnLine.exec(before)?.[1];
  }

  /** What opens thoughts or a quotation directly after an opener has no block around it. */
  #lookAround(halt: Halt, known?: readonly number[]): void {
    const { start } = halt;
    const text = this.#store.slice(start, start + openerCharsMax);
    // Most openers of a message stand alike: on a line of their own, with the same text after them.
    const mayBeKnown = !this.#openings.hasEnded && text.length < alikeCharsMax && this.#openings.isLineBegin(start);
    let around = mayBeKnown ? this.#list.around.get(text) : undefined;
    let ends = known;
    if (around === undefined) {
      ends ??= this.#openings.openerEnds(start);
      around = this.#openings.opensAround(start, ends);
      if (mayBeKnown) this.#list.noteAround(text, around);
    }
    const lookAgain = (literal: string) => {
      this.#pause(() => this.#lookAround(halt, ends), start);
      this.#awaited.begin(literal, 0);
    };
    if (typeof around === "string") lookAgain(around);
    else if (around) {
      this.#around.beginDamage(halt, Math.max(-1, ...(ends ?? this.#openings.openerEnds(start) ?? [])));
      this.#passOpener(halt, "malformed", unopenedMessage);
    } else {
      const mayFrame = this.#list.alternatives.length > 1;
      const framesOther = mayFrame && this.#openings.opensOther(start, ends ?? this.#openings.openerEnds(start));
      if (framesOther === undefined) return lookAgain("");
      if (framesOther) this.#framesOther = start;
      this.#meetOpener(halt);
    }
  }

  /**
   * What stands directly after a quoted opener belongs to it, although the quotation has ended in between, as it does where
   * lines leave a block quote.
   */
  #encloseRest({ start }: Halt): void {
    const from = this.#quotedOpener;
    this.#quotedOpener = -1;
    if (from < 0 || start - from > fetchedBefore) return;
    const end = this.#openings.openerEnd(from) ?? -1;
    if (end >= start || (end >= 0 && this.#store.slice(end, start).trim() === "")) this.#around.quoteRest(from, end);
  }

  /** An opener that stays text. */
  #passOpener({ start, end }: Halt, reason: RejectionReason, message: string): void {
    this.#unmatched.note(reason, message, start);
    // Where it is known by its first characters only, the rest of it says what closes it.
    const known = end - start < openerCharsMin ? (this.#openings.openerEnd(start) ?? -1) : end;
    const opener = this.#store.slice(start, Math.max(known, end));
    if (opener.length >= openerCharsMin) {
      if (reason === "behind-damage") this.#textOpeners.addInString(opener);
      else this.#textOpeners.add(opener);
    }
    this.#go("unopened", start);
  }

  #passInString(halt: Halt): void {
    if (halt.end - halt.start < openerCharsMin && this.#openings.openerEnd(halt.start) === undefined)
      this.#pause(() => this.#passInString(halt), halt.start);
    else this.#passOpener(halt, "behind-damage", quotedMessage);
  }

  #meetOpener(halt: Halt): void {
    // Where something is open, an opener says something of it, but not one that no format can read on from.
    const isAmongOthers = this.#around.last !== undefined && this.#list.alternatives.length > 1;
    // How far an opener goes that the sets know by its first characters only has to be known where it opens nothing.
    const isBegun = halt.role === role.Opener && halt.end - halt.start < openerCharsMin;
    if ((isAmongOthers || isBegun) && !this.#openings.hasEnded && this.#store.end < halt.end + glanceChars)
      this.#pause(() => this.#meetOpener(halt), halt.start);
    else this.#meetFormats(halt);
  }

  /** Which formats may begin here, as long as lines may be read for nothing. */
  #formatsAt(halt: Halt, entry: BlockEntry): readonly Alternative[] {
    return entry === "line" && !this.#budget.mayReadTwice ? [] : this.#openings.alternativesAt(halt, entry);
  }

  #meetFormats(halt: Halt): void {
    const entry: BlockEntry = halt.role === role.Lead ? "start" : halt.role === role.LineLead ? "line" : "block";
    const { inThoughts } = this.#around;
    const { start } = halt;
    this.#isInValue =
      entry === "line" && !inThoughts && (this.#bareValue.holds(start) || this.#openCode?.holds(start) === true);
    const isTentative =
      (inThoughts && this.#policy.reasoning === "trailing") ||
      this.#around.isInFrame ||
      entry === "line" ||
      halt.role === role.ThinkOpener;
    const begun = this.#formatsAt(halt, entry);
    const owned = this.#formatsPastTurn.among(begun);
    const isAffordable = ({ format }: Alternative) => entry !== "block" || this.#budget.mayRead(format, halt.end);
    // What a glance says is remembered for all that begin so.
    const readable = this.#formatsPastTurn.among(this.#openings.mayRead(begun, entry, halt));
    const alternatives = readable.every(isAffordable) ? readable : readable.filter(isAffordable);
    this.#halt = halt;
    // To all formats that begin here a turn has ended before.
    if (owned.length === 0 && begun.length > 0 && entry === "block") return this.#passAfterTurn(halt);
    // An opener that was written twice holds nothing, and so does one directly before the tag of a tool.
    const { last } = this.#around;
    const opensTool = () => begun.some(opensByTag) && this.#unknownCalls?.opensTool(start) === true;
    const isOther = last?.openers?.has(this.#store.slice(start, halt.end)) === false && opensTool();
    const isMarker = entry === "block" && (isOther || halt.end - halt.start >= openerCharsMin);
    const isNear = last !== undefined && halt.start - last.from <= fetchedBefore;
    const isAgain = isNear && isMarker && this.#store.slice(last.from, halt.start).trim() === "";
    if (isAgain) this.#around.passOpeners(halt.start);
    if (halt.start < this.#refusedTo && entry === "block") return this.#go("unopened", halt.start);
    if (
      !inThoughts &&
      (entry === "block" || alternatives.length > 0) &&
      (this.#around.isInDamagedString(start) ||
        (entry === "block" && (this.#bareValue.holds(start) || this.#bareValue.followsQuote(start))))
    )
      return this.#passInString(halt);
    if (this.#openCode && !inThoughts && begun.some(opensByName) && this.#openCode.holds(start))
      return this.#passOpener(halt, ...inValue);
    const elements = this.#unknownCalls && !inThoughts && entry === "block" ? this.#unknownCalls.openAt(start) : [];
    if (elements.length > 0 && (opensTool() || !alternatives.every(opensByTag)))
      this.#around.encloseUnknown(elements, start);
    // One alone may be the parameter of a call whose opener is lost.
    if (this.#unknownCalls?.isOpen && !inThoughts && entry === "block") this.#openPart(opensByTag);
    // What a glance excludes depends on how much text is there, so what is known before it is said first.
    if (alternatives.length === 0) return this.#decline(halt);
    if (entry === "block") this.#around.beginBlock(start);
    const enclosure = this.#around.last;
    const isEnclosed = inThoughts ? enclosure?.kind === "quoted" && !isTentative : enclosure !== undefined;
    if (isEnclosed && this.#around.needsRegion)
      this.#around.beginRegion(halt.start, { kind: (enclosure as Enclosure).kind });
    this.#disambiguation = new Disambiguation({
      readings: alternatives.map((alternative) => this.#openings.readingOf(alternative)),
      place: { entry, start: halt.start, lineBegin: this.#openings.lineBegin },
      openerEnd: halt.end,
      store: this.#store,
      text: this.#openings.text,
      ownerFor: (calling) => (this.#mayBeThoughts ? this.#around.ownerFor(calling, start) : this.#region.sink),
      lookaheadBudget: this.#budget.leftAt(halt.end),
      mayGoOn: () => entry !== "block" && this.#budget.takeLongPlace(),
      isTentative,
      framesOther: entry === "block" && this.#framesOther === start,
      frames: entry === "block" && !isTentative && this.#budget.mayTryFrames ? this.#list.frames.of(alternatives) : [],
      onAlike: (readings) => {
        if (entry !== "block" || isTentative) return;
        const isShort = (readings[0].settledAt as number) - start <= framedCharsMax;
        const frame =
          isShort && this.#budget.takeProof() ? provenFrame(readings, start, this.#store, this.#openings) : undefined;
        if (frame) this.#list.addFrame(alternatives, frame, this.#openings.beginsLine(start));
      },
      onVain: () => this.#budget.frameInVain(),
      isRecorded: this.#mayBeThoughts && !inThoughts && alternatives.some(({ format }) => beginsInThoughts(format)),
    });
  }

  #passAfterTurn({ start }: Halt): void {
    this.#unmatched.note("after-turn", "a turn has ended before this opener for every format that it opens", start);
    this.#go("unopened", start);
  }

  /** A place has been read: the text goes on after it. */
  #leave(disambiguation: Disambiguation): void {
    const halt = this.#halt as Halt;
    this.#disambiguation = undefined;
    this.lastPlace = disambiguation;
    const { selected } = disambiguation;
    const settledAt = disambiguation.settledAt;
    // What a glance looks at as well is not counted: it depends on how much text was there.
    const readTwice = Math.max(0, disambiguation.readTo - (settledAt ?? halt.end + glanceChars));
    this.#budget.spend(readTwice);
    if (disambiguation.isDeclined || settledAt === undefined || selected === undefined) {
      for (const { format } of disambiguation.alternatives) this.#budget.readInVain(format, readTwice);
      return this.#decline(halt, disambiguation.isCut);
    }
    const isLine = halt.role === role.LineLead;
    const isText = () => selected.isUnmarked && (this.#policy.bare === "message" || !this.#endsLine(settledAt));
    if (isLine && (this.#isInValue || selected.candidates.length === 0 || isText()))
      return this.#listLine(disambiguation, halt);
    // What is no call of the tool of that name is thoughts.
    if (halt.role === role.ThinkOpener && !selected.isAccepted) return this.#decline(halt);
    this.#isUnderWay = true;
    if (this.#around.inThoughts && this.#policy.reasoning === "trailing") {
      if (!this.#mayTrail(selected, halt.start, settledAt)) {
        this.#budget.spend(settledAt - halt.end);
        return this.#draft(halt);
      }
      if (!this.#region.endsMessage) this.#around.beginRegion(halt.start, { kind: "reasoning", endsMessage: true });
      disambiguation.commit(this.#region.sink);
      const { endsReasoning } = selected.alternative.format;
      if (endsReasoning && !this.#around.holdsQuotedCloser(halt.start)) this.#around.endByCall();
    } else if (this.#around.isInFrame) {
      if (!this.#readInFrame(disambiguation, halt.start)) return this.#listDraft(selected, halt.start, settledAt);
    } else if (isLine || halt.role === role.ThinkOpener) disambiguation.commit();
    const half = halfCallOf(selected);
    const closer = half && this.#pairClosedIn(half, selected, settledAt);
    if (closer !== undefined) {
      this.#leaveHalf(disambiguation);
      this.#budget.spend(settledAt - closer.end);
      return this.#leaveAtCloser(halt, closer);
    }
    // A block without calls and text is the header of what follows.
    if (selected.candidates.length > 0 || selected.hasContent) this.#hasContent = true;
    else if (!selected.hasText) this.#hasContent = false;
    this.truncated ||= selected.reader.truncated;
    this.#header = this.#headerOf(selected, halt, settledAt);
    this.#afterBlock(halt.start, settledAt);
    if (selected.reader.leavesThoughts && !this.#around.inThoughts) return this.#leaveThoughts(settledAt);
    if (halt.role === role.Opener && selected.isIntact) this.#around.endBlock(settledAt);
    const isPartial = half !== undefined || this.#around.isRest;
    // What stands behind its calls is around them; where text stands among them, it may be all of it.
    const callsEnd = half?.start ?? selected.candidates.at(-1)?.end ?? settledAt;
    const textFrom = selected.hasText || this.#around.isRest ? halt.start : callsEnd;
    if (this.#region.isOpen && this.#around.closeIn(textFrom, settledAt, isPartial) && half)
      this.#leaveHalf(disambiguation);
    if (!selected.reader.endsTurn || this.#around.inThoughts)
      return this.#goOn(
        this.#isCutCloser(selected, settledAt) ? this.#store.end : this.#endOfCalls(selected, settledAt),
      );
    this.#prose.endText();
    this.#around.endTurn(settledAt);
    this.#go("afterTurn", settledAt);
  }

  /** What has closed the quotation, or the thoughts, around half a call may as well be text of that call: what closes it would say so. */
  #leaveHalf({ alternatives }: Disambiguation): void {
    for (const { format } of alternatives) this.#region.sink.openCall(format);
  }

  /** What closes the pair of tags around a block has ended that, and is text. */
  #leaveAtCloser(halt: Halt, { start, end }: { start: number; end: number }): void {
    this.#afterBlock(halt.start, start);
    if (this.#around.inThoughts) this.#go("asReasoning", start);
    else this.#passPlain({ ...halt, start }, end - start);
  }

  /** The block has ended in thoughts: a header of the next message follows, which may lack its opener as at the start of a reply. */
  #leaveThoughts(end: number): void {
    if (this.#policy.reasoning !== "parse") this.#around.leaveOpen(end);
    if (this.#list.openerAt(this.#store.slice(end, end + openerCharsMax)) !== undefined) return this.#goOn(end);
    this.#prose.endText();
    this.#isUnderWay = false;
    this.#openings.beginLine(end);
    this.#meet({ role: role.Lead, start: end, end });
  }

  /** A block behind thoughts that a message of their own has left open. @returns whether its calls may count */
  #readInFrame(disambiguation: Disambiguation, start: number): boolean {
    const { candidates } = disambiguation.selected as AlternativeReading;
    if (candidates.length > 0) {
      if (this.#policy.reasoning === "ignore") return false;
      if (!this.#region.endsMessage) this.#around.beginRegion(start, { kind: "reasoning", endsMessage: true });
    } else this.#around.endFrame();
    disambiguation.commit(this.#region.sink);
    return true;
  }

  /** Calls in thoughts, which are text. */
  #listDraft({ candidates }: AlternativeReading, start: number, end: number): void {
    for (const candidate of candidates) this.#region.sink.listText(candidate, ...enclosureReasons.reasoning);
    this.#prose.addText("reasoning", start, end);
    this.#goOn(end);
  }

  /** Blanks before what would have gone on with the block, and is none of it, are text. */
  #endOfCalls({ candidates, textTo }: AlternativeReading, settledAt: number): number {
    const end = candidates.at(-1)?.placed.end;
    if (end === undefined) return settledAt;
    return endBeforeBlanks(this.#store, Math.max(end, textTo) + this.#prefillEnd, settledAt);
  }

  #afterBlock(start: number, end: number): void {
    this.#blockEnd = end;
    this.#openCode?.begin(end);
    if (!this.#around.inThoughts) this.#bareValue.begin(end);
    this.#unknownCalls?.skip(start, end);
  }

  /**
   * A pair of tags quotes half a call as it quotes text, also where that call takes along what closes the pair and the next call. A whole
   * one holds the closer in its values.
   *
   * @returns what closes the pair; undefined: nothing in the block does
   */
  #pairClosedIn({ start }: Candidate, { alternative: { validator } }: AlternativeReading, settledAt: number) {
    if (this.#region.kind !== "quoted" || !this.#budget.mayReadTwice) return undefined;
    return this.#around.closePairIn(start, settledAt, validator.hints.names ?? [""]);
  }

  /** Whether the text ends in a closer of the block. */
  #isCutCloser({ alternative, candidates }: AlternativeReading, at: number): boolean {
    if (!this.#openings.hasEnded || candidates.length === 0 || this.#store.end - at > closersMax) return false;
    const block = this.#store.slice(Math.max(candidates[0].placed.start + this.#prefillEnd, at - closersMax), at);
    return isCutCloser(block, this.#store.slice(at, this.#store.end), alternative.format);
  }

  #headerOf({ candidates }: AlternativeReading, { start, end }: Halt, settledAt: number): string | undefined {
    const opener = this.#store.slice(start, end);
    if (candidates.length > 0 || opener === "") return undefined;
    const text = this.#store.slice(Math.max(start, settledAt - openerCharsMax), settledAt).trimEnd();
    return this.#list.closersAfter(opener).closers.some((closer) => text.endsWith(closer)) ? undefined : opener;
  }

  /** Whether nothing stands on the line of an unmarked call after it; `shared/unmarked.peggy` has looked at what follows. */
  #endsLine(at: number): boolean {
    return at >= this.#store.end || /[\r\n]/.test(this.#store.slice(at, at + 1)) || this.#openings.beginsLine(at);
  }

  get #notAlone() {
    return this.#policy.bare === "message" ? notAlone : notAloneOnLine;
  }

  /** Calls without a marker among other text are text, and listed. */
  #listLine({ selected, settledAt }: Disambiguation, halt: Halt): void {
    this.#budget.spend((settledAt as number) - halt.start);
    const [reason, message] = this.#policy.bare !== "message" && this.#isInValue ? inValue : this.#notAlone;
    for (const candidate of selected?.isSound && !this.#openings.isMarked(halt) ? selected.candidates : []) {
      this.#region.sink.listText(candidate, reason, message);
      // What stands in such a call is no call of its own.
      this.#refusedTo = settledAt as number;
    }
    this.#declineLine(halt);
  }

  #declineLine(halt: Halt): void {
    const { start } = halt;
    // Where lines are looked at alone, each may begin a damaged call.
    if (this.#policy.bare === "anywhere" && !this.#bareValue.holds(start)) this.#bareValue.begin(start);
    // What stands in a string of a call is text, also where its tool is not on offer.
    else this.#bareValue.beginLine(start);
    if (!this.#listBegun(halt)) return this.#pause(() => this.#declineLine(halt), start);
    const isFirst =
      !this.#hasContent && this.#store.slice(Math.max(this.#prefillEnd, this.#contentStart), start).trim() === "";
    this.#go(isFirst ? "answer" : "unmarked", start);
  }

  /** No block: what opened it is text, or frames text. `isCut`: there might be one, if the text had gone on. */
  #decline(halt: Halt, isCut = false): void {
    // The sets may know an opener by its first characters; the format says whether it is one.
    const end = halt.role === role.Opener ? this.#openings.openerEnd(halt.start) : -1;
    if (end === undefined) return this.#pause(() => this.#decline(halt, isCut), halt.start);
    const opener = this.#store.slice(halt.start, halt.end);
    const isFraming = this.#sets.framing.some((text) => opener.startsWith(text));
    if (isCut && !isFraming && cutHeader.test(this.#store.slice(halt.start, halt.start + openerCharsMax))) {
      this.#unmatched.note("truncated", cutMessage, halt.start, this.#store.end);
      return this.#go(this.#around.inThoughts ? "thoughts" : "prose", this.#store.end);
    }
    // To some it is a token that no text holds, although it opens nothing.
    const begun = this.#list.openedBy(opener);
    const isToken = begun.length > 0 && begun.every(({ format }) => format.flags.includes("framing-openers"));
    const isListed = this.#listUnmarked(halt.role !== role.LineLead && !this.#openings.isMarked(halt));
    if (halt.role === role.Lead) {
      // What looked like the beginning of a call has not been one.
      this.#isUnderWay = false;
      return this.#go("unled", halt.start);
    }
    if (halt.role === role.LineLead) return this.#declineLine(halt);
    if (halt.role === role.QuoteOpener) return this.#encloseQuote(halt);
    if (halt.role === role.ThinkOpener) return this.#openThoughts(halt);
    if (this.#around.inThoughts) return this.#draft(halt);
    const plainLength = this.#plainText.lengthAt(halt.start);
    if (plainLength > 0 && plainLength < openerCharsMin) return this.#passPlain(halt, plainLength);
    if (!isListed && !isFraming) {
      if (isCut) this.#unmatched.note("truncated", cutMessage, halt.start);
      else this.#unmatched.note("malformed", unopenedMessage, halt.start);
    }
    if (!isListed && Math.max(end, halt.end) - halt.start >= openerCharsMin) {
      if (!isFraming && !isToken) this.#textOpeners.add(opener, end >= 0);
      this.#around.beginDamage(halt, end);
      this.#region.sink.loneOpener(this.#list.closersAfter(opener).formats);
    }
    if (isToken && !isListed && end > halt.start) return this.#goOn(end);
    if (plainLength > 0) this.#passPlain(halt, 1);
    else this.#go("unopened", halt.start);
  }

  /** What looked like an opener is content. */
  #passPlain({ start }: Halt, length: number): void {
    this.#prose.addText("content", start, start + length);
    // Not at once: there may be as many of them as there is text.
    this.#pause("prose", start + length, start + length);
  }

  /**
   * Of formats that have read the message as calls without a marker, the one counts that says least against them. What
   * stands in such a call is no call of its own.
   */
  #listUnmarked(isListed: boolean): boolean {
    let best: { reading: AlternativeReading; refusals: string } | undefined;
    for (const reading of isListed ? this.#openings.readings : []) {
      const refusals = reading.unmarked;
      if (refusals !== undefined && (best === undefined || refusals < best.refusals)) best = { reading, refusals };
    }
    if (best) this.#refusedTo = best.reading.listUnmarked(this.#region.sink);
    for (const reading of this.#openings.readings) reading.forgetUnmarked();
    return best !== undefined;
  }

  // ----- Thoughts -----

  get #policy() {
    return this.#options.alternatives[0].validator.policy;
  }

  #mayCallInThoughts(): boolean {
    const { reasoning } = this.#policy;
    if (reasoning === "ignore") return false;
    return reasoning === "parse" || this.#budget.mayReadTwice;
  }

  /** Only whole calls that hold no closer of the thoughts around them may turn out to end the message. */
  #mayTrail(selected: AlternativeReading, start: number, end: number): boolean {
    const holdsCloser = this.#around.mayEndInCall(this.#store.slice(start, end), selected.alternative.format);
    // What begins a turn after a block is text in thoughts.
    return selected.isIntact && !selected.hasText && !selected.reader.endsTurn && !holdsCloser;
  }

  /** An opener in thoughts is text. */
  #draft({ start }: Halt): void {
    const [reason, message] = enclosureReasons.reasoning;
    this.#unmatched.note(reason, message, start);
    this.#go("drafted", start);
  }

  #openThoughts(halt: Halt): void {
    // What the message says itself need not be guessed.
    if (!this.#around.isQuoted && !this.#isUnderWay) this.#mayBeThoughts = false;
    if (!this.#around.openThoughts(halt)) return this.#goAsText(halt);
    this.#prose.endText();
    this.#openings.lineBegin = halt.end;
    this.#go("thoughts", halt.end);
  }

  #closeThoughts(halt: Halt): void {
    const closer = tagOf(this.#store.slice(halt.start, halt.end));
    if (!this.#around.inThoughts && this.#sets.mayStartInReasoning.includes(closer)) this.#mayBeThoughts = false;
    const closed = this.#around.closeThoughts(halt);
    if (closed === "all") {
      this.#openCode?.begin(halt.end);
      this.#unknownCalls?.begin(halt.end);
      this.#goOn(halt.end);
      return;
    }
    // What closes the thoughts of some is a token that ends the turn to all.
    if (this.#around.inThoughts && closed === "none") this.#go("drafted", halt.start);
    else this.#goAsText(halt);
  }

  #endTurn(halt: Halt): void {
    const { start, end } = halt;
    const isOfSome = this.#sets.ownTurns.some(({ token }) => token === this.#store.slice(start, end));
    if (this.#isWordOfTurns(halt) && (this.#around.inThoughts || isOfSome)) return this.#goAsText(halt);
    this.#prose.endText();
    this.#around.endTurn(start);
    this.#go("afterTurn", end);
  }

  #isWordOfTurns({ start, end }: Halt): boolean {
    return this.#sets.wordsOfTurns.includes(this.#store.slice(start, end));
  }

  #closeAfterTurn(halt: Halt): void {
    this.#around.closeEnclosure(halt);
    this.#prose.endText();
    this.#go("afterTurn", halt.end);
  }

  // ----- Quotations -----

  #openQuote(halt: Halt): void {
    const mayCall = !this.#around.inThoughts || this.#mayCallInThoughts();
    if (mayCall && this.#isTool(halt)) this.#meet(halt);
    else this.#encloseQuote(halt);
  }

  /** Whether a tag has the name of a tool. */
  #isTool({ start, end }: Halt): boolean {
    const { names } = this.#options.alternatives[0].validator.hints;
    return names?.includes(tagOf(this.#store.slice(start, end)).slice(1, -1)) === true;
  }

  /** Whether the closer of a quoting tag closes no quotation, and is that of a tool with its name. */
  #closesTool({ start, end }: Halt): boolean {
    const closer = this.#store.slice(start, end);
    return !this.#around.inThoughts && this.#sets.closers.includes(closer) && !this.#around.isQuotedUpTo(closer);
  }

  #encloseQuote(halt: Halt): void {
    this.#around.openQuote(halt);
    this.#goAsText(halt);
  }

  // ----- Text around blocks -----

  text(kind: "content" | "reasoning", piece: string, start: number): void {
    if (kind === "content") {
      this.#isUnderWay = this.#hasContent = true;
      this.#textOpeners.read(piece);
    }
    if (this.#region.isOpen) this.#around.readText(piece);
    // Thoughts go on after a call.
    if (this.#region.endsMessage) {
      this.#around.endUnopened();
      this.#region.refuseTrailing(start + this.#prefillEnd);
    }
    this.#region.sink.text(kind, piece, start);
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.#region.sink.textEnd(kind, start, end);
  }

  /** An opener in quoted text or in thoughts. */
  listed(reason: RejectionReason, message: string, { start }: { start: number }): void {
    this.#quotedOpener = start + this.#prefillEnd;
    this.#unmatched.note(reason, message, this.#quotedOpener);
  }
}

/** The first call of a block that may be half of one: what it has taken along may be text around it, as brackets that are too many. */
const halfCallOf = ({ candidates, alternative: { validator } }: AlternativeReading) =>
  candidates.find(
    ({ problem, repairs, name }) =>
      problem !== undefined ||
      !validator.offers(name) ||
      repairs.some(({ kind, level }) => level !== "safe" || kind === "surplus-closer"),
  );

const marksOnLine = /(?:^|[\r\n])[ \t>]*(`{3,}|~{3,})[ \t]*$/;
const endOfMarks = ["`", "~", " ", "\t"];

const notAlone = ["not-alone", "a call that no marker opens counts as the whole message only"] as const;
const notAloneOnLine = ["not-alone", "a call that no marker opens counts on lines of its own only"] as const;
const inValue = ["behind-damage", "the line stands in a value, or in a call, that begins before it"] as const;
const quotedMessage = "the call stands in a string of a damaged one, or in a JSON value";
const begun = [
  "malformed",
  "this begins as a call that no marker opens, and is none: it is damaged, cut, not alone, or of another format",
] as const;
const noOpenerMessage = "the closer of a call stands after this object, and no opener before it";
/** So far before a closer an object may begin that is listed with it. */
const objectCharsMax = 32_768;
const unopenedMessage = "an opener without a call behind it is text";
/** A special token that the text ends in, or with a name or a header directly after it, which is no text. */
const cutHeader = /^<[^<>\s/]*[|\uff5c][^<>\s]*>(?:[\w<][^\s]*(?:\s+(?:\w+=|<)\S*)*\s*)?$/;
const cutMessage = "the text ends before it is known whether this opens a call; raise the token limit, or retry";
const innerTokenMessage = "a special token of calls outside of one is left out";

/** An opener with no more than the beginning of its call. */
const alikeCharsMax = 32;
