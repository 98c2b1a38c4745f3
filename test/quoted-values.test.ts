import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createParser, type JsonSchema, type ParseEvent, type ParseOptions, parse } from "../src/index.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import { allowedBy } from "../src/values/allowed-values.ts";
import { refusesStrings } from "../src/values/quoted-values.ts";
import { Random } from "./support/sentences.ts";

const schema = {
  type: "object",
  properties: {
    count: { type: "integer" },
    when: { type: ["boolean", "null"] },
    sizes: { type: "array", items: { type: "number" } },
    note: { type: "string" },
    either: { type: ["integer", "string"] },
    level: { enum: [1, 2, null] },
    deep: { type: "object", properties: { on: { type: "boolean" }, 'k"ey': { type: "integer" } } },
    free: {},
    bounded: { minimum: 1 },
  },
};

const options = (parameters: JsonSchema = schema): ParseOptions => ({
  format: "hermes",
  tools: [{ name: "set", parameters }],
});

const message = (argumentsText: string) =>
  `Now.\n<tool_call>\n{"name": "set", "arguments": ${argumentsText}}\n</tool_call>`;

function readIn(chunks: readonly string[], given: ParseOptions) {
  const parser = createParser(given);
  const events: ParseEvent[] = chunks.flatMap((chunk) => parser.push(chunk));
  events.push(...parser.end());
  const deltas = events.flatMap((event) => (event.type === "call-args-delta" ? event.delta : []));
  return { result: parser.result(), deltas: deltas.join("") };
}

/** What becomes of arguments, whole and in every size of chunk alike. */
function read(text: string, given: ParseOptions = options()) {
  const whole = parse(text, given);
  for (const size of [1, 2, 3, 7]) {
    const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    const { result, deltas } = readIn(chunks, given);
    expect(result).toEqual(whole);
    if (whole.calls.length > 0) expect(deltas).toBe(whole.calls.map((call) => call.argumentsText).join(""));
  }
  for (const { arguments: value, argumentsText } of whole.calls) expect(JSON.parse(argumentsText)).toEqual(value);
  return whole;
}

const kinds = (text: string) => read(message(text)).calls[0]?.repairs.map(({ kind }) => kind);

describe("values in quotes", () => {
  test.each([
    ['{"count": "3"}', { count: 3 }, ["quoted-scalar"]],
    ['{"count": "-7", "when": "true"}', { count: -7, when: true }, ["quoted-scalar", "quoted-scalar"]],
    ['{"when": "null"}', { when: null }, ["quoted-scalar"]],
    ['{"sizes": ["1", 2, "2.5"]}', { sizes: [1, 2, 2.5] }, ["quoted-scalar", "quoted-scalar"]],
    ['{"sizes": "[1, 2.50]", "note": "[1]"}', { sizes: [1, 2.5], note: "[1]" }, ["quoted-container"]],
    ['{"deep": "{\\"on\\": true}"}', { deep: { on: true } }, ["quoted-container"]],
    [
      '{"deep": {"on": "false", "k\\"ey": "5"}}',
      { deep: { on: false, 'k"ey': 5 } },
      ["quoted-scalar", "quoted-scalar"],
    ],
    ['{"level": "2"}', { level: 2 }, ["quoted-scalar"]],
    ['{"level": "null", "note": "null"}', { level: null, note: "null" }, ["quoted-scalar"]],
    ['{"count": "\\u0033"}', { count: 3 }, ["quoted-scalar"]],
  ])("%s are read", (text, value, made) => {
    expect(read(message(text)).calls.map((call) => call.arguments)).toEqual([value]);
    expect(kinds(text)).toEqual(made);
  });

  test.each(['{"either": "3"}', '{"free": "3"}', '{"bounded": "3"}', '{"other": "3"}', '{"note": "{}"}'])(
    "%s stay strings, where one is allowed",
    (text) => {
      expect(read(message(text)).calls.map((call) => call.arguments)).toEqual([JSON.parse(text)]);
      expect(kinds(text)).toEqual([]);
    },
  );

  test.each([
    ...[
      "03",
      "3.0",
      "3.5",
      "1e3",
      "+3",
      " 3",
      "3 ",
      "",
      "three",
      "true",
      "null",
      "12345678901234567890",
      "-0",
      "[1]",
    ].map((text) => `{"count": ${JSON.stringify(text)}}`),
    '{"when": "True"}',
    '{"when": "1"}',
    '{"level": "3"}',
    '{"sizes": "[1"}',
    '{"sizes": "{}"}',
    '{"sizes": "[\'a\']"}',
    '{"sizes": "[\\"1\\"]"}',
    '{"deep": "[]"}',
  ])("%s are refused", (text) => {
    expect(read(message(text)).rejected.map(({ reason }) => reason)).toEqual(["schema"]);
  });

  test("a container in quotes may hold no key twice, none that is sensitive, and no more levels than others", () => {
    const reasons = (text: string, policy: ParseOptions["policy"] = {}) =>
      read(message(text), { ...options(), policy }).rejected.map(({ reason }) => reason);
    expect(reasons('{"deep": "{\\"on\\": true, \\"on\\": false}"}')).toEqual(["duplicate-key"]);
    expect(reasons('{"deep": "{\\"__proto__\\": 1}"}')).toEqual(["sensitive-key"]);
    expect(reasons('{"deep": "{\\"a\\": {}}"}', { maxDepth: 2 })).toEqual(["too-deep"]);
    expect(reasons('{"deep": "{\\"a\\": 1e999}"}')).toEqual(["schema"]);
  });

  test("are read wherever the name stands, and in arguments that are a string themselves", () => {
    const calls = (text: string) =>
      read(text).calls.map((call) => [call.arguments, call.repairs.map(({ kind }) => kind)]);
    expect(calls('<tool_call>{"arguments": {"count": "3"}, "name": "set"}</tool_call>')).toEqual([
      [{ count: 3 }, ["quoted-scalar"]],
    ]);
    expect(calls(message(JSON.stringify('{"count": "3"}')))).toEqual([
      [{ count: 3 }, ["encoded-arguments", "quoted-scalar"]],
    ]);
    expect(calls(message("{'count': '3', 'note': '7'}"))[0]?.[0]).toEqual({ count: 3, note: "7" });
  });

  test("stay what they are where the policy makes no such repair, or coerces", () => {
    const withPolicy = (policy: ParseOptions["policy"]) => read(message('{"count": "3"}'), { ...options(), policy });
    expect(withPolicy({ repairs: "none" }).rejected[0]?.reason).toBe("schema");
    expect(withPolicy({ repairs: { allow: ["quoted-container"] } }).rejected[0]?.reason).toBe("schema");
    expect(withPolicy({ repairs: { allow: ["quoted-scalar"] } }).calls).toHaveLength(1);
    expect(withPolicy({ schema: "coerce" }).calls[0]?.repairs[0]?.kind).toBe("coerced");
    expect(withPolicy({ schema: "off" }).calls[0]?.arguments).toEqual({ count: "3" });
  });
});

