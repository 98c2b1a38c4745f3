import { MachineReader } from "../../blocks/machine-reader.ts";
import type { ReaderOwner } from "../../blocks/reader-owner.ts";
import type { Recovery } from "../../blocks/recovery-types.ts";
import { textAround } from "../../blocks/text-around.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import { Machine } from "../../machine/machine.ts";
import { type ReadyProgram, readyProgram } from "../../machine/program.ts";
import type { TextSource } from "../../machine/text-store.ts";
import type { Candidate } from "../../values/candidate.ts";
import { parseJson, plainJson } from "../../values/json-text.ts";
import { type Alternative, type BegunLine, type BlockEntry, type CallValidator, lineBegunFor } from "./alternative.ts";
import { endIsRepaired } from "./call-end.ts";
import type { FormatList } from "./format-list.ts";
import { leavesOpen } from "./left-open.ts";
import type { MessageOwner } from "./message-owner.ts";
import { openerCharsMax, openersOf, opensByTag } from "./openers.ts";
import { OpenersInText } from "./openers-in-text.ts";
import { Recorder } from "./recorder.ts";
import { enclosureReasons } from "./region.ts";
import { undeclaredKeys } from "./undeclared-keys.ts";
import {
  type CandidateVerdict,
  isUnmarkedMessage,
  type PendingCandidate,
  validatePending,
} from "./unmarked-message.ts";

export interface ReadingOptions {
  store: TextSource;
  /** The same text, all that is there of it. */
  allText: TextSource;
  prefillEnd: number;
  /** Where the reply begins a line behind that. */
  replyBegin: number;
  marker: string | undefined;
  list: FormatList;
  recovery: Recovery | undefined;
  /** The block is certain: what stood before it is complete. */
  onClaim: () => void;
}

/** Where formats begin to read. */
export interface Place {
  readonly entry: BlockEntry;
  readonly start: number;
  /** Before it, what has ended last. */
  readonly begunLine: BegunLine;
}

/** One format's reading of a place: recorded while other readings may still be chosen, passed on when it is. */
export class AlternativeReading implements ReaderOwner {
  readonly alternative: Alternative;
  readonly reader: MachineReader;
  readonly #onClaim: () => void;
  readonly #program: ReadyProgram;
  readonly #openers: readonly string[];
  readonly #store: TextSource;
  readonly #list: FormatList;
  readonly #replyBegin: number;
  /** What the other formats of a list would read in its text; undefined: there are none. */
  readonly #openersIn: Readonly<Record<"content" | "reasoning" | "calls", OpenersInText>> | undefined;
  #opener: Machine | undefined;
  #openerLimit = 0;
  /** Set by {@link begin}. */
  #owner!: MessageOwner;
  #isLive = false;
  #isClaimed = false;
  #pendingUntilLineEnd: PendingCandidate[] | undefined;
  #candidates: Candidate[] = [];
  /** Calls that stand in the prefill. */
  #made: Candidate[] = [];
  #unmarked: readonly PendingCandidate[] | undefined;
  /** Where calls begin that no marker opens, and of which none that follows is one either. */
  readonly #vainStarts = new Set<number>();
  #isDeclined = false;
  #ended = false;

  constructor(
    alternative: Alternative,
    { store, allText, prefillEnd, replyBegin, marker, list, recovery, onClaim }: ReadingOptions,
  ) {
    const { format, validator } = alternative;
    this.alternative = alternative;
    this.#onClaim = onClaim;
    this.#list = list;
    this.#store = allText;
    this.#replyBegin = replyBegin;
    if (list.alternatives.length > 1) {
      const openers = () => new OpenersInText(list, alternative);
      this.#openersIn = { content: openers(), reasoning: openers(), calls: openers() };
    }
    this.#program = readyProgram(format.program, marker);
    this.#openers = openersOf(format, marker, validator.hints.names);
    this.reader = new MachineReader({
      format,
      program: () => this.#program,
      owner: this,
      hints: validator.hints,
      openers: this.#openers,
      recovery,
      store,
      prefillEnd,
      replyBegin,
    });
  }

  get id(): string {
    return this.alternative.format.id;
  }

  get tools(): CallValidator {
    return this.alternative.validator;
  }

