import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../src/contract/types.ts";
import { parse } from "../src/index.ts";
import { readSchema } from "../src/validation/check-schema.ts";
import type { ValidateOptions } from "../src/validation/policy.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import { inexactNumbers } from "../src/values/number-text.ts";

// `npm run schema-suite` runs the official test suite. Here each keyword is asked what it means, and every message what
// it says.

/** What the validator says, as the sentences of a message. */
function say(schema: JsonSchema, value: unknown, options?: ValidateOptions): true | string {
  const answer = validateSchema(schema, value, options);
  if (answer === true || typeof answer === "string") return answer;
  return answer.map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`).join("; ");
}

const at = (schema: JsonSchema, value: unknown, options?: ValidateOptions) =>
  say({ properties: { v: schema } } as JsonSchema, { v: value }, options);

describe("validateSchema", () => {
  test("names the place and what was expected", () => {
    expect(at({ type: "number" }, "x")).toBe("arguments.v: expected number, found string");
    expect(at({ items: { type: ["integer", "null"] } }, [1, 2.5])).toBe(
      "arguments.v[1]: expected integer or null, found 2.5",
    );
    expect(at({ anyOf: [{ type: "integer" }, { type: "null" }] }, "x")).toBe(
      "arguments.v: expected integer or null, found string",
    );
    expect(at({ enum: ["a", "b"] }, "c")).toBe('arguments.v: expected one of "a", "b", found "c"');
    expect(at({ required: ["k"] }, {})).toBe("arguments.v.k: expected a value (required), found nothing");
    expect(at({ additionalProperties: false }, { "odd key": 1 })).toBe(
      'arguments.v["odd key"]: expected no member that the schema does not declare, found number',
    );
    expect(say(false, {})).toContain("allows nothing");
  });

  const key60 = "k".repeat(60);
  const sentences: [schema: JsonSchema, value: unknown, sentence: string][] = [
    [{ type: ["string", "null"] }, [], ": expected string or null, found array"],
    [{ anyOf: [{ type: "string" }, { minimum: 5 }] }, 1, ": expected string or at least 5, found number"],
    [
      { anyOf: [{ type: "string" }, { items: { type: "string" } }] },
      [1],
      "[0]: expected string (by the nearest of 2 alternatives), found number",
    ],
    [
      { oneOf: [{ type: "string" }, { minLength: 1 }] },
      "a",
      ': expected what fits exactly one of 2 alternatives, found "a", which fits more than one',
    ],
    [{ const: "a" }, 2, ': expected "a", found 2'],
    [{ enum: ["x".repeat(300), "b"] }, "c", `: expected one of "${"x".repeat(199)}..., found "c"`],
    [{ minimum: 3 }, 1, ": expected at least 3, found 1"],
    [{ exclusiveMinimum: 3 }, 3, ": expected more than 3, found 3"],
    [{ exclusiveMaximum: 3 }, 3, ": expected less than 3, found 3"],
    [{ maxProperties: 0 }, { a: 1 }, ": expected at most 0 members, found 1 member"],
    [{ minLength: 2 }, "a", ": expected at least 2 characters, found 1 character"],
    [{ pattern: "^a" }, "b", ': expected text that matches the pattern ^a, found "b"'],
    [{ required: ['a"b'] }, {}, '["a\\"b"]: expected a value (required), found nothing'],
    [{ items: { not: {} } }, [1], '[0]: expected what does not fit "not", found 1'],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], ": expected at most 1 item, found 2 items"],
    [{ additionalProperties: { type: "string" } }, { [key60]: 1 }, `.${key60}: expected string, found number`],
    [
      { additionalProperties: { type: "string" } },
      { [`${key60}k`]: 1 },
      `["${key60}..."]: expected string, found number`,
    ],
    [{ properties: { "~/%": { type: "string" } } }, { "~/%": 1 }, '["~/%"]: expected string, found number'],
    [
      { properties: { a: { properties: { b: { type: "string" } } } } },
      { a: { b: 1 } },
      ".a.b: expected string, found number",
    ],
    [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, ".b: expected a value (required), found nothing"],
    [{ if: { type: "string" }, else: { type: "null" } }, 1, ": expected null, found number"],
  ];
  test.each(sentences)("%j does not fit %j", (schema, value, sentence) => {
    expect(at(schema, value)).toBe(`arguments.v${sentence}`);
  });

  test("reads each draft as it is meant", () => {
    const withDraft = (draft: string, more: object, value: unknown) =>
      say({ $schema: draft, ...more } as JsonSchema, value);
    const reference = { properties: { v: { $ref: "#/definitions/t", minLength: 5 } }, definitions: { t: {} } };
    for (const draft of ["draft-03", "draft-04", "draft-06", "draft-07"]) {
      expect(withDraft(`http://json-schema.org/${draft}/schema#`, reference, { v: "a" })).toBe(true);
    }
    const recent = [
      "https://json-schema.org/draft/2019-09/schema",
      "https://json-schema.org/draft/2020-12/schema",
      "?",
    ];
    for (const draft of recent) expect(withDraft(draft, reference, { v: "a" })).toContain("characters");
    const rest = { items: [{ type: "string" }], additionalItems: false };
    expect(withDraft(recent[0] as string, rest, ["a", 1])).toContain("at most 1 item");
  });

  // What stands in a part that is passed over by mistake allows everything, and its work has no bound.
  const places: [keyword: string, wrap: (inner: JsonSchema) => unknown, fill: (value: unknown) => unknown][] = [
    ...["properties", "patternProperties"].map((keyword): (typeof places)[number] => [
      keyword,
      (inner) => ({ [keyword]: { k: inner } }),
      (value) => ({ k: value }),
    ]),
    ...["items", "additionalItems", "contains"].map((keyword): (typeof places)[number] => [
      keyword,
      (inner) => ({ [keyword]: inner, ...(keyword === "additionalItems" ? { items: [] } : {}) }),
      (value) => [value],
    ]),
    ...["allOf", "anyOf", "oneOf"].map((keyword): (typeof places)[number] => [
      keyword,
      (inner) => ({ [keyword]: [inner] }),
      (value) => value,
    ]),
    ...["then", "else"].map((keyword): (typeof places)[number] => [
      keyword,
      (inner) => ({ if: keyword === "then", [keyword]: inner }),
      (value) => value,
    ]),
    ["prefixItems", (inner) => ({ prefixItems: [inner] }), (value) => [value]],
    ["additionalProperties", (inner) => ({ additionalProperties: inner }), (value) => ({ k: value })],
    ["unevaluatedProperties", (inner) => ({ unevaluatedProperties: inner }), (value) => ({ k: value })],
    ["propertyNames", (inner) => ({ propertyNames: inner }), (value) => ({ [value as string]: 1 })],
    [
      "dependentSchemas",
      (inner) => ({ dependentSchemas: { k: { properties: { k: inner } } } }),
      (value) => ({ k: value }),
    ],
    ["not", (inner) => ({ not: { not: inner } }), (value) => value],
    ["$ref", (inner) => ({ $ref: "#/$defs/d", $defs: { d: inner } }), (value) => value],
  ];
  test.each(places)("%s: what stands there is checked, within bounds", (_, wrap, fill) => {
    const schema = wrap({ type: "string", pattern: "^a+$" }) as JsonSchema;
    expect(say(schema, fill("aa"))).toBe(true);
    expect(say(schema, fill("b"))).not.toBe(true);
    expect(say(schema, fill("a".repeat(16_385)))).toContain("too long");
    expect(say(schema, fill("a".repeat(16_384)))).toBe(true);
  });

  const big = "9007199254740993";
  const more = "1.00000000000000000001";
  test.each<[string, JsonSchema, string | string[], boolean]>([
    ["listed", { enum: [2 ** 53] }, big, false],
    ["listed, and written with all its digits", { enum: [2 ** 53] }, "9007199254740992", true],
    ["forbidden", { not: { const: 2 ** 53 } }, big, false],
    ["another than is forbidden", { not: { const: 1 } }, big, true],
    ["listed in an object", { enum: [{ b: 2 ** 53 }] }, `{"b": ${big}}`, false],
    ["a limit", { maximum: 2 ** 53 }, big, false],
    ["far from a limit", { maximum: 2 ** 60 }, big, true],
    ["a limit as a fraction", { type: "number", maximum: 1 }, more, false],
    ["an integer", { type: "integer" }, more, false],
    ["an integer of many digits", { type: "integer" }, big, true],
    ["a number", { type: "number" }, more, true],
    ["in a text, where it is none", { anyOf: [{ const: 1 }, { type: "string" }] }, `"${more}"`, true],
    ["a multiple", { multipleOf: 2 }, big, false],
    ["one of two that would be equal", { not: { uniqueItems: true } }, `[${big}, 9007199254740992]`, false],
  ])("a number of which digits are lost: %s", (_, schema, json, fits) => {
    const lostDigits = inexactNumbers(json as string);
    expect(at(schema, JSON.parse(json as string), { lostDigits }) === true).toBe(fits);
    const text = `<tool_call>{"name": "f", "arguments": {"v": ${json}}}</tool_call>`;
    const tools = [{ name: "f", parameters: { properties: { v: schema } } }];
    expect(parse(text, { format: "hermes", tools }).calls).toHaveLength(fits ? 1 : 0);
  });

  test("reads OpenAPI and old drafts", () => {
    expect(at({ type: "string", nullable: true }, null)).toBe(true);
    expect(at({ type: "string", enum: ["a"], nullable: true }, null)).toBe(true);
    const root = { properties: { v: { $ref: "#/$defs/t", nullable: true } }, $defs: { t: { type: "string" } } };
    expect(say(root, { v: null })).toBe(true);
    expect(say(root, { v: "a" })).toBe(true);
    expect(say(root, { v: 1 })).not.toBe(true);
    expect(at({ minimum: 0, exclusiveMinimum: true }, 0)).not.toBe(true);
    expect(at({ minimum: 0, exclusiveMinimum: true }, 0.5)).toBe(true);
    expect(at({ minimum: 0, exclusiveMinimum: false }, 0)).toBe(true);
    expect(at({ maximum: 9, exclusiveMaximum: true }, 9)).not.toBe(true);
    expect(at({ maximum: 9, exclusiveMaximum: true }, 8)).toBe(true);
    expect(at({ maximum: 9, exclusiveMaximum: false }, 9)).toBe(true);
    expect(at({ exclusiveMaximum: 9 }, 9)).not.toBe(true);
    expect(at({ nullable: true, type: ["string", "integer"], enum: ["a"] }, null)).toBe(true);
    expect(at({ nullable: true, type: "string", enum: ["a"] }, "b")).not.toBe(true);
    expect(at({ nullable: true, const: 1 }, null)).toBe(true);
    expect(at({ nullable: true, const: 1 }, 2)).not.toBe(true);
    expect(at({ nullable: true, anyOf: [{ type: "string" }] }, 1)).not.toBe(true);
    expect(at({ nullable: false, type: "string" }, null)).not.toBe(true);
  });

  test("reads patterns that only the old way of regular expressions takes", () => {
    expect(at({ pattern: "^\\@\\_x$" }, "@_x")).toBe(true);
    expect(at({ pattern: "^\\@\\_x$" }, "x")).toContain("matches the pattern");
    expect(at({ patternProperties: { "^\\@": { type: "string" } } }, { "@a": "b" })).toBe(true);
    expect(at({ patternProperties: { "^\\@": { type: "string" } } }, { "@a": 1 })).toContain("expected string");
    expect(at({ properties: { "^\\@": { type: "string" } } }, { "^\\@": 1 })).toContain("expected string");
  });

  test("takes no name of a document for anything else", () => {
    const inner = { $id: "https://example.com/y", id: "z", $ref: "#/$defs/t" };
    const named = { $id: "https://example.com/x", properties: { v: inner }, $defs: { t: { type: "string" } } };
    expect(say(named, { v: "a" })).toBe(true);
    expect(say(named, { v: 1 })).toContain("expected string");
    expect(at({ properties: { id: { type: "string" } } }, { id: 1 })).toContain("arguments.v.id");
    expect(say(true, { v: 1 })).toBe(true);
  });

  test("leaves the schema it is given alone", () => {
    const schema = Object.freeze({
      $id: "https://example.com/x",
      properties: Object.freeze({ a: { type: "string" } }),
    });
    const before = JSON.stringify(schema);
    expect(say(schema, { a: 1 })).toContain("arguments.a");
    expect(JSON.stringify(schema)).toBe(before);
  });

  test("what could take forever is refused, also under not", () => {
    const long = "b".repeat(20_000);
    expect(at({ pattern: "^a+$" }, long)).toContain("too long");
    expect(at({ not: { pattern: "^a+$" } }, long)).toContain("too long");
    expect(at({ patternProperties: { "^a": true } }, { [long]: 1 })).toContain("too long");
    expect(at({ patternProperties: { "^a": true } }, { b: 1 })).toBe(true);
    expect(at({ uniqueItems: true, not: { type: "string" } }, [1, 2])).toBe(true);
    expect(at({ uniqueItems: true, not: { type: "string" } }, [1, 1])).toContain("items 0 and 1 are equal");
    expect(at({ uniqueItems: false, not: { type: "string" } }, Array(5000).fill(1))).toBe(true);
    expect(at({ pattern: "^a", allOf: [{ minLength: 3 }] }, "ab")).toContain("characters");
    const chain = {
      $defs: { n: { properties: { next: { $ref: "#/$defs/n" } }, not: { type: "string" } } },
      $ref: "#/$defs/n",
    };
    let deep: unknown = {};
    for (let level = 0; level < 20_000; level++) deep = { next: deep };
    expect(say(chain, deep)).toContain("too deep");
    // Uniqueness costs no more than the reading of the items.
    const many = Array.from({ length: 50_000 }, (_, index) => ({ at: [index] }));
    expect(at({ uniqueItems: true }, many)).toBe(true);
    expect(at({ uniqueItems: true }, [...many, { at: [7] }])).toContain("items 7 and 50000 are equal");
    expect(at({ type: "string" }, long)).toBe(true);
    const node = (kind: string) => ({
      properties: { next: { $ref: "#/$defs/n" }, kind: { const: kind } },
      required: ["kind"],
    });
    const doubling = { properties: { v: { $ref: "#/$defs/n" } }, $defs: { n: { anyOf: [node("a"), node("b")] } } };
    let value: unknown = { kind: "b" };
    for (let level = 0; level < 40; level++) value = { next: value, kind: "b" };
    expect(say(doubling, { v: value })).toContain("too many combinations");
    // The bound grows with the value: what is only large is checked.
    const several = {
      items: { anyOf: [{ type: "string" }, { not: { type: "integer" } }, { type: "number", not: { type: "string" } }] },
    };
    expect(at(several, Array(60_000).fill(1))).toBe(true);
  });
});

