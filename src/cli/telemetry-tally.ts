import { isObject } from "../contract/is-object.ts";
import { setOwn } from "../contract/set-own.ts";
import type { TelemetryRecord } from "../output/telemetry.ts";

/** A line of a telemetry file: what the library wrote, and what the host may have added. */
export type CountedRecord = TelemetryRecord & { model?: string; agreement?: string };

/** What some messages have in common. */
export interface TelemetryTally {
  messages: number;
  /** Messages in which something looked like a call, and messages with a call that passed. */
  withCandidates: number;
  withCalls: number;
  candidates: number;
  calls: number;
  truncated: number;
  /** Messages read by a fallback format. */
  fallback: number;
  parseModes: Record<string, number>;
  schemaPass: number;
  schemaFail: number;
  /** Messages by the reason of their first schema failure. */
  schemaFailures: Record<string, number>;
  rejections: Record<string, number>;
  repairs: Record<string, number>;
  toolResults: Record<string, number>;
  /** Messages by how their calls compare with the expected ones, where `toolpeg parse --expected` compared them. */
  agreement: Record<string, number>;
}

export function emptyTally(): TelemetryTally {
  return {
    messages: 0,
    withCandidates: 0,
    withCalls: 0,
    candidates: 0,
    calls: 0,
    truncated: 0,
    fallback: 0,
    parseModes: {},
    schemaPass: 0,
    schemaFail: 0,
    schemaFailures: {},
    rejections: {},
    repairs: {},
    toolResults: {},
    agreement: {},
  };
}

/** Counts one message. */
function addRecord(tally: TelemetryTally, record: CountedRecord): void {
  tally.messages++;
  tally.candidates += record.candidate_count;
  tally.calls += record.calls;
  if (record.candidate_count > 0) tally.withCandidates++;
  if (record.calls > 0) tally.withCalls++;
  if (record.truncated) tally.truncated++;
  if (record.fallback_used) tally.fallback++;
  count(tally.parseModes, record.parse_mode);
  if (record.schema_validation === "pass") tally.schemaPass++;
  if (record.schema_validation === "fail") {
    tally.schemaFail++;
    count(tally.schemaFailures, record.schema_failure ?? "schema");
  }
  for (const [reason, number] of Object.entries(record.rejections)) count(tally.rejections, reason, number);
  for (const [kind, number] of Object.entries(record.repairs)) count(tally.repairs, kind, number);
  if (record.agreement !== undefined) count(tally.agreement, record.agreement);
  if (record.tool_result_status !== null) count(tally.toolResults, record.tool_result_status);
}

function count(counts: Record<string, number>, key: string, number = 1): void {
  setOwn(counts, key, (Object.hasOwn(counts, key) ? counts[key] : 0) + number);
}

/** Everything, and the same by format and by model. */
export interface TelemetryStats {
  all: TelemetryTally;
  byFormat: Map<string, TelemetryTally>;
  /** Empty where no record names a model. */
  byModel: Map<string, TelemetryTally>;
}

export function addToStats(stats: TelemetryStats, record: CountedRecord): void {
  addRecord(stats.all, record);
  addRecord(tallyOf(stats.byFormat, record.format ?? "none"), record);
  if (record.model !== undefined) addRecord(tallyOf(stats.byModel, record.model), record);
}

function tallyOf(tallies: Map<string, TelemetryTally>, key: string): TelemetryTally {
  let tally = tallies.get(key);
  if (tally === undefined) {
    tally = emptyTally();
    tallies.set(key, tally);
  }
  return tally;
}

/** Reads a value of a telemetry file; undefined when it is no record. */
export function readRecord(value: unknown): CountedRecord | undefined {
  const line = objectOf(value);
  // `toolpeg parse --jsonl` writes the record of a reply beside its calls.
  const record = objectOf(line?.telemetry) ?? line;
  if (record === undefined || typeof record.parse_mode !== "string") return undefined;
  const model = record.model ?? line?.model;
  const agreement = record.agreement ?? line?.agreement;
  const numberOf = (given: unknown) => (typeof given === "number" ? given : 0);
  return {
    ...(record as unknown as TelemetryRecord),
    candidate_count: numberOf(record.candidate_count),
    calls: numberOf(record.calls),
    rejections: (objectOf(record.rejections) ?? {}) as TelemetryRecord["rejections"],
    repairs: (objectOf(record.repairs) ?? {}) as TelemetryRecord["repairs"],
    tool_result_status: (record.tool_result_status ?? null) as TelemetryRecord["tool_result_status"],
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof agreement === "string" ? { agreement } : {}),
  };
}

const objectOf = (value: unknown) => (isObject(value) ? value : undefined);
