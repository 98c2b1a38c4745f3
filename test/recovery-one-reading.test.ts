import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../src/contract/types.ts";
import { type RepairJsonOptions, repairJson } from "../src/json-repair/index.ts";

const text = { type: "string" };
const number = { type: "integer" };

function object(properties: Record<string, JsonSchema>, required: string[], closed = true): JsonSchema {
  return { type: "object", properties, required, ...(closed ? { additionalProperties: false } : {}) };
}

/** Text, schema, and the value if there is one reading. */
type Row = [text: string, schema: JsonSchema | undefined, value?: unknown];

function check(rows: Row[], more: RepairJsonOptions = { final: true }): void {
  it.each(rows)("%s", (damaged, schema, value) => {
    const result = repairJson(damaged, { ...more, ...(schema === undefined ? {} : { schema }) });
    if (!result.ok) throw new Error(result.message);
    expect(result.repairs.map(({ kind }) => kind)).toContain("inner-quote");
    expect(result.level).toBe(value === undefined ? "guess" : "safe");
    if (value !== undefined) expect(result.value).toEqual(value);
  });
}

describe("quotes that are not escaped have one reading", () => {
  check([
    ['{"t":"a "big" dog"}', undefined, { t: 'a "big" dog' }],
    ['{"t":"a "big" dog", "u":1}', undefined, { t: 'a "big" dog', u: 1 }],
    ['{"t":"5" pipe"}', object({ t: text }, ["t"]), { t: '5" pipe' }],
    // Only the keys of the schema decide.
    ['{"t":"a", "b": c", "n":1}', object({ t: text, n: number }, ["t", "n"]), { t: 'a", "b": c', n: 1 }],
    ['{"t":"say "no"", "u":"z"}', object({ t: text, u: text }, ["t", "u"]), { t: 'say "no"', u: "z" }],
    // What is strict before and after stays as it is, also where it could be swallowed.
    ['{"p":"x", "t":"a "b" c"}', object({ p: text, t: text }, ["p"]), { p: "x", t: 'a "b" c' }],
    [
      '{"t":"a "b" c", "p":"x", "o":"y"}',
      object({ t: text, p: text, o: text }, ["t", "p"]),
      { t: 'a "b" c', p: "x", o: "y" },
    ],
    ['{"a":"x "y" z", "b":"u "v" w"}', object({ a: text, b: text }, ["a", "b"]), { a: 'x "y" z', b: 'u "v" w' }],
    ['{"c":"one\n"two"\nthree"}', object({ c: text }, ["c"]), { c: 'one\n"two"\nthree' }],
    ['```json\n{"t":"a "b" c"}\n```', object({ t: text }, ["t"]), { t: 'a "b" c' }],
    ['[{"t":"a "b" c"}]', { type: "array", items: object({ t: text }, ["t"]) }, [{ t: 'a "b" c' }]],
    [
      '{"o":{"t":"a "b" c"}, "n":1}',
      object({ o: object({ t: text }, ["t"]), n: number }, ["o"]),
      { o: { t: 'a "b" c' }, n: 1 },
    ],
    ['["a "b" c"]', undefined, ['a "b" c']],
    [
      '{"t":"say "no", then "go" on", "n":1}',
      object({ t: text, n: number }, ["t"]),
      { t: 'say "no", then "go" on', n: 1 },
    ],
    // The string could only take the next one in if the braces fitted.
    [
      '{"o":{"t":"a "b" c"}, "u":"z"}',
      object({ o: object({ t: text, u: text }, ["t"], false), u: text }, ["o"]),
      { o: { t: 'a "b" c' }, u: "z" },
    ],
  ]);
});