// A keyword, a value that fits and one that does not.
const asked: [keyword: string, schema: JsonSchema, fits: unknown, other: unknown][] = [
  ["type", { type: "integer" }, 5.0, 5.5],
  ["enum", { enum: [1, "a", null, [1], { a: 1 }] }, { a: 1 }, { a: 2 }],
  ["const", { const: { a: [1, null] } }, { a: [1, null] }, { a: [1] }],
  ["nullable", { nullable: true, type: "string" }, null, 1],
  ["$ref", { $ref: "#/$defs/t", $defs: { t: { type: "string" } } }, "a", 1],
  ["$ref and its neighbours", { $ref: "#/$defs/t", maxLength: 1, $defs: { t: { type: "string" } } }, "a", "ab"],
  ["$anchor", { $ref: "#t", $defs: { t: { $anchor: "t", type: "string" } } }, "a", 1],
  ["$id", { $id: "https://a.test/x", $ref: "y", $defs: { y: { $id: "y", type: "string" } } }, "a", 1],
  [
    "$dynamicRef",
    { $dynamicAnchor: "node", properties: { next: { $dynamicRef: "#node" } }, required: ["k"] },
    { k: 1, next: { k: 1 } },
    { k: 1, next: {} },
  ],
  ["definitions", { $ref: "#/definitions/t", definitions: { t: { type: "string" } } }, "a", 1],
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4],
  ["anyOf", { anyOf: [{ minimum: 3 }, { maximum: 1 }] }, 4, 2],
  ["oneOf", { oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 4, 2],
  ["not", { not: { type: "string" } }, 1, "a"],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ["if, then", { if: { minimum: 5 }, then: { multipleOf: 2 } }, 6, 7],
  ["if, else", { if: { minimum: 5 }, else: { multipleOf: 2 } }, 7, 3],
  ["properties", { properties: { a: { type: "string" } } }, { a: "x", b: 1 }, { a: 1 }],
  ["properties that every object inherits", { properties: { toString: { type: "string" } } }, {}, { toString: 1 }],
  ["patternProperties", { patternProperties: { "^x-": { type: "string" } } }, { "x-a": "b", y: 1 }, { "x-a": 1 }],
  ["additionalProperties", { properties: { a: true }, additionalProperties: { type: "string" } }, { a: 1 }, { b: 1 }],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1 },
    { a: 1, b: 2 },
  ],
  [
    "unevaluatedProperties and alternatives",
    { anyOf: [{ properties: { a: { type: "string" } } }, { properties: { b: true } }], unevaluatedProperties: false },
    { b: 1 },
    { a: 1 },
  ],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
  ["required", { required: ["a"] }, { a: undefined }, { b: 1 }],
  ["minProperties", { minProperties: 1 }, { a: 1 }, {}],
  ["maxProperties", { maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
  ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, { b: 1 }, { a: 1 }],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1, b: 2 }, { a: 1 }],
  ["dependencies", { dependencies: { a: ["b"], c: { required: ["d"] } } }, { a: 1, b: 2 }, { c: 1 }],
  ["items", { items: { type: "string" } }, ["a"], ["a", 1]],
  ["items, a list", { items: [{ type: "string" }] }, ["a", 1], [1]],
  ["prefixItems", { prefixItems: [{ type: "string" }] }, ["a", 1], [1]],
  ["additionalItems", { items: [true], additionalItems: { type: "string" } }, [1, "a"], [1, 2]],
  ["unevaluatedItems", { allOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [1], [1, 2]],
  ["contains", { contains: { type: "string" } }, [1, "a"], [1]],
  ["minContains", { contains: { type: "string" }, minContains: 2 }, ["a", "b"], ["a", 1]],
  ["minContains 0", { contains: { type: "string" }, minContains: 0, maxItems: 1 }, [], [1, 2]],
  ["maxContains", { contains: { type: "string" }, maxContains: 1 }, ["a", 1], ["a", "b"]],
  ["minItems", { minItems: 1 }, [1], []],
  ["maxItems", { maxItems: 1 }, [1], [1, 2]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [1, "1", true, null, [1]],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ],
  ["minimum", { minimum: 1 }, 1, 0.5],
  ["maximum", { maximum: 1 }, 1, 1.5],
  ["exclusiveMinimum", { exclusiveMinimum: 1 }, 1.5, 1],
  ["exclusiveMaximum", { exclusiveMaximum: 1 }, 0.5, 1],
  ["multipleOf", { multipleOf: 0.0001 }, 0.0075, 0.00751],
  ["multipleOf of large numbers", { multipleOf: 0.5 }, 1e308, 1.25],
  ["minLength", { minLength: 2 }, "🧭🧭", "🧭"],
  ["maxLength", { maxLength: 1 }, "🧭", "🧭🧭"],
  ["pattern", { pattern: "^\\p{L}+$" }, "äb", "a1"],
];

