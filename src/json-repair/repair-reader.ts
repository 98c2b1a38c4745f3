import type { Repair, RepairKind } from "../contract/repairs.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import { hasOneReading, type RulesAt } from "./one-reading.ts";
import type { EscapePlan } from "./open-string.ts";
import { readAfter } from "./read-after.ts";
import { readColon } from "./read-colon.ts";
import { readEscaped } from "./read-escaped.ts";
import { readItem } from "./read-item.ts";
import { readKey } from "./read-key.ts";
import { readStart } from "./read-start.ts";
import { readString } from "./read-string.ts";
import { readTail } from "./read-tail.ts";
import { readValue } from "./read-value.ts";
import { type Mode, Reading, type RecoveryFailure, type RepairReaderOptions } from "./reading.ts";

/** Beside these, quotes are where the text says. */
const leavesQuotes: readonly RepairKind[] = ["inner-quote", "raw-control-character", "fence"];

/** The steps. One answers false while it needs more text, and has then changed nothing that it could not resume. */
const steps: Readonly<Record<Mode, (reading: Reading) => boolean>> = {
  start: readStart,
  key: readKey,
  colon: readColon,
  value: readValue,
  string: readString,
  item: readItem,
  after: readAfter,
  tail: readTail,
  escaped: (reading) => readEscaped(reading, readWhole),
};

function readWhole(text: string, sink: ValueSink, options: RepairReaderOptions): RepairReader {
  const reader = new RepairReader(sink, options);
  reader.push(text);
  reader.finish(true);
  return reader;
}

/**
 * Reads one JSON value, however damaged, from text that comes in pieces, and sends it to a sink. Strict JSON is read as it
 * is; everything else is listed in {@link repairs}. What was sent to the sink is never taken back, and depends on the
 * text only, never on where it was cut.
 */
export class RepairReader {
  readonly #reading: Reading;
  // Chunks wait here until there are enough of them: looking ahead again and again over a long stretch that comes one
  // character at a time would be quadratic.
  #pieces: string[] = [];
  #pieceLength = 0;
  #retryAt = 0;

  constructor(sink: ValueSink, options: RepairReaderOptions = {}) {
    this.#reading = new Reading(sink, options);
  }

  /** `reading` until the value, or what keeps it from being one, is certain. */
  get state(): "reading" | "done" | "failed" {
    return this.#reading.state;
  }

  /** Offset of the first character that was fed. */
  get base(): number {
    return this.#reading.options.base ?? 0;
  }

  /** Offset just after the value, before white space and markers that trail. Once {@link state} is `done`. */
  get end(): number {
    return this.#reading.end;
  }

  /** Every edit so far, in the order of the text. */
  get repairs(): Repair[] {
    return this.#reading.log.entries;
  }

  /** Containers that the text never closed. The caller decides whether they were only the envelope of the call. */
  get closersMissing(): number {
    return this.#reading.closersMissing;
  }

  /** Before the closers that are missing a value is complete, and they belong in one place only. */
  get endsAfterValue(): boolean {
    return this.#reading.endsAfterValue;
  }

  /** After the value, on its line, stands what is no marker. Once {@link state} is `done`. */
  get textFollows(): boolean {
    return this.#reading.textFollows;
  }

  /** What ended the value. Once {@link state} is `done`. */
  get endedBy(): "value" | "marker" | "end-of-text" {
    return this.#reading.endedBy;
  }

  /**
   * Whether inner quotes are the only damage and leave one reading.
   *
   * @param text - What was read, from `base` to {@link end}.
   * @param base - Offset of its first character.
   * @param rulesAt - What the places of the value may hold.
   */
  hasOneReading(text: string, base: number, rulesAt: RulesAt): boolean {
    const { innerQuoteEnds, contradicts, log } = this.#reading;
    if (contradicts || innerQuoteEnds.size === 0) return false;
    if (!log.entries.every(({ kind }) => leavesQuotes.includes(kind))) return false;
    const from = log.entries.find(({ kind }) => kind === "fence")?.end ?? base;
    const ends = new Map([...innerQuoteEnds].map(([start, end]) => [start - from, end - from]));
    return hasOneReading(text.slice(from - base), ends, (path, entry) => rulesAt(path, from + entry));
  }

  /** Why the text could not be read. Once {@link state} is `failed`. */
  get failure(): RecoveryFailure | undefined {
    return this.#reading.failure;
  }

  /** What was sent to the sink of a string turned out to be read wrongly; a `guess` says where. */
  get contradicts(): boolean {
    return this.#reading.contradicts;
  }

  /** Readings of backslashes that this reading should have used; pass them to a second one as `escapePlans`. */
  get plans(): ReadonlyMap<number, EscapePlan> {
    return this.#reading.plans;
  }

  /** A string was kept open only because code in it was half open; see `ignoreContent`. */
  get refusedHalfOpen(): boolean {
    return this.#reading.refusedHalfOpen;
  }

  /** Characters examined, look-ahead included. */
  get steps(): number {
    return this.#reading.window.steps;
  }

  /** Reads the next piece of the text; it may be cut anywhere. */
  push(chunk: string): void {
    if (this.#reading.state !== "reading" || chunk.length === 0) return;
    this.#pieces.push(chunk);
    this.#pieceLength += chunk.length;
    if (this.#pieceLength < this.#retryAt) return;
    this.#feed();
  }

  /** No more text will come. `final`: the text is whole, so its end ends a number as well. */
  finish(final: boolean): void {
    const reading = this.#reading;
    if (reading.state !== "reading") return;
    reading.final = final;
    reading.window.ended = true;
    this.#feed();
    if (reading.state === "reading") reading.fail("unreadable", reading.pos, "the text could not be read to its end");
  }

  #feed(): void {
    const reading = this.#reading;
    const chunk = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join("");
    this.#pieces = [];
    this.#pieceLength = 0;
    reading.pos -= reading.window.append(chunk, reading.pos);
    while (reading.state === "reading" && steps[reading.mode](reading));
    this.#retryAt = 1 + ((reading.window.text.length - reading.pos) >> 3);
  }
}
