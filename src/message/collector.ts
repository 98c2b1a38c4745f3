import type { RejectionReason } from "../contract/reasons.ts";
import type { Node, ParseEvent, Provisional, Rejection, ToolCall } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import { GrowingText } from "../machine/growing-text.ts";
import type { CallVerdict } from "../validation/check-call.ts";
import { mustNotWait } from "../validation/standard-check.ts";
import type { Candidate, Problem } from "../values/candidate.ts";
import { type CallEnds, type Neighbour, refuseDoubled } from "./adjacent-calls.ts";
import type { Alternative } from "./alternative.ts";
import type { CallValidator } from "./call-validator.ts";
import { DoubtfulEnd, endIsRepaired } from "./doubtful-end.ts";
import { EmptyCall, isEmpty } from "./empty-call.ts";
import type { MessageOwner } from "./message-owner.ts";
import { withNames } from "./openers.ts";
import { defaultId, toolCall } from "./tool-call.ts";

export interface CollectorOptions {
  validator: CallValidator;
  retain: "all" | "calls";
  /** The text so far, where the caller keeps it. */
  keptText: (() => string) | undefined;
  /** Makes every id; without it, an id is what the model wrote, or else `call_<n>`. */
  id: ((n: number) => string) | undefined;
  /** The caller takes verdicts that come later. */
  takesLater: boolean;
  /** The model signalled that a tool is needed. */
  intent: boolean;
  /** Events are needed; whole texts need none. */
  emits: boolean;
  /** Reads what is known of unfinished JSON; undefined when there is no recovery. */
  readPartial?: ((json: string) => unknown) | undefined;
}

const noKeys: ReadonlySet<string> = new Set();

const closersLeftOver =
  "closing tags are left over after the call, so its text may have ended too early; ask for the call again";
const argumentsAfter =
  "the call has no arguments, and what may be its arguments follows its end; ask for the call again";
const textLeftOver =
  "quotes and brackets are left over after the call, so its text may have ended too early; ask for the call again";

/**
 * Collects what one message turns out to be: content, reasoning, calls, rejections, nodes; and the events on the way.
 * Nothing becomes a call that the validator has not passed.
 */
export class Collector implements MessageOwner {
  readonly #options: CollectorOptions;
  #validator: CallValidator;
  /** The format that is being read. */
  format: FormatData;
  /** All that read the same: what follows may contradict the call in each of them. */
  #alike: readonly FormatData[];

  readonly #content = new GrowingText();
  readonly #reasoning = new GrowingText();
  readonly calls: ToolCall[] = [];
  readonly rejected: Rejection[] = [];
  readonly nodes: Node[] = [];
  /** How many rejections were not kept, by reason. */
  readonly droppedRejections = new Map<RejectionReason, number>();
  /** Calls whose check answers later, by the event that announced them: what the event turns out to be. */
  readonly later = new Map<ParseEvent, Promise<ParseEvent>>();
  candidateCount = 0;
  /** The format that the last of them was read in, text aside. */
  foundFormat: FormatData;
  /** Calls so far, those included whose check answers later and may say no. */
  #callCount = 0;
  #nodesEnd = 0;
  #events: ParseEvent[] = [];
  #nextIndex = 0;
  readonly #ids = new Set<string>();
  /** Candidates that no marker opens, in the line that is being read or, of a fallback format, in the message. */
  #pendingUntilAllEnd: PendingCandidate[] = [];
  #isUnmarked = false;
  /** Calls that what follows them may contradict: the last one, or all from one on whose end is a repair. */
  #pendingUntilContradicted: PendingCall[] = [];
  /** What follows the first of them, if its end is a repair; then all are pending until the message ends. */
  #doubtfulEnd: DoubtfulEnd | undefined;
  /** What follows the last of them, if it has no arguments although its tool takes some. */
  #emptyCall: EmptyCall | undefined;
  /** The last that was found, while nothing but framing follows it. */
  #justFound: Neighbour | undefined;
  /** The node of the call that was pending, while its verdict is written into it. */
  #nodeInPlace: Node | undefined;
  /** Closers that, left over, contradict the last call. */
  #contradicting: readonly string[] = [];
  /** A call is damaged and nothing proves where it ends: what follows may be part of it. */
  #isBehindDamage = false;

