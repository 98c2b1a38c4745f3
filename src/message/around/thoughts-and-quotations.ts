import type { MachineReader } from "../../blocks/machine-reader.ts";
import type { Halt } from "../../blocks/state.ts";
import { rawQuoteClosers, thoughtTags } from "../../contract/quoting-tags.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { fetchedBefore } from "../../machine/machine.ts";
import type { TextSource } from "../../machine/text-store.ts";
import { UnclosedQuotation } from "../doubts/contradicting-text.ts";
import { trailingOf } from "../doubts/pending-calls.ts";
import type { Alternative } from "../readings/alternative.ts";
import { type Enclosure, type EnclosureKind, Enclosures } from "../readings/enclosures.ts";
import type { FormatList } from "../readings/format-list.ts";
import { openSpanIn, placesOf } from "../readings/left-open.ts";
import type { MessageOwner } from "../readings/message-owner.ts";
import { beginsInThoughts, type MessageSets, tagOf, thinkClosersOf } from "../readings/message-sets.ts";
import { openerCharsMax } from "../readings/openers.ts";
import type { Region, RegionStart } from "../readings/region.ts";
import { closerCharsMax, closesThoughts } from "../text/closes-thoughts.ts";
import { CountedFences } from "../text/fence-lines.ts";
import { goesOnOver } from "../text/open-span.ts";
import { OpenDamage } from "./open-damage.ts";
import type { UnknownCalls } from "./unknown-calls.ts";

/**
 * How many closers stand in a text. One of damage may end with the first brackets of `]]>`; `isPartial`: it is damage, otherwise pairs of
 * tags in it are pairs, and what closes one closes nothing else.
 */
function timesClosed(text: string, closer: string, isPartial: boolean): number {
  const closed = placesOf(text, closer);
  if (isPartial && closed.length === 0 && !closer.startsWith("<")) {
    const isBegun = [...closer].some((_, length) => length > 0 && text.endsWith(closer.slice(0, length)));
    return isBegun ? 1 : 0;
  }
  if (isPartial || !closer.startsWith("</") || rawQuoteClosers.includes(closer)) return closed.length;
  const opened = placesOf(text, closer.replace("/", ""));
  let [next, open, times] = [0, 0, 0];
  for (const at of closed) {
    for (; opened[next] < at; next++) open++;
    if (open > 0) open--;
    else times++;
  }
  return times;
}

const noOpeners: ReadonlySet<string> = new Set();

/** Of what is open in what a closer closes so much stays open: to keep it costs time at each closer. */
const keptOpenMax = 32;

/** So much text is looked through at once: each part of it may begin a closer, and is looked at once. */
const readAtOnce = 1024;

const isPair = ({ kind, openers }: Enclosure) => kind === "quoted" && openers === undefined;

const isThought = ({ kind, isFrame }: Enclosure) => (kind === "reasoning" && !isFrame) || kind === "quoted-thoughts";

const isRaw = ({ closers: [closer] }: Enclosure) => rawQuoteClosers.includes(closer);

/**
 * What a place of the message stands in: thoughts, quotations, damage. A closer of one says of the calls in its region that
 * they are none.
 */
export class ThoughtsAndQuotations {
  readonly #list: FormatList;
  readonly #sets: MessageSets;
  readonly #store: TextSource;
  readonly #prose: MachineReader;
  readonly #region: Region;
  /** Think blocks that are open, outermost first; empty: the text is no thought. */
  readonly #thoughts = new Enclosures();
  /** What is open in visible text. */
  readonly #enclosures = new Enclosures();
  /** What is open there behind openers that open no call. */
  readonly damage: OpenDamage;
  /** Thoughts were opened a second time at their beginning: by the prompt and the model, or in each other. */
  #isDoubled = false;
  /** The fences in what is open. */
  #fences: CountedFences | undefined;
  /** The marks of a code span that thoughts or a pair of tags have left open, and where these have ended. */
  #leftSpan: { readonly marks: string; readonly at: number } | undefined;
  /** Behind calls with raw values in thoughts: what opens what their closers close, and whether such a closer is left over. */
  #rawCalls:
    | { readonly from: number; readonly openers: Map<string, string>; readonly left: UnclosedQuotation }
    | undefined;
  /** Formats of calls in the thoughts that are open whose text goes on after what may close these. */
  #openCalls = new Set<FormatData>();
  /** Where the last tag ends that opens a pair: what closes one before that stands in an attribute. */
  #tagEnd = 0;
  /** Where thoughts have ended last. */
  #shownFrom = 0;
  /** What the message has begun with may turn out to be thoughts: some format of the list begins in them. */
  mayBeThoughts = false;
  /** A call has ended the thoughts that are open. */
  #areEndedByCall = false;
  /** The end of the text behind that call. */
  #textEnd = "";
  /** Such a text, up to its end, holds what closes the thoughts. */
  #closesInText = false;
  /** Where the turn has ended; -1: it goes on. */
  #turnEnd = -1;

