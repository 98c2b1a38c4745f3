import type { Halt } from "../../blocks/state.ts";
import { fetchedBefore } from "../../machine/machine.ts";
import { roleCodes as role } from "../../machine/roles.ts";
import type { Candidate } from "../../values/candidate.ts";
import { tagOf, wrapper } from "../readings/message-sets.ts";
import { openerCharsMax } from "../readings/openers.ts";
import { isWordOfText } from "../readings/turns.ts";
import { BlockEnds } from "./block-ends.ts";
import { type BlockPlace, BlockPlaces } from "./block-places.ts";
import { CallsInThoughts } from "./calls-in-thoughts.ts";
import { DeclinedPlaces } from "./declined-places.ts";
import { TextFlow, type TextFlowOptions } from "./text-flow.ts";
import { callCharsMax, UnmatchedClosers } from "./unmatched-closers.ts";

/** Text that is no longer needed is let go in stretches of this length. */
const releasedChars = 8192;

/**
 * Reads a message: the text around blocks with one reader, and at each opener the formats that may begin there. One
 * format is a list of one. Here is decided what becomes of that at which the text has stopped, by the rules of plain text in
 * `grammars/message.peggy`: quotations, thoughts, turns, framing.
 */
export class MessageReader {
  readonly #flow: TextFlow;
  readonly #declined: DeclinedPlaces;
  readonly #places: BlockPlaces;
  readonly #callsInThoughts: CallsInThoughts;
  readonly #blocks: BlockEnds;
  readonly #closers: UnmatchedClosers;
  /** The place that was read last: it is kept with the message. */
  lastPlace: BlockPlace | undefined;
  #releaseAt = releasedChars;
  /** Nothing is let go, while nothing has been found in the text: another format may read it. */
  keepsText = false;
  /** A wrapper round calls is open. */
  #isWrapped = false;
  /** A string of a value in visible text shows the thoughts that are open. */
  #areThoughtsShown = false;
  /** Where the last thoughts around all others have begun. */
  #thoughtsFrom = 0;
  /** What a prompt has begun goes on with text of which is not known yet whether it is the answer. */
  #awaitsReply = false;
  /** Something that opens a call stands in the answer. */
  #answerOpens = false;

  constructor(options: TextFlowOptions) {
    this.#flow = new TextFlow(options, (halt) =>
      this.#flow.isAnswer ? this.#passInAnswer(halt) : this.#places.meet(halt),
    );
    this.#declined = new DeclinedPlaces(this.#flow, (halt) => this.#openTag(halt));
    this.#places = new BlockPlaces(this.#flow, this.#declined);
    this.#callsInThoughts = new CallsInThoughts(this.#flow, this.#declined);
    this.#blocks = new BlockEnds(this.#flow, this.#declined, this.#callsInThoughts);
    this.#closers = new UnmatchedClosers(this.#flow, this.#declined, this.#blocks);
    // What the prefill holds whole has been made before: it is read before any text is there.
    if (this.#flow.prefillEnd === 0) return;
    this.#flow.begin();
    this.#advance(undefined);
    this.#awaitsReply = options.answersInJson === true && this.#places.place === undefined && !this.isInThoughts;
  }

  get open(): Candidate | undefined {
    return this.#places.place?.disambiguation.selected?.reader.open;
  }

  /** A block is being read, or something in thoughts or a quotation waits for their end. */
  get isUndecided(): boolean {
    return this.#places.place !== undefined || this.#flow.asksAgain || this.#flow.region.isOpen;
  }

  get truncated(): boolean {
    return this.#blocks.truncated;
  }

  /** The message stands in thoughts. */
  get isInThoughts(): boolean {
    return this.#flow.around.inThoughts;
  }

  /** The message is the answer in JSON that was asked for. */
  get isAnswer(): boolean {
    return this.#flow.isAnswer;
  }

