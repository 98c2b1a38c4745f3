import { isObject } from "../contract/is-object.ts";
import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema } from "../contract/types.ts";
import type { PlaceRules } from "./one-reading.ts";

export type { PlaceRules } from "./one-reading.ts";

import type { ExpectedType, Path } from "./open-containers.ts";

/** What a schema says of the places of a value. */
export interface SchemaLookup {
  /** Keys that the object at a path may have; undefined: any. */
  allowedKeys: (path: Path) => ReadonlySet<string> | undefined;
  /** What the value at a path should be; undefined: nothing is known. */
  typeAt: (path: Path) => ExpectedType | undefined;
  /** Whether the value at a path may be this text: the schema lists it, or takes any text. */
  textAt: (path: Path, text: string) => "listed" | "any" | undefined;
  /** What the value at a path may be for certain; undefined: nothing is known. */
  rulesAt: (path: Path) => PlaceRules | undefined;
}

type SchemaObject = { readonly [keyword: string]: unknown };

/** How deep a schema is followed; below it nothing is known. Keeps each question short. */
const pathMax = 64;
const referencesMax = 16;
const alternativesMax = 64;

/**
 * Answers what a schema says of the value at a path, as far as recovery asks: which keys it declares, which type it
 * has. `keys` are those of the top object. Local references only.
 */
export function lookUpSchema(schema: JsonSchema | undefined, keys: readonly string[] | undefined): SchemaLookup {
  const root = isObject(schema) ? schema : undefined;
  const topKeys = keys === undefined ? undefined : new Set(keys);
  const known = new Map<SchemaObject, ReadonlySet<string> | undefined>();
  return {
    allowedKeys(path) {
      if (path.length === 0 && topKeys !== undefined) return topKeys;
      if (root === undefined) return undefined;
      const union = new Set<string>();
      for (const place of schemasAt(root, path)) {
        if (!known.has(place)) known.set(place, keysOf(place));
        const declared = known.get(place);
        if (declared !== undefined) for (const key of declared) union.add(key);
      }
      return union.size > 0 ? union : undefined;
    },
    typeAt(path) {
      if (root === undefined) return undefined;
      const types = new Set<string>();
      for (const place of schemasAt(root, path)) for (const type of typesOf(place)) types.add(type);
      if (types.size === 2) types.delete("null");
      return types.size === 1 ? ([...types][0] as ExpectedType) : undefined;
    },
    textAt(path, text) {
      if (root === undefined) return undefined;
      const places = schemasAt(root, path);
      if (places.some((place) => choicesOf(place)?.includes(text))) return "listed";
      return places.length === 0 || places.some(takesText) ? "any" : undefined;
    },
    rulesAt(path) {
      const declared = this.allowedKeys(path);
      const declares = (key: string) => declared?.has(key) === true;
      if (path.length === 0 && topKeys !== undefined) return { allows: declares, declares };
      if (root === undefined) return undefined;
      const places = schemasAt(root, path);
      const closed = places.length > 0 && places.every(isClosed);
      // Of several alternatives, what only one of them asks for is not certain.
      const names = places.length === 1 ? own(places[0], "required") : undefined;
      const required = Array.isArray(names) ? names.map((name) => [String(name)]) : [];
      const type = this.typeAt(path);
      return { ...(closed && { allows: declares }), declares, required, type };
    },
  };
}

/** Whether no part of a value is of another kind than a schema says of its place. */
export function fitsTypes(value: unknown, { typeAt }: SchemaLookup): boolean {
  const work: [path: Path, value: unknown][] = [[[], value]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [path, part] = next;
    if (path.length > pathMax) continue;
    const type = typeAt(path);
    if (type !== undefined && !isOfType(part, type)) return false;
    if (Array.isArray(part)) for (const [at, item] of part.entries()) work.push([[...path, at], item]);
    else if (isObject(part)) for (const [key, member] of Object.entries(part)) work.push([[...path, key], member]);
  }
  return true;
}

