import type { ToolFacts } from "../blocks/reader-owner.ts";
import type { Recovery } from "../blocks/recovery-types.ts";
import { isCutReason, isStopReason } from "../contract/finish-reasons.ts";
import type { RejectionReason } from "../contract/reasons.ts";
import type { Node, ParseEvent, Provisional } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import type { ParseResult } from "../output/result.ts";
import { Telemetry, type TelemetrySource } from "../output/telemetry.ts";
import { MessageReader } from "./around/message-reader.ts";
import { CallDelivery } from "./delivery/call-delivery.ts";
import { type CoreParseOptions, checkEnd, type FindOtherFormat, type MessageOptions } from "./options.ts";
import type { Alternative } from "./readings/alternative.ts";
import { formatList } from "./readings/format-list.ts";
import { leavesEnclosureOpen, leavesOpen } from "./readings/left-open.ts";
import { replyStart } from "./readings/prefill.ts";

/** What one message is read with, beside its formats. */
type OwnOptions = MessageOptions & {
  // Written out, since the types of the package leave out what is internal of the options.
  recovery?: Recovery | undefined;
  findOtherFormat?: FindOtherFormat | undefined;
  keptText?: (() => string) | undefined;
  answersInJson?: boolean | undefined;
};

/** Whatever the format, nothing runs where this has been listed. */
const placeReasons: readonly RejectionReason[] = ["behind-damage", "quoted", "in-reasoning", "after-turn"];

/** The format that was asked for cannot read what stands there. */
const unreadReasons: readonly RejectionReason[] = ["malformed", "not-alone"];

/** A longer message is not kept. */
const keptCharsMax = 65_536;

/**
 * The last short message that has ended, with what was read last in it. When memory is collected and no object of a kind is left, an engine
 * throws away what it has compiled for that kind: the next stream would take ten to twenty times as long.
 */
let lastEnded: Message | undefined;

/** One message while it is read: whole texts and streams take the same steps, in one chunk or in many. */
export class Message {
  readonly #options: OwnOptions;
  readonly #delivery: CallDelivery;
  readonly #reader: MessageReader;
  readonly #formats: readonly FormatData[];
  /** What is known of the tools on offer, for hosts that meet calls which another has read. */
  readonly tools: ToolFacts;
  #chars = 0;
  #ended = false;
  #truncated = false;
  /** What a function of the host has thrown while the text was read. */
  #failure: { readonly error: unknown } | undefined;
  readonly #startedAt: number | undefined;
  readonly #clock: (() => number) | undefined;
  readonly #onTelemetry: CoreParseOptions["onTelemetry"];
  #durationMs: number | undefined;