describe("a keyword", () => {
  test.each(asked)("%s distinguishes what fits from what does not", (_, schema, fits, other) => {
    expect(say(schema, fits)).toBe(true);
    expect(say(schema, other)).toMatch(/expected .+, found/);
  });

  // A keyword says nothing of values of another kind.
  test.each(asked.filter(([, , fits]) => typeof fits === "object" && fits !== null))(
    "%s: objects or arrays only",
    (_, schema) => {
      const parts = schema as Record<string, unknown>;
      if (["allOf", "anyOf", "enum", "const", "not", "nullable"].some((keyword) => keyword in parts)) return;
      expect(say(schema, 5)).toBe(true);
    },
  );
});

describe("what is wrong", () => {
  test("is listed, all of it, to eight places", () => {
    const schema = {
      properties: { a: { type: "string" }, b: { minimum: 1 } },
      required: ["c"],
      additionalProperties: false,
    };
    expect(validateSchema(schema, { a: 1, b: 0, bb: 2 })).toEqual([
      { path: "arguments.a", expected: "string", found: "number" },
      { path: "arguments.b", expected: "at least 1", found: "0" },
      {
        path: "arguments.bb",
        expected: 'no member that the schema does not declare (did you mean "b"?)',
        found: "number",
      },
      { path: "arguments.c", expected: "a value (required)", found: "nothing" },
    ]);
    expect(validateSchema({ items: { type: "string" } }, Array(20).fill(1))).toHaveLength(8);
  });

  test("in a union is what the nearest alternative asks for", () => {
    const shape = (kind: string, key: string) => ({
      type: "object",
      properties: { kind: { const: kind }, [key]: { type: "number" } },
      required: ["kind", key],
    });
    const union = { oneOf: [{ type: "string" }, shape("circle", "radius"), shape("square", "side")] };
    expect(at(union, { kind: "square", side: "5" })).toBe(
      "arguments.v.side: expected number (by the nearest of 3 alternatives), found string",
    );
    expect(at(union, { kind: "circle" })).toBe(
      "arguments.v.radius: expected number (required) (by the nearest of 3 alternatives), found nothing",
    );
    expect(at(union, 5)).toBe("arguments.v: expected string or object, found number");
  });

  test("in names, counts and choices says what would be right", () => {
    expect(at({ propertyNames: { pattern: "^a" } }, { b: 1 })).toBe(
      'arguments.v.b: expected a member whose name is text that matches the pattern ^a, found "b"',
    );
    expect(at({ contains: { type: "string" } }, [1])).toBe(
      'arguments.v: expected at least 1 of the items to fit "contains" (string), found 0',
    );
    expect(at({ enum: ["north", "south"] }, "nort")).toBe(
      'arguments.v: expected one of "north", "south", found "nort"',
    );
    expect(at({ const: "a" }, "k".repeat(100))).toBe(`arguments.v: expected "a", found "${"k".repeat(60)}..."`);
    expect(at({ multipleOf: 5 }, 7)).toBe("arguments.v: expected a multiple of 5, found 7");
    expect(at(false, 1)).toBe("arguments.v: expected nothing (the schema allows no value here), found number");
  });

  test("that only the whole shows is not listed beside what caused it", () => {
    const schema = { properties: { a: { type: "string" } }, unevaluatedProperties: false };
    expect(say(schema, { a: 1, b: 2 })).toBe("arguments.a: expected string, found number");
  });
});