  constructor(format: FormatData, options: CollectorOptions) {
    this.format = format;
    this.foundFormat = format;
    this.#alike = [format];
    this.#options = options;
    this.#validator = options.validator;
  }

  /** What follows is read in this format. */
  use({ format, validator }: Alternative, alike: readonly FormatData[] = [format]): void {
    this.format = format;
    this.#alike = alike;
    this.#validator = validator;
  }

  /** The model signalled that a tool is needed. */
  get intent(): boolean {
    return this.#options.intent;
  }

  get content(): string {
    return this.#textOf("content", this.#content);
  }

  get reasoning(): string {
    return this.#textOf("reasoning", this.#reasoning);
  }

  /** Nodes of a kind are its text, byte for byte. */
  #textOf(kind: "content" | "reasoning", kept: GrowingText): string {
    const { keptText } = this.#options;
    if (keptText === undefined) return kept.toString();
    const text = keptText();
    return this.nodes.flatMap(({ type, start, end }) => (type === kind ? [text.slice(start, end)] : [])).join("");
  }

  /** The events since the last call. */
  takeEvents(): ParseEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  text(kind: "content" | "reasoning", piece: string): void {
    if (kind === "content" && piece.trim() !== "") this.#justFound = undefined;
    const isAfter = kind === "content" && this.#pendingUntilContradicted.length > 0;
    const inEnd = isAfter ? (this.#doubtfulEnd?.contradictedAt(piece) ?? -1) : -1;
    const inEmpty = isAfter ? (this.#emptyCall?.contradictedAt(piece) ?? -1) : -1;
    if (inEnd < 0 && inEmpty < 0) return this.#addText(kind, piece);
    const isEnd = inEnd >= 0 && (inEmpty < 0 || inEnd <= inEmpty);
    const contradicted = isEnd ? inEnd : inEmpty;
    if (contradicted > 0) this.#addText(kind, piece.slice(0, contradicted));
    this.#contradictPending(isEnd ? textLeftOver : argumentsAfter);
    this.#addText(kind, piece.slice(contradicted));
  }

  #addText(kind: "content" | "reasoning", piece: string): void {
    const { retain, keptText } = this.#options;
    if (retain === "all" && keptText === undefined) (kind === "content" ? this.#content : this.#reasoning).add(piece);
    if (this.#options.emits)
      this.#events.push({ type: kind === "content" ? "text-delta" : "reasoning-delta", text: piece });
  }

  textEnd(kind: "content" | "reasoning", start: number, end: number): void {
    this.#node({ type: kind, start, end });
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

  endUnmarked(): boolean {
    const pending = this.#takePending();
    const isMessage = isUnmarkedMessage(pending, this.format);
    for (const { candidate, verdict } of pending) {
      if (isMessage) this.#decide(candidate, () => verdict);
      else this.#listPending(candidate, verdict);
    }
    this.#isUnmarked = false;
    return isMessage;
  }

  /** What stays text is listed, if it names a tool at all: data is not a call gone wrong. */
  #listPending(candidate: Candidate, verdict: CallVerdict): void {
    if (!verdict.ok) candidate.refuse(verdict.reason, verdict.message, verdict.violations);
    if (candidate.name === undefined || !candidate.problem) return;
    this.candidateCount++;
    this.#list(candidate);
  }

  mayStart(candidate: Candidate): boolean {
    if (
      this.#isBehindDamage ||
      this.#validatesTogether ||
      candidate.name === undefined ||
      !this.#validator.offers(candidate.name)
    )
      return false;
    this.#checkCount(candidate);
    return candidate.problem === undefined;
  }

  #checkCount(candidate: Candidate): void {
    const { calls, maxCalls } = this.#validator.policy;
    if (calls === "first" && this.#callCount > 0) {
      candidate.refuse("not-first", "only the first call of a message is taken (policy.calls)");
    }
    if (this.#callCount >= maxCalls) {
      candidate.refuse("too-many", `a message may hold ${maxCalls} calls; raise policy.maxCalls for more`);
    }
  }

  start(candidate: Candidate): void {
    candidate.index = this.#nextIndex++;
    candidate.id = this.#idOf(candidate);
    candidate.sendsAtEnd = this.#validator.policy.schema === "coerce";
    if (!this.#options.emits) return;
    this.#events.push({ type: "call-start", index: candidate.index, id: candidate.id, name: candidate.name as string });
  }

  /** What the host's `id` makes; without one, the wire id if it is known by now and new in this message. */
  #idOf(candidate: Candidate): string {
    const { wireId, index } = candidate;
    const make = this.#options.id ?? defaultId;
    const written = this.#options.id === undefined && wireId !== undefined && wireId !== "" && !this.#ids.has(wireId);
    let id = written ? wireId : make(index);
    for (let n = index; this.#ids.has(id) && n < index + idTriesMax; ) id = `${make(++n)}`;
    if (this.#ids.has(id))
      throw new TypeError(`options.id gave "${id}" for two calls: what it gives must differ with n`);
    this.#ids.add(id);
    return id;
  }

  delta(candidate: Candidate, text: string): void {
    if (this.#options.emits) this.#events.push({ type: "call-args-delta", index: candidate.index, delta: text });
  }

  end(candidate: Candidate, chars: number): void {
    if (this.#validatesTogether) {
      this.#pendingUntilAllEnd.push({ candidate, chars });
      return;
    }
    this.#compareWithLast(candidate);
    if (this.#mayBeContradicted(candidate)) this.#keepUntilContradicted(candidate, chars);
    else this.#decide(candidate, () => this.#validator.verdict(candidate, chars));
  }

  #mayBeContradicted(candidate: Candidate): boolean {
    if (this.#alike.some(({ trailingClosers }) => trailingClosers)) return true;
    if (this.#pendingUntilContradicted.length > 0) return true;
    return endIsRepaired(candidate) || this.#lacksArguments(candidate);
  }

  /** A call without arguments whose tool takes some, and requires none: else they are known to be missing. */
  #lacksArguments(candidate: Candidate): boolean {
    return isEmpty(candidate) && this.#optionalOf(candidate).size > 0;
  }

  #optionalOf({ name }: Candidate): ReadonlySet<string> {
    const keys = name === undefined ? undefined : this.#validator.hints.keysOf(name);
    const { required } = Object(name === undefined ? undefined : this.#validator.schemaOf(name));
    return keys === undefined || (Array.isArray(required) && required.length > 0) ? noKeys : keys;
  }

  /** A call directly after another one, or after something that was refused. */
  #compareWithLast(candidate: Candidate): void {
    const last = this.#justFound;
    const ends = this.#callEnds;
    this.#justFound = { candidate, isRefused: false, ends };
    if (last !== undefined) refuseDoubled(last, candidate, ends);
  }

  get #callEnds(): CallEnds {
    const { closers = [], rawValues, template } = this.format;
    const piece = template?.call.at(-1);
    return {
      closers,
      tail: template && (typeof piece === "string" ? piece.trim() : ""),
      hasRawValues: rawValues !== undefined,
      optionalOf: (one) => this.#optionalOf(one),
    };
  }

  /**
   * Raw text ends where a call can go on after its closer; a text that holds all closers of a call ends too early.
   * Then closers are left over after the call: so it is pending until the next call of its format, or the end. What other formats
   * read may be part of the text. Where its end is a repair, what follows may be the rest of a string, other calls
   * included: then all are pending until the end.
   */
  #keepUntilContradicted(candidate: Candidate, chars: number): void {
    this.#confirmLast();
    const { start, end } = candidate.placed;
    const { format } = this;
    const alike = this.#alike;
    const validator = this.#validator;
    const isRepaired = endIsRepaired(candidate);
    const lacksArguments = this.#lacksArguments(candidate);
    const closers = alike.flatMap(({ trailingClosers, closers: all = [] }) =>
      lacksArguments ? [...(trailingClosers ?? []), ...all] : (trailingClosers ?? (isRepaired ? all : [])),
    );
    const isFirst = this.#pendingUntilContradicted.length === 0;
    this.#contradicting = isFirst ? closers : [...new Set([...this.#contradicting, ...closers])];
    if (this.#doubtfulEnd) this.#doubtfulEnd.hasText = true;
    else if (isRepaired) this.#doubtfulEnd = new DoubtfulEnd(candidate);
    this.#emptyCall = lacksArguments ? new EmptyCall(this.#optionalOf(candidate)) : undefined;
    const node = this.#node({ type: "call", start, end });
    this.#pendingUntilContradicted.push({
      candidate,
      format,
      alike,
      node,
      isBehindDamage: this.#isBehindDamage,
      verdict: () => validator.verdict(candidate, chars),
    });
  }

  /** What follows the last call no longer contradicts it, if its own format reads that. */
  #confirmLast(): void {
    const last = this.#pendingUntilContradicted.at(-1);
    if (!this.#doubtfulEnd && last?.alike.some((format) => this.#alike.includes(format))) this.#confirm();
  }

  /** The calls that are pending are what they looked like, unless they have been refused meanwhile. */
  #confirm(): void {
    const pending = this.#pendingUntilContradicted;
    if (pending.length === 0) return;
    this.#pendingUntilContradicted = [];
    this.#doubtfulEnd = this.#emptyCall = undefined;
    const now = this.format;
    const isBehindDamage = this.#isBehindDamage;
    // What is damaged after a call says nothing of it.
    this.#isBehindDamage = false;
    for (const call of pending) {
      this.#isBehindDamage ||= call.isBehindDamage;
      this.format = call.format;
      this.#nodeInPlace = call.node;
      this.#decide(call.candidate, call.verdict);
    }
    this.#nodeInPlace = undefined;
    this.format = now;
    this.#isBehindDamage ||= isBehindDamage;
  }

  blockBegins(): void {
    // Directly after a call without arguments the next one says what it was.
    if (this.#emptyCall === undefined || this.#emptyCall.hasText) this.#confirmLast();
  }

  trailingCloser(closer: string): void {
    const after = this.#emptyCall ?? this.#doubtfulEnd;
    const isLate = after?.hasText === false && !this.format.trailingClosers?.includes(closer);
    if (!this.#contradictingClosers.includes(closer)) {
      // To the format of the call alone it would be text.
      const [first] = this.#pendingUntilContradicted;
      if (this.#doubtfulEnd && !isMarkupOf(first.format, closer)) this.#doubtfulEnd.hasText = true;
    } else if (!isLate) this.#contradictPending(closersLeftOver);
  }

  get #contradictingClosers(): readonly string[] {
    return withNames(this.#contradicting, this.#validator.hints.names);
  }

  /** Whether closers of the calls that are pending stand in the text of a refused call that has not opened them. */
  #leavesClosers({ placed: { raw } }: Candidate): boolean {
    if (this.#pendingUntilContradicted.length === 0) return false;
    return this.#contradictingClosers.some((closer) => {
      const at = raw.indexOf(closer);
      return (
        at >= 0 &&
        !isMarkupOf(this.format, closer) &&
        !raw.slice(0, at).includes(closer.replace("</", "<").replace(/>$/, ""))
      );
    });
  }

  /** The calls that are pending had not ended where they seemed to: what follows may stand in one of them. */
  #contradictPending(message: string): void {
    for (const { candidate } of this.#pendingUntilContradicted) candidate.refuse("ambiguous", message);
    this.#confirm();
    this.#isBehindDamage = true;
  }

  #decide(candidate: Candidate, validate: () => CallVerdict): void {
    this.candidateCount++;
    this.foundFormat = this.format;
    if (this.#validator.offers(candidate.name ?? "")) this.#checkCount(candidate);
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
    if (!verdict.ok || candidate.problem) return this.#reject(candidate);
    this.#callCount++;
    if (!candidate.started) {
      candidate.started = true;
      this.start(candidate);
    }
    // What was pending goes out: the whole text, as validation has left it.
    if (candidate.sendsAtEnd || this.#isFallback) this.delta(candidate, verdict.argumentsText);
    else {
      const rest = candidate.writer.take();
      if (rest !== "") this.delta(candidate, rest);
    }
    const { start, end } = candidate.placed;
    const { id, wireId, index, variant } = candidate;
    const name = candidate.name as string;
    const call = toolCall({ id, index, name, start, end, wireId, variant }, this.format, verdict);
    this.calls.push(call);
    const node = this.#node({ type: "call", start, end, index: call.index });
    const event: ParseEvent = { type: "call-end", index: call.index, call };
    if (this.#options.emits) this.#events.push(event);
    if (verdict.later !== undefined)
      this.later.set(event, this.#conclude(verdict.later, candidate, { call, node, event }));
  }

  /** The tool's schema library answers later: until then the call has its place, and may still be refused. */
  async #conclude(
    later: Promise<CallVerdict>,
    candidate: Candidate,
    { call, node, event }: { call: ToolCall; node: Node | undefined; event: ParseEvent },
  ): Promise<ParseEvent> {
    const place = {} as Rejection;
    this.#keep(place);
    const verdict = await later;
    if (verdict.ok) {
      this.rejected.splice(this.rejected.indexOf(place), 1);
      call.arguments = verdict.arguments;
      if (verdict.written !== undefined) call.written = verdict.written;
      return event;
    }
    candidate.refuse(verdict.reason, verdict.message, verdict.violations);
    this.calls.splice(this.calls.indexOf(call), 1);
    Object.assign(place, this.#rejectionOf(candidate));
    if (node !== undefined) {
      delete node.index;
      Object.assign(node, { type: "rejected", reason: verdict.reason });
    }
    return { type: "call-rejected", index: call.index, rejection: place };
  }

  refused(candidate: Candidate): void {
    this.#confirmLast();
    if ((this.#doubtfulEnd?.contradictedAt(candidate.placed.raw) ?? -1) >= 0) this.#contradictPending(textLeftOver);
    else if (this.#leavesClosers(candidate)) this.#contradictPending(closersLeftOver);
    if (this.#isUnmarked) {
      this.#pendingUntilAllEnd.push({ candidate, chars: 0 });
      return;
    }
    this.candidateCount++;
    this.foundFormat = this.format;
    this.#reject(candidate);
  }

  #reject(candidate: Candidate): void {
    if (candidate.endIsUnproven) this.#isBehindDamage = true;
    if (this.#nodeInPlace === undefined) this.#justFound = { candidate, isRefused: true, ends: this.#callEnds };
    this.#list(candidate);
    const { start, end } = candidate.placed;
    this.#node({ type: "rejected", start, end, reason: (candidate.problem as { reason: RejectionReason }).reason });
  }

  #rejectionOf(candidate: Candidate): Rejection {
    const { start, end, raw } = candidate.placed;
    const { reason, message, violations } = candidate.problem as Problem;
    const known = candidate.writer.length > 0 ? this.#options.readPartial?.(candidate.writer.jsonText) : undefined;
    return {
      reason,
      message,
      ...(candidate.name === undefined ? {} : { name: candidate.name }),
      start,
      end,
      raw,
      ...(violations === undefined ? {} : { violations }),
      ...(known === undefined ? {} : { partial: known as Provisional<unknown> }),
      ...(candidate.repairs.length ? { repairs: candidate.repairs } : {}),
    };
  }

  #list(candidate: Candidate): void {
    const rejection = this.#rejectionOf(candidate);
    this.#keep(rejection);
    if (!this.#options.emits) return;
    this.#events.push({ type: "call-rejected", ...(candidate.started ? { index: candidate.index } : {}), rejection });
  }

  /** Where the text is not kept, a message without an end may not fill the memory with rejections either. */
  #keep(rejection: Rejection): void {
    if (this.#options.retain === "all" || this.rejected.length < rejectionsMax) {
      this.rejected.push(rejection);
      return;
    }
    this.droppedRejections.set(rejection.reason, (this.droppedRejections.get(rejection.reason) ?? 0) + 1);
  }

  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void {
    const rejection: Rejection = { reason, message, ...span };
    this.#keep(rejection);
    if (this.#options.emits) this.#events.push({ type: "call-rejected", rejection });
  }

  /** Where a stretch of the content stands in the text, up to where framing interrupts it. */
  spanOfContent(start: number, end: number): { start: number; end: number } {
    let before = 0;
    for (const node of this.nodes) {
      if (node.type !== "content") continue;
      const length = node.end - node.start;
      if (start < before + length) {
        const from = node.start + start - before;
        return { start: from, end: Math.min(from + end - start, node.end) };
      }
      before += length;
    }
    return { start: this.#nodesEnd, end: this.#nodesEnd };
  }

  listText(candidate: Candidate, reason: RejectionReason, message: string): void {
    this.candidateCount++;
    candidate.problem = { reason, message };
    this.#list(candidate);
  }

  parameterType(name: string, key: string) {
    return this.#validator.parameterType(name, key);
  }

  unquotingOf(name: string) {
    return this.#validator.unquotingOf(name);
  }

  schemaOf(name: string) {
    return this.#validator.schemaOf(name);
  }

  /** The message has ended at `length`: what is pending is validated, what no node covers is framing. */
  finish(length: number): void {
    this.#confirm();
    for (const { candidate, verdict } of this.#takePending()) this.#decide(candidate, () => verdict);
    // An opener that opens nothing is known later than what follows it.
    this.rejected.sort((left, right) => left.start - right.start || left.end - right.end);
    this.#node({ type: "framing", start: length, end: length });
  }

  #takePending(): { candidate: Candidate; verdict: CallVerdict }[] {
    const pending = this.#pendingUntilAllEnd;
    if (pending.length === 0) return [];
    this.#pendingUntilAllEnd = [];
    return validatePending(pending, this.format, this.#validator, this.intent);
  }

  /** Nodes tile the text: what lies between two is framing. */
  #node(node: Node): Node | undefined {
    if (this.#nodeInPlace) return Object.assign(this.#nodeInPlace, node);
    if (this.#options.retain === "calls") return undefined;
    if (node.start > this.#nodesEnd) this.nodes.push({ type: "framing", start: this.#nodesEnd, end: node.start });
    if (node.end > node.start) this.nodes.push(node);
    this.#nodesEnd = Math.max(this.#nodesEnd, node.end);
    return node;
  }
}

/** What the format writes beside calls and their parts. */
const isMarkupOf = ({ closers = [], framing = [], innerTokens = [], stop }: FormatData, text: string) =>
  [closers, framing, innerTokens, stop].some((literals) => literals.includes(text));

/** So many rejections are kept where the text is not. */
const rejectionsMax = 1000;

const behindDamage = "the call before it is damaged, and nothing proves where that one ends; ask for both again";

/** So often another id is asked for when the one given is taken, by the wire or by an earlier call. */
const idTriesMax = 1000;

/** A candidate that is validated with others. */
export interface PendingCandidate {
  candidate: Candidate;
  chars: number;
}

/** A call that what follows may contradict: it has its node, and gets its verdict with the next call or at the end. */
interface PendingCall {
  candidate: Candidate;
  format: FormatData;
  alike: readonly FormatData[];
  node: Node | undefined;
  isBehindDamage: boolean;
  verdict: () => CallVerdict;
}

/** The verdicts on candidates that are validated together, in their order. */
export function validatePending(
  pending: readonly PendingCandidate[],
  format: FormatData,
  validator: CallValidator,
  intent: boolean,
) {
  const verdicts =
    format.mode === "primary"
      ? pending.map(({ candidate, chars }) => validator.verdict(candidate, chars))
      : validator.fallbackVerdicts(pending, intent);
  return pending.map(({ candidate }, at) => ({ candidate, verdict: verdicts[at] }));
}

/** Whether a text without markers is a message of calls: one has to pass, or all, as the format says. */
export function isUnmarkedMessage(
  verdicts: readonly { candidate: Candidate; verdict: CallVerdict }[],
  format: FormatData,
): boolean {
  const passing = verdicts.filter(({ candidate, verdict }) => !candidate.problem && verdict.ok).length;
  return passing > 0 && (passing === verdicts.length || !format.flags.includes("all-or-none"));
}
