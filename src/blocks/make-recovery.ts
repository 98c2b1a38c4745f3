import { RepairReader, repairJson } from "../json-repair/index.ts";
import { schemaLookupOf } from "../json-repair/schema-lookup.ts";
import { beginRecovery, endRecovery } from "./read-recovered.ts";
import type { PayloadPlace, Recovery } from "./recovery-types.ts";

const keysAt = (place: PayloadPlace) => {
  if (place === undefined) return undefined;
  return "keys" in place ? place.keys : schemaLookupOf(place.schema).allowedKeys(place.path);
};

const typeAt = (place: PayloadPlace) =>
  place === undefined || "keys" in place ? undefined : schemaLookupOf(place.schema).typeAt(place.path);

/** What the driver needs of recovery: it knows the envelope, and the schema of the tool that is called. */
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