describe("types by other names", () => {
  const read = (schema: unknown) => readSchema(schema, "t");

  test("are read as what they mean, wherever they stand", () => {
    const shared = { type: "FLOAT" };
    const given = {
      type: "dict",
      properties: { a: shared, b: shared, type: { type: ["int", "None"] }, any: { type: "any", title: "x" } },
      $defs: { l: { type: "List", items: { anyOf: [{ type: "str" }, { type: "Bool" }] } } },
      default: { type: "dict" },
      other: { hidden: { type: "Object" } },
      allOf: [{ $ref: "#/other/hidden" }],
    };
    const before = structuredClone(given);
    const schema = read(given) as typeof given;
    expect(schema).toEqual({
      type: "object",
      properties: {
        a: { type: "number" },
        b: { type: "number" },
        type: { type: ["integer", "null"] },
        any: { title: "x" },
      },
      $defs: { l: { type: "array", items: { anyOf: [{ type: "string" }, { type: "boolean" }] } } },
      default: { type: "dict" },
      other: { hidden: { type: "object" } },
      allOf: [{ $ref: "#/other/hidden" }],
    });
    expect(given).toEqual(before);
    expect(schema.properties.a).toBe(schema.properties.b);
  });

  test("leave a schema alone that has none, and are refused with tool, place and value when they are unknown", () => {
    const plain = { type: "object", properties: { a: { type: "string" } } };
    expect(read(plain)).toBe(plain);
    expect(() => read({ properties: { a: { type: "strng" } } })).toThrow(
      'tool "t": invalid schema at #/properties/a/type: has no type "strng" (did you mean "string"?)',
    );
  });
});

