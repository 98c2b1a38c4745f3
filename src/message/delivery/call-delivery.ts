import { bearsIndent } from "../../blocks/indented-calls.ts";
import { textAround } from "../../blocks/text-around.ts";
import type { RejectionReason } from "../../contract/reasons.ts";
import type { ParseEvent, ToolCall } from "../../contract/types.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { CallVerdict } from "../../validation/check-call.ts";
import { mustNotWait } from "../../validation/standard-check.ts";
import type { Candidate } from "../../values/candidate.ts";
import {
  BegunCalls,
  type Neighbour,
  neighbourOf,
  refuseBeforeCut,
  refuseDoubled,
  staysBeside,
} from "../doubts/adjacent-calls.ts";
import {
  headerName,
  holdsOpenCall,
  holdsOpenOf,
  opensProgramCall,
  parameterBefore,
  TextBefore,
} from "../doubts/beside-calls.ts";
import { closersLeftOver } from "../doubts/contradicting-text.ts";
import { isParameter, lackingOf, parametersOf } from "../doubts/declared-parameters.ts";
import { contradictionOf, type Doubt } from "../doubts/doubt.ts";
import { looseAfter } from "../doubts/loose-parameters.ts";
import { PendingCalls } from "../doubts/pending-calls.ts";
import type { Alternative, CallValidator } from "../readings/alternative.ts";
import { endIsRepaired, endsWithBrackets, stringsSay } from "../readings/call-end.ts";
import type { MessageOwner } from "../readings/message-owner.ts";
import {
  type CandidateVerdict,
  isUnmarkedMessage,
  type PendingCandidate,
  validatePending,
} from "../readings/unmarked-message.ts";
import { FenceReadings } from "../text/fence-lines.ts";
import { mayStandInString } from "../text/string-scan.ts";
import { Findings, type FindingsOptions } from "./findings.ts";
import { movedToken } from "./held-tokens.ts";
import { MadeCalls, type MadeCallsOptions } from "./made-calls.ts";

export interface CallDeliveryOptions extends FindingsOptions, MadeCallsOptions {
  validator: CallValidator;
  /** All that were asked for: what opens a value of any of them may stand before a call. */
  formats: readonly FormatData[];
  /** The caller takes verdicts that come later. */
  takesLater: boolean;
  /** The model signalled that a tool is needed. */
  intent: boolean;
  /** Whether a text leaves open what the text around blocks would have read in it. */
  leavesOpen: (text: string) => boolean;
  /** The same of thoughts, pairs of quoting tags and turns alone. */
  leavesEnclosureOpen: (text: string) => boolean;
}

const unrepaired = { repairs: [] };

/**
 * Collects what one message turns out to be: content, reasoning, calls, rejections, nodes; and the events on the way.
 * Nothing becomes a call that the validator has not passed.
 */
export class CallDelivery implements MessageOwner {
  readonly #options: CallDeliveryOptions;
  #validator: CallValidator;
  /** The format that is being read. */
  format: FormatData;
  /** All that read the same: what follows may contradict the call in each of them. */
  #alike: readonly FormatData[];

  readonly findings: Findings;
  readonly #made: MadeCalls;
  candidateCount = 0;
  /** The format that the last of them was read in, text aside. */
  foundFormat: FormatData;
  /** Candidates that no marker opens, in the line that is being read or, of a fallback format, in the message. */
  #pendingUntilAllEnd: PendingCandidate[] = [];
  #isUnmarked = false;
  #pendingUntilContradicted: PendingCalls;
  /** The last that was found, while nothing but framing follows it. */
  #justFound: Neighbour | undefined;
  readonly #begun = new BegunCalls();
  /** What has stood directly before calls. */
  #before = "";
  /** What has been read since the last block. */
  readonly #textBefore = new TextBefore();
  readonly #fences: FenceReadings;
  /** The same of the thoughts that are open. */
  #thoughtFences: FenceReadings | undefined;
  /** What follows an opener that opens no call. */
  #afterLoneOpener: readonly Doubt[] = [];
  /** A call is damaged and nothing proves where it ends: what follows may be part of it. */
  #isBehindDamage = false;
  /** What follows may be text of a call that a quotation or thoughts have ended: its closers would say so. */
  #mayBeInCall = false;