  /** Characters looked at by all readers. */
  get steps(): number {
    return [...this.#flow.openings.readings].reduce((sum, { reader }) => sum + reader.steps, this.#flow.prose.steps);
  }

  push(chunk: string): void {
    let at = 0;
    // Whether the call has started where it is refused is so known in the same way for all chunks.
    while (this.#isBegunByPrompt && at < chunk.length - 1) this.#read(chunk[at++]);
    if (at < chunk.length) this.#read(at === 0 ? chunk : chunk.slice(at));
  }

  /** A call that the prefill has begun has not started, or what it ends in may still open one. */
  get #isBegunByPrompt(): boolean {
    const { prefillEnd, prose, store } = this.#flow;
    const { place } = this.#places;
    if (prefillEnd === 0) return false;
    if (place === undefined) return prose.neededFrom < prefillEnd && store.end < prefillEnd + openerCharsMax;
    if (place.halt.start >= prefillEnd) return false;
    return place.disambiguation.selected?.reader.open?.started !== true;
  }

  #read(chunk: string): void {
    const { store } = this.#flow;
    store.append(chunk);
    this.#awaitsReply &&= !this.#flow.noteAnswer(this.#flow.prefillEnd);
    const { place } = this.#places;
    if (!place?.disambiguation.push(chunk)) {
      if (!this.#flow.hasBegun) this.#flow.begin();
      else if (this.#flow.keeps(chunk)) return;
      else if (!this.#flow.isPaused && !place) this.#flow.prose.push(chunk);
      this.#advance(undefined);
    }
    this.#flow.unmatched.measure(openerCharsMax);
    if (store.end >= this.#releaseAt) this.#release();
  }

  /** Lets go of text that is no longer needed. */
  #release(): void {
    this.#releaseAt = this.#flow.store.end + releasedChars;
    if (this.keepsText) return;
    const { bareValue, list, openCode, prose, store, strings, unknownCalls } = this.#flow;
    const { place } = this.#places;
    const needed = place?.disambiguation.neededFrom ?? this.#flow.neededFrom ?? prose.neededFrom;
    for (const reader of [bareValue, strings, openCode, unknownCalls, this.#flow.around]) reader?.readTo(needed);
    store.release(
      Math.min(
        needed - callCharsMax,
        // To the other formats a block is text.
        (list.alternatives.length > 1 ? place?.halt.start : undefined) ?? needed,
        bareValue.neededFrom,
        prose.neededText,
        this.#flow.region.start ?? needed,
        (this.#flow.unmatched.neededFrom ?? needed) - fetchedBefore,
      ),
    );
  }

  /** All of the text, where it is kept. */
  get keptText(): string | undefined {
    const { prefillEnd, store } = this.#flow;
    return this.keepsText ? store.slice(prefillEnd, store.end) : undefined;
  }

  /** No more text comes. `whole`: the model said so itself. `isCut`: the token limit did. */
  end(whole: boolean, isCut: boolean): void {
    const { around, prose, store } = this.#flow;
    this.#flow.openings.hasEnded = true;
    this.#flow.end();
    if (!this.#flow.hasBegun) this.#flow.begin();
    this.#endReading(whole);
    this.#advance(whole);
    prose.endText();
    around.closeUnknown(this.#flow.unknownCalls, store.end, true);
    prose.endText();
    const closer = around.cutThinkCloser;
    const areIgnored = this.#callsInThoughts.areIgnored && around.inThoughts;
    const refuses = isCut || areIgnored || closer !== undefined || around.closesInText;
    // Behind ignored calls that end a message stands framing alone.
    const textEnd = areIgnored && !isCut ? this.#flow.region.callsEnd : store.end;
    if (refuses && around.refuseOpen(isCut, closer ?? textEnd)) prose.endText();
    if (this.#flow.policy.reasoning !== "parse") around.refuseInPairs(this.#callsInThoughts.areIgnored);
    this.#flow.region.emit();
    this.#flow.unmatched.listAll(this.#flow.region.sink);
  }

  /** Goes from the text around blocks to a block and back as far as the text allows. `whole`: no more text comes. */
  #advance(whole: boolean | undefined): void {
    for (;;) {
      const { place } = this.#places;
      if (place) {
        if (!place.disambiguation.isSettled) return;
        this.#places.place = undefined;
        this.lastPlace = place;
        this.#blocks.leave(place);
      } else if (this.#flow.isPaused) {
        if (!this.#flow.resume()) return;
      } else {
        const { halt } = this.#flow.prose;
        if (!halt) return;
        this.#decide(halt);
      }
      if (whole !== undefined) this.#endReading(whole);
    }
  }

  /** No more text comes, for whoever reads. */
  #endReading(whole: boolean): void {
    const { place } = this.#places;
    if (place) place.disambiguation.end(whole);
    else if (!this.#flow.isPaused) this.#flow.prose.end(whole);
  }

  /** The text around blocks has stopped. */
  #decide(halt: Halt): void {
    const { around } = this.#flow;
    this.#flow.budget.halted = halt.end;
    around.closeUnknown(this.#flow.unknownCalls, halt.start);
    if (around.isAfterTurn) {
      around.closeEnclosure(halt);
      this.#flow.prose.endText();
      return this.#flow.go("afterTurn", halt.end);
    }
    if (this.#flow.isAnswer && !this.#isBehindAnswer(halt)) return this.#passInAnswer(halt);
    const { inThoughts } = around;
    if (!inThoughts || !this.#isWordOfTurns(halt)) this.#flow.openTurn.note(halt.start, halt.end);
    switch (halt.role) {
      case role.Opener:
        if (inThoughts && !this.#callsInThoughts.areRead) this.#declined.draft(halt);
        else this.#places.meet(halt);
        return;
      case role.Lead:
        if (inThoughts) return this.#callsInThoughts.meetFirst(halt, this.#places);
        return this.#places.meet({ ...halt, end: halt.start });
      case role.LineLead:
        return this.#places.meet({ ...halt, end: halt.start });
      case role.Begun:
        return this.#declined.meetBegun(halt);
      case role.ThinkOpener:
        // A tool may have the name of the tag.
        if (!inThoughts && !around.isQuoted && this.#isTool(halt)) return this.#places.meetFormats(halt);
        return this.#openTag(halt);
      case role.Starter:
        return this.#openTag(halt);
      case role.ThinkCloser:
        // It is left over as that of any other tool.
        if (this.#closesTool(halt)) this.#closers.pass(tagOf(this.#flow.textOf(halt)));
        return this.#closeThoughts(halt);
      case role.QuoteOpener:
        if ((!inThoughts || this.#callsInThoughts.areRead) && this.#isTool(halt)) return this.#places.meet(halt);
        return this.#openTag(halt);
      case role.QuoteCloser:
        if (this.#closesTool(halt)) return this.#closers.meet(halt);
        this.#flow.strings.end(around.quotedFrom(this.#flow.textOf(halt)), halt.end);
        around.closeEnclosure(halt);
        // Those that both stand in may go on.
        if (around.inThoughts) return this.#flow.goAsText(halt);
        // As a whole: a token may end in one that is framing elsewhere.
        return this.#flow.passPlain(halt, halt.end - halt.start);
      case role.TurnStart:
        return this.#endTurn(halt);
      case role.UnmatchedCloser:
        if (!inThoughts) this.#declined.endInString(halt);
        if (halt.start < this.#flow.refusedTo) return this.#flow.go("asContent", halt.start);
        return this.#closers.meet(halt);
      case role.Framing:
        if (halt.start < this.#flow.refusedTo || this.#isTextOfWrapper(halt))
          return this.#flow.go("asContent", halt.start);
        if (inThoughts) around.dropThoughts();
        // Directly after a block it is that block's. In a value that visible text begins with it says nothing.
        if (halt.start > this.#flow.blockEnd && (inThoughts || !this.#flow.bareValue.holds(halt.start))) {
          around.closeEnclosure(halt);
          this.#flow.hasContent = false;
        }
        if (!inThoughts) around.keepQuoted(halt.start);
        this.#closers.pass(this.#flow.textOf(halt));
        if (!inThoughts && this.#flow.textOf(halt) === wrapper.open) this.#flow.wrapper = halt;
        return this.#flow.goOn(halt.end, halt.start);
      case role.Empty:
        return this.#closers.meetEmpty(halt);
      default:
        return this.#flow.goOn(halt.end, halt.start);
    }
  }

  /** Framing, a closer where nothing has been opened, and a token that ends the turn: to some formats it closes thoughts. */
  #isBehindAnswer(halt: Halt): boolean {
    if (halt.role === role.Framing || halt.role === role.TurnStart) return true;
    if (halt.role === role.UnmatchedCloser && !this.#answerOpens) return true;
    return this.#flow.sets.endsOfTurns.includes(this.#flow.textOf(halt));
  }

  /** In an answer what opens something is text, and so is what closes that. */
  #passInAnswer(halt: Halt): void {
    this.#answerOpens ||= halt.role === role.Opener || halt.role === role.Begun;
    if (halt.role === role.Lead && this.#flow.isFirst(halt.start)) this.#flow.go("answer", halt.start);
    else this.#flow.passPlain(halt, 1);
  }

  /** Of a wrapper round calls, what a quotation shows, and a closer that closes none. */
  #isTextOfWrapper(halt: Halt): boolean {
    const text = this.#flow.textOf(halt);
    if (text !== wrapper.open && text !== wrapper.close) return false;
    const isWrapped = this.#isWrapped;
    if (!this.#flow.around.isQuoted) this.#isWrapped = text === wrapper.open;
    return this.#flow.around.isQuoted || (text === wrapper.close && !isWrapped);
  }

  // ----- Thoughts and quotations -----

  /** Whether a tag has the name of a tool. */
  #isTool(halt: Halt): boolean {
    return this.#flow.names?.includes(tagOf(this.#flow.textOf(halt)).slice(1, -1)) === true;
  }

  /** Whether the closer of a tag closes neither thoughts nor a quotation, and is that of a tool with its name. */
  #closesTool(halt: Halt): boolean {
    const { around, list, names } = this.#flow;
    const closer = tagOf(this.#flow.textOf(halt));
    if (around.inThoughts || names?.includes(closer.slice("</".length, -1)) !== true) return false;
    return list.closedBy(closer).length > 0 && !around.isQuotedUpTo(closer);
  }

  /** What opens thoughts or a quotation, and is no call of a tool of that name. */
  #openTag(halt: Halt): void {
    const { around } = this.#flow;
    if (halt.role === role.QuoteOpener) {
      around.openQuote(halt);
      if (!around.inThoughts) this.#flow.bareValue.endAt(halt.start);
      return this.#flow.goAsText(halt);
    }
    if (!around.inThoughts) this.#thoughtsFrom = halt.start;
    // What the message says itself need not be guessed.
    if (!around.isQuoted && !this.#flow.isUnderWay) around.mayBeThoughts = false;
    const { strings } = this.#flow;
    const isShown = !around.inThoughts && strings.isOpenAt(halt.start);
    if (!around.openThoughts(halt)) return this.#flow.goAsText(halt);
    this.#areThoughtsShown = isShown;
    this.#flow.prose.endText();
    if (!isShown) strings.begin(halt.end);
    this.#flow.openings.beginAt(halt.end, this.#flow.list.framedBy(this.#flow.textOf(halt)));
    this.#flow.go(this.#flow.isUnderWay ? "thoughts" : "unsaidThoughts", halt.end);
  }

  #closeThoughts(halt: Halt): void {
    const { around } = this.#flow;
    // A call may have ended them.
    const closesSome = around.inThoughts || this.#flow.region.outermost("reasoning") >= 0;
    const from = closesSome ? this.#thoughtsFrom : halt.start;
    if (closesSome && this.#flow.firstCall >= from) this.#flow.firstCall = Number.POSITIVE_INFINITY;
    const { strings } = this.#flow;
    const quote = strings.quoteAt(halt.start);
    const isShown = quote !== undefined && (!closesSome || this.#areThoughtsShown);
    const closed = around.closeThoughts(halt, quote !== undefined && !isShown);
    if (closed === "all") {
      // A string that shows thoughts, or what closes them, goes on.
      if (isShown) strings.skipTo(halt.end);
      else if (quote === undefined) strings.begin(halt.end);
      else strings.leave(halt.end);
      this.#areThoughtsShown = false;
      this.#flow.openCode?.begin(halt.end);
      // A token that ends a turn, and no thoughts, ends no value.
      if (closesSome || !this.#flow.sets.endsOfTurns.includes(this.#flow.textOf(halt)))
        this.#flow.unknownCalls?.begin(halt.end);
      this.#flow.goOn(halt.end, from, this.#flow.list.framedBy(this.#flow.textOf(halt)));
      return;
    }
    // What closes the thoughts of some is a token that ends the turn to all.
    if (closed === "none") this.#flow.go(around.inThoughts ? "drafted" : "unopened", halt.start);
    else this.#flow.goAsText(halt);
  }

  // ----- Turns -----

  #endTurn(halt: Halt): void {
    const isOfSome = this.#flow.sets.ownTurns.some(({ token }) => token === this.#flow.textOf(halt));
    const { inThoughts } = this.#flow.around;
    if (this.#isWordOfTurns(halt) && (inThoughts || isOfSome)) {
      // Whether thoughts speak of it, or a turn has begun in them, their closer says: without it none of their calls behind counts.
      if (inThoughts && !isOfSome && halt.end > this.#flow.prefillEnd) this.#callsInThoughts.endCalls();
      return this.#flow.goAsText(halt);
    }
    const { sets, store } = this.#flow;
    if (isWordOfText(this.#flow.textOf(halt), sets, store, halt.start)) return this.#flow.goAsText(halt);
    this.#passEnds(this.#flow.textOf(halt));
    this.#flow.endTurn(halt.start, halt.end);
  }

  /** Tokens that end a turn before another begins: of a call they are closers, as elsewhere. */
  #passEnds(text: string): void {
    const { endsOfTurns } = this.#flow.sets;
    const tokenIn = (rest: string) => endsOfTurns.find((end) => rest.startsWith(end));
    let rest = text;
    for (let token = tokenIn(rest); token !== undefined; token = tokenIn(rest)) {
      this.#closers.pass(token);
      rest = rest.slice(token.length).trimStart();
    }
  }

  #isWordOfTurns(halt: Halt): boolean {
    return this.#flow.sets.wordsOfTurns.includes(this.#flow.textOf(halt));
  }
}