const formats: [format: string, fits: string[], others: string[]][] = [
  [
    "date-time",
    ["2024-02-29T23:59:59Z", "1990-12-31T23:59:60Z", "1998-12-31T15:59:60.5-08:00", "2024-01-01t00:00:00z"],
    [
      "2023-02-29T00:00:00Z",
      "2024-01-01T24:00:00Z",
      "2024-01-01 00:00:00Z",
      "2024-01-01T00:00:00",
      "1990-12-31T10:00:60Z",
    ],
  ],
  ["date", ["2000-02-29", "0001-01-31"], ["1900-02-29", "2024-13-01", "2024-1-1", "२०२४-01-01"]],
  ["time", ["08:30:06Z", "23:59:60+00:00"], ["08:30:06", "25:00:00Z", "08:30:06 PST", "22:59:60Z"]],
  [
    "email",
    ["a@b.test", '"a b"@c.test', "a+b@[127.0.0.1]", "a@[IPv6:::1]"],
    ["a", "@b.test", "a@", "a..b@c.test", "a@-b.test", "a@b..test"],
  ],
  [
    "uri",
    ["https://a.test/b?c#d", "urn:x:y", "http://[::1]:80/", "mailto:a@b.test"],
    ["a.test", "//a.test", "http:// b", "http://a.test/%zz", "http://a.test:x/", ":a"],
  ],
  [
    "uuid",
    ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
    ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "zeb8aa08-aa98-11ea-b4aa-73b441d16380"],
  ],
  ["ipv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "0x7f.0.0.1"]],
  [
    "ipv6",
    ["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::8"],
    [":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1::", "12345::", "1:2:3:4:5:6:7:1.2.3.4", "::1%eth0"],
  ],
];

