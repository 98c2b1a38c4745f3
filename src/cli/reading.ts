import { setOwn } from "../contract/set-own.ts";
import type { ToolCall } from "../contract/types.ts";
import type { HarnessResult } from "../testing/engine.ts";
import { isReadField } from "./read-replies.ts";

/** One reply and what was made of it. */
export interface Reading {
  /** File name, with a line for JSONL; `stdin`. */
  source: string;
  /** The record of the reply, from JSONL. */
  fields?: Record<string, unknown>;
  text: string;
  /** The format that was asked for, where it was one. */
  format: string | undefined;
  /** What was asked for, as a person may read it. */
  formatLabel: string;
  result: HarnessResult & { telemetry?: unknown };
  /** Calls; without tools, candidates. */
  calls: ToolCall[];
  /** Were there tools to check the calls against? */
  validated: boolean;
}

/** How much of a reading a record holds. */
export type RecordKind = "full" | "compact" | "telemetry";

/** A reading as data, for `--json` and `--jsonl`: everything a script may want, nothing that is not JSON. */
export function recordOf(reading: Reading): Record<string, unknown> {
  const { result } = reading;
  return withFields(reading, {
    source: reading.source,
    validated: reading.validated,
    [reading.validated ? "calls" : "candidates"]: reading.calls,
    content: result.content,
    reasoning: result.reasoning,
    rejected: result.rejected,
    truncated: result.truncated,
    ...(result.telemetry === undefined ? {} : { telemetry: telemetryData(result.telemetry) }),
  });
}

/**
 * The calls and the reasons of refusals alone, as JSON: what an evaluation of many replies keeps.
 *
 * It is put together from its parts, since `JSON.stringify` takes twice as long for an object that it has not met before,
 * and a batch writes millions of them.
 *
 * @param agreement is written too, where there is one
 */
export function compactJsonOf({ source, fields = {}, calls, validated, result }: Reading, agreement?: string): string {
  let json = "{";
  let hidden: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    if (isReadField(key)) continue;
    if (ourFields.has(key)) setOwn((hidden ??= {}), key, fields[key]);
    else json += `${quoted(key)}:${jsonOf(fields[key])},`;
  }
  json += `"source":${JSON.stringify(source)},${validated ? '"calls":[' : '"candidates":['}`;
  let comma = "";
  for (const { name, arguments: given } of calls) {
    json += `${comma}{"name":${quoted(name)},"arguments":${JSON.stringify(given)}}`;
    comma = ",";
  }
  json += "]";
  const { rejected } = result;
  if (rejected.length > 0)
    json += `,"rejected":${JSON.stringify(rejected.map(({ reason, name }) => ({ reason, name })))}`;
  if (hidden !== undefined) json += `,"input":${JSON.stringify(hidden)}`;
  if (agreement !== undefined) json += `,"agreement":"${agreement}"`;
  return `${json}}`;
}

function jsonOf(value: unknown): string {
  return Number.isSafeInteger(value) ? `${value}` : JSON.stringify(value);
}

/** Names that come again in every record. */
const quotedNames = new Map<string, string>();
const quotedNamesMax = 1000;

function quoted(name: string): string {
  let json = quotedNames.get(name);
  if (json !== undefined) return json;
  json = JSON.stringify(name);
  if (quotedNames.size < quotedNamesMax) quotedNames.set(name, json);
  return json;
}

/** The telemetry record with the reply's `id` and `model`: no text of the model, and no other field of the input. */
export function telemetryRecordOf(reading: Reading): Record<string, unknown> | undefined {
  if (reading.result.telemetry === undefined) return undefined;
  const { id, model } = reading.fields ?? {};
  return {
    source: reading.source,
    ...(id === undefined ? {} : { id }),
    ...(model === undefined ? {} : { model }),
    ...(telemetryData(reading.result.telemetry) as object),
  };
}

/** The record with the fields of the input before it. A field that has a name of ours is passed on in `input`. */
function withFields({ fields }: Reading, record: Record<string, unknown>): Record<string, unknown> {
  if (fields === undefined) return record;
  const passed: Record<string, unknown> = {};
  let hidden: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    if (isReadField(key)) continue;
    if (!ourFields.has(key)) setOwn(passed, key, fields[key]);
    else setOwn((hidden ??= {}), key, fields[key]);
  }
  Object.assign(passed, record);
  if (hidden !== undefined) passed.input = hidden;
  return passed;
}

const ourFields: ReadonlySet<string> = new Set([
  "source",
  "validated",
  "calls",
  "candidates",
  "content",
  "reasoning",
  "rejected",
  "truncated",
  "telemetry",
  "agreement",
  "input",
]);

function telemetryData(telemetry: unknown): unknown {
  const { record } = telemetry as { record?: () => unknown };
  return typeof record === "function" ? record.call(telemetry) : telemetry;
}
