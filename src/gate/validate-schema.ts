import { type OutputUnit, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { unicodePattern } from "../normalise/schema-pattern.ts";
import { schemaLists, schemaMaps, schemaPlaces } from "../normalise/schema-walk.ts";
import type { JsonSchema } from "../runtime/types.ts";
import { type Fits, fitsOf } from "./fits-schema.ts";

// The built-in validator. The library underneath interprets schemas; it does not bound its work, so it gets a copy of
// the schema with bounds written into it. A bound that is hit throws inside the library, which no `not` or `anyOf`
// around it can turn into a yes, and comes out of here as a refusal.

/** A regular expression can take very long on a long text; the pattern is the developer's, the text is not. */
const patternCharsMax = 16_384;
/** Uniqueness is checked pair by pair: 4,096 items are 16 million pairs. */
const uniqueItemsMax = 4096;
/**
 * Visits of a subschema by a value, to begin with and for each place in the value: recursive alternatives can double
 * per level of nesting.
 */
const visitsMax = 200_000;
const visitsPerPlaceMax = 64;

/** An enum can be long; a message is a line. */
const sentenceCharsMax = 200;

class LimitError extends Error {}

/** The work of the check that is under way. */
interface Visits {
  count: number;
  limit: number;
  value: unknown;
}

interface Compiled {
  /** The short way to a yes; what it does not know the library is asked. */
  fits: Fits;
  validator: Validator;
  visits: Visits;
}

const cache = new WeakMap<object, Compiled>();

/**
 * Checks a value against a JSON Schema (drafts 4 to 2020-12; `nullable` is understood). References must stay inside
 * the schema.
 *
 * @returns true, or one sentence with the path of the first thing that is wrong.
 * @throws when the schema itself cannot be used. Validators are cached per schema object.
 */
export function validateSchema(schema: JsonSchema, value: unknown): true | string {
  if (schema === true) return true;
  if (schema === false) return "arguments: the schema of this tool (false) allows nothing";
  let compiled = cache.get(schema);
  if (compiled === undefined) cache.set(schema, (compiled = compile(schema)));
  if (compiled.fits(value)) return true;
  Object.assign(compiled.visits, { count: 0, limit: visitsMax, value });
  try {
    const result = compiled.validator.validate(value);
    return result.valid || describe(result.errors, value);
  } catch (error) {
    if (error instanceof LimitError) return error.message;
    // The library recurses, and so deep a nesting, or so long a list of errors, fits no stack.
    if (error instanceof RangeError) return "arguments: too deep, or wrong in too many places, to be checked";
    throw error;
  } finally {
    compiled.visits.value = undefined;
  }
}

function compile(schema: JsonSchema): Compiled {
  const visits: Visits = { count: 0, limit: visitsMax, value: undefined };
  const copy = new BoundedCopy(visits).copy(schema) as Schema;
  return { fits: fitsOf(schema), validator: new Validator(copy, draftOf(schema)), visits };
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const name = typeof schema === "object" ? schema.$schema : undefined;
  if (typeof name !== "string") return "2020-12";
  // The words of draft 4 are translated below; what else it shares with draft 7 is that `$ref` stands alone.
  if (/draft-0[3467]/.test(name)) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Names of documents: every reference is read from the root, so they have nothing left to say. */
const droppedKeywords = ["$id", "id", "$schema"];

type Mutable = { [keyword: string]: unknown };

/** Copies a schema (the library writes into what it is given) and adds the bounds. */
class BoundedCopy {
  readonly #visits: Visits;

  constructor(visits: Visits) {
    this.#visits = visits;
  }

  copy(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const copy: Mutable = {};
    for (const [keyword, part] of Object.entries(value)) {
      if (part === undefined || droppedKeywords.includes(keyword)) continue;
      setOwn(copy, keyword, this.#copyKeyword(keyword, part));
    }
    this.#normalise(copy);
    this.#bound(copy);
    const visits = this.#visits;
    countVisits(copy, () => {
      if (++visits.count > visits.limit) extendLimit(visits);
    });
    return copy;
  }

  #copyKeyword(keyword: string, part: unknown): unknown {
    if (schemaLists.has(keyword) && Array.isArray(part)) return part.map((item) => this.copy(item));
    if (schemaMaps.has(keyword) && typeof part === "object" && part !== null) {
      const map: Mutable = {};
      for (const [key, item] of Object.entries(part)) {
        const name = keyword === "patternProperties" ? (unicodePattern(key) ?? key) : key;
        setOwn(map, name, this.copy(item));
      }
      return map;
    }
    if (schemaPlaces.has(keyword)) return this.copy(part);
    return keyword === "pattern" && typeof part === "string" ? (unicodePattern(part) ?? part) : part;
  }

  /** Words of OpenAPI and of old drafts, said in today's. */
  #normalise(copy: Mutable): void {
    if (copy.exclusiveMinimum === true) copy.exclusiveMinimum = copy.minimum;
    if (copy.exclusiveMaximum === true) copy.exclusiveMaximum = copy.maximum;
    for (const keyword of ["exclusiveMinimum", "exclusiveMaximum"]) {
      if (typeof copy[keyword] !== "number") delete copy[keyword];
    }
    if (copy.nullable === true) {
      delete copy.nullable;
      if (combiningKeywords.some((keyword) => Object.hasOwn(copy, keyword))) allowNullBeside(copy);
      else allowNullWithin(copy);
    }
  }

  /** Puts a test of the length before what could take long on it. `allOf` is looked at before these keywords are. */
  #bound(copy: Mutable): void {
    const guards: unknown[] = [];
    for (const keyword of ["pattern", "format"]) {
      if (!Object.hasOwn(copy, keyword)) continue;
      guards.push({
        if: { type: "string", minLength: patternCharsMax + 1 },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: limitSchema(`a text is too long to check its ${keyword} (over ${patternCharsMax} characters)`),
        else: { [keyword]: copy[keyword] },
      });
      delete copy[keyword];
    }
    if (Object.hasOwn(copy, "patternProperties")) {
      guards.push({
        propertyNames: {
          if: { minLength: patternCharsMax + 1 },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: limitSchema(`a key is too long to check its pattern (over ${patternCharsMax} characters)`),
        },
      });
    }
    if (copy.uniqueItems === true) {
      guards.push({
        if: { type: "array", minItems: uniqueItemsMax + 1 },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: limitSchema(`an array is too long to check that its items are unique (over ${uniqueItemsMax})`),
      });
    }
    if (guards.length === 0) return;
    copy.allOf = [...guards, ...(Array.isArray(copy.allOf) ? copy.allOf : [])];
  }
}

