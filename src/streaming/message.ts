import type { Format } from "../formats/format.ts";
import type { ParseEvent, Provisional } from "../runtime/types.ts";
import { Collector } from "./collector.ts";
import type { Entrant } from "./entrant.ts";
import { judgeOf, openJudge } from "./judge.ts";
import { MessageReader } from "./message-reader.ts";
import type { CoreExtractOptions, CoreParseOptions, ReadOptions } from "./options.ts";
import type { ParseResult } from "./result.ts";
import { Telemetry, type TelemetrySource } from "./telemetry.ts";

/** One message while it is read: whole texts and streams take the same steps, in one chunk or in many. */
export class Message {
  readonly #options: ReadOptions;
  readonly #collector: Collector;
  readonly #reader: MessageReader;
  #chars = 0;
  #ended = false;
  #truncated = false;
  readonly #startedAt: number | undefined;
  readonly #clock: (() => number) | undefined;
  readonly #onTelemetry: CoreParseOptions["onTelemetry"];
  #durationMs: number | undefined;

  constructor(entrants: readonly Entrant[], options: CoreParseOptions | CoreExtractOptions, emits: boolean) {
    const [{ format, judge }] = entrants;
    this.#options = options;
    const full = options as CoreParseOptions;
    this.#clock = full.clock;
    this.#onTelemetry = full.onTelemetry;
    this.#startedAt = this.#clock?.();
    const readPartial = options.recovery?.readPartial;
    this.#collector = new Collector(format, {
      judge,
      retain: options.retain ?? "all",
      id: full.id,
      emits,
      readPartial,
    });
    const { prefill, marker, recovery } = options;
    const collector = this.#collector;
    this.#reader = new MessageReader({ entrants, owner: collector, prefill: prefill ?? "", marker, recovery });
  }

  push(chunk: string): ParseEvent[] {
    if (this.#ended) {
      throw new Error("the message has ended: push() after end(); make a new parser for the next message");
    }
    if (typeof chunk !== "string") throw new TypeError(`push() takes a string, not ${typeof chunk}`);
    this.#chars += chunk.length;
    this.#reader.push(chunk);
    return this.#collector.takeEvents();
  }

  end(info?: { finishReason?: string | undefined }): ParseEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    const finishReason = info?.finishReason ?? this.#options.finishReason;
    this.#reader.end(finishReason === "stop", finishReason === "length");
    this.#truncated = this.#reader.truncated || finishReason === "length";
    this.#collector.finish(this.#chars);
    if (this.#clock) this.#durationMs = this.#clock() - (this.#startedAt as number);
    this.#onTelemetry?.(this.#telemetry().record());
    return this.#collector.takeEvents();
  }

  result(): ParseResult {
    if (!this.#ended) throw new Error("the message has not ended: call end() before result()");
    const { calls, content, reasoning, rejected, nodes } = this.#collector;
    return { calls, content, reasoning, rejected, nodes, truncated: this.#truncated, telemetry: this.#telemetry() };
  }

  /** What is known of the arguments of an open call; undefined when that call is not open. */
  partial(index: number): Provisional<unknown> {
    const { open } = this.#reader;
    if (!open?.started || open.index !== index) return undefined as unknown as Provisional<unknown>;
    return this.#options.recovery?.readPartial(open.writer.jsonText) as Provisional<unknown>;
  }

  /** Characters looked at so far: the measure of linearity, see `docs/guarantees.md`. */
  get steps(): number {
    return this.#reader.steps;
  }

  #telemetry(): Telemetry {
    const { calls, rejected, candidateCount, format } = this.#collector;
    const source: TelemetrySource = {
      calls,
      rejected,
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

function listFormats(format: ReadOptions["format"]): readonly Format[] {
  const list: readonly Format[] = Array.isArray(format) ? format : [format as Format];
  if (list.length === 0) throw new TypeError("format names no format: give one, or a list of at least one");
  for (const one of list) {
    if (typeof one === "object" && one !== null && "program" in one) continue;
    throw new TypeError('format must be a compiled format, such as `hermes` from "toolpeg/formats/hermes"');
  }
  return list;
}

/** A message that goes through both phases. */
export function parseMessage(options: CoreParseOptions, emits: boolean): Message {
  const entrants = listFormats(options.format).map((format) => ({ format, judge: judgeOf(format, options) }));
  return new Message(entrants, options, emits);
}

/** A message that goes through phase one alone. */
export function extractMessage(options: CoreExtractOptions, emits: boolean): Message {
  const entrants = listFormats(options.format).map((format) => ({ format, judge: openJudge(format, options) }));
  return new Message(entrants, options, emits);
}
