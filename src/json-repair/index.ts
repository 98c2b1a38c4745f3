/**
 * Recovery: JSON that a model got wrong, read as far as it can be read, with a list of what was done.
 * `docs/recovery.md` has the rules by kind of damage.
 */
export type { ValueLevel } from "../contract/repairs.ts";
export type { ValueSink } from "../machine/value-sink.ts";
export { JsonrepairError, type JsonrepairOptions, jsonrepair } from "./jsonrepair.ts";
export type { PlaceRules, RulesAt } from "./one-reading.ts";
export type { ExpectedType, Path } from "./open-containers.ts";
export type { EscapePlan } from "./open-string.ts";
export type { RecoveryFailure, RepairReaderOptions } from "./reading.ts";
export { repairJson } from "./repair-json.ts";
export { RepairReader } from "./repair-reader.ts";
export type { RepairJsonOptions, RepairJsonResult } from "./repair-result.ts";
export { lookUpSchema, type SchemaLookup } from "./schema-lookup.ts";
export { ValueBuilder } from "./value-builder.ts";
