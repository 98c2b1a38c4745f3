/**
 * Quotes that are not escaped in the strings of Python calls: with one reading the call is made, with two none is.
 */
import { describe, expect, test } from "vitest";
import { parse } from "../src/index.ts";

const string = { type: "string" };
const object = (properties: object, required: readonly string[], more: object = { additionalProperties: false }) => ({
  type: "object",
  properties,
  required,
  ...more,
});
const toolsOf = (schema: object) => [
  { name: "save", parameters: object({ obj: schema, mode: string }, ["obj"]) },
  { name: "stop", parameters: object({}, []) },
];

const wrappers: Readonly<Record<string, (calls: string) => string>> = {
  lfm2: (calls) => `<|tool_call_start|>[${calls}]<|tool_call_end|>`,
  llama4_pythonic: (calls) => `<|python_start|>[${calls}]<|python_end|>`,
  minicpm3: (calls) => `<|tool_call_start|>\n\`\`\`python\n${calls}\n\`\`\`\n<|tool_call_end|>`,
  olmo3: (calls) => `<function_calls>\n${calls}\n</function_calls>`,
};

const read = (format: string, calls: string, schema: object) =>
  parse(wrappers[format]?.(calls) ?? "", { format, tools: toolsOf(schema) });

const two = object({ name: string, greeting: string }, ["name", "greeting"]);

describe("one reading", () => {
  test.each(Object.keys(wrappers))("%s: in a dict", (format) => {
    const { calls, rejected } = read(format, "save(obj={'name':'it's a day', 'greeting':'Hello, my name's Jan'})", two);
    expect(rejected).toEqual([]);
    expect(calls.map((call) => call.arguments)).toEqual([
      { obj: { name: "it's a day", greeting: "Hello, my name's Jan" } },
    ]);
    expect(calls[0]?.repairs.map(({ kind, level }) => [kind, level])).toEqual([
      ["inner-quote", "safe"],
      ["inner-quote", "safe"],
    ]);
  });

  test.each([
    ['{"name":"say "hi" now","greeting":"x"}', two, { name: 'say "hi" now', greeting: "x" }],
    ["{'name':'it's','n':3}", object({ name: string, n: { type: "integer" } }, ["name"]), { name: "it's", n: 3 }],
    [
      "{'name':{'x':'it's'},'n':None}",
      object({ name: object({ x: string }, ["x"]) }, [], {}),
      {
        name: { x: "it's" },
        n: null,
      },
    ],
    ["{'name':'one\\ntwo's', 'greeting':'don't, it's'}", two, { name: "one\ntwo's", greeting: "don't, it's" }],
    ["{'name':'it's'}, mode='x'", object({ name: string }, ["name"]), { name: "it's" }],
  ])("%s", (text, schema, value) => {
    const { calls } = read("lfm2", `save(obj=${text})`, schema);
    expect(calls.map((call) => call.arguments.obj)).toEqual([value]);
  });

  test("the calls before it in its list are made", () => {
    const { calls } = read("lfm2", "stop(), save(obj={'name':'it's', 'greeting':'x'})", two);
    expect(calls.map(({ name }) => name)).toEqual(["stop", "save"]);
  });
});

describe("two readings", () => {
  test.each([
    // What stands behind may be text of it.
    ["{'name':'it's', 'greeting':'x'}", object({ name: string, greeting: string }, ["name"])],
    ["{'name':'it's', 'greeting':'x'}", object({ name: string }, ["name"], {})],
    ["{'name':'it's', 'greeting':'x'}", object({ name: string }, ["name"], { additionalProperties: string })],
    ["['it's', 'x']", { type: "array", items: string }],
    ["[{'name':'it's'}, {'name':'x'}]", { type: "array", items: object({ name: string }, ["name"]) }],
    // Another member, though the tool has none such.
    ["{'name':'the 'big' one', note='x'}", object({ name: string }, ["name"])],
    ["{'name':'the 'big' one', 'note':'x'}", object({ name: string }, ["name"])],
    ["{'name':'print('hi'), 'note':'x'}", object({ name: string }, ["name"])],
    ["{'name':'x'}, mode='print('hi'), mood='y'", object({ name: string }, ["name"])],
    ["{'name':'x'}, mode='f('x', b='y')'", object({ name: string }, ["name"])],
    ["{'name':'me, 'g'reeting': 'you', 'n':3}", object({ name: string, greeting: string, n: {} }, ["name"])],
    // Python would join strings that stand side by side.
    ["{'name':'the 'big' 'one' it's', 'greeting':'x'}", two],
    // Something else is damaged as well.
    ["{'name':'it's', 'greeting':'x'", two],
    ["{'name':'it's' 'greeting':'x'}", two],
    ["{'name':'it's', 'greeting':x}", two],
    ["{'name':'it's', 'greeting':'''x'''}", two],
    ["{'name':'it's', 'greeting':'x' + 'y'}", two],
  ])("%s", (text, schema) => {
    for (const format of Object.keys(wrappers)) {
      const { calls, rejected } = read(format, `save(obj=${text})`, schema);
      expect(calls).toEqual([]);
      expect(rejected.length).toBeGreaterThan(0);
    }
  });

  test("a call that its text shows is none, and the calls before it share its fate", () => {
    const shown = "stop(), save(obj={'name':'it's)]<|tool_call_end|><|tool_call_start|>[stop()', 'greeting':'x'})";
    expect(read("lfm2", shown, two).calls).toEqual([]);
  });
});
