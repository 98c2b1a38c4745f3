import type { Repair } from "../contract/repairs.ts";
import type { JsonSchema } from "../contract/types.ts";
import { RepairReader, repairJson } from "../json-repair/index.ts";
import { schemaLookupOf } from "../json-repair/schema-lookup.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import { JsonWriter } from "../values/json-writer.ts";
import { closerKinds } from "./read-recovered.ts";
import type { Path, PayloadPlace, PayloadRecovery, RecoveryOptions, RepairedValue } from "./recovery-types.ts";

const keysAt = (place: PayloadPlace) => {
  if (place === undefined) return undefined;
  return "keys" in place ? place.keys : schemaLookupOf(place.schema).allowedKeys(place.path);
};

const typeAt = (place: PayloadPlace) =>
  place === undefined || "keys" in place ? undefined : schemaLookupOf(place.schema).typeAt(place.path);

const textAt = (place: PayloadPlace, text: string) =>
  place === undefined || "keys" in place ? undefined : schemaLookupOf(place.schema).textAt(place.path, text);

const namesKeys = (place: PayloadPlace) => place !== undefined && "keys" in place;

/** It has one reading, and brackets are where the text says. */
const isInValue = ({ kind, level }: Repair) => level === "safe" && !closerKinds.includes(kind);

/** Reads a damaged payload. */
export function readPayload(
  sink: ValueSink,
  { base, ends, placeAt, onContradiction }: RecoveryOptions,
): PayloadRecovery {
  return new RepairReader(sink, {
    base,
    ends,
    onContradiction,
    escapedDocuments: true,
    holdsCalls: true,
    holdsName: namesKeys(placeAt([])),
    allowedKeys: (path) => keysAt(placeAt(path)),
    typeAt: (path) => typeAt(placeAt(path)),
    textAt: (path, text) => textAt(placeAt(path), text),
  });
}

/** Reads a damaged value of a parameter, where it has one reading. */
export function readValue(text: string, schema: JsonSchema, path: Path): RepairedValue | undefined {
  const writer = new JsonWriter();
  const places = schemaLookupOf(schema);
  const reader = new RepairReader(writer, {
    allowedKeys: (inner) => places.allowedKeys([...path, ...inner]),
    typeAt: (inner) => places.typeAt([...path, ...inner]),
    textAt: (inner, text) => places.textAt([...path, ...inner], text),
  });
  reader.push(text);
  reader.finish(true);
  const { state, end, endedBy, closersMissing, contradicts, repairs } = reader;
  if (state !== "done" || endedBy !== "value" || closersMissing > 0 || contradicts) return undefined;
  if (text.slice(end).trim() !== "" || !repairs.every(isInValue)) return undefined;
  writer.finish();
  return { json: writer.jsonText, repairs: [...new Set(repairs.map(({ kind }) => kind))] };
}

/** What is known of JSON that is not complete. */
export function readPartial(json: string): unknown {
  const read = repairJson(json);
  return read.ok ? read.value : undefined;
}