/** The fenced `quoted` blocks of the page. */
const examples = [
  ...readFileSync(new URL("../docs/recovery.md", import.meta.url), "utf8").matchAll(
    /^~~~quoted\n(.*)\n(=>|refused:) (.*)\n~~~$/gm,
  ),
].map(([, text, sign, answer]) => [text, sign, answer] as [string, string, string]);

describe("docs/recovery.md on values in quotes", () => {
  test("has examples of both kinds, and counter-examples", () => {
    expect(examples.filter(([, sign]) => sign === "=>").length).toBeGreaterThanOrEqual(2);
    expect(examples.filter(([, sign]) => sign === "refused:").length).toBeGreaterThanOrEqual(2);
  });

  test.each(examples)("%s %s %s", (text, sign, answer) => {
    const { calls, rejected } = read(message(text));
    if (sign === "=>") expect(calls.map((call) => call.argumentsText)).toEqual([answer]);
    else expect(rejected.map(({ reason }) => reason)).toEqual([answer]);
  });
});

const kindNames = ["string", "number", "integer", "boolean", "null", "array", "object"];
const keys = ["a", "b", "c"];

function makeSchema(random: Random, depth = 0): unknown {
  if (random.chance(0.08)) return random.chance(0.7);
  const inner = () => (depth < 3 ? makeSchema(random, depth + 1) : { type: "integer" });
  const parts: [number, () => Record<string, unknown>][] = [
    [
      0.6,
      () => ({ type: random.chance(0.3) ? [random.pick(kindNames), random.pick(kindNames)] : random.pick(kindNames) }),
    ],
    [0.1, () => ({ enum: [1, "1", null, true].filter(() => random.chance(0.6)).concat(2) })],
    [
      0.5,
      () => ({ properties: Object.fromEntries(keys.filter(() => random.chance(0.6)).map((key) => [key, inner()])) }),
    ],
    [0.1, () => ({ patternProperties: { "^[ab]": inner() } })],
    [0.2, () => ({ additionalProperties: inner() })],
    [0.3, () => ({ items: inner() })],
    [0.1, () => ({ prefixItems: [inner()] })],
    [0.2, () => ({ anyOf: [inner(), inner()] })],
    [0.1, () => ({ oneOf: [inner(), inner()] })],
    [0.1, () => ({ allOf: [inner(), inner()] })],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    [0.1, () => ({ if: inner(), then: inner() })],
    [0.1, () => ({ nullable: true })],
    [0.1, () => ({ minimum: 1 })],
    [0.1, () => ({ $ref: "#/$defs/d" })],
  ];
  return Object.assign({}, ...parts.filter(([part]) => random.chance(part)).map(([, make]) => make()));
}

test("where a schema is said to refuse every string, the validator refuses every string", () => {
  const random = new Random(20261122);
  let refused = 0;
  for (let n = 0; n < 4000; n++) {
    const made = { ...(makeSchema(random) as object), $defs: { d: makeSchema(random) } } as JsonSchema;
    const root = allowedBy(made);
    const wrap: [allowed: typeof root, value: (text: string) => unknown][] = [
      [root, (text) => text],
      ...keys.map((key): [typeof root, (text: string) => unknown] => [root.member(key), (text) => ({ [key]: text })]),
      [root.member("a").member("b"), (text) => ({ a: { b: text } })],
      [root.item(0), (text) => [text]],
      [root.member("a").item(1), (text) => ({ a: [null, text] })],
    ];
    for (const [allowed, value] of wrap) {
      if (!refusesStrings(allowed)) continue;
      refused++;
      for (const text of ["1", "x", ""]) {
        expect([made, value(text), validateSchema(made, value(text)) === true]).toEqual([made, value(text), false]);
      }
    }
  }
  expect(refused).toBeGreaterThan(1000);
});