const combiningKeywords = ["$ref", "allOf", "anyOf", "const", "else", "if", "not", "oneOf", "then"];

/** Adds null to the types and members of a schema; everything else in it speaks of other kinds only. */
function allowNullWithin(copy: Mutable): void {
  if (copy.type !== undefined) copy.type = [...(Array.isArray(copy.type) ? copy.type : [copy.type]), "null"];
  if (Array.isArray(copy.enum)) copy.enum = [...copy.enum, null];
}

/** Makes a schema one of two: null, or what it was. Its definitions stay where references look for them. */
function allowNullBeside(copy: Mutable): void {
  const { $defs: _, definitions: __, ...rest } = copy;
  for (const keyword of Object.keys(rest)) delete copy[keyword];
  copy.anyOf = [{ type: "null" }, rest];
}

/** A large value may take many visits; what takes many for each of its places is a schema that multiplies. */
function extendLimit(visits: Visits): void {
  const limit = visitsMax + visitsPerPlaceMax * countPlaces(visits.value);
  if (visits.count > limit) {
    throw new LimitError("arguments: too many combinations to check; nest less, or give policy.validate");
  }
  visits.limit = limit;
}

function countPlaces(value: unknown): number {
  let places = 0;
  const work: unknown[] = [value];
  while (work.length > 0) {
    const place = work.pop();
    places++;
    if (typeof place === "object" && place !== null) for (const part of Object.values(place)) work.push(part);
  }
  return places;
}

/** A schema that stops the check when it is reached. */
function limitSchema(message: string): object {
  const schema = {};
  countVisits(schema, () => {
    throw new LimitError(`arguments: ${message}; shorten it, or give policy.validate`);
  });
  return schema;
}

