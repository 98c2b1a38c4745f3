import { schemaObject } from "../normalise/schema-walk.ts";

// The short way to a yes. Most schemas of tools say little more than types, members and choices, and most calls fit
// them; for those no error message is needed, so no library that makes them is either. This says yes only where the
// whole answer follows from keywords it knows. Whatever it does not know, and every no, is left to the validator.

/** True: the value fits. False: it is not known here whether it does. */
export type Fits = (value: unknown) => boolean;

const never: Fits = () => false;
const always: Fits = () => true;

/** Keywords that say nothing about values (`$defs` only does through `$ref`, which is not known here). */
const remarks: ReadonlySet<string> = new Set([
  "$comment",
  "$defs",
  "$schema",
  "default",
  "definitions",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Deeper schemas are left to the validator, which bounds its work. */
const nestingMax = 32;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const types: Readonly<Record<string, Fits>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** Compiles what is known of a schema to functions; no code is made from it. */
export function fitsOf(schema: unknown): Fits {
  return compile(schema, 0);
}

function compile(schema: unknown, nesting: number): Fits {
  if (schema === true) return always;
  const source = schemaObject(schema);
  if (source === undefined || nesting > nestingMax) return never;
  const tests: Fits[] = [];
  for (const [keyword, part] of Object.entries(source)) {
    if (part === undefined || remarks.has(keyword)) continue;
    const known = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    const test = known?.(part, source, nesting + 1);
    if (test === undefined) return never;
    if (test !== always) tests.push(test);
  }
  return every(tests);
}

function every(tests: readonly Fits[]): Fits {
  const [first, second, third] = tests;
  if (tests.length === 0) return always;
  if (tests.length === 1) return first;
  if (tests.length === 2) return (value) => first(value) && second(value);
  if (tests.length === 3) return (value) => first(value) && second(value) && third(value);
  return (value) => tests.every((test) => test(value));
}

type Keyword = (part: unknown, source: { readonly [keyword: string]: unknown }, nesting: number) => Fits | undefined;

const isPlain = (value: unknown) =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

/** A test of numbers; values of other kinds pass, as JSON Schema has it. */
const ofNumbers = (test: (value: number, limit: number) => boolean): Keyword => {
  return (limit) => {
    if (typeof limit !== "number") return undefined;
    return (value) => typeof value !== "number" || test(value, limit);
  };
};

const ofLength = (
  isCounted: (value: unknown) => boolean,
  test: (length: number, limit: number) => boolean,
): Keyword => {
  return (limit) => {
    if (typeof limit !== "number") return undefined;
    return (value) => !isCounted(value) || test((value as { length: number }).length, limit);
  };
};

const isText = (value: unknown) => typeof value === "string";

const keywords: Readonly<Record<string, Keyword>> = {
  type(part) {
    const names = Array.isArray(part) ? part : [part];
    const tests = names.map((name) =>
      typeof name === "string" && Object.hasOwn(types, name) ? types[name] : undefined,
    );
    if (tests.length === 0 || tests.includes(undefined)) return undefined;
    const [first] = tests as Fits[];
    return tests.length === 1 ? first : (value) => (tests as Fits[]).some((test) => test(value));
  },
  enum(part) {
    if (!Array.isArray(part) || !part.every(isPlain)) return undefined;
    const known = new Set<unknown>(part);
    return (value) => known.has(value);
  },
  const(part) {
    return isPlain(part) ? (value) => value === part : undefined;
  },
  required(part) {
    if (!Array.isArray(part)) return undefined;
    const keys = part as readonly string[];
    return (value) => {
      if (!isObject(value)) return true;
      for (let at = 0; at < keys.length; at++) if (!Object.hasOwn(value, keys[at])) return false;
      return true;
    };
  },
  properties: members,
  additionalProperties(_part, source, nesting) {
    return source.properties === undefined ? members({}, source, nesting) : always;
  },
  items(part, _source, nesting) {
    if (Array.isArray(part)) return undefined;
    const fits = compile(part, nesting);
    return (value) => {
      if (!Array.isArray(value)) return true;
      for (let at = 0; at < value.length; at++) if (!fits(value[at])) return false;
      return true;
    };
  },
  anyOf(part, _source, nesting) {
    if (!Array.isArray(part) || part.length === 0) return undefined;
    const tests = part.map((alternative) => compile(alternative, nesting));
    return (value) => tests.some((test) => test(value));
  },
  minimum: ofNumbers((value, limit) => value >= limit),
  maximum: ofNumbers((value, limit) => value <= limit),
  minItems: ofLength(Array.isArray, (length, limit) => length >= limit),
  maxItems: ofLength(Array.isArray, (length, limit) => length <= limit),
  // Lengths of texts are counted in code points: at most as many as units, at least half as many.
  minLength: ofLength(isText, (length, limit) => length >= 2 * limit || limit === 0),
  maxLength: ofLength(isText, (length, limit) => length <= limit),
};

/** `properties` together with `additionalProperties`: each member is looked at once. */
function members(part: unknown, source: { readonly [keyword: string]: unknown }, nesting: number): Fits | undefined {
  const declared = schemaObject(part);
  if (declared === undefined) return undefined;
  const tests = new Map<string, Fits>();
  for (const [key, schema] of Object.entries(declared)) {
    // Keys that every object inherits are read by validators in more than one way.
    if (key in Object.prototype) return undefined;
    tests.set(key, compile(schema, nesting));
  }
  const rest = source.additionalProperties;
  const others = rest === undefined || rest === true ? always : rest === false ? never : compile(rest, nesting);
  return (value) => {
    if (!isObject(value)) return true;
    for (const key of Object.keys(value)) if (!(tests.get(key) ?? others)(value[key])) return false;
    return true;
  };
}
