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

  test.each([
    ["an unknown keyword", { type: "object", contains: {} }],
    ["a keyword that every object inherits", JSON.parse('{"constructor": true, "toString": 1}')],
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