  constructor(format: FormatData, options: CallDeliveryOptions) {
    this.format = format;
    this.foundFormat = format;
    this.#alike = [format];
    this.#options = options;
    this.#validator = options.validator;
    this.#fences = new FenceReadings(options.leavesEnclosureOpen);
    this.#pendingUntilContradicted = new PendingCalls(options.validator.hints.names);
    this.findings = new Findings(options);
    this.#made = new MadeCalls(this.findings, options);
  }

  /** The reply goes on with a text that its prompt has begun, and that may have opened a fence. */
  beginBehind(prefill: string): void {
    this.#fences.read(prefill);
  }

  /** What follows is read in this format. */
  use({ format, validator }: Alternative, alike: readonly FormatData[] = [format]): void {
    this.format = format;
    this.#alike = alike;
    this.#validator = validator;
  }

  get calls(): ToolCall[] {
    return this.#made.calls;
  }

  /** What those calls turn out to be whose check answers later, by the event that announced them. */
  get later(): ReadonlyMap<ParseEvent, Promise<ParseEvent>> {
    return this.#made.later;
  }

  /** Calls are pending. */
  get hasPending(): boolean {
    return this.#pendingUntilAllEnd.length > 0 || this.#pendingUntilContradicted.calls.length > 0;
  }

  /** The model signalled that a tool is needed. */
  get intent(): boolean {
    return this.#options.intent;
  }