/**
 * Runs `visit` whenever the library looks at this schema: it reads this keyword, which is none of the drafts' that
 * are supported here, first thing.
 */
function countVisits(schema: object, visit: () => void): void {
  Object.defineProperty(schema, "$recursiveAnchor", {
    enumerable: false,
    get() {
      visit();
      return undefined;
    },
  });
}

function setOwn(target: Mutable, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Errors that only say that a deeper one follows. */
const wrappers = new Set([
  "$ref",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependencies",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** The first error as a sentence. The value itself is not quoted: it can hold secrets. */
function describe(errors: readonly OutputUnit[], value: unknown): string {
  let error = errors[0];
  for (let index = 0; index < errors.length - 1 && error !== undefined && wrappers.has(error.keyword); index++) {
    const next = errors[index + 1] as OutputUnit;
    if (next.keyword === "false") {
      return `${pathOf(next, value)}: is not declared in the schema; leave it out, or declare it`;
    }
    error = next;
  }
  if (error === undefined) return "arguments: do not fit the schema";
  const found = error.keyword === "anyOf" ? alternativesOf(error, errors) : undefined;
  return `${pathOf(error, value)}: ${found ?? sentence(error)}`;
}

/** `expected integer or null, found string`, where the alternatives of an `anyOf` differ by type only. */
function alternativesOf(error: OutputUnit, errors: readonly OutputUnit[]): string | undefined {
  const own = errors.filter((other) => other.keywordLocation.startsWith(`${error.keywordLocation}/`));
  if (own.length === 0 || own.some((other) => other.keyword !== "type")) return undefined;
  if (own.some((other) => other.instanceLocation !== error.instanceLocation)) return undefined;
  const types = own.map((other) => typesOf(other));
  return `expected ${types.map((type) => type.expected).join(" or ")}, found ${types[0]?.found}`;
}

function typesOf(error: OutputUnit): { found: string; expected: string } {
  const [found = "", expected = ""] = error.error.replaceAll('"', "").split(" is invalid. Expected ");
  return { found: found.replace("Instance type ", ""), expected: withoutDot(expected).replaceAll(", ", " or ") };
}

function withoutDot(text: string): string {
  const line = text.endsWith(".") ? text.slice(0, -1) : text;
  return line.length > sentenceCharsMax ? `${line.slice(0, sentenceCharsMax)}...` : line;
}

function sentence(error: OutputUnit): string {
  const quoted = error.error.match(/"(.*)"\.$/s)?.[1];
  switch (error.keyword) {
    case "type": {
      const { expected, found } = typesOf(error);
      return `expected ${expected}, found ${found}`;
    }
    case "required":
      return `the required member ${JSON.stringify(quoted ?? "?")} is missing`;
    case "enum":
      return withoutDot(error.error.replace("Instance does not match any of", "expected one of"));
    case "const":
      return withoutDot(error.error.replace("Instance does not match", "expected"));
    case "anyOf":
      return "fits none of the alternatives";
    case "oneOf":
      return withoutDot(
        error.error.replace("Instance does not match exactly one subschema", "must fit exactly one alternative"),
      );
    // In the next two the library says what it does not mean.
    case "exclusiveMinimum":
      return withoutDot(error.error.replace("is less than", "is not more than"));
    case "maxProperties":
      return withoutDot(error.error.replace("Instance does not have at least", "has more than"));
    case "false":
      return "is not allowed here";
    default: {
      const text = withoutDot(error.error.replace(/^Instance /, ""));
      return text.charAt(0).toLowerCase() + text.slice(1);
    }
  }
}

/** Turns the library's pointer into `arguments.list[2].key`. */
function pathOf(error: OutputUnit, value: unknown): string {
  let path = "arguments";
  let place: unknown = value;
  for (const part of error.instanceLocation.split("/").slice(1)) {
    const key = decodePart(part);
    if (Array.isArray(place)) path += `[${key}]`;
    else path += /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && key.length <= 60 ? `.${key}` : `[${clip(key)}]`;
    place = typeof place === "object" && place !== null ? (place as Mutable)[key] : undefined;
  }
  return path;
}

function clip(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}...` : key);
}

function decodePart(part: string): string {
  const pointer = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
