import { isObject } from "../contract/is-object.ts";
import { didYouMean } from "../contract/suggest.ts";
import type { JsonSchema } from "../contract/types.ts";
import { type KeywordShape, schemaKeywords } from "../values/schema-keywords.ts";
import { unicodePattern } from "../values/schema-pattern.ts";
import { type References, referencesOf } from "../values/schema-references.ts";
import { typeNameOf, typeNames } from "../values/type-names.ts";
import { withTypeNames } from "./standard-type-names.ts";

// A schema that is misspelt checks nothing. So what a tool brings is read once, strictly, before any model text is.

/** Schemas within schemas. Nobody writes so many; what walks a schema later calls itself once for each. */
const schemaDepthMax = 256;

/** Levels of a value that stands in a schema. */
const valueDepthMax = 1000;

/** A place that is named in a message stays readable. */
const placeCharsMax = 200;

type Check = (value: unknown, at: string, walk: Walk) => void;

interface Walk {
  readonly tool: string;
  readonly references: References;
  /** The schema whose keywords are being looked at. */
  holder: object;
  /** What references lead to, with the place that named it: looked at when the walk is done. */
  readonly targets: Map<JsonSchema, string>;
  readonly open: Set<object>;
  readonly done: Set<object>;
}

const schema: Check = (value, at, walk) => checkPlace(value, at, walk);

const schemaMap: Check = (value, at, walk) => {
  if (!isObject(value)) fail(walk, at, "must be an object of schemas", value);
  for (const [key, part] of Object.entries(value)) checkPlace(part, `${at}/${key}`, walk);
};

const schemaList: Check = (value, at, walk) => {
  if (!Array.isArray(value) || value.length === 0) fail(walk, at, "must be a list of at least one schema", value);
  for (const [index, part] of value.entries()) checkPlace(part, `${at}/${index}`, walk);
};

const schemaOrList: Check = (value, at, walk) => {
  if (!Array.isArray(value)) return checkPlace(value, at, walk);
  for (const [index, part] of value.entries()) checkPlace(part, `${at}/${index}`, walk);
};

const patternMap: Check = (value, at, walk) => {
  schemaMap(value, at, walk);
  for (const pattern of Object.keys(value as object)) checkPattern(pattern, at, walk);
};

const pattern: Check = (value, at, walk) => {
  if (typeof value !== "string") fail(walk, at, "must be a regular expression as text", value);
  checkPattern(value, at, walk);
};

const type: Check = (value, at, walk) => {
  const names = Array.isArray(value) ? value : [value];
  if (names.length === 0) fail(walk, at, "must name at least one type", value);
  for (const name of names) {
    if (typeof name !== "string") fail(walk, at, `must be one of ${typeNames.join(", ")}, or a list of them`, name);
    if (typeNameOf(name) !== undefined) continue;
    const hint = didYouMean(name, typeNames);
    throw problem(walk, at, `has no type ${JSON.stringify(name)}${hint}. Types: ${typeNames.join(", ")}`);
  }
};

const names: Check = (value, at, walk) => {
  if (typeof value === "boolean") {
    throw problem(walk, at, "is true or false, as in old drafts. List the name in the `required` of the parent object");
  }
  if (!Array.isArray(value) || value.some((name) => typeof name !== "string")) {
    fail(walk, at, "must be a list of property names", value);
  }
};

const nameLists: Check = (value, at, walk) => {
  if (!isObject(value)) fail(walk, at, "must be an object of lists of names", value);
  for (const [key, list] of Object.entries(value)) names(list, `${at}/${key}`, walk);
};

const dependencies: Check = (value, at, walk) => {
  if (!isObject(value)) fail(walk, at, "must be an object", value);
  for (const [key, part] of Object.entries(value)) {
    (Array.isArray(part) ? names : schema)(part, `${at}/${key}`, walk);
  }
};

const members: Check = (value, at, walk) => {
  if (!Array.isArray(value) || value.length === 0) fail(walk, at, "must be a list of at least one value", value);
  checkValueDepth(value, at, walk);
};

const count: Check = (value, at, walk) => {
  if (!Number.isInteger(value) || (value as number) < 0) fail(walk, at, "must be a whole number, 0 or more", value);
};

const number: Check = (value, at, walk) => {
  if (typeof value !== "number" || !Number.isFinite(value)) fail(walk, at, "must be a number", value);
};

const limit: Check = (value, at, walk) => {
  if (typeof value !== "boolean") number(value, at, walk);
};

const divisor: Check = (value, at, walk) => {
  number(value, at, walk);
  if ((value as number) <= 0) fail(walk, at, "must be more than 0", value);
};