  /** Where an opener that begins at an offset ends; -1: none does; undefined: more text has to come. `isLast`: none will. */
  openerEnd(start: number, begunLine: BegunLine, isLast: boolean): number | undefined {
    const text = this.#store.slice(start, Math.min(start + openerCharsMax, this.#store.end));
    if (!this.#openers.some((one) => text.startsWith(one)))
      return !isLast && this.#openers.some((one) => one.startsWith(text)) ? undefined : -1;
    return this.endOf("opener", start, begunLine, isLast);
  }

  /** The same of a rule that the format has: its opener, or how a call begins that is listed where it is none. */
  endOf(entry: "opener" | "begun", start: number, begunLine: BegunLine, isLast: boolean): number | undefined {
    const { format, validator } = this.alternative;
    this.#opener ??= new Machine(this.#program, validator.hints, this.#replyBegin, (from) =>
      this.#store.slice(from, Math.min(this.#store.end, this.#openerLimit)),
    );
    this.#openerLimit = start + openerCharsMax;
    this.#opener.enter(format.program.entries[entry] as number, start, lineBegunFor(begunLine, this.alternative));
    const status = this.#opener.run(isLast || this.#store.end >= this.#openerLimit);
    if (status === "starved") return undefined;
    return status === "done" ? this.#opener.position : -1;
  }

  /** Begins at a place. `live`: where findings go at once; otherwise they are recorded until {@link commit}. */
  begin({ entry, start, begunLine }: Place, live: MessageOwner | undefined): void {
    this.#isLive = live !== undefined;
    this.#owner = live ?? new Recorder();
    this.#isClaimed = this.#isDeclined = this.#ended = false;
    this.#pendingUntilLineEnd = this.#unmarked = undefined;
    this.isUnmarked = false;
    this.hasText = this.hasContent = false;
    this.textTo = -1;
    this.#candidates = [];
    this.#made = [];
    live?.use(this.alternative);
    const { entries } = this.alternative.format.program;
    this.reader.begin(entries[entry], start, lineBegunFor(begunLine, this.alternative));
    this.#seeEnd();
  }

  /** Nothing marks its calls. */
  isUnmarked = false;
  /** The block holds text of its own beside calls. */
  hasText = false;
  /** Some of it is content. */
  hasContent = false;
  /** Where the last of it ends; -1 without any. */
  textTo = -1;

  /** No block stands here. */
  get isDeclined(): boolean {
    return this.#isDeclined || this.reader.isDeclined;
  }

  /** Where the message goes on; undefined: the block goes on. */
  get settledAt(): number | undefined {
    return this.isDeclined ? undefined : this.reader.endedAt;
  }

  /** A block stands here for certain. */
  get isClaimed(): boolean {
    return this.#isClaimed || this.settledAt !== undefined;
  }

  get isFinished(): boolean {
    return this.settledAt !== undefined || this.#ended;
  }

  get candidates(): readonly Candidate[] {
    return this.#candidates;
  }