  constructor(alternatives: readonly Alternative[], options: OwnOptions, emits: boolean, takesLater = false) {
    const [{ format, validator }] = alternatives;
    this.#options = options;
    this.tools = validator;
    this.#formats = alternatives.map((alternative) => alternative.format);
    this.#clock = options.clock;
    this.#onTelemetry = options.onTelemetry;
    this.#startedAt = this.#clock?.();
    const { findOtherFormat, keptText, retain } = options;
    const { prefill = "", marker, recovery, answersInJson } = options;
    const { sets } = formatList(alternatives, marker);
    this.#delivery = new CallDelivery(format, {
      validator,
      formats: this.#formats,
      retain: options.retain ?? "all",
      keptText: options.keptText,
      id: options.id,
      emits,
      takesLater,
      intent: options.intent ?? false,
      leavesOpen: (text) => leavesOpen(sets, text, validator.hints.names),
      leavesEnclosureOpen: (text) => leavesEnclosureOpen(sets, text, validator.hints.names),
      readPartial: recovery?.readPartial,
    });
    const owner = this.#delivery;
    // Of a prompt, the turn that the reply goes on with.
    const begun = prefill.slice(replyStart(prefill, sets));
    owner.beginBehind(begun);
    this.#reader = new MessageReader({ alternatives, owner, begun, marker, recovery, answersInJson });
    this.#reader.keepsText = findOtherFormat !== undefined && keptText === undefined && retain !== "calls";
  }

  push(chunk: string): ParseEvent[] {
    if (this.#ended) {
      throw new Error("the message has ended: push() after end(); make a new parser for the next message");
    }
    if (typeof chunk !== "string") throw new TypeError(`push() takes a string, not ${typeof chunk}`);
    this.#throwAgain();
    this.#chars += chunk.length;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      throw this.#failed(error);
    }
    if (this.#delivery.calls.length > 0) this.#reader.keepsText = false;
    return this.#delivery.findings.takeEvents();
  }

  end(info?: { finishReason?: string | undefined }): ParseEvent[] {
    this.#throwAgain();
    // Where `onTelemetry` has thrown, the events are still to be taken.
    if (this.#ended) return this.#delivery.findings.takeEvents();
    // Misuse ends nothing.
    if (info !== undefined && info !== null) checkEnd(info);
    this.#ended = true;
    const finishReason = info?.finishReason ?? this.#options.finishReason;
    const isCut = isCutReason(finishReason);
    try {
      this.#reader.end(isStopReason(finishReason), isCut);
      this.#truncated = this.#reader.truncated || isCut;
      this.#delivery.finish(this.#chars, isCut);
      this.#lookElsewhere();
    } catch (error) {
      throw this.#failed(error);
    }
    if (this.#clock) this.#durationMs = this.#clock() - (this.#startedAt as number);
    this.#keepShapes();
    this.#reportTelemetry();
    return this.#delivery.findings.takeEvents();
  }

  /** What belongs to one message of the host's own is let go with it. */
  #keepShapes(): void {
    const { clock, onTelemetry, id, keptText } = this.#options;
    if (this.#chars > keptCharsMax || (clock ?? onTelemetry ?? id ?? keptText) !== undefined) return;
    if (lastEnded !== this) lastEnded = this;
  }

  /** The reading stopped in the middle of a step: what stands there would be lost without a word if it went on. */
  #failed(error: unknown): unknown {
    this.#failure = { error };
    return error;
  }

  #throwAgain(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Nothing was found, or nothing that can be read: the text may be written in a format that was not asked for. */
  #lookElsewhere(): void {
    const { findOtherFormat, keptText } = this.#options;
    const text = keptText?.() ?? this.#reader.keptText;
    if (findOtherFormat === undefined || text === undefined || this.#reader.isAnswer) return;
    const { calls, candidateCount } = this.#delivery;
    const { rejected, nodes } = this.#delivery.findings;
    // What reads as damage has to be what another format writes.
    const isDamaged = candidateCount > 0;
    if (isDamaged && (calls.length > 0 || !rejected.every(({ reason }) => unreadReasons.includes(reason)))) return;
    // Thoughts are none of it, unless they are all there is.
    const isAll = this.#reader.isInThoughts && nodes.every(({ type }) => type !== "content");
    const isLeftOut = ({ type }: Node) => type === "reasoning" && !isAll;
    const piecesOf = (node: Node) =>
      isLeftOut(node) ? " ".repeat(node.end - node.start) : text.slice(node.start, node.end);
    const found = findOtherFormat(
      nodes.some(isLeftOut) ? nodes.map(piecesOf).join("") : text,
      this.#formats,
      isDamaged,
    );
    if (found === undefined) return;
    const { id, start, end } = found;
    const isIn = (at: number) => at >= start && at < end;
    if (rejected.some((one) => placeReasons.includes(one.reason) && isIn(one.start))) return;
    const message = `this looks like ${id}, which was not asked for; name the format that the model speaks`;
    this.#delivery.listed("other-format", message, { start, end, raw: text.slice(start, end) });
  }

  #reportTelemetry(): void {
    if (this.#onTelemetry === undefined) return;
    const report = () => this.#onTelemetry?.(this.#telemetry().record());
    if (this.#delivery.later.size === 0) report();
    else void Promise.all(this.#delivery.later.values()).then(report);
  }

  /** A call may still come of the text so far. */
  get isUndecided(): boolean {
    return this.#reader.isUndecided || this.#delivery.hasPending;
  }

  /** What an event turns out to be, where a tool's check answers later. */
  settled(event: ParseEvent): Promise<ParseEvent> | undefined {
    return this.#delivery.later.get(event);
  }

  /** Every check has answered. */
  async allSettled(): Promise<void> {
    await Promise.all(this.#delivery.later.values());
  }

  result(): ParseResult {
    this.#throwAgain();
    if (!this.#ended) throw new Error("the message has not ended: call end() before result()");
    const { calls, findings } = this.#delivery;
    const { rejected, nodes, droppedRejections } = findings;
    const content = findings.textOf("content");
    const reasoning = findings.textOf("reasoning");
    const truncated = this.#truncated;
    const result = { calls, content, reasoning, rejected, nodes, truncated, telemetry: this.#telemetry() };
    if (droppedRejections.size === 0) return result;
    const dropped = [...droppedRejections.values()].reduce((sum, count) => sum + count, 0);
    return { ...result, rejectedCount: rejected.length + dropped };
  }

  /** What is known of the arguments of an open call; undefined when that call is not open. */
  partial(index: number): Provisional<unknown> | undefined {
    const { open } = this.#reader;
    if (!open?.started || open.index !== index) return undefined;
    return this.#options.recovery?.readPartial(open.writer.jsonText) as Provisional<unknown>;
  }

  /** Characters looked at so far: the measure of linearity, see `docs/guarantees.md`. */
  get steps(): number {
    return this.#reader.steps;
  }

  #telemetry(): Telemetry {
    const { calls, candidateCount, foundFormat: format, findings } = this.#delivery;
    const { rejected, droppedRejections: dropped } = findings;
    const source: TelemetrySource = {
      calls,
      rejected,
      dropped,
      candidateCount,
      mode: format.mode,
      format: format.id,
      chars: this.#chars,
      truncated: this.#truncated,
      durationMs: this.#durationMs,
    };
    return new Telemetry(source);
  }
}