describe("quotes that are not escaped have two readings", () => {
  check([
    // The optional string may be a part of the one before.
    ['{"t":"a "b" c", "u":"z"}', object({ t: text, u: text }, ["t"])],
    ['{"a":"x "y", "b":"z"}', object({ a: text, b: text }, ["a"])],
    // An open schema takes the key.
    ['{"t":"a "b", "x":"c"}', object({ t: text }, ["t"], false)],
    ['{"t":"a "b", "x":"c"}', undefined],
    ['["a "b", "c"]', undefined],
    // A quote at an edge may be one too many, in lists as in objects.
    ['["a","b""]', undefined],
    ['[""b"]', undefined],
    ['["\\"q\\\\""]', undefined],
    // Whoever has escaped some meant something else by the others.
    ['[""say \\"hi\\" now"]', undefined],
    ['["x", ""a\\"b"]', undefined],
    // At both edges, two may be.
    ['{"a":""x""}', object({ a: text }, ["a"])],
    // Something stands for a comma or a colon.
    ['{"a":"x"， "b"： "y"}', object({ a: text, b: text }, ["a"])],
    ['{"a":"x" | "y"}', object({ a: text }, ["a"])],
    ['{"a":"x" -> "y"}', object({ a: text }, ["a"])],
    // A text is no key: something is missing before the colon.
    ['{"t":"a" : "x y"}', object({ t: text, u: text }, ["t"])],
    ['{"a":"x "y" z", "b":"u "v" w"}', object({ a: text, b: text }, ["a"])],
    ['[{"t":"a "b" c"}, {"t":"d"}]', { type: "array", items: object({ t: text }, ["t"]) }],
    // A quote, a comma or a plus may be what is missing, or what joins two strings.
    ['["hello, "world"]', undefined],
    ['["a "b" : c"]', undefined],
    ['{"a":"x" b":"y"}', object({ a: text, b: text }, ["a"])],
    ['{"a":"x "y" b":"z"}', object({ a: text, b: text }, ["a"])],
    ['{"a":""x"}', undefined],
    ['{"a":"say \\"hi\\" and "bye""}', undefined],
    ['["a\n"b"]', undefined],
    // A quote too many, in a list or before blanks, and in a key.
    ['["a", "b""]', undefined],
    ['{"a":" "x"}', undefined],
    ['{"  "c": 12}', undefined],
    ['{"c". null, "a":"x"}', undefined],
    // The quote, the colon or the comma of the next member is what is damaged.
    ['{"n":"a", "user id: "b"}', undefined],
    ['{"n":"a", "user id"+: "b"}', undefined],
    ['{"a":"x","c";"y"}', object({ a: text, c: text }, ["a"])],
    ['{"a":"x","c(:"y"}', object({ a: text, c: text }, ["a", "c"])],
    ['{"a":"x, "b"c":"y"}', object({ a: text, bc: text }, ["a"])],
    ['{"a":"x", b"c":"y"}', object({ a: text, bc: text }, ["a"])],
    ['{"a":"",it\'s":"y"}', object({ a: text, "it's": text }, ["a"])],
    ['{"a":"x"“"user id":"y"}', object({ a: text, "user id": text }, ["a"])],
    ['{"a":"x", "b":"y"", "a":"z"}', object({ a: text, b: text }, ["a", "b"])],
    // Damage of another kind has other ways to be mended.
    ['{"t":"a "b" c",}', object({ t: text }, ["t"])],
    ['{"t":"a "b" c", u:1}', undefined],
  ]);
});

describe("quotes that are none of JSON's have one reading, unless another quote in the string may close it", () => {
  const pay = object({ to: text, memo: text, tags: { type: "array" } }, ["to"]);
  it.each([
    [`{"to":'x', "memo":'y'}`, pay, "safe"],
    [`{"to":'say "hi"'}`, pay, "safe"],
    [`{"to":'it"s', "memo":"a"}`, pay, "safe"],
    [`{"to":'{"a": 1, "c": [2]}'}`, pay, "safe"],
    [`{"to":'x", "memo":"y'}`, pay, "guess"],
    [`{"tags":['x","y']}`, pay, "guess"],
    ['{"to":`x", "memo": "y`}', pay, "guess"],
    ['{"tags":[`x\',"y`]}', pay, "guess"],
    [`{"to":'x", "other":"y'}`, undefined, "guess"],
    [`{'to": "x", "memo': "y"}`, undefined, "guess"],
    [`{"to":'x"}}</tool_call>{"to":"y'}`, pay, "guess"],
  ] as [string, JsonSchema | undefined, string][])("%s", (damaged, schema, level) => {
    const result = repairJson(damaged, { final: true, ...(schema === undefined ? {} : { schema }) });
    expect(result.ok && result.repairs.map(({ kind }) => kind)).toContain("quote-style");
    expect(result.ok && result.level).toBe(level);
  });
});

describe("a comment has one reading, unless it holds what may be a value", () => {
  it.each([
    ['["x", /* why, and how */ "y"]', "safe"],
    ['{"a": "x", // the second of them, v2\n"b": 1}', "safe"],
    ["[1, /* 2, */ 3]", "guess"],
    ["[1, /*** 2 ***/ 3]", "guess"],
    ["[1,\n# 2,\n3]", "guess"],
    ['{"a": 5, // 000\n"b": 1}', "guess"],
    ['{"a": false, // true, as before\n"b": 1}', "guess"],
    ['{"a": 1, // first, -2\n"b": 1}', "guess"],
    ["[1, /* two, .5 */ 3]", "guess"],
  ])("%s", (damaged, level) => {
    const result = repairJson(damaged, { final: true });
    expect(result.ok && result.level).toBe(level);
  });
});

describe("without a known end the text may go on", () => {
  check([['{"t":"a "big" dog"}', undefined]], {});
  check([['{"t":"a "big" dog"}</tool_call>', undefined, { t: 'a "big" dog' }]], {});
});

describe("a proof costs a bounded number of steps", () => {
  const optional = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, text]));
  it.each([
    ["quotes that fit nowhere", `{"t":"${'" '.repeat(10_000)}"}`],
    ["quotes that fit everywhere", `{"t":"${'a","b":"'.repeat(5_000)}"}`],
    ["strings in lists", `["${'a","'.repeat(5_000)}b "c" d"]`],
    [
      "members by the score",
      `{"t":"a "b" c",${Object.keys(optional).map((key) => `"${key}":"${'x"y'.repeat(99)}"`)},}`,
    ],
  ])("%s", (_, damaged) => {
    const started = performance.now();
    repairJson(damaged, { schema: object({ t: text, ...optional }, ["t"]), final: true });
    repairJson(damaged, { final: true });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