  get #allCandidates(): readonly Candidate[] {
    return this.#made.length === 0 ? this.#candidates : [...this.#made, ...this.#candidates];
  }

  get soundCount(): number {
    return this.#allCandidates.filter((candidate) => this.#isSoundCall(candidate)).length;
  }

  get isSound(): boolean {
    const all = this.#allCandidates;
    return all.length > 0 && all.every((candidate) => this.#isSoundCall(candidate));
  }

  /** Its calls are whole, whatever they name. */
  get isIntact(): boolean {
    return this.#candidates.length > 0 && this.#candidates.every(({ problem }) => problem === undefined);
  }

  /** The same, but for calls that are refused with an end that is proven: of which only values are, or that the format's own closer ends. */
  get hasEnds(): boolean {
    const { closers } = this.alternative.format;
    const isClosed = ({ name, placed: { raw } }: Candidate) =>
      name !== undefined && closers?.some((closer) => raw.trimEnd().endsWith(closer));
    const isWhole = (one: Candidate) =>
      one.problem === undefined ||
      (!one.endIsUnproven && (["ambiguous", "type-mismatch"].includes(one.problem.reason) || isClosed(one)));
    return this.#candidates.length > 0 && this.#candidates.every(isWhole);
  }

  /** It is sound, and its calls are what their tools take. */
  get isAccepted(): boolean {
    const { validator } = this.alternative;
    return this.isSound && this.#candidates.every((one) => validator.verdict(one, one.end - one.start).ok);
  }

  /** Whatever follows, it will not be sound. */
  get isHopeless(): boolean {
    const { open } = this.reader;
    return [...this.#candidates, ...(open?.name === undefined ? [] : [open])].some((one) => !this.#isSoundCall(one));
  }

  /** What names no tool on offer is no reading of a call that another format finds. */
  #isSoundCall({ problem, name }: Candidate): boolean {
    return problem === undefined && this.alternative.validator.offers(name);
  }

  /** It names a tool that is on offer. */
  get namesOffered(): boolean {
    return this.#candidates.some(({ name }) => this.alternative.validator.offers(name));
  }

  /** So does the call that is open, or it has ended. */
  get isNamed(): boolean {
    return this.isFinished || this.namesOffered || this.alternative.validator.offers(this.reader.open?.name);
  }

  /** It has found nothing but damage, in which no tool on offer is named. */
  get isUnnamed(): boolean {
    const { open } = this.reader;
    const all = open === undefined ? this.#candidates : [...this.#candidates, open];
    const isDamage = ({ problem, name }: Candidate) =>
      (problem?.reason === "malformed" || problem?.reason === "truncated") && !this.alternative.validator.offers(name);
    return all.length > 0 && all.every(isDamage);
  }

  /** Nothing in it is damaged. */
  get isWhole(): boolean {
    return this.#candidates.every(({ problem }) => problem === undefined);
  }

  /** Nothing in it is repaired. */
  get isUnrepaired(): boolean {
    return this.#candidates.every(({ repairs }) => repairs.length === 0);
  }

  /** So many of its calls are guessed. */
  get guessedCount(): number {
    return this.#candidates.filter(({ repairs }) => repairs.some(({ level }) => level === "guess")).length;
  }

  /** All that it finds, with reasons and places where it is refused. */
  get found(): string {
    const calls = this.#candidates.map(({ name, writer, problem, placed }) => {
      const refusal = problem && [problem.reason, problem.message, placed.start, placed.end];
      return [refusal, name, writer.jsonText];
    });
    return JSON.stringify(calls);
  }

  /** The JSON object that is all of it, where nothing had to be repaired. */
  get onlyObject(): { start: number; end: number } | undefined {
    const [candidate, ...others] = this.#allCandidates;
    if (!this.isSound || others.length > 0 || candidate.repairs.length > 0 || this.hasText) return undefined;
    const { objects } = this.reader;
    return objects.length === 1 ? objects[0] : undefined;
  }

  /** Nothing proves where it ends. */
  get endIsUnproven(): boolean {
    return this.#candidates.some(({ endIsUnproven }) => endIsUnproven);
  }

  /** A repair says where it ends. */
  get endIsRepaired(): boolean {
    return this.#candidates.some(endIsRepaired);
  }

  /** A call of a tool on offer that this format itself reads in two ways. */
  get isAmbiguous(): boolean {
    const { validator } = this.alternative;
    return this.#candidates.some(({ name, problem }) => problem?.reason === "ambiguous" && validator.offers(name));
  }

  /** What two readings are compared by: blanks between the tokens of arguments are no difference, nor are escapes in their strings. */
  get summary(): string {
    const calls = this.#allCandidates.filter((candidate) => this.#isSoundCall(candidate));
    return JSON.stringify(calls.map(({ name, writer }) => [name, plainJson(writer.jsonText)]));
  }

  push(chunk: string): void {
    if (this.isFinished || this.isDeclined) this.#seeEnd();
    else this.goOn(chunk);
  }

  /** The same where the block has not ended. @returns whether it goes on after the chunk */
  goOn(chunk: string): boolean {
    if (this.reader.push(chunk) && !this.#isDeclined) return true;
    this.#seeEnd();
    return false;
  }

  finish(whole: boolean): void {
    if (!this.isFinished && !this.isDeclined) this.reader.end(whole);
    this.#ended = true;
    this.#seeEnd();
  }

  /** Text of this format, such as what stands between its calls, ends with the block. */
  #seeEnd(): void {
    if (this.isFinished) this.reader.endText();
  }

  /**
   * It has been chosen: what was recorded happens, and what follows happens at once.
   *
   * @param isAlone no other format reads the place: with more text at hand that is known from the beginning
   */
  commit(owner: MessageOwner, alike: readonly Alternative[], isAlone = false): void {
    if (this.#isClaimed) this.#onClaim();
    owner.use(
      this.alternative,
      alike.map(({ format }) => format),
    );
    const recorder = this.#owner as Recorder;
    this.#owner = owner;
    this.#isLive = true;
    recorder.replay(owner, isAlone);
    if (!this.isFinished) this.reader.retryStart();
  }

  /** Several formats read the same place, and differently: nothing of it may run. */
  makeAmbiguous(ids: readonly string[]): void {
    for (const candidate of this.#candidates) candidate.refuse("ambiguous", differentlyRead(ids));
  }

  /** Others refuse this place too, and go on elsewhere. */
  nameOthers(ids: readonly string[]): void {
    for (const candidate of this.#candidates) {
      if (candidate.problem === undefined) continue;
      candidate.problem = { ...candidate.problem, message: differently(candidate.problem.message, [this.id, ...ids]) };
    }
  }

  /** What was a message of calls but for validation; undefined: it was none. Equal ones say the same, whatever the format. */
  get unmarked(): string | undefined {
    const { format, validator, intent } = this.alternative;
    const pending = this.#unmarked;
    // Data is not a call gone wrong: one that names no tool leaves the listing to another format.
    if (!pending?.some(({ candidate }) => candidate.name !== undefined)) return undefined;
    // What a marker closes is no text: its line is read for itself.
    if (pending.some(({ candidate }) => isClosed(candidate))) return undefined;
    const refusals = validatePending(pending, format, validator, intent).map(({ candidate, verdict }) => {
      const { start, end } = candidate.placed;
      const { reason, message } = candidate.problem ?? (verdict.ok ? noRefusal : verdict);
      return [Number(!validator.offers(candidate.name)), reason, start, end, message];
    });
    return JSON.stringify(refusals);
  }

  /** It named a tool on offer. */
  get wasOffered(): boolean {
    return this.#unmarked?.some(({ candidate }) => this.alternative.validator.offers(candidate.name)) === true;
  }

  /**
   * It is listed, as where this format is read alone.
   *
   * @returns where the last of its calls ends
   */
  listUnmarked(owner: MessageOwner): number {
    const pending = this.#unmarked ?? [];
    owner.use(this.alternative);
    passOn(pending, owner);
    return Math.max(-1, ...pending.map(({ candidate }) => candidate.end));
  }

  forgetUnmarked(): void {
    this.#unmarked = undefined;
  }

  #claim(): void {
    if (this.#isClaimed) return;
    this.#isClaimed = true;
    if (this.#isLive) this.#onClaim();
  }

  blockBegins(isLoose: boolean): void {
    this.#claim();
    this.#owner.blockBegins(isLoose);
  }

  text(kind: "content" | "reasoning", piece: string, start: number): void {
    this.hasText ||= piece.trim() !== "";
    this.hasContent ||= kind === "content" && piece.trim() !== "";
    this.#claim();
    this.#owner.text(kind, piece, start);
    this.#openersIn?.[kind].read(piece, start);
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.textTo = end;
    this.#owner.textEnd(kind, start, end);
    const reason = kind === "reasoning" ? enclosureReasons.reasoning : inOthersText;
    for (const opener of this.#openersIn?.[kind].end() ?? []) this.#owner.listed(...reason, opener);
  }

  mayStart(candidate: Candidate): boolean {
    return this.#pendingUntilLineEnd === undefined && this.#owner.mayStart(candidate);
  }

  start(candidate: Candidate): void {
    this.#owner.start(candidate);
  }

  delta(candidate: Candidate, text: string): void {
    this.#owner.delta(candidate, text);
  }

  end(candidate: Candidate, chars: number): void {
    this.#candidates.push(candidate);
    this.#compareWithOthers(candidate);
    if (this.#pendingUntilLineEnd) this.#pendingUntilLineEnd.push({ candidate, chars });
    else this.#owner.end(candidate, chars);
  }

  isMade(candidate: Candidate): void {
    this.#made.push(candidate);
  }

  refused(candidate: Candidate): void {
    this.#candidates.push(candidate);
    if (leavesOpen(this.#list.sets, textAround(candidate, this.alternative.format), this.tools.hints.names))
      candidate.endIsUnproven = true;
    this.#nameInner(candidate);
    if (this.#pendingUntilLineEnd) this.#pendingUntilLineEnd.push({ candidate, chars: 0 });
    else this.#owner.refused(candidate);
  }

  /** Formats that open something in what is refused. */
  #nameInner(candidate: Candidate): void {
    const { problem } = candidate;
    if (this.#openersIn === undefined || problem === undefined) return;
    const ids = this.#openingIn(candidate, () => true);
    if (ids.length > 0) candidate.problem = { ...problem, message: differently(problem.message, [this.id, ...ids]) };
  }

  /** Where tags are names, what opens a call of another format may be read as an argument that the tool does not declare. */
  #compareWithOthers(candidate: Candidate): void {
    if (this.#openersIn === undefined || !opensByTag(this.alternative)) return;
    const { name, writer } = candidate;
    const given = writer.value ?? parseJson(writer.jsonText);
    const keys = undeclaredKeys(given, this.tools.hints.keysOf(name));
    if (keys.size === 0) return;
    const ids = this.#openingIn(candidate, (opener) => keys.has(keyAtStart.exec(opener)?.[1] ?? ""));
    if (ids.length > 0) candidate.refuse("ambiguous", differentlyRead([this.id, ...ids]));
  }

  #openingIn({ placed: { raw, start } }: Candidate, isMeant: (opener: string) => boolean): readonly string[] {
    const openers = this.#openersIn?.calls;
    openers?.read(raw, start);
    const found = openers?.end().filter((one) => isMeant(one.raw)) ?? [];
    return found.flatMap((one) => this.#list.closersAfter(one.raw).formats.map(({ id }) => id));
  }

  beginUnmarked(): void {
    this.isUnmarked = true;
    this.#pendingUntilLineEnd = [];
  }

  endUnmarked(): void {
    const pending = this.#pendingUntilLineEnd ?? [];
    this.#pendingUntilLineEnd = undefined;
    const { format, validator, intent } = this.alternative;
    const verdicts = validatePending(pending, format, validator, intent);
    if (!isUnmarkedMessage(verdicts, format)) {
      // Whoever begins at a later one reads the same.
      if (verdicts.every(isVain)) for (const { candidate } of pending) this.#vainStarts.add(candidate.start);
      this.#isDeclined = true;
      // What it still finds is nothing.
      this.#owner = new Recorder();
      this.#unmarked = pending;
      this.#candidates = [];
      return;
    }
    this.#claim();
    passOn(pending, this.#owner);
  }

  /** The calls from a place on have been read, and none of them is one. */
  isVainAt(start: number): boolean {
    return this.#vainStarts.has(start);
  }

  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void {
    this.#owner.listed(reason, message, span);
  }
}

/** No call, and without damage, which might be read otherwise from elsewhere. */
const isVain = ({ candidate, verdict }: CandidateVerdict): boolean =>
  (candidate.problem !== undefined || !verdict.ok) && candidate.repairs.length === 0 && !candidate.isBroken;

/** As a format reads it whose tags are names. */
const keyAtStart = /^<?([^<>/"'=\s]+?)(?::?$|[<>/"'=\s])/;

/** Only the marker that opens it is missing. */
const isClosed = ({ repairs }: Candidate): boolean =>
  repairs.some(({ kind }) => kind === "missing-open-marker") &&
  !repairs.some(({ kind }) => kind === "missing-close-marker");

const noRefusal = { reason: "", message: "" };

/** Formats in a sentence, whatever their order. */
const named = (ids: readonly string[]) => [...ids].sort().join(" and ");

const differentlyRead = (ids: readonly string[]) =>
  `${named([...new Set(ids)])} read this place differently; name the format that the model speaks`;

const differently = (message: string, ids: readonly string[]) =>
  `${message}; ${named([...new Set(ids)])} read this place differently`;

/** Calls that no marker opens go out together. */
function passOn(pending: readonly PendingCandidate[], owner: MessageOwner): void {
  owner.beginUnmarked();
  for (const { candidate, chars } of pending) {
    if (candidate.problem) owner.refused(candidate);
    else owner.end(candidate, chars);
  }
  owner.endUnmarked();
}

const inOthersText = [
  "ambiguous",
  "a call of one format in the text of a message that another reads as its own; name one of them",
] as const;