describe.each(formats)("the format %s", (format, fits, others) => {
  test("is an annotation, unless it is to be asserted", () => {
    for (const text of others) expect(at({ format }, text)).toBe(true);
    for (const text of fits) expect([text, at({ format }, text, { formats: "assert" })]).toEqual([text, true]);
    for (const text of others) {
      expect([text, at({ format }, text, { formats: "assert" })]).not.toEqual([text, true]);
    }
    expect(at({ format }, 5, { formats: "assert" })).toBe(true);
  });

  test("takes time in proportion to the text", () => {
    for (const piece of ["a", "1", "-", ".", ":", "@", "a.", "a@", "1:", "::", "%41", "a-", '"', "[", "//"]) {
      const long = piece.repeat(200_000 / piece.length);
      for (const text of [long, `a@${long}`, `http://${long}`, `http://${long} `, `"${long}"@a`]) {
        const from = performance.now();
        at({ format }, text, { formats: "assert" });
        expect(performance.now() - from).toBeLessThan(500);
      }
    }
  });
});

test("an unchecked format stays an annotation", () => {
  expect(at({ format: "url" }, "x", { formats: "assert" })).toBe(true);
  expect(at({ format: "email" }, "x", { formats: "assert" })).toBe(
    'arguments.v: expected text in the format email, found "x"',
  );
});
