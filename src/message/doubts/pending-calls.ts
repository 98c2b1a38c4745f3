import type { RepairKind } from "../../contract/repairs.ts";
import type { Node } from "../../contract/types.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { CallVerdict } from "../../validation/check-call.ts";
import type { Candidate } from "../../values/candidate.ts";
import { countOf } from "../../values/escaped-quotes.ts";
import {
  endIsRepaired,
  endsWithBrackets,
  endsWithJson,
  hasOddQuotes,
  hasStrings,
  mayEndLater,
  openerOf,
  openTagOf,
  stringsOf,
} from "../readings/call-end.ts";
import { withNames } from "../readings/openers.ts";
import { openFenceIn } from "../text/fence-lines.ts";
import { closersLeftOver, OpenFence, UnclosedQuotation } from "./contradicting-text.ts";
import type { ParameterNames } from "./declared-parameters.ts";
import { type Contradiction, contradictionOf, type Doubt, type Following } from "./doubt.ts";
import { looseAfter } from "./loose-parameters.ts";
import { EmptyCall } from "./missing-arguments.ts";
import { bracesArePutIn, DoubtfulEnd, LostQuote, RestInThoughts, RestOfCall, RestOfString } from "./rest-of-call.ts";
import { ShownCalls } from "./shown-calls.ts";
import { ValueBelow } from "./value-below.ts";

const endsText: ReadonlySet<RepairKind> = new Set<RepairKind>(["inner-quote", "missing-last-closer"]);

const partFollows =
  "what may belong to the call follows its end, so its text may have ended too early; ask for the call again";

/** A call that what follows may contradict: it has its node, and gets its verdict with the next call or at the end. */
export interface PendingCall {
  readonly candidate: Candidate;
  readonly format: FormatData;
  /** All that have read it so: what follows may contradict the call in each of them. */
  readonly alike: readonly FormatData[];
  readonly node: Node | undefined;
  readonly isBehindDamage: boolean;
  readonly verdict: () => CallVerdict;
}

/**
 * Calls that what follows them may contradict: the last one, or all from one on whose end is a repair.
 *
 * Raw text ends where a call can go on after its closer; a text that holds all closers of a call ends too early.
 * Then closers are left over after the call: so it is pending until the next call of its format, or the end. What other formats
 * read may be part of the text. Where its end is a repair, what follows may be the rest of a string, other calls
 * included: then all are pending until the end.
 */
export class PendingCalls {
  readonly calls: PendingCall[] = [];
  /** Closers that, left over, contradict the last call, and what opens what they close. */
  readonly #closers = new Map<string, string>();
  /** Those of them that each call of a format is held to: none of these is its own, a little late. */
  readonly #trailing = new Set<string>();
  /** The formats that have read calls alike; most messages have one such group. */
  readonly #readers: (readonly FormatData[])[] = [];
  /** What may be said against any of them: first of the end of the first that is in doubt. */
  readonly #doubts: Doubt[] = [];
  /** Those that strings of the text show. */
  #shown: ShownCalls | undefined;
  /** What may be said against the last of them alone; made when something follows. */
  #ofLast: readonly Doubt[] | undefined;
  #makeOfLast: () => readonly Doubt[] = () => [];
  /** The end of one of them is in doubt: what follows may be the rest of it. */
  #isEndDoubtful = false;
  /**
   * Something other than framing follows the last of them, or another call the first whose end is repaired: then a closer is not its
   * own, a little late.
   */
  #isFollowed = false;
  /** Braces are put into one of them. */
  #haveBraces = false;
  /** The last of them has no arguments although its tool takes some. */
  #isLastEmpty = false;
  /** Text follows that one. */
  #hasText = false;
  /** The end of one is a repair, or was missing: what follows may be the rest of a string, other calls included. */
  haveRepairedEnd = false;
  /** The same, or nothing but brackets ends one of them: then all are pending until the message ends. */
  areUntilEnd = false;
  /** One of them has not started yet: none does while it is pending. */
  areToStart = false;
  readonly #names: readonly string[] | undefined;

  /** @param names of the tools, if there are any */
  constructor(names: readonly string[] | undefined) {
    this.#names = names;
  }