function isOfType(value: unknown, type: ExpectedType): boolean {
  // A type may be nullable.
  if (value === null) return true;
  if (type === "integer") return Number.isInteger(value);
  if (type === "array" || type === "object")
    return typeof value === "object" && Array.isArray(value) === (type === "array");
  return typeof value === type;
}

const lookupOf = onceFor((schema: SchemaObject) => lookUpSchema(schema, undefined));

/** The lookup of a schema, made once. */
export const schemaLookupOf = (schema: JsonSchema): SchemaLookup =>
  typeof schema === "object" ? lookupOf(schema) : lookUpSchema(schema, undefined);

/** No key is legal but those that are declared. */
function isClosed(place: SchemaObject): boolean {
  return own(place, "additionalProperties") === false && own(place, "patternProperties") === undefined;
}

function own(object: SchemaObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function keysOf(place: SchemaObject): ReadonlySet<string> | undefined {
  const properties = own(place, "properties");
  return isObject(properties) ? new Set(Object.keys(properties)) : undefined;
}

function typesOf(place: SchemaObject): string[] {
  const type = own(place, "type");
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  return (choicesOf(place) ?? []).map((value) =>
    value === null ? "null" : Array.isArray(value) ? "array" : typeof value,
  );
}

/** It names the type, or says nothing that is of numbers or leads to another schema. */
function takesText(place: SchemaObject): boolean {
  if (choicesOf(place) !== undefined) return false;
  const types = typesOf(place);
  return types.length > 0 ? types.includes("string") : !speaking.some((keyword) => Object.hasOwn(place, keyword));
}

const speaking = [
  "$ref",
  "anyOf",
  "oneOf",
  "allOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
];

function choicesOf(place: SchemaObject): readonly unknown[] | undefined {
  const values = own(place, "enum") ?? (Object.hasOwn(place, "const") ? [place.const] : undefined);
  return Array.isArray(values) ? values : undefined;
}

/** The schemas that apply at a path, references followed and alternatives opened. */
function schemasAt(root: SchemaObject, path: Path): SchemaObject[] {
  if (path.length > pathMax) return [];
  let places = expand(root, [root]);
  for (const step of path) {
    const next: SchemaObject[] = [];
    for (const place of places) {
      const below = typeof step === "string" ? memberSchema(place, step) : itemSchema(place, step);
      if (isObject(below)) next.push(below);
    }
    if (next.length === 0) return [];
    places = expand(root, next);
  }
  return places;
}

function memberSchema(place: SchemaObject, key: string): unknown {
  const properties = own(place, "properties");
  if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key];
  return own(place, "additionalProperties");
}

function itemSchema(place: SchemaObject, index: number): unknown {
  const items = own(place, "items");
  const prefix = own(place, "prefixItems") ?? (Array.isArray(items) ? items : undefined);
  if (Array.isArray(prefix) && index < prefix.length) return prefix[index];
  return Array.isArray(items) ? own(place, "additionalItems") : items;
}

function expand(root: SchemaObject, places: readonly SchemaObject[]): SchemaObject[] {
  const result: SchemaObject[] = [];
  const work = [...places];
  const visited = new Set<SchemaObject>();
  while (work.length > 0 && result.length < alternativesMax) {
    const place = resolve(root, work.pop() as SchemaObject);
    if (place === undefined || visited.has(place)) continue;
    visited.add(place);
    result.push(place);
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const alternatives = own(place, keyword);
      if (Array.isArray(alternatives)) work.push(...alternatives.filter(isObject));
    }
  }
  return result;
}

function resolve(root: SchemaObject, place: SchemaObject): SchemaObject | undefined {
  let current: unknown = place;
  for (let count = 0; count < referencesMax; count++) {
    if (!isObject(current)) return undefined;
    const reference = own(current, "$ref");
    if (typeof reference !== "string") return current;
    if (reference !== "#" && !reference.startsWith("#/")) return undefined;
    current = root;
    for (const part of reference.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(current)) current = current[Number(name)];
      else current = isObject(current) ? own(current, name) : undefined;
    }
  }
  return undefined;
}
