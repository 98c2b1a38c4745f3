import { setOwn } from "../../contract/set-own.ts";
import type { CliEngine } from "../engine.ts";
import { type Reply, readReplyLine } from "../read-replies.ts";
import { compactJsonOf, type Reading, type RecordKind, recordOf, telemetryRecordOf } from "../reading.ts";
import { type ReadingSetup, ReplyReader } from "../reply-reader.ts";
import { UsageError } from "../usage-error.ts";
import { type Agreement, type AgreementTally, addAgreement, compareCalls, emptyAgreement } from "./agreement.ts";
import { RecordBytes } from "./record-bytes.ts";

/** How a batch is read. Plain data: it is sent to worker threads. */
export interface BatchSetup extends ReadingSetup {
  record: RecordKind;
  /** Lines that are no replies are left out and counted. */
  skipBad: boolean;
  /** The field with the expected calls. */
  expected?: string;
}

/** What ends a line, in UTF-8. */
export const lineFeed = 10;

/** A piece of the input: whole lines of JSONL, or the text of one reply. */
export interface Block {
  bytes: Uint8Array;
  /** Name of the input. */
  label: string;
  /** Number of the first line; absent: the block is one reply, as text. */
  line?: number;
}

/** What a batch counts. */
export interface BatchTally {
  replies: number;
  calls: number;
  refused: number;
  /** Replies whose calls were checked against tools. */
  validated: number;
  /** Lines that were left out. */
  bad: number;
  agreement: AgreementTally;
}

/** What became of a block. */
export interface ReadBlock {
  /** Records, a line of JSON each. */
  bytes: Uint8Array;
  tally: BatchTally;
  /** The first lines that were left out, with what is wrong. */
  complaints: string[];
}

/** More lines that were left out are counted, and not listed one by one. */
export const complaintsMax = 10;

export function emptyTally(): BatchTally {
  return { replies: 0, calls: 0, refused: 0, validated: 0, bad: 0, agreement: emptyAgreement() };
}

/** Reads blocks of replies to blocks of records. */
export class BlockReader {
  readonly #reader: ReplyReader;
  readonly #setup: BatchSetup;
  readonly #out = new RecordBytes();

  /** @throws UsageError for a format or tools that the library does not take */
  constructor(engine: CliEngine, setup: BatchSetup) {
    this.#setup = setup;
    this.#reader = new ReplyReader(engine, setup);
  }

  /** @throws UsageError for a line that is no reply, unless those are left out */
  read({ bytes, label, line }: Block): ReadBlock {
    const { skipBad } = this.#setup;
    const tally = emptyTally();
    const complaints: string[] = [];
    const out = this.#out;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (line === undefined) {
      out.add(this.#record({ source: label, text: text.toString() }, tally));
      return { bytes: out.take(), tally, complaints };
    }
    let number = line;
    // Each line is decoded by itself: what lives only as long as a line is cheap, and so is a line without a letter beyond ASCII.
    for (let at = 0, end = 0; at < text.length; at = end + 1) {
      end = text.indexOf(lineFeed, at);
      if (end < 0) end = text.length;
      const one = text.toString("utf8", at, end);
      const source = `${label}:${number++}`;
      if (one.trim() === "") continue;
      try {
        out.add(this.#record(readReplyLine(one, source), tally));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        // What the library says of a line's format or tools does not say where.
        const message = error.message.includes(source) ? error.message : `${source}: ${error.message}`;
        if (!skipBad) {
          throw new UsageError(message, `${error.help ? `${error.help}; ` : ""}--skip-bad leaves such lines out`);
        }
        tally.bad++;
        if (complaints.length < complaintsMax) complaints.push(message);
      }
    }
    return { bytes: out.take(), tally, complaints };
  }

  #record(reply: Reply, tally: BatchTally): string {
    const reading = this.#reader.read(reply);
    const agreement = this.#compare(reading);
    const json = `${this.#jsonOf(reading, agreement)}\n`;
    const { calls, result } = reading;
    tally.replies++;
    tally.calls += calls.length;
    tally.refused += result.rejected.length;
    if (reading.validated) tally.validated++;
    if (agreement !== undefined) {
      addAgreement(tally.agreement, agreement, formatOf(reading), result.rejected[0]?.reason ?? "none");
    }
    return json;
  }

  #jsonOf(reading: Reading, agreement: Agreement | undefined): string {
    const { record: kind } = this.#setup;
    if (kind === "compact") return compactJsonOf(reading, agreement);
    const record = kind === "full" ? recordOf(reading) : telemetryRecordOf(reading);
    if (record !== undefined) {
      if (agreement !== undefined) record.agreement = agreement;
      return JSON.stringify(record);
    }
    throw new UsageError(`${reading.source} has no telemetry`, "it needs tools: give --tools, or `tools` in each line");
  }

  #compare({ source, fields, calls }: Reading): Agreement | undefined {
    const { expected } = this.#setup;
    if (expected === undefined) return undefined;
    // A misspelt field would otherwise agree with everything, or with nothing.
    if (fields === undefined || !Object.hasOwn(fields, expected)) {
      throw new UsageError(`${source} has no field ${expected}`, "--expected names the field with the expected calls");
    }
    return compareCalls(calls, fields[expected], `${source}: ${expected}`);
  }
}

/** The one that was asked for; of several, the one that was found. */
function formatOf({ format, calls, result }: Reading): string {
  const { telemetry } = result as { telemetry?: { record(): { format: string | null } } };
  return format ?? calls[0]?.format ?? telemetry?.record().format ?? "none";
}

/** Adds the numbers of `more` to those of `sum`, key by key. */
export function addTally(sum: object, more: object): void {
  const into = sum as Record<string, unknown>;
  for (const [key, value] of Object.entries(more)) {
    const known = Object.hasOwn(into, key) ? into[key] : undefined;
    if (typeof value === "number") setOwn(into, key, (typeof known === "number" ? known : 0) + value);
    else {
      if (known === undefined) setOwn(into, key, {});
      addTally(into[key] as object, value as object);
    }
  }
}
