/** Schemas no person writes: nested past any use. They are refused by name, never a stack overflow. */
import { describe, expect, test } from "vitest";
import { formats, type JsonSchema, parse } from "../src/index.ts";

const levels = 100_000;

function nested(wrap: (inner: unknown) => unknown, core: unknown): unknown {
  let value = core;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

const property = (schema: unknown) => ({ type: "object", properties: { text: schema } });

const schemas: readonly [kind: string, schema: unknown, problem: RegExp][] = [
  ["properties", nested(property, { type: "string" }), /tool "put": invalid schema at #.*more than 256 schemas deep/],
  ["items", property(nested((items) => ({ items }), {})), /more than 256 schemas deep/],
  ["anyOf", property(nested((inner) => ({ anyOf: [inner] }), {})), /more than 256 schemas deep/],
  ["enum", property({ enum: [nested((inner) => [inner], 1)] }), /properties\/text\/enum.*more than 1000 levels/],
  ["const", property({ const: nested((inner) => [inner], 1) }), /properties\/text\/const.*more than 1000 levels/],
  [
    "default",
    property({ default: nested((inner) => ({ inner }), 1) }),
    /properties\/text\/default.*more than 1000 levels/,
  ],
];

describe.each(schemas)("%s, 100,000 levels deep", (_kind, schema, problem) => {
  const tools = [{ name: "put", parameters: schema as JsonSchema }];

  test("is refused before any text is read", () => {
    for (const format of ["hermes", "qwen3_coder"]) {
      expect(() => parse("Hello.", { format, tools })).toThrow(problem);
      expect(() => formats.get(format).instruction(tools)).toThrow(problem);
    }
  });
});