const flag: Check = (value, at, walk) => {
  if (typeof value !== "boolean") fail(walk, at, "must be true or false", value);
};

const text: Check = (value, at, walk) => {
  if (typeof value !== "string") fail(walk, at, "must be text", value);
};

const reference: Check = (value, at, walk) => {
  if (typeof value !== "string") fail(walk, at, "must be a reference such as #/$defs/name", value);
  const target = walk.references.target(walk.holder, value);
  if (target !== undefined) {
    walk.targets.set(target, at);
    return;
  }
  if (value.startsWith("#")) {
    throw problem(walk, at, `points to ${JSON.stringify(value)}, where nothing stands. Define it, or correct the name`);
  }
  throw problem(
    walk,
    at,
    `points outside the schema (${JSON.stringify(value)}). Nothing is fetched: copy the schema under $defs and ` +
      "refer to it as #/$defs/name",
  );
};

const unsupported: Check = (_value, at, walk) => {
  throw problem(walk, at, "is not supported, so it would check nothing. Use $ref with #/$defs/name");
};

const value: Check = (part, at, walk) => checkValueDepth(part, at, walk);

const checks: Readonly<Record<KeywordShape, Check>> = {
  schema,
  schemas: schemaList,
  "schema-or-schemas": schemaOrList,
  "schema-map": schemaMap,
  "pattern-map": patternMap,
  "schema-or-names-map": dependencies,
  "names-map": nameLists,
  names,
  types: type,
  values: members,
  value,
  count,
  number,
  "number-or-flag": limit,
  divisor,
  flag,
  text,
  pattern,
  reference,
  unsupported,
};

/**
 * Reads a schema strictly: known types, keywords of the right shape, references that lead somewhere inside it. Keywords
 * that JSON Schema does not know are left alone.
 *
 * @param tool The name of the tool, for messages.
 * @returns the schema, with JSON Schema's own names where it had the types of another language.
 * @throws TypeError that names the tool, the place, and what to write instead.
 */
export function readSchema(root: unknown, tool: string): JsonSchema {
  const references = referencesOf(isObject(root) ? root : true);
  const walk: Walk = { tool, references, holder: {}, targets: new Map(), open: new Set(), done: new Set() };
  checkPlace(root, "#", walk);
  // Most references lead to what has been looked at; one may lead under an unknown keyword.
  for (const [target, at] of walk.targets) checkPlace(target, at, walk);
  return withTypeNames(root as JsonSchema, walk.done);
}

function checkPlace(value: unknown, at: string, walk: Walk): void {
  if (typeof value === "boolean") return;
  if (!isObject(value)) fail(walk, at, "must be a schema (an object, true or false)", value);
  if (walk.open.has(value)) throw problem(walk, at, "contains itself. Use $ref to #/$defs/name for recursive types");
  if (walk.done.has(value)) return;
  if (walk.open.size === schemaDepthMax) {
    throw problem(walk, at, `lies more than ${schemaDepthMax} schemas deep. Flatten it, or use $ref to #/$defs/name`);
  }
  walk.open.add(value);
  for (const [keyword, part] of Object.entries(value)) {
    if (part === undefined) continue;
    walk.holder = value;
    // What is no keyword is a remark, such as `default`; it holds values, and is written later, level by level.
    checks[schemaKeywords.get(keyword)?.shape ?? "value"](part, `${at}/${keyword}`, walk);
  }
  walk.open.delete(value);
  walk.done.add(value);
}

function checkValueDepth(value: unknown, at: string, walk: Walk): void {
  const seen = new Set<object>();
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > valueDepthMax) throw problem(walk, at, `holds a value of more than ${valueDepthMax} levels`);
    const below: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null || seen.has(item)) continue;
      seen.add(item);
      for (const member of Object.values(item)) below.push(member);
    }
    level = below;
  }
}

function checkPattern(source: string, at: string, walk: Walk): void {
  if (unicodePattern(source) !== undefined) return;
  throw problem(walk, at, `is no regular expression JavaScript can compile with the u flag: ${JSON.stringify(source)}`);
}

function fail(walk: Walk, at: string, what: string, value: unknown): never {
  throw problem(walk, at, `${what}, not ${(JSON.stringify(value) ?? typeof value).slice(0, 60)}`);
}

function problem(walk: Walk, at: string, what: string): TypeError {
  const place = at.length > placeCharsMax ? `${at.slice(0, placeCharsMax)}...` : at;
  return new TypeError(`tool ${JSON.stringify(walk.tool)}: invalid schema at ${place}: ${what}`);
}
