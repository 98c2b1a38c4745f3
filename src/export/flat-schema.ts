import type { JsonSchema } from "../contract/types.ts";
import { ownMember, referredBy, schemaObject } from "../values/schema-walk.ts";

export type SchemaObject = { readonly [keyword: string]: unknown };

/** How deep references and combinations may nest at one place, as validation reads them. */
const nestingMax = 64;
/** `allOf` of several `anyOf` multiplies; past this the schema is taken as one that says nothing. */
const alternativesMax = 64;

/** The alternatives of one place, each a schema without references, `allOf`, `anyOf` and `oneOf` at its top. */
export interface Flat {
  readonly schemas: readonly SchemaObject[];
  /** There was a `oneOf` whose branches may overlap, so that a value of two branches would be refused. */
  readonly overlaps: boolean;
  /** Keywords that stand twice with different values, where both cannot be kept. */
  readonly lost: readonly string[];
}

interface Flattening {
  readonly root: JsonSchema;
  overlaps: boolean;
  readonly lost: Set<string>;
}

/** Follows references, merges what applies together and lists what applies in turn. */
export function flatten(schema: JsonSchema, root: JsonSchema): Flat {
  const state: Flattening = { root, overlaps: false, lost: new Set() };
  const schemas = flattenAt(schema, state, 0) ?? [{}];
  return { schemas, overlaps: state.overlaps, lost: [...state.lost] };
}

function flattenAt(schema: JsonSchema, state: Flattening, depth: number): readonly SchemaObject[] | undefined {
  if (schema === false) return [];
  const object = schemaObject(schema);
  if (object === undefined) return [{}];
  if (depth > nestingMax) return undefined;
  const { $ref, $dynamicRef, allOf, anyOf, oneOf, ...own } = object;
  let found: readonly SchemaObject[] = [own];
  const meet = (others: readonly SchemaObject[] | undefined) => {
    if (others === undefined || found.length * others.length > alternativesMax) {
      state.lost.add("anyOf");
      return;
    }
    found = found.flatMap((left) =>
      others.flatMap((right) => {
        const merged = merge(left, right, state.lost);
        return merged === undefined ? [] : [merged];
      }),
    );
  };
  for (const target of referredBy(object, state.root)) meet(flattenAt(target, state, depth + 1));
  for (const part of listOf(allOf)) meet(flattenAt(part, state, depth + 1));
  for (const [keyword, branches] of [["anyOf", anyOf] as const, ["oneOf", oneOf] as const]) {
    if (!Array.isArray(branches)) continue;
    const alternatives = branches.map((branch) => flattenAt(branch as JsonSchema, state, depth + 1) ?? [{}]);
    if (keyword === "oneOf" && !areDisjoint(alternatives)) state.overlaps = true;
    meet(alternatives.flat());
  }
  return found;
}

const listOf = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value : []);

const allTypes = ["null", "boolean", "integer", "number", "string", "array", "object"];

/** The types a schema allows; all of them, where it names none. `number` stands for `integer` too. */
export function typesOf(schema: SchemaObject): readonly string[] {
  const values = valuesOf(schema);
  const { type } = schema;
  const named =
    type === undefined ? allTypes.filter((name) => name !== "integer") : Array.isArray(type) ? type : [type];
  const types = named.includes("number") ? named.filter((name) => name !== "integer") : named;
  return values === undefined ? types : types.filter((name) => values.some((value) => fitsType(value, name)));
}

export function fitsType(value: unknown, type: string): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (typeof value === "number") return type === "number" || (type === "integer" && Number.isInteger(value));
  return type === typeof value;
}

