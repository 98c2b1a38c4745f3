/** Bodies in YAML 1.2, typed by the schema. */
import { describe, expect, test } from "vitest";
import { readYamlBody } from "../src/blocks/bodies/yaml.ts";
import type { JsonSchema } from "../src/contract/types.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    share: { type: "number" },
    flag: { type: "boolean" },
    maybe: { type: ["string", "null"] },
    list: { type: "array", items: { type: "string" } },
    code: { type: "string" },
  },
};

const readings: [body: string, value: unknown][] = [
  ["text: 00123\ncount: 00123", { text: "00123", count: 123 }],
  ["text: no\nflag: true", { text: "no", flag: true }],
  ["text: null\nmaybe: null", { text: "null", maybe: null }],
  ["maybe: ~\nshare: .5", { maybe: null, share: 0.5 }],
  ["text:\nmaybe:", { text: "", maybe: null }],
  ["count: 0x1F\nshare: 1e3", { count: 31, share: 1000 }],
  ["list: [1, yes, 'a']", { list: ["1", "yes", "a"] }],
  ["text: \"a\\tb\"\ncode: 'it''s'", { text: "a\tb", code: "it's" }],
  ["text: |\n  a\n   b\n\ncode: >-\n  c\n  d", { text: "a\n b\n", code: "c d" }],
  ["    text: a\n    list:\n      - b", { text: "a", list: ["b"] }],
  ["other: 1\nfurther: '1'\nmore: 1.0", { other: 1, further: "1", more: 1 }],
  ['{"text": "a", "count": 2}', { text: "a", count: 2 }],
  ["", {}],
  ["# nothing", {}],
  ["# a count\ntext: 'a' # text: b\n# other: c\ncode: |\n  # count: 3", { text: "a", code: "# count: 3\n" }],
  ["text: a 'b'\ncode: x = \"y\"", { text: "a 'b'", code: 'x = "y"' }],
  ["text: a\n  b", { text: "a b" }],
  ["<text>a: b</text>\n<count>2</count>", { text: "a: b", count: 2 }],
  ["count: 1\ncode: if x: y: z\n  return\ntext: @a", { count: 1, code: "if x: y: z\n  return\n", text: "@a" }],
];

const refusals: [body: string, reason: string | undefined][] = [
  ["- a", undefined],
  ["just text", undefined],
  ["text: a\ntext: b", "duplicate-key"],
  ["count: many", "type-mismatch"],
  ["count: '1", "malformed"],
  ["list: [a", "malformed"],
  ["text: &x a\ncode: *x", "malformed"],
  ["text: !!binary aGk=", "malformed"],
  ["list: [!!str a]", "malformed"],
  ["other: !!timestamp 2024-01-01", "malformed"],
  ["share: !!float 5", "malformed"],
  ["text: !own a", "malformed"],
  ["!!str text: a", "malformed"],
  ["!!omap\ntext: a", undefined],
  ["text:\n  a: 1\n b: 2", undefined],
  ["other:\n  a: 1\n b: 2", undefined],
  ["list:\n  - a\n b", "malformed"],
  ['text: """a"""', "ambiguous"],
  ["code: ```\n  a\n  ```", "ambiguous"],
  ['text: """a', "malformed"],
  ['text:a b"', "malformed"],
  ['text: a b"', "ambiguous"],
  ["list: [a, b', 'c']", "ambiguous"],
  ["text:\n  a\n  b", "ambiguous"],
  ["text: |\n  a\n  bcode: c", "ambiguous"],
  ["text: ||\n  a: b", "malformed"],
  ["text: ->\n  a\n  b", "ambiguous"],
  ["text: -\n  a\n  b", "malformed"],
  ["# text: a", "ambiguous"],
  ["text: a\n# - count: 3", "ambiguous"],
  ["list: [a, # count: 3\n  b]", "ambiguous"],
  ['text: "a" # count: 3', "ambiguous"],
  ["count: 5 # 000", "ambiguous"],
  ["text: a\n b: c", undefined],
  ['text: "C:\\"\ncode: "a"', "malformed"],
  ["text: 'it''\ncode: 'a'", "malformed"],
  ["text: a: b\nother: c", undefined],
  ["text: a: b\n'other' : c", undefined],
  ["text: a: b\nother:", undefined],
  ["text: a: b\n- other: c", undefined],
  ['text: a: b\n"count": 5', undefined],
  ["text: a: b\n? count\n: 5", undefined],
  ["a: 1\n---\nb: 2", undefined],
  [`list: ${"[".repeat(100_000)}`, "too-deep"],
  [`list:\n  ${"- ".repeat(100_000)}`, "too-deep"],
];

describe("YAML bodies", () => {
  test.each(readings)("%j", (body, value) => {
    const read = readYamlBody(body, schema);
    expect("json" in read ? JSON.parse(read.json) : read).toEqual(value);
  });

  test.each(refusals)("%.40j is refused", (body, reason) => {
    const read = readYamlBody(body, schema);
    expect(read).toHaveProperty("problem");
    if ("problem" in read && read.reason !== undefined) expect(read.reason).toBe(reason);
    else expect(reason).toBeUndefined();
  });

  test("what was read around broken YAML is listed", () => {
    expect(readYamlBody("text: @a\n- b", schema)).toMatchObject({ repairs: ["bare-word"] });
    expect(readYamlBody("text: a", schema)).not.toHaveProperty("repairs");
  });

  test("digits beyond doubles are kept where a number is wanted", () => {
    expect(readYamlBody("count: 12345678901234567890", schema)).toEqual({ json: '{"count":12345678901234567890}' });
    expect(readYamlBody("n: 12345678901234567890", undefined)).toEqual({ json: '{"n":"12345678901234567890"}' });
  });
});
