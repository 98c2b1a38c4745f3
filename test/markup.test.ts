/** Values that hold tags: what the schema makes of them. */
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../src/contract/types.ts";
import { readMarkup } from "../src/values/markup.ts";

const xml = { prefix: "", entities: true };
const marked = { prefix: "@@", entities: false };
const strings: JsonSchema = { type: "array", items: { type: "string" } };
const numbers: JsonSchema = { type: "array", items: { type: "number" } };
const person: JsonSchema = { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } } };
const people: JsonSchema = { type: "array", items: person };
const tree: JsonSchema = {
  type: "object",
  properties: { at: { type: "integer" }, next: { type: "array", items: { $ref: "#" } } },
};

const readings: [title: string, texts: string[], schema: JsonSchema | undefined, value: unknown][] = [
  ["a string keeps its tags", ["<b>x</b>"], { type: "string" }, "<b>x</b>"],
  ["references are decoded once", ["&amp;lt; &#65;&#x42; &nope;"], { type: "string" }, "&lt; AB &nope;"],
  ["an integer in words of another notation", [" 018 "], { type: "integer" }, 18],
  ["members by schema", ["<name>7</name>\n<age>7</age>"], person, { name: "7", age: 7 }],
  ["a member is a string with tags", ["<name><i>x</i></name>"], person, { name: "<i>x</i>" }],
  ["items", ["<item>1</item><item>x</item>"], strings, ["1", "x"]],
  ["items of any one name", ["<n>1</n><n>2</n>"], numbers, [1, 2]],
  ["numbered items", ["<0>1</0><1>2</1>"], numbers, [1, 2]],
  ["items that are objects", ["<p><name>a</name></p><p><age>2</age></p>"], people, [{ name: "a" }, { age: 2 }]],
  ["one item without a tag of its own", ["<name>a</name><age>2</age>"], people, [{ name: "a", age: 2 }]],
  ["a parameter given again", ["<name>a</name>", "<name>b</name>"], people, [{ name: "a" }, { name: "b" }]],
  ["lines", ["\na b\nc\n"], strings, ["a b", "c"]],
  ["commas", ["1, 2.5"], numbers, [1, 2.5]],
  ["JSON", ['["a"]'], strings, ["a"]],
  ["Python", ["{'name': 'x'}"], person, { name: "x" }],
  ["recursion", ["<at>1</at><next><item><at>2</at></item></next>"], tree, { at: 1, next: [{ at: 2 }] }],
  ["nothing: null, where that is allowed", [""], { type: ["integer", "null"] }, null],
  ["nothing: an empty list", ["\n"], strings, []],
  ["no schema: objects, and lists of items", ["<a>1</a><b><item>x</item></b>"], undefined, { a: 1, b: ["x"] }],
  ["no schema: text between tags is text", ["x <b>1</b>"], undefined, "x <b>1</b>"],
];

describe("values that hold tags", () => {
  test.each(readings)("%s", (_, texts, schema, value) => {
    const read = readMarkup(texts, schema, schema ?? true, xml);
    expect("json" in read ? JSON.parse(read.json) : read).toEqual(value);
  });

  const refusals: [title: string, texts: string[], schema: JsonSchema][] = [
    ["text where a number should be", ["soon"], { type: "integer" }],
    ["a string given twice", ["a", "b"], { type: "string" }],
    ["a member given twice that is no list", ["<age>1</age><age>2</age>"], person],
    ["tags that do not match", ["<name>x</age>"], person],
    ["text beside members", ["x<age>1</age>"], person],
    ["an item of another name", ["<item>1</item><n>2</n>"], numbers],
    ["an item that does not fit", ["<item>1</item><item>x</item>"], numbers],
  ];
  test.each(refusals)("%s is refused", (_, texts, schema) => {
    expect(readMarkup(texts, schema, schema, xml)).toHaveProperty("mismatch");
  });

  test("only marked tags are tags", () => {
    expect(readMarkup(["@@<name><b>x</b>@@</name>@@<age>3@@</age>"], person, person, marked)).toEqual({
      json: '{"name":"<b>x</b>","age":3}',
    });
    expect(readMarkup(["@@<b>x@@</b>"], { type: "string" }, true, marked)).toHaveProperty("mismatch");
    expect(readMarkup(["<age>3</age>"], person, person, marked)).toHaveProperty("mismatch");
  });

  test("depth ends as too deep, never as an exception", () => {
    const deep = `${"<next>".repeat(100_000)}${"</next>".repeat(100_000)}`;
    expect(readMarkup([deep], tree, tree, xml)).toMatchObject({ reason: "too-deep" });
    expect(
      readMarkup(["1,2"], { type: "array", items: { $ref: "#" } }, { type: "array", items: { $ref: "#" } }, xml),
    ).toHaveProperty("mismatch");
  });

  test("own members only: names of the prototype are names", () => {
    const read = readMarkup(["<toString>1</toString><__proto__>2</__proto__>"], { type: "object" }, true, xml);
    expect(read).toMatchObject({ json: '{"toString":1,"__proto__":2}' });
  });
});