/** The only values a schema allows, where it lists them. */
export function valuesOf(schema: SchemaObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** Whether no value can fit two of the branches: by their types, or by a member that is another constant in each. */
function areDisjoint(branches: readonly (readonly SchemaObject[])[]): boolean {
  return branches.every((branch, at) =>
    branches.slice(at + 1).every((other) => branch.every((left) => other.every((right) => areApart(left, right)))),
  );
}

function areApart(left: SchemaObject, right: SchemaObject): boolean {
  const types = typesOf(left).filter((type) =>
    typesOf(right).some((other) => other === type || [type, other].sort().join() === "integer,number"),
  );
  if (types.length === 0) return true;
  const [some, others] = [valuesOf(left), valuesOf(right)];
  if (some !== undefined && others !== undefined) {
    const known = new Set(others.map((value) => JSON.stringify(value)));
    return !some.some((value) => known.has(JSON.stringify(value)));
  }
  if (types.join() !== "object") return false;
  return requiredOf(left).some((key) => {
    if (!requiredOf(right).includes(key)) return false;
    const one = schemaObject(ownMember(left.properties, key));
    const two = schemaObject(ownMember(right.properties, key));
    return one !== undefined && two !== undefined && areApart(one, two);
  });
}

export const requiredOf = (schema: SchemaObject): readonly string[] =>
  Array.isArray(schema.required) ? schema.required : [];

/** One schema for two that apply together; undefined: no value fits both. */
function merge(left: SchemaObject, right: SchemaObject, lost: Set<string>): SchemaObject | undefined {
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const known = merged[keyword];
    if (known === undefined || JSON.stringify(known) === JSON.stringify(value)) merged[keyword] = value;
    else if (keyword in meeting) merged[keyword] = meeting[keyword](known, value);
    else if (!isAnnotation(keyword) && !["type", "properties", "enum", "const"].includes(keyword)) lost.add(keyword);
  }
  const types = intersectTypes(left.type, right.type);
  if (types !== undefined) {
    if (types.length === 0) return undefined;
    merged.type = types.length === 1 ? types[0] : types;
  }
  const [some, others] = [valuesOf(left), valuesOf(right)];
  if (some !== undefined && others !== undefined) {
    const known = new Set(others.map((value) => JSON.stringify(value)));
    delete merged.const;
    merged.enum = some.filter((value) => known.has(JSON.stringify(value)));
    if ((merged.enum as unknown[]).length === 0) return undefined;
  }
  const properties = mergeProperties(left, right);
  if (properties !== undefined) merged.properties = properties;
  return merged;
}

function mergeProperties(left: SchemaObject, right: SchemaObject): Record<string, unknown> | undefined {
  const [ours, theirs] = [schemaObject(left.properties), schemaObject(right.properties)];
  if (ours === undefined && theirs === undefined) return undefined;
  const found: Record<string, unknown> = Object.create(null);
  for (const key of new Set([...Object.keys(ours ?? {}), ...Object.keys(theirs ?? {})])) {
    const one = ownMember(ours, key) ?? (isOpen(left) ? undefined : false);
    const two = ownMember(theirs, key) ?? (isOpen(right) ? undefined : false);
    found[key] = one === undefined ? two : two === undefined ? one : { allOf: [one, two] };
  }
  return found;
}

export const isOpen = (schema: SchemaObject): boolean =>
  schema.additionalProperties !== false && schema.unevaluatedProperties !== false;

function intersectTypes(left: unknown, right: unknown): string[] | undefined {
  if (left === undefined || right === undefined) return undefined;
  const [some, others] = [left, right].map((type) => (Array.isArray(type) ? type : [type]) as string[]);
  const found = some.filter((type) => others.includes(type) || (type === "integer" && others.includes("number")));
  if (some.includes("number") && others.includes("integer") && !found.includes("number")) found.push("integer");
  return [...new Set(found)];
}

const annotations = new Set(["title", "description", "default", "examples", "$comment", "deprecated", "readOnly"]);
const isAnnotation = (keyword: string) =>
  annotations.has(keyword) || keyword.startsWith("$") || keyword === "writeOnly" || keyword === "format";

const both = (left: unknown, right: unknown) => ({ allOf: [left, right] });
const larger = (left: unknown, right: unknown) => Math.max(left as number, right as number);
const smaller = (left: unknown, right: unknown) => Math.min(left as number, right as number);

/** How two values of one keyword meet. */
const meeting: Readonly<Record<string, (left: unknown, right: unknown) => unknown>> = {
  required: (left, right) => [...new Set([...(left as string[]), ...(right as string[])])],
  additionalProperties: (left, right) => (left === false || right === false ? false : both(left, right)),
  items: both,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
};
