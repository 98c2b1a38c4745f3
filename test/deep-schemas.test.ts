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

/** Each level refers twice to the next: a walk that does not remember where it has been takes 2^30 steps. */
function doubling(refer: (next: object) => unknown, core: unknown): JsonSchema {
  const $defs: Record<string, unknown> = { level30: core };
  for (let level = 0; level < 30; level++) $defs[`level${level}`] = refer({ $ref: `#/$defs/level${level + 1}` });
  return {
    type: "object",
    $defs,
    properties: { text: { $ref: "#/$defs/level0" } },
    $ref: "#/$defs/level0",
  } as JsonSchema;
}

const combinations: readonly [kind: string, refer: (next: object) => unknown][] = [
  ["anyOf", (next) => ({ anyOf: [next, { ...next }] })],
  ["oneOf", (next) => ({ oneOf: [next, { ...next }] })],
  ["allOf", (next) => ({ allOf: [next, { ...next }] })],
  ["both", (next) => ({ anyOf: [next, { allOf: [{ ...next }, { minProperties: 1 }] }] })],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ["if", (next) => ({ type: "object", if: { required: ["a"] }, then: next, else: { ...next } })],
  ["properties", (next) => ({ properties: { text: next, more: { ...next } } })],
];

describe.each(combinations)("two references from each of 30 levels, in %s", (_kind, refer) => {
  const validate = () => true as const;

  test("are walked once", () => {
    const core = { type: "object", properties: { size: { type: "integer" } } };
    const tools = [{ name: "put", parameters: doubling(refer, core) }];
    const text = "<tool_call>\n<function=put>\n<parameter=text>\n{}\n</parameter>\n</function>\n</tool_call>";
    for (const schema of ["reject", "coerce"] as const) {
      const { calls } = parse(text, { format: "qwen3_coder", tools, policy: { schema, validate } });
      expect(calls.map((call) => call.arguments)).toEqual([{ text: {} }]);
    }
    expect(formats.get("qwen3_coder").instruction(tools)).toContain("put");
  });

  test("so are those that lead back to where they began", () => {
    const parameters = doubling(refer, { $ref: "#/$defs/level0" });
    const { calls } = parse('<tool_call>{"name": "put", "arguments": {"text": "a"}}</tool_call>', {
      format: "hermes",
      tools: [{ name: "put", parameters }],
      policy: { validate },
    });
    expect(calls.map((call) => call.arguments)).toEqual([{ text: "a" }]);
  });
});
