import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { fitsOf } from "../src/gate/fits-schema.ts";
import { validateSchema } from "../src/gate/validate-schema.ts";
import { Random } from "./support/sentences.ts";

// The short way may only say yes where the library does.

const scalars = [null, true, false, 0, 1, -1, 1.5, 3, "", "a", "abc", "🧭🧭", "north"];
const keys = ["a", "b", "c", "d"];

function makeValue(random: Random, depth = 0): unknown {
  if (depth < 3 && random.chance(0.4)) {
    if (random.chance(0.4)) return [...Array(random.below(4))].map(() => makeValue(random, depth + 1));
    return Object.fromEntries(keys.filter(() => random.chance(0.5)).map((key) => [key, makeValue(random, depth + 1)]));
  }
  return random.pick(scalars);
}

function makeSchema(random: Random, depth = 0): unknown {
  if (random.chance(0.05)) return random.chance(0.8);
  const names = ["string", "number", "integer", "boolean", "null", "array", "object"];
  const inner = () => (depth < 3 ? makeSchema(random, depth + 1) : {});
  const parts: [number, () => Record<string, unknown>][] = [
    [0.6, () => ({ type: random.chance(0.3) ? [random.pick(names), random.pick(names)] : random.pick(names) })],
    [0.2, () => ({ enum: scalars.filter(() => random.chance(0.4)) })],
    [0.05, () => ({ const: random.pick(scalars) })],
    [
      0.4,
      () => ({ properties: Object.fromEntries(keys.filter(() => random.chance(0.5)).map((key) => [key, inner()])) }),
    ],
    [0.2, () => ({ required: keys.filter(() => random.chance(0.3)) })],
    [0.2, () => ({ additionalProperties: random.chance(0.5) ? false : inner() })],
    [0.3, () => ({ items: inner() })],
    [0.1, () => ({ anyOf: [inner(), inner()] })],
    [0.1, () => ({ minimum: random.below(3), maximum: 1 + random.below(3) })],
    [0.1, () => ({ minLength: random.below(3), maxLength: 1 + random.below(4) })],
    [0.1, () => ({ minItems: random.below(2), maxItems: 1 + random.below(3) })],
    [0.1, () => ({ title: "x", description: "y", default: 1 })],
    [0.05, () => ({ pattern: "^a" })],
    [0.05, () => ({ not: inner() })],
  ];
  return Object.assign({}, ...parts.filter(([part]) => random.chance(part)).map(([, make]) => make()));
}

describe("the short way to a yes", () => {
  test("never says yes where the library says no", () => {
    const random = new Random(20261121);
    let yes = 0;
    let valid = 0;
    for (let n = 0; n < 6000; n++) {
      const schema = makeSchema(random) as Record<string, unknown>;
      const value = makeValue(random);
      const says =
        typeof schema === "boolean" ? schema : new Validator(structuredClone(schema), "2020-12").validate(value).valid;
      valid += says ? 1 : 0;
      if (!fitsOf(schema)(value)) continue;
      yes++;
      expect(says, `${JSON.stringify(schema)} ${JSON.stringify(value)}`).toBe(true);
    }
    // It would be worth nothing if it were hardly ever sure.
    expect(yes).toBeGreaterThan(valid * 0.7);
  });

  // It would be worth nothing if it did not know the schemas that tools have.
  const text = { type: "string" };
  const sure: [schema: Record<string, unknown>, value: unknown][] = [
    ...(
      [
        ["string", "a"],
        ["number", 1.5],
        ["integer", 1],
        ["boolean", false],
        ["null", null],
        ["array", []],
      ] as const
    ).map(([type, value]): [Record<string, unknown>, unknown] => [{ type }, value]),
    [{ type: ["string", "null"] }, null],
    [{ ...text, title: "t", description: "d", default: "x", examples: [], deprecated: true, readOnly: true }, "a"],
    [{ ...text, $comment: "c", $defs: {}, definitions: {}, $schema: "s", writeOnly: true, items: undefined }, "a"],
    [{ enum: ["a", 1, true, null] }, 1],
    [{ const: null }, null],
    [{ required: ["a"] }, { a: 1 }],
    [{ required: ["a"] }, 5],
    [{ properties: { a: text } }, { a: "x", b: 1 }],
    [{ properties: { a: text } }, 5],
    [{ properties: { a: text }, additionalProperties: true }, { b: 1 }],
    [{ properties: { a: text }, additionalProperties: { type: "number" } }, { b: 1 }],
    [{ additionalProperties: { type: "number" } }, { b: 1 }],
    [{ properties: { a: true } }, { a: {} }],
    [{ items: text }, ["a", "b"]],
    [{ items: text }, 5],
    [{ anyOf: [text, { type: "null" }] }, null],
    [{ minimum: 1, maximum: 1 }, 1],
    [{ minimum: 1, maximum: 1 }, "a"],
    [{ minItems: 1, maxItems: 1 }, [1]],
    [{ minItems: 1, maxItems: 1 }, "a"],
    [{ minLength: 0 }, ""],
    [{ minLength: 1, maxLength: 2 }, "ab"],
    [{ minLength: 1, maxLength: 2 }, []],
    [{ type: "string", minLength: 1, maxLength: 2, enum: ["ab"] }, "ab"],
    [{ type: "string", minLength: 1, maxLength: 2 }, "ab"],
  ];
  test.each(sure)("%j is known to fit %j", (schema, value) => {
    expect(fitsOf(schema)(value)).toBe(true);
  });

  test("leaves what is nested deep to the library, which bounds its work", () => {
    const nested = (levels: number): unknown => (levels === 0 ? text : { items: nested(levels - 1) });
    const value = (levels: number): unknown => (levels === 0 ? "a" : [value(levels - 1)]);
    expect([32, 33].map((levels) => fitsOf(nested(levels))(value(levels)))).toEqual([true, false]);
  });

  test.each([
    ["an unknown keyword", { type: "object", contains: {} }],
    ["a keyword that every object inherits", JSON.parse('{"constructor": true, "toString": 1}')],
    ["an unknown type", { type: "tuple" }],
    ["no type at all", { type: [] }],
    ["a property that is no schema", { properties: { a: { type: 5 } }, required: [], anyOf: 5 }],
    ["a limit that is no number", { minimum: "1" }],
    ["a length that is no number", { minLength: "1" }],
    ["alternatives of none", { anyOf: [] }],
    ["names that are no list", { required: "a" }],
    ["properties that are no object", { properties: [] }],
    ["items by place", { items: [{}] }],
    ["choices among containers", { enum: [{}] }],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: {} } }],
    ["a property that every object inherits", { properties: { toString: { type: "string" } } }],
  ])("leaves %s to the library", (_, schema) => {
    expect(fitsOf(schema)({})).toBe(false);
  });

  test("the validator's answers are the same with it", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(validateSchema(schema, { a: 1 })).toBe(true);
    expect(validateSchema(schema, { a: 1.5 })).toMatch(/expected integer/);
    expect(validateSchema(schema, { a: 1, b: 2 })).toMatch(/not declared/);
  });
});