  constructor(list: FormatList, store: TextSource, prose: MachineReader, region: Region) {
    this.#list = list;
    this.#sets = list.sets;
    this.#store = store;
    this.#prose = prose;
    this.#region = region;
    this.damage = new OpenDamage(list, store, this.#enclosures);
  }

  get inThoughts(): boolean {
    return this.#thoughts.length > 0;
  }

  /** Where those that are open begin, the outermost of them. */
  get thoughtsStart(): number {
    return this.inThoughts ? this.#thoughts.at(0).from : -1;
  }

  /** The same to a format: a call ends thoughts only to those that say so. */
  areThoughtsTo({ endsReasoning }: FormatData): boolean {
    return this.inThoughts || (this.#areEndedByCall && !endsReasoning);
  }

  get isQuoted(): boolean {
    return this.#enclosures.has("quoted");
  }

  /** Whether a quotation is open that a closer closes. */
  isQuotedUpTo(closer: string): boolean {
    return this.quotedFrom(closer) !== undefined;
  }

  /** Where that begins; undefined: none is open. */
  quotedFrom(closer: string): number | undefined {
    const at = this.#enclosures.closedBy(tagOf(closer));
    const closed = at < 0 ? undefined : this.#enclosures.at(at);
    return closed?.kind === "quoted" ? closed.from : undefined;
  }

  /** Whether what begins at an offset closes a quotation that is open. */
  closesPair(start: number): boolean {
    const text = this.#store.slice(start, start + openerCharsMax);
    const closes = (closer: string) => text.startsWith(closer) && this.isQuotedUpTo(closer);
    return this.isQuotedUpTo(text) || [...this.#enclosures.closers].some(closes);
  }

  get isAfterTurn(): boolean {
    return this.#turnEnd >= 0;
  }

  /** What is open in visible text, innermost. */
  get last(): Enclosure | undefined {
    return this.#enclosures.last;
  }

  /** Openers of the damage that is open, as far as one more of them says nothing: what a closer of thoughts ends would begin there. */
  get damagedBy(): ReadonlySet<string> {
    return (!this.#enclosures.has("reasoning") && this.#enclosures.last?.openers) || noOpeners;
  }

  /** Text up to here is about to be let go. */
  readTo(end: number): void {
    this.damage.readTo(end);
    this.#fences?.readTo(end);
  }

  beginRegion(at: number, start: Omit<RegionStart, "inThoughts">): void {
    this.#region.begin(at, { ...start, inThoughts: this.inThoughts });
  }

  /** What begins in visible text last encloses what no region does that is open. */
  get needsRegion(): boolean {
    const { last } = this.#enclosures;
    return last !== undefined && this.#enclosures.areClosed && this.#region.isNew(last.from);
  }

  /** Calls after an offset were none, and what stood there up to here is text. */
  #refuseSince(from: number, kind: EnclosureKind, end: number): void {
    if (kind === "reasoning") {
      this.#closesInText = this.#areEndedByCall = false;
      this.#textEnd = "";
    }
    const index = this.#region.since(from);
    if (index >= 0) this.#region.refuse(index, kind, end, this.isQuoted);
  }

  /** Thoughts that are messages of their own have ended without their token. */
  leaveOpen(from: number): void {
    this.#enclosures.push({ kind: "reasoning", closers: [], from, isFrame: true });
  }

  /** The header of a message without a call shows that they have ended: text may follow the calls before it. */
  endFrame(): void {
    this.#enclosures.takeLast();
    if (this.#region.kind === "reasoning") this.#region.goOn();
  }

  /** Thoughts are open that a message of their own has left so. */
  get isInFrame(): boolean {
    return this.#enclosures.last?.isFrame === true;
  }

  /**
   * The end of the message, or of the text of thoughts, says of calls in them that they are none. Where the message has been cut, so
   * may have been what closes a quotation, or thoughts to a format whose messages begin in them.
   */
  refuseOpen(isCut: boolean, end: number): boolean {
    const region = this.#region;
    const quoted = isCut ? region.outermost("quoted") : -1;
    // What else stands in the quotation counts as it does where nothing closes that.
    if (quoted >= 0) region.refuseCalls(quoted);
    const opened = region.outermost("reasoning");
    const index = opened < 0 && isCut ? region.outermostUnopened : opened;
    if (index >= 0) region.refuse(index, "reasoning", end, this.isQuoted);
    return index >= 0;
  }

  /** The message has ended in thoughts and in a pair of tags around them: that quotes nothing, and calls count as in thoughts. */
  refuseInPairs(areIgnored: boolean): void {
    if (!areIgnored && this.#list.alternatives.every(({ format }) => format.endsReasoning)) return;
    const thoughts = this.#enclosures.find(({ isInPair }) => isInPair === true);
    const index = thoughts === undefined ? -1 : this.#region.since(thoughts.from);
    if (index >= 0) this.#region.refuseCalls(index, areIgnored ? undefined : this.#region.textEnd);
  }

  // ----- Thoughts -----

  /** To some formats of the list the message begins in thoughts, which these closers end. */
  mayBeginInThoughts(closers: readonly string[]): void {
    this.#countFences(0, closers);
    this.mayBeThoughts = true;
  }

  /** The message begins in thoughts. */
  beginInThoughts(closers: readonly string[]): void {
    this.#countFences(0, closers);
    this.#thoughts.push({ kind: "reasoning", closers, from: 0 });
  }

  /**
   * Whose the calls of a place are that may stand in thoughts without an opener. Where a format whose messages begin in
   * thoughts reads them too, a closer of its thoughts refuses them, as it does where this format is read alone.
   */
  ownerFor(calling: readonly Alternative[], start: number): MessageOwner {
    if (!this.mayBeThoughts || this.inThoughts || this.#region.isOpen) return this.#region.sink;
    const [inThoughts, others] = [true, false].map((is) =>
      calling.filter(({ format }) => beginsInThoughts(format) === is).map(({ format }) => format.id),
    );
    if (inThoughts.length === 0) return this.#region.sink;
    const message = `${inThoughts.join(" and ")} and ${others.join(" and ")} read this place differently: to the former a message begins in thoughts, and their closer follows; name the format that the model speaks`;
    this.#enclosures.push({ kind: "unopened", closers: this.#sets.mayStartInReasoning, from: start });
    const isThought = others.length === 0;
    this.beginRegion(start, { kind: "unopened", endsMessage: isThought, message: isThought ? undefined : message });
    return this.#region.sink;
  }

  endUnopened(): void {
    this.#enclosures.takeKind("unopened");
  }

  /** @returns whether thoughts follow; otherwise the opener is text */
  openThoughts(halt: Halt): boolean {
    const open = this.#store.slice(halt.start, halt.end).trimStart();
    const closers = thinkClosersOf(this.#sets, open);
    const outer = this.#thoughts.last;
    // Behind a call that has ended such thoughts it may be what closes them, without its slash.
    this.#closesInText ||= this.#areEndedByCall && closers.some((closer) => this.#endedClosers.includes(closer));
    this.#countFences(halt.end, closers);
    // What a pair of tags quotes is text, but a closer of thoughts before that of the pair says that they were thoughts.
    if (this.isQuoted) {
      this.#enclosures.push({ kind: "reasoning", closers, from: halt.end, isInPair: true });
      return false;
    }
    // The prompt has opened them, and the model did again.
    const isAgain =
      outer?.closers.some((closer) => closers.includes(closer)) === true &&
      this.#store.slice(outer.from, halt.start).trim() === "";
    // Where the message begins in them, the opener says nothing new.
    this.#isDoubled ||= isAgain && outer.from > 0;
    if (!isAgain) this.#thoughts.push({ kind: "reasoning", closers, from: halt.end });
    return outer === undefined || isAgain;
  }

  /**
   * @param isInString a string of a value is open
   * @returns what the closer ends: thoughts, so that visible text follows, some in others, or none: then it is text, if it is no framing
   */
  closeThoughts(halt: Halt, isInString: boolean): "all" | "inner" | "none" {
    const closer = tagOf(this.#store.slice(halt.start, halt.end));
    const mayHaveEnded = this.mayBeThoughts && !this.inThoughts && this.#sets.mayStartInReasoning.includes(closer);
    if (mayHaveEnded) this.mayBeThoughts = false;
    const at = this.#thoughts.closedBy(closer);
    if (at < 0) {
      if (this.inThoughts) {
        if (!this.#leavesThoughts(closer)) return "none";
        this.showThoughts();
      }
      const { isQuoted } = this;
      this.closeEnclosure(halt);
      // As where a format whose messages begin in thoughts is read alone: it may be a word of them, and another closer will say.
      if (mayHaveEnded && (isQuoted || this.#openSpanAt(0, halt.start) !== undefined))
        this.#enclosures.push({
          kind: "reasoning",
          closers: [...this.#sets.thinkClosers.values()].flat(),
          from: halt.end,
        });
      return isQuoted ? "none" : "all";
    }
    // Blocks close by their own name: what was opened in this one, and is not closed, is still open.
    const [closed, ...inner] = this.#thoughts.takeFrom(at);
    const pairs = this.#enclosures.takeBegunSince(closed.from).filter(isPair);
    const outer = this.#thoughts.last;
    for (const one of inner) this.#thoughts.push(one);
    if (outer && !outer.closers.includes(closer)) return "inner";
    this.damage.forgetBefore(closed.from);
    // What stands in thoughts that a call has ended may stand in these as well. Those that nothing has opened end with a closer
    // that closes nothing else.
    const around = this.#enclosures.outermostClosedBy(closer);
    const isOpened = around !== undefined && around.kind !== "unopened" && around.kind !== "quoted-thoughts";
    this.#refuseSince(isOpened ? Math.min(closed.from, around.from) : closed.from, "reasoning", halt.start);
    this.#prose.endText();
    // Whether an open block is a word in the thoughts, its closer or the end of the message will say.
    this.showThoughts();
    // Between marks of code, in a fence or in a pair of tags it may be a word of the thoughts: another closer will say.
    const isInFence = this.#leaveFence(halt.start);
    for (const format of this.#openCalls) this.#region.sink.openCall(format);
    this.#openCalls.clear();
    const mayBeWord = isInFence || this.#isDoubled || pairs.length > 0;
    this.#isDoubled = false;
    // A token that ends a turn is none.
    if (this.#sets.endsOfTurns.includes(closer)) return "all";
    if (this.#leaveSpan(closed.from, halt.start) || isInString || mayBeWord)
      this.#enclosures.push({ kind: "reasoning", closers: closed.closers, from: halt.end });
    else this.#region.sink.thoughtsEnd();
    this.#shownFrom = halt.end;
    // What follows may stand in the pairs that are open in them: the closer of each will say.
    for (const pair of pairs.slice(0, keptOpenMax)) this.#enclosures.push(pair);
    return "all";
  }

  /** Whether a closer closes thoughts, shown as text since, in which others of another name have begun: these keep it from nothing. */
  #leavesThoughts(closer: string): boolean {
    const at = this.#enclosures.closedBy(closer);
    const around = at < 0 ? undefined : this.#enclosures.at(at);
    return around?.kind === "reasoning" && around.from < this.#thoughts.at(0).from;
  }

  /** Thoughts or a quotation begin. */
  #countFences(from: number, closers: readonly string[]): void {
    if (!this.inThoughts && !this.isQuoted) this.#fences = new CountedFences(this.#store, from, closers);
  }

  /** What is open has ended. A fence that is open in it may go on: the marks that close it would say so. */
  #leaveFence(at: number): boolean {
    const marks = this.#fences?.openAt(at);
    if (marks !== undefined) this.#region.sink.openFence(marks);
    return marks !== undefined;
  }

  /** A closer of the thoughts that are open stands in a fence in them. */
  holdsQuotedCloser(at: number): boolean {
    this.#fences?.readTo(at);
    return this.#fences?.hasCloser === true;
  }

  /** The same of a code span. */
  #leaveSpan(from: number, at: number): boolean {
    const marks = this.#openSpanAt(from, at);
    this.#leftSpan = marks === undefined ? undefined : { marks, at };
    return marks !== undefined;
  }

  /** A call may begin in the span that has been left open, if that goes on to there. */
  meetInSpan(start: number): void {
    const left = this.#leftSpan;
    this.#leftSpan = undefined;
    if (left === undefined || start - left.at > fetchedBefore) return;
    if (goesOnOver(left.marks, this.#store.slice(left.at, start))) this.#region.sink.openSpan(left.marks);
  }

  /** The marks of the code span that is open at a place, on its line; undefined: none is. Marks that close a fence begin none. */
  #openSpanAt(from: number, at: number): string | undefined {
    if (this.#fences?.closeAt(at)) return undefined;
    const text = this.#store.slice(Math.max(from, at - fetchedBefore), at);
    return openSpanIn(text.slice(text.lastIndexOf("\n") + 1));
  }

  /** What follows is visible text, although thoughts are open. */
  showThoughts(): void {
    this.#region.goOn();
    for (const one of this.#thoughts.takeFrom(0)) this.#enclosures.push(one);
  }

  /** Where thoughts should begin, the frame of an answer says that they have been taken away, if nothing in the text has opened them. */
  dropThoughts(): void {
    for (const one of this.#thoughts.takeFrom(0)) if (one.from > 0) this.#enclosures.push(one);
  }

  /** Whether the text of a call holds a closer of the thoughts that are open. Blanks may stand before the bracket of a tag. */
  isClosedIn(text: string): boolean {
    const lower = text.toLowerCase();
    return [...this.#thoughts.closers].some((closer) => lower.includes(closer.replace(/>$/, "").toLowerCase()));
  }

  /** The thoughts may end in a call of this format, whose text goes on then. */
  mayEndInCall(format: FormatData): void {
    this.#openCalls.add(format);
  }

  /** A call of these formats stands in the thoughts that are open, and may have ended in one of its values. */
  beginRaw(formats: readonly FormatData[], names: readonly string[] | undefined): void {
    const pairs = formats.flatMap((format) => trailingOf(format, names));
    if (pairs.length === 0) return;
    if (this.#rawCalls?.from !== this.thoughtsStart) {
      const openers = new Map(pairs);
      this.#rawCalls = { from: this.thoughtsStart, openers, left: new UnclosedQuotation(openers) };
    }
    for (const pair of pairs) this.#rawCalls.openers.set(...pair);
  }

  /** A closer is left over behind such calls: what follows may stand in one of them. */
  get haveClosersLeft(): boolean {
    return this.#rawCalls?.from === this.thoughtsStart && this.#rawCalls.left.contradictedByEnd;
  }

  /** What closes thoughts that a call has ended. */
  get #endedClosers(): readonly string[] {
    return [...this.#enclosures.closers].filter(
      (closer) => this.#enclosures.at(this.#enclosures.closedBy(closer)).kind === "reasoning",
    );
  }

  /** Where what closes thoughts begins that are open, or that a call has ended, and the end of the text cuts it; undefined: nowhere. */
  get cutThinkCloser(): number | undefined {
    const { end } = this.#store;
    for (const closer of [...this.#thoughts.closers, ...this.#endedClosers]) {
      const from = Math.max(0, end - closer.length + 1);
      const tail = this.#store.slice(from, end).toLowerCase();
      for (let at = 0; at < tail.length; at++) if (closer.toLowerCase().startsWith(tail.slice(at))) return from + at;
    }
    return undefined;
  }

  /** What follows is another turn. Calls that wait for a closer go on waiting: one that comes now closes them as well. */
  endTurn(start: number): void {
    this.#turnEnd = start;
    this.showThoughts();
  }

  /** What follows a call in thoughts is visible text, unless their closer follows as well. */
  endByCall(): void {
    this.#areEndedByCall = true;
    this.showThoughts();
  }

  /** Text behind a call in thoughts; behind one that has ended them, what closes these says that the call stands in them, also where it is quoted. */
  readText(piece: string): void {
    if (this.inThoughts) this.#rawCalls?.left.contradictedAt(piece, "thoughts");
    if (!this.#areEndedByCall || this.#closesInText || this.#region.outermost("reasoning") < 0) return;
    this.#textEnd += piece;
    if (this.#textEnd.length < readAtOnce) return;
    this.#closesInText = closesThoughts(this.#textEnd, this.#endedClosers);
    this.#textEnd = this.#textEnd.slice(-closerCharsMax);
  }

  /** The message has ended: whether such a text holds what closes the thoughts. */
  get closesInText(): boolean {
    return this.#closesInText || (this.#areEndedByCall && closesThoughts(this.#textEnd, this.#endedClosers));
  }

  // ----- Quotations -----

  openQuote(halt: Halt): void {
    const closers = this.#sets.quoteClosers.get(tagOf(this.#store.slice(halt.start, halt.end))) as readonly string[];
    if (this.#isInRaw(closers)) return;
    this.#countFences(halt.end, closers);
    this.#tagEnd = halt.end;
    // An opener may begin in the tag.
    this.#enclosures.push({ kind: "quoted", closers, from: halt.start });
  }

  /** A comment, or its like, is open that the same closes: a second one does not begin in it. In thoughts that have ended it may be a word. */
  #isInRaw([closer]: readonly string[]): boolean {
    const at = this.#enclosures.closedBy(closer);
    const around = at < 0 ? undefined : this.#enclosures.at(at);
    return around !== undefined && isRaw(around) && around.from >= this.#shownFrom;
  }

  /** A quoted opener goes from one offset to another, and its calls follow: what closes them closes the quotation. */
  quoteRest(from: number, end: number): void {
    const opener = this.#store.slice(from, end);
    const { blockClosers } = this.#list.closersAfter(opener);
    this.#enclosures.push({ kind: "quoted", closers: blockClosers, openers: new Set([opener]), from });
  }

  /** What is open last is the rest of what a quoted opener has opened. */
  get isRest(): boolean {
    const { last } = this.#enclosures;
    return last?.kind === "quoted" && last.openers !== undefined;
  }

  /** What is quoted stays as it is; whether it is, the closer of the tag will say. */
  keepQuoted(at: number): void {
    const { last } = this.#enclosures;
    if (last?.kind === "quoted" && !this.#region.isOpen) this.beginRegion(at, { kind: last.kind });
  }

  /** Calls of tools that are not on offer are open at an opener. */
  encloseUnknown(closers: readonly string[], from: number): void {
    for (const closer of closers) {
      if (this.#enclosures.closedBy(closer) >= 0) continue;
      this.#enclosures.push({ kind: "unknown-call", closers: [closer], from });
    }
  }

  /** The text up to a place may have closed some of them. */
  closeUnknown(calls: UnknownCalls | undefined, at: number, isEnd = false): void {
    if (!this.#enclosures.has("unknown-call")) return calls?.forgetClosed();
    for (const closer of calls?.closedTo(at, isEnd) ?? []) this.#closeBy(closer, at, at);
  }

  /** A closer in visible text: what it closes held no calls. */
  closeEnclosure({ start, end }: Halt): void {
    if (start >= this.#tagEnd) this.#closeBy(tagOf(this.#store.slice(start, end)), start, end);
  }

  /**
   * What closes nothing, and closes thoughts by another name, closes those that a call has ended, but a token that ends turns as well. In
   * text, where pairs are not known, only what closes nothing but thoughts says so: {@link readText}.
   */
  #closeEnded(text: string, start: number, end: number): void {
    const isOfThoughts = [...this.#sets.thinkClosers.values(), ...thoughtTags].some((closers) =>
      closers.includes(text),
    );
    const isOfTurns = this.#sets.endsOfTurns.includes(text);
    const own = this.#areEndedByCall && isOfThoughts && !isOfTurns ? this.#endedClosers[0] : undefined;
    if (own !== undefined) this.#closeBy(own, start, end);
  }

  #closeBy(text: string, start: number, end: number): void {
    let at = this.#enclosures.closedBy(text);
    // At the end of the message several tokens may stand together.
    for (const closer of this.#enclosures.closers) {
      if (closer.length < text.length && text.includes(closer)) at = Math.max(at, this.#enclosures.closedBy(closer));
    }
    if (at < 0) return this.#closeEnded(text, start, end);
    const closed = this.#enclosures.at(at);
    const { kind, from, lastClosers } = closed;
    const isDamage = kind === "damaged";
    // Thoughts that calls have ended are open in each other, and which of them the closer ends is not known.
    const since = kind === "reasoning" ? (this.#enclosures.outermostClosedBy(text)?.from ?? from) : from;
    // In a string of a damaged call a closer ends nothing. Where a value of one has closed, the next one may hold calls.
    const isText = isDamage && this.damage.mayBeInString(start);
    const isLast = !isText && (lastClosers?.some((closer) => text.includes(closer)) ?? true);
    const inner = isLast ? this.#enclosures.takeFrom(at).slice(1) : [];
    if (!isDamage) this.#keepOpenIn(closed, inner);
    if (kind === "quoted") {
      this.#leaveFence(start);
      this.#leaveSpan(from, start);
      this.damage.forgetBefore(from);
    }
    if (isDamage && !isText) {
      this.damage.passCloser(end);
      // A pair of tags or thoughts that are open in it may hold its closer.
      for (const one of inner) if (one.kind !== "damaged") this.#enclosures.push(one);
    }
    const index = this.#region.since(since);
    if (index < 0) return;
    if (isDamage) return this.#region.refuseDamaged(index);
    // A call that a pair of tags quotes has not ended the thoughts that both stand in.
    if (kind === "quoted" && this.#region.kindAt(index) === "reasoning")
      for (const one of inner) if (!isPair(one)) this.#thoughts.push(one);
    this.#refuseSince(since, kind, this.#turnEnd < 0 ? start : this.#turnEnd);
  }

  /**
   * What has been closed quoted, or was thought. Pairs of tags and thoughts that are open in it may go on; but nothing begins in a
   * comment or its like.
   */
  #keepOpenIn(closed: Enclosure, inner: readonly Enclosure[]): void {
    if (isRaw(closed)) return;
    // In a comment the closer may be a word of that.
    if (closed.kind === "quoted" && inner.some(isRaw)) this.#enclosures.push(closed);
    const isText = closed.kind === "quoted";
    for (const one of inner.slice(0, keptOpenMax)) {
      if (isThought(one)) this.#enclosures.push(isText ? { ...one, kind: "quoted-thoughts", isInPair: false } : one);
      else if (isPair(one)) this.#enclosures.push(one);
    }
  }

  /**
   * The pair of tags around a place closes at the first closer in a text from there on, although a call that is none has taken it along,
   * and a call behind it.
   *
   * @param names what such a call names
   * @returns where the closer stands; undefined: none does
   */
  closePairIn(start: number, end: number, names: readonly string[]): { start: number; end: number } | undefined {
    const text = this.#store.slice(start, end).toLowerCase();
    let first: { at: number; length: number; index: number } | undefined;
    for (const closer of this.#enclosures.closers) {
      const index = this.#enclosures.closedBy(closer);
      const [at] = isPair(this.#enclosures.at(index)) ? placesOf(text, closer.toLowerCase()) : [];
      if (at === undefined || (first !== undefined && at >= first.at)) continue;
      // A tag may hold blanks before its bracket.
      const length = closer.endsWith(">") ? text.indexOf(">", at) + 1 - at : closer.length;
      if (length > 0) first = { at, length, index };
    }
    const behind = first && text.slice(first.at + first.length);
    if (first === undefined || !names.some((name) => behind?.includes(name.toLowerCase()))) return undefined;
    const at = start + first.at;
    this.#closeTaken(first.index, at);
    return { start: at, end: at + first.length };
  }

  /** Something has taken along what closes an enclosure: what has begun in it was text up to an offset. */
  #closeTaken(index: number, end: number): void {
    const [closed, ...inner] = this.#enclosures.takeFrom(index);
    this.#keepOpenIn(closed, inner);
    this.#refuseSince(closed.from, closed.kind, end);
  }

  /**
   * Damage, text between or behind calls, or calls without their own opener may have taken along what closes the quotations, or the
   * thoughts, around them.
   *
   * @param isPartial it is damage, and not only what stands around calls
   * @returns whether they have
   */
  closeIn(start: number, end: number, isPartial: boolean): boolean {
    const text = this.#store.slice(start, end).toLowerCase();
    let outermost: number | undefined;
    for (const closer of this.#enclosures.closers) {
      const lower = closer.toLowerCase();
      const times = timesClosed(text, lower, isPartial);
      const at = times === 0 ? -1 : this.#enclosures.closedBy(closer, times);
      if (at < 0 || this.#enclosures.at(at).kind === "damaged") continue;
      outermost = Math.min(outermost ?? at, at);
    }
    if (outermost === undefined) return false;
    this.#closeTaken(outermost, end);
    return true;
  }
}