  /**
   * @param lacking the parameters of its tool, where it has written none of them
   * @param names its parameters; asked for if text follows
   */
  add(call: PendingCall, lacking: ReadonlySet<string> | undefined, names: () => ParameterNames): void {
    this.endLast();
    // What was refused is held to what follows as what was repaired.
    const { problem, placed } = call.candidate;
    const { raw } = placed;
    const isOpen = call.alike.some((format) => mayEndLater(raw, format));
    const isRepaired = endIsRepaired(call.candidate) || problem !== undefined || isOpen;
    const strings = stringsOf(
      raw,
      call.alike.filter((format) => hasStrings(raw, format)),
    );
    const isShort = strings !== "none";
    const isEndedByBrackets = call.alike.some(endsWithBrackets);
    const lacksCloser = call.candidate.repairs.some(({ kind }) => kind === "missing-close-marker");
    const isEndedByJson = (lacksCloser && call.candidate.kind !== "members") || call.alike.some(endsWithJson);
    const isOfBrackets = isShort || isEndedByBrackets;
    for (const doubt of this.#doubts) doubt.callFollows?.(isOfBrackets);
    for (const format of call.alike) this.#addClosers(format, lacking !== undefined || isRepaired || isShort);
    this.haveRepairedEnd ||= isRepaired;
    this.areUntilEnd ||= isRepaired || strings === "open" || isEndedByBrackets;
    const haveBraces = bracesArePutIn(call.candidate.repairs);
    if (this.#isEndDoubtful) {
      this.#isFollowed = this.#isAnyRepaired || !this.areConfirmedBy(call.alike);
      if (!this.#haveBraces && haveBraces) this.#doubts.push(new DoubtfulEnd(call.candidate));
    } else {
      if (isRepaired) this.#doubtEnd(() => new DoubtfulEnd(call.candidate));
      if (isOfBrackets) this.#doubtEnd(() => new RestOfCall());
    }
    this.#haveBraces ||= haveBraces;
    if (call.candidate.repairs.some(({ level }) => level === "guess")) this.#doubtOnce(new LostQuote());
    const isRaw = call.candidate.kind === "members" && call.alike.some(({ rawValues }) => rawValues !== undefined);
    const fence = isRaw ? openFenceIn(raw) : undefined;
    if (fence !== undefined) this.#doubtOnce(new OpenFence(fence));
    this.#isLastEmpty = lacking !== undefined;
    this.#hasText = false;
    this.#ofLast = undefined;
    this.#makeOfLast = () => [
      ...(lacking ? [new EmptyCall(lacking)] : []),
      ...(isEndedByJson ? [new ValueBelow(call.candidate, names(), call.alike)] : []),
      ...looseAfter(call.alike, names()),
    ];
    this.areToStart ||= !call.candidate.started && call.candidate.problem === undefined;
    const { alike } = call;
    const isSame = (known: readonly FormatData[]) =>
      known.length === alike.length && alike.every((format) => known.includes(format));
    if (!this.#readers.some(isSame)) this.#readers.push(alike);
    this.calls.push(call);
  }

  #addClosers(format: FormatData, areAll: boolean): void {
    const trailing = trailingOf(format, this.#names);
    for (const [closer] of trailing) this.#trailing.add(closer);
    const added = areAll ? closersOf(format, this.#names, true) : trailing;
    if (added.length === 0) return;
    for (const [closer, opener] of added) if (!this.#closers.has(closer)) this.#closers.set(closer, opener);
    this.#doubtOnce(new UnclosedQuotation(this.#closers));
    if (this.#shown === undefined && format.rawValues !== undefined)
      this.#doubts.push((this.#shown = new ShownCalls(this.#closers)));
  }

  /** One of a kind says the same of all calls. */
  #doubtOnce(doubt: Doubt): void {
    if (!this.#doubts.some((one) => one.constructor === doubt.constructor)) this.#doubts.push(doubt);
  }

  /**
   * A call that was refused has no closing marker, or one that does not prove its end: what follows may be the rest of one of its
   * strings.
   */
  doubt(candidate: Pick<Candidate, "repairs">, format: FormatData, raw: string): void {
    this.areUntilEnd = true;
    this.haveRepairedEnd ||= !format.closers?.some((closer) => raw.trimEnd().endsWith(closer));
    this.#addClosers(format, true);
    if (!this.#isEndDoubtful) this.#doubtEnd(() => new DoubtfulEnd(candidate));
  }

  /** Calls that follow may stand in a raw value of this format: a closer that is left over after any of them says so of all. */
  awaitClosers(format: FormatData): void {
    this.areUntilEnd = true;
    this.#addClosers(format, false);
  }

  /** The next call may stand in a string that has begun before it on its line: the end of that, and brackets that nothing opens, say so. */
  awaitRest(): void {
    this.areUntilEnd = true;
    this.#doubtOnce(new RestOfString());
  }

  /** One of them has been repaired or refused, so that another may stand in it. */
  get #isAnyRepaired(): boolean {
    return this.haveRepairedEnd || this.#doubts.some((doubt) => doubt instanceof DoubtfulEnd);
  }

  #doubtEnd(begin: () => Doubt): void {
    this.#doubts.unshift(begin(), new RestInThoughts(begin));
    this.#isEndDoubtful = true;
    this.#isFollowed = false;
  }

  /** A string of the text holds closers, which it has opened. */
  get haveShownCloser(): boolean {
    return this.#shown?.hasShown === true;
  }

  /** The text of one of them ends by a repair alone: where the message is cut, what would end it further on may be missing. */
  get haveOpenText(): boolean {
    return this.calls.some(({ candidate }) => candidate.repairs.some(({ kind }) => endsText.has(kind)));
  }

  /** Whether what follows no longer contradicts the calls, unless all are pending until the end: the own format of each reads that. */
  areConfirmedBy(formats: readonly FormatData[]): boolean {
    return this.calls.length > 0 && this.#readers.every((alike) => haveOne(alike, formats));
  }

  /** Whether a format has read the last call. */
  #isOf(format: FormatData): boolean {
    return this.calls.at(-1)?.alike.includes(format) === true;
  }

  /** Directly after a call without arguments the next one says what it was. */
  get areOpenToNext(): boolean {
    return this.#isLastEmpty && !this.#hasText;
  }

  /** Why the end of the text contradicts them; undefined: it does not. */
  get contradictedByEnd(): string | undefined {
    return this.#doubts.find((doubt) => doubt.contradictedByEnd === true)?.message;
  }

  /** What is said against the last of them alone has ended. */
  endLast(): void {
    for (const { contradictedByEnd, only, message } of this.#ofLast ?? [])
      if (contradictedByEnd) only?.refuse("ambiguous", message);
  }

  /** What a piece says against them; undefined: nothing. */
  #contradiction(piece: string, what: Following): Contradiction | undefined {
    this.#ofLast ??= this.#makeOfLast();
    return contradictionOf([...this.#doubts, ...this.#ofLast], piece, what);
  }

  /** Where a piece of the text that follows contradicts them, and why; undefined: it does not. */
  contradictedBy(piece: string, what: "text" | "thoughts"): Contradiction | undefined {
    if (this.calls.length === 0 && !this.areUntilEnd) return undefined;
    if (what === "text" && piece.trim() !== "") this.#isFollowed = this.#hasText = true;
    return this.#contradiction(piece, what);
  }

  /**
   * Why a closer that closes nothing contradicts them; undefined: it does not.
   *
   * @param textTo formats to which it belongs to an opener that is text
   */
  contradictedByCloser(
    closer: string,
    formats: readonly FormatData[],
    textTo: readonly FormatData[],
  ): string | undefined {
    if (this.calls.length === 0 && !this.#isEndDoubtful) return undefined;
    const isText = (alike: readonly FormatData[]) => alike.every((one) => textTo.includes(one));
    if (this.calls.length > 0 && this.#readers.every(isText)) return undefined;
    const loose = this.#contradiction(closer, "closer");
    if (loose !== undefined) return loose.message;
    const isAtOnce = this.#isLastEmpty ? !this.#hasText : this.#isEndDoubtful && !this.#isFollowed;
    const isLate = isAtOnce && !this.#trailing.has(closer);
    if (this.#closers.has(closer)) {
      const isShown = () => !this.haveRepairedEnd && this.#shown?.takesCloser(closer);
      return isLate || isShown() ? undefined : closersLeftOver;
    }
    // To the format of the call alone it would be text.
    this.#isFollowed ||= !isMarkupOfAll(this.calls[0]?.alike ?? formats, closer);
    return undefined;
  }

  /** Why a block of other formats contradicts them: to their own it is text. In one that is sound a closer is left over that nothing opens. */
  contradictedByBlock(text: string, formats: readonly FormatData[], isSound: boolean): string | undefined {
    const isLeft = ([closer, opener]: Closer) => {
      const count = countOf(text, closer);
      if (count === 0 || !isSound) return count > 0;
      return closer === opener ? count % 2 > 0 : count > countOf(text, opener);
    };
    const others = this.#readers.filter((alike) => !haveOne(alike, formats)).flat();
    // Of a call whose end is a repair all closers count.
    const ofCalls = ([closer]: Closer) => this.#closers.has(closer);
    return others.some((format) => closersOf(format, this.#names, true).filter(ofCalls).some(isLeft))
      ? closersLeftOver
      : undefined;
  }

  /** Why a call that follows one whose end is in doubt contradicts them: it holds closers that it has not opened, which may be theirs. */
  contradictedByHeld({ placed: { raw } }: Candidate, formats: readonly FormatData[]): string | undefined {
    if (!this.haveRepairedEnd) return undefined;
    const holdsMore = ({ rawValues, template }: FormatData) =>
      rawValues !== undefined &&
      [...this.#closers.keys()].some((closer) => {
        const opener = openerOf(closer, template);
        return closer !== opener && countOf(raw, closer) > Math.max(1, countOf(raw, opener));
      });
    return formats.some(holdsMore) ? closersLeftOver : undefined;
  }

  /** Why a damaged call that follows contradicts them: its text ends them, or holds closers of theirs that it has not opened. */
  contradictedByDamaged({ placed: { raw }, isLoose }: Candidate, alike: readonly FormatData[]): string | undefined {
    // Where the end of those before it is as it should be, a call that was opened is their rest only with the end of a string.
    const isOfSame = alike.some((one) => this.#isOf(one));
    const mayBeRest = this.haveRepairedEnd || !isOfSame || hasOddQuotes(raw);
    if (this.#isEndDoubtful && mayBeRest) {
      this.#isFollowed = true;
      const rest = this.#contradiction(raw, "damage");
      if (rest !== undefined) return rest.message;
    }
    if (isLoose && isOfSame) return partFollows;
    const leavesClosers = [...this.#closers.keys()].some((closer) => {
      const at = raw.indexOf(closer);
      return at >= 0 && !isMarkupOfAll(alike, closer) && !raw.slice(0, at).includes(openTagOf(closer));
    });
    return leavesClosers ? closersLeftOver : undefined;
  }
}

/** Whether a format is among both. */
const haveOne = (formats: readonly FormatData[], others: readonly FormatData[]): boolean =>
  formats.some((format) => others.includes(format));

/** A closer, and what opens what it closes. */
type Closer = readonly [closer: string, opener: string];

function closersOf(
  { trailingClosers = [], closers = [], template }: FormatData,
  names: readonly string[] | undefined,
  areAll: boolean,
): readonly Closer[] {
  const added = withNames(areAll ? [...trailingClosers, ...closers] : trailingClosers, names);
  return added.map((closer): Closer => [closer, openerOf(closer, template)]);
}

/** Those that each call of a format is held to, for the names of the tools that were on offer last. */
const trailing = new WeakMap<
  FormatData,
  { readonly names: readonly string[] | undefined; readonly closers: readonly Closer[] }
>();

export function trailingOf(format: FormatData, names: readonly string[] | undefined): readonly Closer[] {
  let known = trailing.get(format);
  if (known === undefined || known.names !== names) {
    known = { names, closers: closersOf(format, names, false) };
    trailing.set(format, known);
  }
  return known.closers;
}

/** What each of some formats writes beside calls and their parts. */
const isMarkupOfAll = (formats: readonly FormatData[], text: string) =>
  formats.every(({ closers = [], framing = [], innerTokens = [], stop }) =>
    [closers, framing, innerTokens, stop].some((literals) => literals.includes(text)),
  );
