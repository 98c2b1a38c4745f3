import { lookUpSchema, RepairReader, repairJson, type SchemaLookup } from "../recovery/index.ts";
import type { JsonSchema } from "../runtime/types.ts";
import type { Recovery } from "./options.ts";
import type { PayloadPlace } from "./payload-recovery.ts";
import { beginRecovery, endRecovery } from "./reader/recovered-payload.ts";

const lookups = new WeakMap<object, SchemaLookup>();

function lookupOf(schema: JsonSchema): SchemaLookup {
  if (typeof schema !== "object") return lookUpSchema(schema, undefined);
  let lookup = lookups.get(schema);
  if (!lookup) {
    lookup = lookUpSchema(schema, undefined);
    lookups.set(schema, lookup);
  }
  return lookup;
}

const keysAt = (place: PayloadPlace) => {
  if (place === undefined) return undefined;
  return "keys" in place ? place.keys : lookupOf(place.schema).allowedKeys(place.path);
};

const typeAt = (place: PayloadPlace) =>
  place === undefined || "keys" in place ? undefined : lookupOf(place.schema).typeAt(place.path);

/** The recovery room as the driver wants it: it knows the envelope, and the schema of the tool that is called. */
export const recovery: Recovery = {
  read: (sink, { base, ends, placeAt, onContradiction }) =>
    new RepairReader(sink, {
      base,
      ends,
      onContradiction,
      escapedDocuments: true,
      allowedKeys: (path) => keysAt(placeAt(path)),
      typeAt: (path) => typeAt(placeAt(path)),
    }),
  begin: beginRecovery,
  end: endRecovery,
  readPartial(json) {
    const read = repairJson(json);
    return read.ok ? read.value : undefined;
  },
};
