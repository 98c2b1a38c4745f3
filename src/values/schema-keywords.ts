import { kindBits } from "./value-kinds.ts";

// The one table of schema keywords: what stands under each, and which kind of value it speaks of. Who checks a schema,
// who walks one, who types text by one and who compiles one all read it here.

/** What may stand under a keyword. */
export type KeywordShape =
  | "schema"
  | "schemas"
  | "schema-or-schemas"
  | "schema-map"
  | "pattern-map"
  | "schema-or-names-map"
  | "names-map"
  | "names"
  | "types"
  | "values"
  | "value"
  | "count"
  | "number"
  | "number-or-flag"
  | "divisor"
  | "flag"
  | "text"
  | "pattern"
  | "reference"
  | "unsupported";

export interface KeywordFacts {
  readonly shape: KeywordShape;
  /** The kinds of value it speaks of, where these are not all. */
  readonly kinds?: number;
  /** Where a schema names no type, this keyword says which kind is meant. */
  readonly implies?: true;
}

const { object, array, string, number } = kindBits;

const facts = {
  $ref: { shape: "reference" },
  $dynamicRef: { shape: "reference" },
  $recursiveRef: { shape: "unsupported" },
  $anchor: { shape: "text" },
  $dynamicAnchor: { shape: "text" },
  $defs: { shape: "schema-map" },
  definitions: { shape: "schema-map" },
  type: { shape: "types" },
  enum: { shape: "values" },
  const: { shape: "value" },
  nullable: { shape: "flag" },
  allOf: { shape: "schemas" },
  anyOf: { shape: "schemas" },
  oneOf: { shape: "schemas" },
  not: { shape: "schema" },
  if: { shape: "schema" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { shape: "schema" },
  else: { shape: "schema" },
  properties: { shape: "schema-map", kinds: object, implies: true },
  patternProperties: { shape: "pattern-map", kinds: object, implies: true },
  additionalProperties: { shape: "schema", kinds: object, implies: true },
  unevaluatedProperties: { shape: "schema", kinds: object },
  propertyNames: { shape: "schema", kinds: object },
  required: { shape: "names", kinds: object, implies: true },
  minProperties: { shape: "count", kinds: object },
  maxProperties: { shape: "count", kinds: object },
  dependentSchemas: { shape: "schema-map", kinds: object },
  dependentRequired: { shape: "names-map", kinds: object },
  dependencies: { shape: "schema-or-names-map", kinds: object },
  items: { shape: "schema-or-schemas", kinds: array, implies: true },
  prefixItems: { shape: "schemas", kinds: array, implies: true },
  additionalItems: { shape: "schema", kinds: array },
  unevaluatedItems: { shape: "schema", kinds: array },
  contains: { shape: "schema", kinds: array },
  minContains: { shape: "count", kinds: array },
  maxContains: { shape: "count", kinds: array },
  minItems: { shape: "count", kinds: array, implies: true },
  maxItems: { shape: "count", kinds: array, implies: true },
  uniqueItems: { shape: "flag", kinds: array, implies: true },
  minimum: { shape: "number", kinds: number, implies: true },
  maximum: { shape: "number", kinds: number, implies: true },
  exclusiveMinimum: { shape: "number-or-flag", kinds: number, implies: true },
  exclusiveMaximum: { shape: "number-or-flag", kinds: number, implies: true },
  multipleOf: { shape: "divisor", kinds: number, implies: true },
  minLength: { shape: "count", kinds: string, implies: true },
  maxLength: { shape: "count", kinds: string, implies: true },
  pattern: { shape: "pattern", kinds: string, implies: true },
  format: { shape: "text", kinds: string, implies: true },
} as const satisfies Readonly<Record<string, KeywordFacts>>;

/** A keyword that this library supports. */
export type SchemaKeyword = keyof typeof facts;

/** All keywords that this library supports. What JSON Schema leaves to annotations is not among them. */
export const schemaKeywords: ReadonlyMap<string, KeywordFacts> = new Map(Object.entries(facts));

/** The schemas that stand directly under one keyword of a schema. */
export function schemasUnder(keyword: string, part: unknown): readonly unknown[] {
  switch (schemaKeywords.get(keyword)?.shape) {
    case "schema":
      return [part];
    case "schemas":
      return Array.isArray(part) ? part : [];
    case "schema-or-schemas":
      return Array.isArray(part) ? part : [part];
    case "schema-map":
    case "pattern-map":
      return valuesOf(part);
    case "schema-or-names-map":
      return valuesOf(part).filter((one) => !Array.isArray(one));
    default:
      return [];
  }
}

function valuesOf(part: unknown): readonly unknown[] {
  return typeof part === "object" && part !== null && !Array.isArray(part) ? Object.values(part) : [];
}