  text(kind: "content" | "reasoning", piece: string): void {
    let rest = piece;
    if (kind === "content") {
      if (this.#justFound !== undefined && !staysBeside(this.#justFound, piece)) this.#justFound = undefined;
      this.#begun.addText(piece);
      this.#textBefore.add(piece);
      for (let at = this.#fences.read(rest); at >= 0; at = this.#fences.read(rest)) {
        this.#passText(kind, rest.slice(0, at));
        this.#refuseQuoted();
        rest = rest.slice(at);
      }
    } else (this.#thoughtFences ??= new FenceReadings(this.#options.leavesEnclosureOpen)).readAll(piece);
    this.#passText(kind, rest);
  }

  #passText(kind: "content" | "reasoning", piece: string): void {
    const looseAt = kind === "content" ? this.#looseIn(piece) : -1;
    if (looseAt >= 0) {
      this.#addText(kind, piece.slice(0, looseAt));
      this.#endAtLoose();
    }
    this.#addText(kind, looseAt < 0 ? piece : piece.slice(looseAt));
  }

  #addText(kind: "content" | "reasoning", piece: string): void {
    let from = 0;
    const passTo = (at: number) => {
      if (at > from) this.findings.addText(kind, piece.slice(from, at));
      from = at;
    };
    // What is refused there may leave in doubt what follows.
    for (let read = 0; read < piece.length; read = from + 1) {
      const found = this.#pendingUntilContradicted.contradictedBy(
        piece.slice(read),
        kind === "content" ? "text" : "thoughts",
      );
      if (found === undefined) break;
      passTo(read + found.at);
      this.#contradictPending(found.message);
    }
    passTo(piece.length);
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.findings.addNode({ type: kind, start, end });
  }

  get #isFallback(): boolean {
    return this.format.mode !== "primary";
  }

  /** Candidates without markers are validated together. */
  get #validatesTogether(): boolean {
    return this.#isUnmarked || this.#isFallback;
  }

  beginUnmarked(): void {
    this.#isUnmarked = true;
  }

  endUnmarked(): void {
    const pending = this.#takePending();
    const isMessage = isUnmarkedMessage(pending, this.format);
    for (const { candidate, verdict } of pending) {
      if (isMessage) this.#settle(candidate, () => verdict);
      else this.#listPending(candidate, verdict);
    }
    this.#isUnmarked = false;
  }

  /** What stays text is listed, if it names a tool at all: data is not a call gone wrong. */
  #listPending(candidate: Candidate, verdict: CallVerdict): void {
    if (!verdict.ok) candidate.refuse(verdict.reason, verdict.message, verdict.violations);
    if (candidate.name === undefined || !candidate.problem) return;
    this.candidateCount++;
    this.#made.reject(candidate);
  }

  mayStart(candidate: Candidate): boolean {
    if (
      this.#isBehindDamage ||
      this.#validatesTogether ||
      // Calls start in the order of the text.
      this.#pendingUntilContradicted.areToStart ||
      candidate.name === undefined ||
      !this.#validator.offers(candidate.name)
    )
      return false;
    return this.#made.mayStart(candidate, this.#validator.policy);
  }

  start(candidate: Candidate): void {
    // It has a name, and is none of the arguments of the one before it in its list.
    if (this.#justFound?.candidate.isFollowed) this.#confirmLast();
    this.#made.start(candidate, this.#validator.policy);
  }

  delta(candidate: Candidate, text: string): void {
    this.#made.delta(candidate, text);
  }

  end(candidate: Candidate, chars: number): void {
    this.#compareWithItself(candidate);
    if (this.#validatesTogether) {
      this.#meetCall(candidate);
      this.#pendingUntilAllEnd.push({ candidate, chars });
      return;
    }
    this.#afterLoneOpener = [];
    this.#compareWithLast(candidate);
    this.#compareWithPending(candidate);
    this.#compareWithText(candidate);
    const validator = this.#validator;
    this.#settle(candidate, () => validator.verdict(candidate, chars));
  }

  #meetCall(candidate: Candidate): void {
    if (this.#fences.areInEnclosure || this.#thoughtFences?.areInEnclosure)
      candidate.refuse("ambiguous", this.#fences.enclosureMessage);
    this.#fences.callFollows();
  }

  /** Calls are delivered in the order of the text: one that is pending holds back those after it. */
  #settle(candidate: Candidate, validate: () => CallVerdict): void {
    if (this.#fences.endLine()) this.#refuseQuoted();
    this.#meetCall(candidate);
    if (this.#mayBeContradicted(candidate)) this.#keepUntilContradicted(candidate, validate);
    else this.#decide(candidate, validate);
  }

  #mayBeContradicted(candidate: Candidate): boolean {
    if (this.#pendingUntilContradicted.calls.length > 0 || this.#areUntilEnd) return true;
    if (this.#alike.some((format) => format.trailingClosers || endsWithBrackets(format))) return true;
    return (
      candidate.isFollowed ||
      endIsRepaired(candidate) ||
      lackingOf(this.#validator, candidate) !== undefined ||
      stringsSay(candidate.placed.raw, this.#alike)
    );
  }

  /** Calls are pending until the message ends. */
  get #areUntilEnd(): boolean {
    return this.#pendingUntilContradicted.areUntilEnd || this.#fences.areInDoubt;
  }

  /** A call directly after another one, or after something that was refused. */
  #compareWithLast(candidate: Candidate): void {
    if (this.#justFound) refuseDoubled(this.#justFound, candidate, this.format, this.#validator);
    this.#justFound = neighbourOf(candidate, false, this.format, this.#justFound);
    this.#begun.refuseNext(candidate, this.format, this.#validator);
  }

  /** Before a call stands a parameter: directly before it one that it lacks, or one that is open, of any tool. */
  #compareWithText(candidate: Candidate): void {
    const text = this.#textBefore.take();
    if (text === "") return;
    for (const format of this.#alike) {
      const key = parameterBefore(text, format);
      if (key !== undefined && parametersOf(this.#validator, candidate).mayLack(key, true))
        candidate.refuse("ambiguous", `"${key}" stands directly before the call, and may be an argument of it`);
    }
    if (this.#isBehindDamage) return;
    if (mayStandInString(text)) this.#pendingUntilContradicted.awaitRest();
    const { names } = this.#validator.hints;
    const isKey = (one: string) => isParameter(this.#validator, one);
    if (opensProgramCall(text, names, isKey))
      candidate.refuse("ambiguous", "it stands in the parentheses of another call, and may be text of that");
    const isOpen = (format: FormatData) =>
      this.#alike.includes(format) ? holdsOpenOf(text, format, isKey) : holdsOpenCall(text, format, names, isKey);
    if (this.#options.formats.some(isOpen))
      candidate.refuse("ambiguous", "the opener of an argument stands before the call, which may be text of it");
  }

  /** Its header, as far as that has been read as text, may name another tool; values may hold what it lacks, or the marks that all its lines bear. */
  #compareWithItself(candidate: Candidate): void {
    this.#before += candidate.before;
    const outerName = headerName(candidate.before, this.#alike, this.#validator.hints.names);
    if (outerName !== undefined && outerName !== candidate.name)
      candidate.refuse("ambiguous", `two names are given, "${outerName}" and "${candidate.name}"`);
    if (bearsIndent(candidate)) candidate.refuse("ambiguous", indented);
    for (const format of this.#alike) {
      const token = movedToken(candidate, format, this.#before);
      if (token !== undefined)
        candidate.refuse(
          "ambiguous",
          `the call lacks "${token}", which stands in a value: it may have been moved there`,
        );
    }
    this.#before = this.#before.slice(-beforeCharsMax);
  }

  #keepUntilContradicted(candidate: Candidate, verdict: () => CallVerdict): void {
    this.#confirmBefore(candidate);
    const { start, end } = candidate.placed;
    const call = {
      candidate,
      format: this.format,
      alike: this.#alike,
      node: this.findings.addNode({ type: "call", start, end }),
      isBehindDamage: this.#isBehindDamage,
      verdict,
    };
    const validator = this.#validator;
    const lacking = lackingOf(validator, candidate);
    this.#pendingUntilContradicted.add(call, lacking, () => parametersOf(validator, candidate));
  }

  /** Behind what has no name in a list the next element may have none either. */
  #confirmBefore({ isFollowed, name }: Candidate): void {
    if (!isFollowed || name !== undefined) this.#confirmLast();
  }

  /** What follows the last call no longer contradicts it, if its own format reads that. */
  #confirmLast(): void {
    const message = this.#pendingUntilContradicted.contradictedByEnd;
    if (message !== undefined) this.#contradictPending(message);
    else if (!this.#areUntilEnd && this.#pendingUntilContradicted.areConfirmedBy(this.#alike)) this.#confirm();
  }

  /** The calls that are pending are what they looked like, unless they have been refused meanwhile. */
  #confirm(refusal?: string): void {
    // Where what follows has refused them already, it has not been read to its end.
    if (refusal === undefined) this.#pendingUntilContradicted.endLast();
    const { calls: pending } = this.#pendingUntilContradicted;
    this.#pendingUntilContradicted = new PendingCalls(this.#validator.hints.names);
    if (pending.length === 0) return;
    const now = { format: this.format, alike: this.#alike };
    const justFound = this.#justFound;
    const isBehindDamage = this.#isBehindDamage;
    // What is damaged after a call says nothing of it.
    this.#isBehindDamage = false;
    for (const call of pending) {
      this.#isBehindDamage ||= call.isBehindDamage;
      if (refusal !== undefined && !this.#isBehindDamage) call.candidate.refuse("ambiguous", refusal);
      this.format = call.format;
      this.#alike = call.alike;
      this.findings.nodeInPlace = call.node;
      this.#decide(call.candidate, call.verdict);
    }
    this.findings.nodeInPlace = undefined;
    this.format = now.format;
    this.#alike = now.alike;
    this.#justFound = justFound;
    this.#isBehindDamage ||= isBehindDamage;
  }

  blockBegins(isLoose: boolean): void {
    if (!isLoose && !this.#pendingUntilContradicted.areOpenToNext) this.#confirmLast();
  }

  trailingCloser(closer: string, textTo: readonly FormatData[]): void {
    this.#textBefore.add(closer);
    if (this.#looseIn(closer) >= 0) this.#endAtLoose();
    const message = this.#pendingUntilContradicted.contradictedByCloser(closer, this.#alike, textTo);
    if (message !== undefined) this.#contradictPending(message);
  }

  blockEnds(text: string, formats: readonly FormatData[], isSound: boolean): void {
    const message = this.#pendingUntilContradicted.contradictedByBlock(text, formats, isSound);
    if (message !== undefined) this.#contradictPending(message);
  }

  loneOpener(formats: readonly FormatData[]): void {
    const isOne = (key: string) => isParameter(this.#validator, key);
    this.#afterLoneOpener = looseAfter(formats, { isOne, mayLack: isOne }, true);
    this.#begun.begin();
  }

  /** Where after an opener that opens no call that of an argument stands; -1: nowhere. */
  #looseIn(text: string): number {
    return contradictionOf(this.#afterLoneOpener, text, "text")?.at ?? -1;
  }

  /** The value of that argument may hold calls. */
  #endAtLoose(): void {
    this.#afterLoneOpener = [];
    // What closes it may belong to one that is damaged.
    if (this.#pendingUntilContradicted.haveRepairedEnd) return this.#contradictPending(closersLeftOver);
    this.#isBehindDamage = true;
  }

  openFence(marks: string): void {
    if (this.#fences.leaveOpen(marks)) this.#refuseQuoted();
  }

  openSpan(marks: string): void {
    this.#fences.leaveSpanOpen(marks);
  }

  openCall(format: FormatData): void {
    this.#mayBeInCall = true;
    this.#pendingUntilContradicted.doubt(unrepaired, format, "");
  }

  thoughtsEnd(): void {
    this.#thoughtFences = undefined;
    this.#pendingUntilContradicted.contradictedBy("", "text");
  }

  thoughtsMessageEnds(): void {
    const marks = this.#thoughtFences?.end();
    if (marks !== undefined) this.openFence(marks);
  }

  openPart(format: FormatData): void {
    this.#pendingUntilContradicted.awaitClosers(format);
  }

  /** The calls that are pending stand in a fence. */
  #refuseQuoted(): void {
    this.#confirm(this.#fences.message);
    for (const { candidate } of this.#pendingUntilAllEnd) candidate.refuse("ambiguous", this.#fences.message);
  }

  /** The calls that are pending had not ended where they seemed to: what follows may stand in one of them. */
  #contradictPending(message: string): void {
    this.#confirm(message);
    this.#isBehindDamage = true;
  }

  #decide(candidate: Candidate, validate: () => CallVerdict): void {
    this.candidateCount++;
    this.foundFormat = this.format;
    if (this.#validator.offers(candidate.name)) this.#made.checkCount(candidate, this.#validator.policy);
    if (candidate.problem) return this.#reject(candidate);
    const verdict = validate();
    if (!verdict.ok) candidate.refuse(verdict.reason, verdict.message, verdict.violations);
    else if (candidate.started && candidate.writer.contradicts) {
      candidate.refuse("contradicts-sent", "the damaged arguments can only be read against what has already been sent");
    }
    if (verdict.ok && verdict.later !== undefined && !this.#options.takesLater) {
      candidate.refuse("validator-error", mustNotWait(candidate.name as string));
    }
    if (this.#isBehindDamage) candidate.refuse("behind-damage", behindDamage);
    if (!verdict.ok || candidate.problem) {
      if (this.#options.leavesOpen(textAround(candidate, this.format))) candidate.endIsUnproven = true;
      return this.#reject(candidate);
    }
    this.#made.make(candidate, verdict, { format: this.format, policy: this.#validator.policy });
  }

  /** What is damaged may hold the rest of the calls before it. */
  #compareWithPending(candidate: Candidate): void {
    const pending = this.#pendingUntilContradicted;
    const isSound = candidate.problem === undefined && candidate.repairs.length === 0;
    const message =
      pending.contradictedByHeld(candidate, this.#alike) ??
      (isSound ? undefined : pending.contradictedByDamaged(candidate, this.#alike));
    if (message !== undefined) this.#contradictPending(message);
  }

  refused(candidate: Candidate): void {
    // An argument alone may be what is left of a call, and open.
    if (candidate.isLoose) this.#textBefore.add(candidate.placed.raw);
    else this.#textBefore.take();
    if (this.#justFound) refuseDoubled(this.#justFound, candidate, this.format, this.#validator);
    if (!candidate.isLoose) this.#confirmBefore(candidate);
    this.#compareWithPending(candidate);
    if (this.#isUnmarked) {
      this.#pendingUntilAllEnd.push({ candidate, chars: 0 });
      return;
    }
    // Its text says where it ends: closers that are left over contradict that, as they do of a call.
    const mayGoOn = !candidate.endIsUnproven && this.#alike.some((format) => format.trailingClosers);
    if (!mayGoOn || candidate.isLoose) return this.#decide(candidate, noVerdict);
    this.#justFound = neighbourOf(candidate, true, this.format, this.#justFound);
    this.#keepUntilContradicted(candidate, noVerdict);
  }

  #reject(candidate: Candidate): void {
    if (candidate.endIsUnproven) this.#isBehindDamage = true;
    else if (candidate.endIsLikely)
      for (const format of this.#alike) this.#pendingUntilContradicted.doubt(candidate, format, candidate.placed.raw);
    this.#justFound = neighbourOf(candidate, true, this.format, this.#justFound);
    this.#made.reject(candidate);
    const { start, end } = candidate.placed;
    this.findings.addNode({
      type: "rejected",
      start,
      end,
      reason: (candidate.problem as { reason: RejectionReason }).reason,
    });
  }

  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void {
    if (reason === "malformed") this.#begun.begin();
    else if (reason === "truncated") {
      const last = this.#pendingUntilContradicted.calls.at(-1)?.candidate;
      const isNext = last?.placed.end === span.start || this.#textBefore.beginsWith(span.raw);
      if (last !== undefined && isNext) refuseBeforeCut(last, this.format, this.#validator);
    }
    this.findings.reject({ reason, message, ...span });
  }

  listText(candidate: Candidate, reason: RejectionReason, message: string): void {
    this.candidateCount++;
    candidate.problem = { reason, message };
    this.#made.reject(candidate);
  }

  /**
   * The message has ended at `length`: what is pending is validated, what no node covers is framing. `isCut`: what would have
   * contradicted it may be missing.
   */
  finish(length: number, isCut: boolean): void {
    if (this.#fences.endLine() || this.#fences.contradictedByEnd) this.#refuseQuoted();
    const pending = this.#pendingUntilContradicted;
    const isInDoubt = isCut && (this.#mayBeInCall || pending.haveShownCloser || pending.haveOpenText);
    this.#confirm(pending.contradictedByEnd ?? (isInDoubt ? cutInCall : undefined));
    for (const { candidate, verdict } of this.#takePending()) this.#decide(candidate, () => verdict);
    this.findings.finish(length);
  }

  #takePending(): CandidateVerdict[] {
    const pending = this.#pendingUntilAllEnd;
    if (pending.length === 0) return [];
    this.#pendingUntilAllEnd = [];
    const { format } = this;
    const tools = this.#validator;
    let last: Neighbour | undefined;
    for (const { candidate } of pending) {
      if (last) refuseDoubled(last, candidate, format, tools);
      last = neighbourOf(candidate, candidate.problem !== undefined, format, last);
    }
    return validatePending(pending, format, tools, this.intent);
  }
}

const noVerdict = (): never => {
  throw new Error("what was refused is not validated");
};

const indented =
  "the call is indented or quoted, and so are the lines of its values, which may be their text or not; ask for it at the margin";
const cutInCall = "the message was cut, and the text of this call, or of one before it, may go on; ask for it again";
const behindDamage = "the call before it is damaged, and nothing proves where that one ends; ask for both again";

/** Of that, more says nothing. */
const beforeCharsMax = 1024;
