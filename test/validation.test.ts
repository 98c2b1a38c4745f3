import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import type { Repair, RepairKind, RepairLevel } from "../src/contract/repairs.ts";
import type { JsonSchema } from "../src/contract/types.ts";
import { createParser, parse } from "../src/index.ts";
import type { CandidateFacts } from "../src/validation/candidate-facts.ts";
import { checkCall } from "../src/validation/check-call.ts";
import { coerceArguments } from "../src/validation/coerce-arguments.ts";
import { checkFallback } from "../src/validation/fallback-conditions.ts";
import { type PolicyInput, requireValidator, resolvePolicy } from "../src/validation/policy.ts";
import { prepareTools, type Tool, type ToolDefinition } from "../src/validation/tools.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import type { BesideKey } from "../src/values/candidate.ts";
import { measureJson } from "../src/values/json-text.ts";
import { typeText } from "../src/values/text-to-value.ts";

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, lines: { type: "integer" }, options: { type: "object" } },
  required: ["path"],
};
const definitions: ToolDefinition[] = [{ name: "read", parameters }, { name: "toString" }];
/** Read by the tests, not while this file is loaded, so that a fault in it fails one. */
const offered = () => prepareTools(definitions);

function factsOf(argumentsText: string, more: Partial<CandidateFacts> = {}): CandidateFacts {
  const measure = more.members === undefined ? safeMeasure(argumentsText) : { members: 0, depth: 1 };
  return { name: "read", argumentsText, ...measure, chars: argumentsText.length, repairs: [], ...more };
}

function safeMeasure(text: string): { members: number; depth: number } {
  const { members, depth } = measureJson(text);
  return { members, depth };
}

function policyOf(input: PolicyInput = {}) {
  return resolvePolicy({ validate: validateSchema, ...input }, "primary");
}

function verdict(argumentsText: string, more: Partial<CandidateFacts> = {}, input: PolicyInput = {}) {
  const result = checkCall(factsOf(argumentsText, more), offered(), policyOf(input));
  return result.ok ? result : result.reason;
}

const repair = (kind: RepairKind, level: RepairLevel): Repair => ({ kind, level, start: 0, end: 1 });

/** Schemas of plain shape, and some that say more here and there. */
const plainTools: ToolDefinition[] = [
  { type: "object", properties: { path: { type: "string" }, lines: { type: "integer" } }, required: ["path"] },
  {
    type: "object",
    properties: {
      path: { type: ["string", "null"], enum: undefined, description: "Where." },
      lines: { type: "number", title: "Lines", default: 1 },
      unit: { type: "string", enum: ["bar", "a"] },
      list: { type: "array", items: { type: "string" } },
      options: {
        type: "object",
        properties: { path: { type: "string" }, lines: { type: "integer" } },
        required: ["path"],
      },
    },
    required: ["path", "list"],
    additionalProperties: false,
  },
  {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1 },
      lines: { type: "integer", nullable: true },
      list: { type: "array", items: { type: ["number", "object"] } },
      options: { type: "object", additionalProperties: { type: "string" } },
      input: { type: "object" },
      constructor: { type: "string" },
      properties: { type: "object", properties: { path: { type: "string" } } },
    },
  },
  { type: "object", properties: { path: { type: "string" } }, required: ["lines"] },
  { type: ["object", "null"], properties: { options: { type: "object", properties: {} } }, patternProperties: {} },
].map((schema, at) => ({ name: `tool_${at}`, parameters: schema }));

test("of plain arguments one walk says what all questions say", () => {
  const keys = ["path", "lines", "unit", "list", "options", "input", "name", "function", "properties", "constructor"];
  const values = [
    "0",
    "-0",
    "7",
    "5.5",
    "1e999",
    "1e-999",
    "true",
    "null",
    '"a"',
    '"7"',
    "[]",
    '["a"]',
    "[1,{}]",
    "{}",
  ];
  const deep = [
    '{"path":"a"}',
    '{"path":"a","lines":3}',
    '{"path":"a","path":"a"}',
    '{"__proto__":1}',
    '{"name":"tool_1"}',
  ];
  const member = fc.tuple(fc.constantFrom(...keys, "$schema", "__proto__"), fc.constantFrom(...values, ...deep));
  const tools = prepareTools(plainTools);
  const asked = resolvePolicy({ validate: (...given) => validateSchema(...given) }, "primary");
  let plain = 0;
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), fc.nat(plainTools.length - 1), (members, at) => {
      const text = `{${members.map(([key, value]) => `"${key}":${value}`).join()}}`;
      const facts = factsOf(text, { name: `tool_${at}` });
      const known = { ...facts, value: JSON.parse(text) };
      const verdict = checkCall(facts, tools, asked);
      expect(checkCall(facts, tools, policyOf())).toEqual(verdict);
      expect(checkCall(known, tools, policyOf())).toEqual(verdict);
      const check = validateSchema.plainCheckOf?.(tools.get(`tool_${at}`)?.schema as JsonSchema);
      if (check?.count(known.value) === facts.members) plain++;
    }),
    { numRuns: 3000 },
  );
  expect(plain).toBeGreaterThan(30);
});

describe("checkCall", () => {
  test("says yes with the arguments, their text and the repairs", () => {
    const repairs = [repair("extra-comma", "safe")];
    expect(verdict('{"path":"a","lines":12345678901234567890}', { repairs })).toEqual({
      ok: true,
      arguments: { path: "a", lines: Number("12345678901234567890") },
      argumentsText: '{"path":"a","lines":12345678901234567890}',
      repairs,
    });
  });

  test("gives the one reason", () => {
    const good = '{"path":"a"}';
    expect(verdict(good, { name: undefined })).toBe("no-name");
    expect(verdict(good, { name: "" })).toBe("no-name");
    expect(verdict(good, { name: "Read" })).toBe("unknown-tool");
    expect(verdict(good, { name: "constructor" })).toBe("unknown-tool");
    expect(verdict(good, { chars: 99 }, { maxPayloadChars: 98 })).toBe("too-large");
    expect(verdict(good, { depth: 129 })).toBe("too-deep");
    expect(verdict('{"path":"a","options":{"a":{}}}', { depth: 1, members: 3 }, { maxDepth: 2 })).toBe("too-deep");
    expect(verdict(good, { repairs: [repair("inner-quote", "guess")] })).toBe("needs-guess");
    expect(verdict(good, { repairs: [repair("cut-string", "truncated"), repair("inner-quote", "guess")] })).toBe(
      "truncated",
    );
    expect(verdict(good, { repairs: [repair("duplicate-key", "guess")] })).toBe("duplicate-key");
    expect(verdict(good, { repairs: [repair("inner-quote", "guess"), repair("duplicate-key", "guess")] })).toBe(
      "duplicate-key",
    );
    expect(verdict('{"path":', { members: 0 })).toBe("malformed");
    expect(verdict("[1]")).toBe("malformed");
    expect(verdict("null")).toBe("malformed");
    expect(verdict('"text"')).toBe("malformed");
    expect(verdict('{"path":"a","path":"b"}')).toBe("duplicate-key");
    expect(verdict('{"path":"a","options":{"x":1,"x":1}}')).toBe("duplicate-key");
    expect(verdict('{"path":"a","__proto__":{"admin":true}}')).toBe("sensitive-key");
    expect(verdict('{"path":"a","options":{"deep":[{"constructor":1}]}}')).toBe("sensitive-key");
    expect(verdict('{"path":"a","other":1e999}')).toBe("type-mismatch");
    expect(verdict('{"lines":1}')).toBe("schema");
    expect(verdict('{"path":1}')).toBe("schema");
  });

  test("a message says what happened and what to do", () => {
    const result = checkCall(factsOf("{}", { name: "raed" }), offered(), policyOf());
    expect(result).toEqual({
      ok: false,
      reason: "unknown-tool",
      message: '"raed" is not among the tools (did you mean "read"?); use one of the offered tools',
    });
    const schema = checkCall(factsOf('{"path":1}'), offered(), policyOf());
    expect(!schema.ok && schema.message).toBe(
      'the arguments of "read" do not fit its schema: arguments.path: expected string, found number; correct the call',
    );
  });

  test("without tools every name is unknown", () => {
    const result = checkCall(factsOf("{}"), prepareTools([]), policyOf());
    expect(result).toMatchObject({ reason: "unknown-tool", message: expect.stringMatching(/no tools are offered$/) });
  });

  test("an unknown tool can be passed on, still walked", () => {
    expect(verdict('{"any":1}', { name: "other" }, { unknownTool: "pass" })).toMatchObject({ ok: true });
    for (const key of ["__proto__", "constructor", "prototype"]) {
      expect(verdict(`{"${key}":1}`, { name: "other" }, { unknownTool: "pass" })).toBe("sensitive-key");
    }
    expect(verdict("{}", { name: undefined }, { unknownTool: "pass" })).toBe("no-name");
  });

  test("repairs follow the policy", () => {
    const good = '{"path":"a"}';
    const safe = { repairs: [repair("fence", "safe")] };
    const guess = { repairs: [repair("inner-quote", "guess")] };
    const cut = { repairs: [repair("cut-string", "truncated")] };
    expect(verdict(good, safe)).toMatchObject({ ok: true });
    expect(verdict(good, safe, { repairs: "none" })).toBe("malformed");
    const both = { repairs: [...safe.repairs, ...guess.repairs] };
    expect(verdict(good, both, { repairs: "none" })).toBe("needs-guess");
    expect(verdict(good, both, { repairs: { allow: ["inner-quote"] } })).toBe("malformed");
    expect(verdict(good, safe, { schema: "off" })).toMatchObject({ ok: true, repairs: safe.repairs });
    const refused = checkCall(factsOf(good, both), offered(), policyOf({ repairs: "none" }));
    expect(!refused.ok && refused.message).toContain("(fence, inner-quote)");
    expect(verdict(good, guess, { repairs: "guess" })).toMatchObject({ ok: true });
    expect(verdict(good, cut, { repairs: "guess" })).toBe("truncated");
    expect(verdict(good, cut, { truncated: "deliver-complete-members" })).toBe("truncated");
    const open = { repairs: [repair("missing-closer", "truncated")] };
    expect(verdict(good, open, { truncated: "deliver-complete-members" })).toMatchObject({ ok: true });
    expect(verdict(good, open)).toBe("truncated");
    expect(verdict(good, guess, { repairs: { allow: ["inner-quote"] } })).toMatchObject({ ok: true });
    expect(verdict(good, safe, { repairs: { allow: ["inner-quote"] } })).toBe("malformed");
    expect(verdict(good, cut, { repairs: { allow: ["cut-string"] } })).toBe("truncated");
  });

  test("sensitive keys: own data when asked for, declared ones as ever, __proto__ never by declaration", () => {
    const result = verdict('{"path":"a","__proto__":{"x":1}}', {}, { sensitiveKeys: "own" });
    expect(typeof result === "object" && Object.keys(result.arguments)).toEqual(["path", "__proto__"]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    const declared = JSON.parse(
      '{"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{},"o":{"properties":{"prototype":{}}}}}',
    ) as JsonSchema;
    const set = prepareTools([{ name: "read", parameters: declared }]);
    const reasonOf = (text: string) => {
      const answer = checkCall(factsOf(text), set, policyOf());
      return answer.ok || answer.reason;
    };
    expect(reasonOf('{"constructor":"c"}')).toBe(true);
    expect(reasonOf('{"o":{"prototype":1}}')).toBe(true);
    expect(reasonOf('{"prototype":1}')).toBe("sensitive-key");
    expect(reasonOf('{"__proto__":1}')).toBe("sensitive-key");
  });

  test("a validator that throws, is async or is missing refuses", () => {
    const good = '{"path":"a"}';
    const boom = () => {
      throw new Error("boom");
    };
    expect(verdict(good, {}, { validate: boom })).toBe("validator-error");
    expect(verdict(good, {}, { validate: (async () => true) as never })).toBe("validator-error");
    expect(verdict(good, {}, { validate: (() => undefined) as never })).toBe("validator-error");
    expect(verdict(good, {}, { validate: () => "no" })).toBe("schema");
    expect(verdict('{"path":1}', {}, { schema: "off", validate: boom })).toMatchObject({ ok: true });
    const none = checkCall(factsOf(good), offered(), resolvePolicy({}, "primary"));
    expect(none).toMatchObject({
      reason: "validator-error",
      message: expect.stringContaining("there is no validator"),
    });
  });

  test("coercion is lossless, listed, and checked again", () => {
    const coerced = verdict('{"path":7,"lines":"5"}', { start: 3, end: 9 }, { schema: "coerce" });
    expect(coerced).toEqual({
      ok: true,
      arguments: { path: "7", lines: 5 },
      argumentsText: '{"path":"7","lines":5}',
      repairs: [{ kind: "coerced", level: "safe", start: 3, end: 9 }],
    });
    expect(verdict('{"path":"a","lines":"five"}', {}, { schema: "coerce" })).toBe("schema");
    expect(verdict('{"path":"a","lines":"9007199254740993"}', {}, { schema: "coerce" })).toBe("schema");
    expect(verdict('{"path":null}', {}, { schema: "coerce" })).toBe("schema");
    expect(verdict('{"path":"a","options":"{\\"x\\":1,\\"x\\":2}"}', {}, { schema: "coerce" })).toBe("duplicate-key");
    expect(verdict('{"path":"a","options":"{\\"__proto__\\":1}"}', {}, { schema: "coerce" })).toBe("sensitive-key");
    expect(verdict('{"path":"a","lines":5}', {}, { schema: "coerce" })).toMatchObject({ repairs: [] });
  });

  test("a limit is the last that is allowed", () => {
    const nested = '{"path":"a","options":{"a":{}}}';
    expect(verdict(nested, { chars: 98 }, { maxPayloadChars: 98, maxDepth: 3 })).toMatchObject({ ok: true });
    expect(verdict(nested, { chars: 99 }, { maxPayloadChars: 98 })).toBe("too-large");
    expect(verdict(nested, {}, { maxDepth: 2 })).toBe("too-deep");
    const nestedAsText = '{"path":"a","options":"{\\"a\\":{}}"}';
    expect(verdict(nestedAsText, {}, { schema: "coerce", maxDepth: 3 })).toMatchObject({ ok: true });
    expect(verdict(nestedAsText, {}, { schema: "coerce", maxDepth: 2 })).toBe("too-deep");
  });

  test("nothing that stands beside the name is dropped", () => {
    const beside = (key: string, use: BesideKey["use"], argumentsText = '{"path":"a"}') =>
      verdict(argumentsText, { beside: [{ key, use }] });
    expect(beside("lines", "other")).toBe("ambiguous");
    expect(beside("note", "other")).toBe("malformed");
    expect(beside("lines", "synonym")).toBe("ambiguous");
    expect(beside("input", "synonym")).toMatchObject({ ok: true });
    expect(beside("id", "harmless")).toMatchObject({ ok: true });
    expect(beside("lines", "harmless")).toBe("ambiguous");
    expect(beside("lines", "harmless", '{"path":"a","lines":5}')).toMatchObject({ ok: true });
    const unknown = { name: "other", beside: [{ key: "lines", use: "other" as const }] };
    expect(verdict("{}", unknown, { unknownTool: "pass" })).toBe("malformed");
  });

  test("arguments that are missing are none only where the tool requires none", () => {
    const missing = { argumentsMissing: true };
    expect(verdict("{}", missing)).toBe("schema");
    expect(verdict("{}", missing, { schema: "off" })).toBe("schema");
    expect(verdict("{}", {}, { schema: "off" })).toMatchObject({ ok: true });
    const described = { ...missing, beside: [{ key: "description", use: "description" as const }] };
    expect(verdict("{}", described, { schema: "off" })).toBe("malformed");
    expect(verdict('{"path":"a"}', { beside: described.beside })).toMatchObject({ ok: true });
  });

  test("what is wrong is found at any place, and the message says where", () => {
    const messageOf = (argumentsText: string, input: PolicyInput = {}) => {
      const result = checkCall(factsOf(argumentsText), offered(), policyOf(input));
      return result.ok ? "accepted" : result.message;
    };
    expect(messageOf('{"path":"a","options":{"list":[1,{"far":-1e999}]}}')).toContain(
      "arguments.options.list[1].far is",
    );
    expect(messageOf('{"path":"a","options":{"list":[1,[2,"x"],{"far":3}]}}')).toBe("accepted");
    expect(messageOf('{"path":"a","options":{"list":[1e999]}}')).toContain("arguments.options.list[0] is");
    expect(messageOf('{"path":"a","options":{"list":[{"prototype":1}]}}')).toContain(
      "arguments.options.list[0].prototype,",
    );
    expect(messageOf('{"path":"a","constructor":1,"options":{"__proto__":1}}')).toContain("arguments.constructor,");
    const throws = (problem: unknown) => () => {
      throw problem;
    };
    expect(messageOf("{}", { validate: throws(new Error("first\nsecond")) })).toMatch(/the validator threw: first$/);
    expect(messageOf("{}", { validate: throws("plain") })).toMatch(/the validator threw: plain$/);
    const long = checkCall(factsOf("{}", { name: "n".repeat(61) }), offered(), policyOf());
    expect(!long.ok && long.message).toContain(`"${"n".repeat(60)}..." is not`);
    const fitting = checkCall(factsOf("{}", { name: "n".repeat(60) }), offered(), policyOf());
    expect(!fitting.ok && fitting.message).toContain(`"${"n".repeat(60)}" is not`);
  });

  test("a hundred thousand levels end as too-deep", () => {
    const deep = `{"path":"a","options":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`;
    expect(verdict(deep)).toBe("too-deep");
    expect(verdict(deep, { depth: 1, members: 100_002 })).toBe("too-deep");
  });
});

describe("coerceArguments", () => {
  test("touches only what is wrong, and no digit elsewhere", () => {
    const schema = {
      properties: {
        count: { type: "integer" },
        list: { items: { type: "number" } },
        pair: { prefixItems: [{ type: "string" }, { type: "boolean" }] },
        tags: { type: "array" },
        deep: { $ref: "#/$defs/node" },
      },
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" }, on: { type: ["boolean", "null"] } } } },
    };
    const text =
      '{"big": 123456789012345678901, "count":"5","list":["1",2,"x"],"pair":[7,"true"],"tags":"[1, 2]",' +
      '"deep":{"next":{"on":"null"}}}';
    expect(coerceArguments(text, schema)).toBe(
      '{"big": 123456789012345678901, "count":5,"list":[1,2,"x"],"pair":["7",true],"tags":[1,2],' +
        '"deep":{"next":{"on":null}}}',
    );
    // What the schema does not speak of stays as it is, blanks too.
    const spaced = '{\n\t"free" : "5" ,\r\n\t"list" : [ "1" , { "deep" : "2" } ] , "count" : "5"\n}';
    expect(coerceArguments(spaced, schema)).toBe(
      '{\n\t"free" : "5" ,\r\n\t"list" : [ 1 , { "deep" : "2" } ] , "count" : 5\n}',
    );
    expect(coerceArguments('{"free":"5","other":{"count":"5"}}', schema)).toBeUndefined();
    expect(coerceArguments('{"any":"5","all":"[1]"}', { properties: { any: {}, all: true } })).toBeUndefined();
    expect(coerceArguments('{"count":null,"pair":[null]}', schema)).toBeUndefined();
    expect(coerceArguments('{"count":5}', schema)).toBeUndefined();
    expect(coerceArguments('{"count":"1.5"}', schema)).toBeUndefined();
  });
});

describe("the five conditions of the fallback formats", () => {
  const context = (input: PolicyInput = {}, intent = true) => ({
    intent,
    tools: offered(),
    policy: resolvePolicy({ validate: validateSchema, ...input }, "json"),
  });
  const reasons = (candidates: CandidateFacts[], around = context()) =>
    checkFallback(candidates, around).map((result) => (result.ok ? "ok" : result.reason));
  const good = factsOf('{"path":"a"}');

  test("all five, in their order", () => {
    expect(reasons([good])).toEqual(["ok"]);
    expect(reasons([good], context({}, false))).toEqual(["no-intent"]);
    expect(reasons([factsOf(`{"path":"${"a".repeat(2040)}"}`)])).toEqual(["too-large"]);
    expect(reasons([factsOf("{}", { name: "other" })])).toEqual(["unknown-tool"]);
    expect(reasons([factsOf('{"path":1}')])).toEqual(["schema"]);
    expect(reasons([good, good])).toEqual(["several-candidates", "several-candidates"]);
    expect(reasons([good, factsOf("{}", { name: "other" })])).toEqual(["several-candidates", "several-candidates"]);
  });

  test("the policy opens intent and single, nothing else", () => {
    expect(reasons([good], context({ fallback: { requireIntent: false } }, false))).toEqual(["ok"]);
    expect(reasons([good, good], context({ fallback: { single: false } }))).toEqual(["ok", "ok"]);
    const open = context({ unknownTool: "pass", schema: "coerce", repairs: "guess" });
    expect(reasons([factsOf("{}", { name: "other" })], open)).toEqual(["unknown-tool"]);
    expect(reasons([factsOf('{"path":1}')], open)).toEqual(["schema"]);
    expect(reasons([factsOf('{"path":"a"}', { repairs: [repair("inner-quote", "guess")] })], open)).toEqual([
      "needs-guess",
    ]);
    const cut = factsOf('{"path":"a"}', { repairs: [repair("cut-string", "truncated")] });
    expect(reasons([cut], context({ truncated: "deliver-complete-members" }))).toEqual(["truncated"]);
    const fenced = factsOf('{"path":"a"}', { repairs: [repair("fence", "safe")] });
    expect(reasons([fenced])).toEqual(["ok"]);
    expect(reasons([fenced], context({ repairs: "none" }))).toEqual(["malformed"]);
    expect(reasons([factsOf('{"path":1}')], context({ schema: "off" }))).toEqual(["ok"]);
  });
});

describe("tools", () => {
  const schemaOf = (definition: ToolDefinition) => prepareTools([definition]).list[0]?.schema;
  const refusal = (definition: unknown) => {
    try {
      prepareTools([definition] as never);
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  };

  test("come in many dresses", () => {
    expect(schemaOf({ name: "a", parameters })).toBe(parameters);
    expect(schemaOf({ type: "function", function: { name: "a", parameters } })).toBe(parameters);
    expect(schemaOf({ name: "a", inputSchema: parameters })).toBe(parameters);
    expect(schemaOf({ name: "a", input_schema: parameters })).toBe(parameters);
    expect(schemaOf({ name: "a", inputSchema: { jsonSchema: parameters } })).toBe(parameters);
    expect(schemaOf({ name: "a" })).toEqual({ type: "object" });
    const shape = z.object({ n: z.number(), note: z.string().nullable().default("x") });
    const fromZod = prepareTools([{ name: "a", parameters: shape }]).get("a");
    expect(fromZod?.keys).toEqual(new Set(["n", "note"]));
    expect(fromZod?.schema).toMatchObject({ required: ["n"] });
    expect(fromZod?.parameterType("note")).toMatchObject({ anyString: true, streams: false });
    // Asked for what a caller writes: a default makes a member optional there.
    const asked: unknown[] = [];
    const convert = (how: unknown) => {
      asked.push(how);
      return parameters;
    };
    expect(schemaOf({ name: "a", parameters: { toJSONSchema: convert } })).toBe(parameters);
    expect(schemaOf({ name: "a", parameters: Object.assign(() => {}, { toJsonSchema: convert }) })).toBe(parameters);
    expect(schemaOf({ name: "a", parameters: { "~standard": { jsonSchema: { input: convert } } } })).toBe(parameters);
    expect(asked).toEqual([{ io: "input" }, { io: "input" }, { target: "draft-2020-12" }]);
    expect(schemaOf({ name: "a", parameters: true })).toBe(true);
    expect(prepareTools([{ name: "a", description: "reads" }]).get("a")?.description).toBe("reads");
    expect(prepareTools([{ name: "a" }]).get("a")).not.toHaveProperty("description");
  });

  test("are looked up by exact name only", () => {
    const set = prepareTools([{ name: "__proto__" }, { name: "hasOwnProperty" }]);
    expect(set.names).toEqual(["__proto__", "hasOwnProperty"]);
    expect(set.has("toString")).toBe(false);
    expect(set.get("constructor")).toBeUndefined();
    expect(set.get("__proto__")?.name).toBe("__proto__");
  });

  test("are read once per array, and again when it has changed", () => {
    const list: ToolDefinition[] = [{ name: "a" }];
    const first = prepareTools(list);
    expect(prepareTools(list)).toBe(first);
    list.push({ name: "b" });
    expect(prepareTools(list).names).toEqual(["a", "b"]);
    list[1] = { name: "c" };
    expect(prepareTools(list).names).toEqual(["a", "c"]);
  });

  test("know their parameters", () => {
    const tool = prepareTools([
      {
        name: "a",
        parameters: { allOf: [{ $ref: "#/$defs/p" }], additionalProperties: false, $defs: { p: parameters } },
      },
    ]).get("a");
    expect(tool?.keys).toEqual(new Set(["path", "lines", "options"]));
    expect(tool?.takesKey("undeclared")).toBe(false);
    expect(tool?.parameterType("path").streams).toBe(true);
    expect(tool?.parameterType("undeclared").inferred).toBe(true);
    expect(tool?.parameterType("toString").inferred).toBe(true);
    const takesOther = (schema: JsonSchema) =>
      prepareTools([{ name: "a", parameters: schema }])
        .get("a")
        ?.takesKey("other");
    expect([tool?.takesKey("path"), tool?.takesKey("other"), takesOther(parameters)]).toEqual([true, false, false]);
    const open = [{ additionalProperties: true }, { patternProperties: { "^x": true } }];
    for (const more of open) expect(takesOther({ ...parameters, ...more })).toBe(true);
    expect([takesOther({ type: "object" }), takesOther(true)]).toEqual([true, true]);
    expect(takesOther({ additionalProperties: false })).toBe(false);
    const byPattern = { patternProperties: { "^oth": true }, additionalProperties: false };
    expect([takesOther(byPattern), takesOther({ ...byPattern, patternProperties: { "^x": true } })]).toEqual([
      true,
      false,
    ]);
  });

  test("that cannot be checked are refused, with what to do", () => {
    const withSchema = (schema: unknown) => refusal({ name: "t", parameters: schema });
    const property = (schema: unknown) => withSchema({ type: "object", properties: { a: schema } });
    expect(() => prepareTools([{ name: "a" }, { name: "a" }])).toThrow("two tools are called");
    expect(refusal({ name: "" })).toContain("has no name");
    expect(refusal({ parameters })).toContain("Tools kept as an object by name");
    expect(refusal({ name: 5 })).not.toContain("Tools kept as an object by name");
    expect(refusal({ name: "t", description: 5 })).toContain("description must be text");
    for (const key of ["schema", "parameter", "params", "input"])
      for (const schema of [{ type: "object" }, { properties: {} }, z.object({ a: z.number() })])
        for (const tool of [
          { name: "t", [key]: schema },
          { type: "function", function: { name: "t", [key]: schema } },
        ])
          expect(refusal(tool)).toContain(`tool "t" has a schema under "${key}": give it as \`parameters\``);
    expect(() =>
      prepareTools([{ name: "t", outputSchema: { type: "object" }, annotations: {} } as never]),
    ).not.toThrow();
    expect(refusal("read")).toContain("must be an object");
    expect(() => prepareTools({ t: {} } as never)).toThrow("tools must be an array");
    expect(refusal({ name: "t", inputSchema: { jsonSchema: Promise.resolve({}) } })).toContain(
      "is a promise. Await it",
    );
    expect(withSchema(false)).toContain('must allow "type": "object"');
    expect(withSchema({ type: ["object", "null"] })).toBe("accepted");
    expect(withSchema({ type: "string" })).toContain('must allow "type": "object"');
    expect(withSchema({ required: "a" })).toContain("must be a list of property names");
    expect(withSchema(5)).toContain("must be a schema");
    const called = {
      ...{ str: "string", text: "string", int: "integer", long: "integer", float: "number", double: "number" },
      ...{
        bool: "boolean",
        dict: "object",
        map: "object",
        list: "array",
        tuple: "array",
        none: "null",
        Any: undefined,
      },
      ...{ String: "string", varchar: "string", char: "string", num: "number", numeric: "number", float32: "number" },
      ...{ uint32: "integer", int8: "integer", short: "integer", unsigned: "integer", bigint: "integer" },
      ...{ byte: "integer", set: "array", ArrayList: "array", HashMap: "object", "dict[str, int]": "object" },
      "Map<string, number>": "object",
    };
    for (const [name, known] of Object.entries(called)) {
      const read = schemaOf({ name: "t", parameters: { properties: { a: { type: name } } } });
      expect(read).toEqual({ properties: { a: known === undefined ? {} : { type: known } } });
    }
    const read = (type: unknown, more: object = {}) =>
      schemaOf({ name: "t", parameters: { properties: { a: { type, ...more } } } } as never);
    for (const name of ["string[]", "List[str]", "Array<string>"])
      expect(read(name)).toEqual({ properties: { a: { type: "array", items: { type: "string" } } } });
    expect(read("list[int[]]")).toEqual({
      properties: { a: { type: "array", items: { type: "array", items: { type: "integer" } } } },
    });
    expect(read(["any[]", "null"], { items: { type: "object" } })).toEqual({
      properties: { a: { type: ["array", "null"], items: { type: "object" } } },
    });
    expect(property({ type: "date" })).toContain('has no type "date"');
    expect(property({ type: "strange[]" })).toContain('has no type "strange[]"');
    expect(property({ type: "strin" })).toContain('did you mean "string"');
    expect(property({ $ref: "https://example.com/s.json" })).toContain("points outside the schema");
    expect(property({ $ref: "#/$defs/none" })).toContain("where nothing stands");
    expect(property({ required: true })).toContain("old drafts");
    expect(property({ pattern: "(" })).toContain("no regular expression");
    expect(property({ pattern: "^\\@\\_x$" })).toBe("accepted");
    expect(property({ enum: [] })).toContain("at least one value");
    expect(property({ $dynamicRef: "#x" })).toContain("where nothing stands");
    expect(property({ $recursiveRef: "#" })).toContain("not supported");
    expect(property(null)).toContain("must be a schema");
    expect(withSchema(mini.object({ a: mini.number() }))).toContain("Convert it first");
    expect(withSchema(z.object({ a: z.date() }))).toContain("cannot be said as JSON Schema");
    const loop: Record<string, unknown> = { type: "object" };
    loop.properties = { loop };
    expect(withSchema(loop)).toContain("contains itself");
  });
});

describe("a keyword of a schema", () => {
  const rows: [keywords: string, good: unknown[], bad: unknown[]][] = [
    ["type", ["string", ["string", "null"], "str"], [[], 5, [5], "strng", null]],
    ["enum", [[1]], [[], "a", {}]],
    ["required", [[], ["a"]], ["a", [1], ["a", 1], true]],
    ["properties $defs definitions dependentSchemas", [{}, { a: {} }, { a: true }], [[], "a", { a: 1 }, { a: null }]],
    ["patternProperties", [{ "^a": {} }], [[], { "(": {} }, { "^a": 1 }]],
    ["additionalProperties unevaluatedProperties propertyNames", [true, {}], [1, null, []]],
    ["additionalItems unevaluatedItems contains not if then else", [false, {}], [1, null, []]],
    ["items", [{}, [], [{}]], [1, [1]]],
    ["allOf anyOf oneOf prefixItems", [[{}]], [[], {}, [{}, 1]]],
    ["dependentRequired", [{ a: ["b"] }], [[], { a: "b" }, { a: [1] }]],
    ["dependencies", [{ a: ["b"] }, { a: {} }], [[], { a: 1 }, { a: [1] }]],
    ["minimum maximum", [0, -1.5], ["1", Number.NaN, Number.POSITIVE_INFINITY, true]],
    ["exclusiveMinimum exclusiveMaximum", [0, true, false], ["1", Number.NaN]],
    ["multipleOf", [0.5], [0, -1, "1"]],
    [
      "minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties",
      [0, 3],
      [-1, 1.5, "1"],
    ],
    ["uniqueItems nullable", [true, false], [1, "true"]],
    ["pattern", ["^a"], [5, "("]],
    ["format $anchor", ["email"], [5]],
    ["$ref", ["#"], [5, "a", "#/none"]],
    ["$recursiveRef", [], ["#"]],
    ["default x-unknown", [null, 5, [], {}], []],
  ];

  test.each(rows)("%s: has the right shape, or the tool is refused", (keywords, good, bad) => {
    for (const keyword of keywords.split(" ")) {
      const prepare = (value: unknown) =>
        prepareTools([{ name: "t", parameters: { properties: { a: { [keyword]: value } } } }]);
      for (const value of [...good, undefined]) expect(() => prepare(value), keyword).not.toThrow();
      for (const value of bad) {
        expect(() => prepare(value), `${keyword} ${JSON.stringify(value)}`).toThrow(`#/properties/a/${keyword}`);
      }
    }
  });
});

describe("policy", () => {
  const thrown = (input: unknown) => {
    try {
      resolvePolicy(input as PolicyInput, "primary");
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  };

  test("the two ends of a quoting pair differ", () => {
    expect(thrown({ quoted: [["$$", "$$"]] })).toBe(
      'policy.quoted: "$$" cannot be both ends of a pair; one of them must differ',
    );
    expect(thrown({ quoted: ["$$"] })).toContain("must be a list of pairs");
    expect(thrown({ quoted: [["\\[", "\\]"]] })).toBe("accepted");
  });

  test.each([
    ["%%", "%%end"],
    ["<<<", "<<</"],
    ["%%begin", "%%"],
  ])("a pair whose ends begin alike quotes: %s, %s", (open, close) => {
    const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
    const options = {
      format: "hermes",
      tools: [{ name: "f", parameters: {} }],
      policy: { quoted: [[open, close]] as [string, string][] },
    };
    const text = `${open} ${call} ${close} ${call}`;
    const parser = createParser(options);
    for (const unit of text) parser.push(unit);
    parser.end();
    for (const { calls, rejected } of [parse(text, options), parser.result()]) {
      expect([calls.length, rejected.map(({ reason }) => reason)]).toEqual([1, ["quoted"]]);
    }
  });

  test("every default is the closed one", () => {
    expect(resolvePolicy(undefined, "primary")).toEqual({
      unknownTool: "reject",
      schema: "reject",
      validate: undefined,
      formats: "annotate",
      repairs: "safe",
      truncated: "reject",
      reasoning: "trailing",
      bare: "message",
      quoted: [],
      sensitiveKeys: "reject",
      maxDepth: 128,
      maxPayloadChars: 16 * 1024 * 1024,
      maxCalls: 128,
      fallback: { requireIntent: true, single: true },
      calls: "all",
    });
    expect(resolvePolicy({}, "bracket").maxPayloadChars).toBe(2048);
    expect(resolvePolicy({}, "primary", 8000).maxPayloadChars).toBe(8000);
    expect(resolvePolicy({ maxPayloadChars: 10 }, "json", 8000).maxPayloadChars).toBe(10);
    expect(resolvePolicy({ schema: undefined } as never, "primary").schema).toBe("reject");
    expect(resolvePolicy({ fallback: { single: false } }, "json").fallback).toEqual({
      requireIntent: true,
      single: false,
    });
    expect(resolvePolicy({ fallback: { requireIntent: false } }, "json").fallback).toEqual({
      requireIntent: false,
      single: true,
    });
  });

  test("is read again when it may have changed", () => {
    const closed: PolicyInput = { unknownTool: "pass", fallback: { single: false } };
    const outer = Object.freeze({ fallback: { single: false } });
    expect([resolvePolicy(closed, "json").unknownTool, resolvePolicy(outer, "json").fallback.single]).toEqual([
      "pass",
      false,
    ]);
    closed.unknownTool = "reject";
    outer.fallback.single = true;
    expect([resolvePolicy(closed, "json").unknownTool, resolvePolicy(outer, "json").fallback.single]).toEqual([
      "reject",
      true,
    ]);
    const frozen: PolicyInput = Object.freeze({ maxDepth: 5 });
    expect(resolvePolicy(frozen, "json")).toBe(resolvePolicy(frozen, "json"));
    expect(resolvePolicy(frozen, "json").maxPayloadChars).toBe(2048);
    expect(resolvePolicy(frozen, "primary").maxPayloadChars).toBe(16 * 1024 * 1024);
  });

  test("a slip is an error that says what was meant", () => {
    expect(thrown({ shcema: "off" })).toContain('did you mean "schema"');
    expect(thrown({ schema: "of" })).toContain('did you mean "off"');
    expect(thrown({ schema: true })).toContain("cannot be true");
    expect(thrown({ repairs: { allow: ["fense"] } })).toContain('did you mean "fence"');
    expect(thrown({ repairs: { alow: [] } })).toContain('did you mean "allow"');
    expect(thrown({ repairs: { allow: "fence" } })).toContain("must be a list");
    for (const fallback of [5, null, []]) expect(thrown({ fallback })).toContain("policy.fallback must be an object");
    expect(thrown(null)).toContain("must be an object");
    expect(thrown({ repairs: null })).toContain("policy.repairs cannot be null");
    expect(thrown({ schema: () => {} })).toMatch(
      /^policy.schema cannot be a function; use one of: "reject", "coerce", "off"$/,
    );
    expect(thrown({ repairs: { allow: ["x"] } })).toMatch(
      /^policy.repairs.allow cannot be "x"; use one of the documented/,
    );
    expect(thrown({ maxDepth: 0 })).toContain("at least 1");
    expect(thrown({ maxDepth: 1, maxPayloadChars: 1, maxCalls: 1 })).toBe("accepted");
    expect(thrown({ maxCalls: Number.POSITIVE_INFINITY })).toContain("whole number");
    expect(thrown({ fallback: { singel: true } })).toContain('did you mean "single"');
    expect(thrown({ fallback: { single: 1 } })).toContain("true or false");
    expect(thrown({ validate: "ajv" })).toContain("must be a function");
    expect(thrown("closed")).toContain("must be an object");
    expect(thrown({ constructor: 1 })).toContain("has no key");
  });

  test("a validator is needed unless the schema is off", () => {
    expect(() => requireValidator(resolvePolicy({}, "primary"))).toThrow("no validator");
    expect(() => requireValidator(resolvePolicy({ schema: "off" }, "primary"))).not.toThrow();
    expect(() => requireValidator(policyOf())).not.toThrow();
  });
});

// A validator of its own for the schemas generated below, so that the property does not ask the validator about itself.
function satisfies(schema: JsonSchema, value: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((part) => satisfies(part as JsonSchema, value));
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.some((type) => {
    if (type === "null") return value === null;
    if (type === "array")
      return Array.isArray(value) && value.every((item) => satisfies(schema.items as JsonSchema, item));
    if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
    if (type === "integer") return Number.isInteger(value);
    if (type === "number") return Number.isFinite(value);
    return typeof value === type;
  });
}

describe("for any schema and any text", () => {
  const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
    fc.constantFrom("string", "integer", "number", "boolean", "null", "object").map((type) => ({ type })),
    fc.uniqueArray(fc.constantFrom("string", "integer", "boolean", "null"), { minLength: 1 }).map((type) => ({ type })),
    fc
      .uniqueArray(fc.constantFrom<unknown>("a", "1", "null", 1, 2.5, true, null), { minLength: 1 })
      .map((members) => ({ enum: members })),
  );
  const schema: fc.Arbitrary<JsonSchema> = fc.oneof(
    leaf,
    fc.array(leaf, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    leaf.map((items) => ({ type: "array", items })),
  );
  const text = fc.oneof(
    fc.constantFrom(
      "a",
      "1",
      "01",
      "1.0",
      "2.5",
      "true",
      "TRUE",
      "null",
      "None",
      "[1]",
      "['a', 1]",
      "{}",
      "",
      '"a"',
      "1e999",
    ),
    fc.json(),
    fc.string(),
  );

  test("every argument of an accepted call satisfies its schema", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(schema, text), { minLength: 1, maxLength: 3 }), fc.boolean(), (parts, coerce) => {
        const properties = Object.fromEntries(parts.map(([part], index) => [`p${index}`, part]));
        const set = prepareTools([{ name: "read", parameters: { type: "object", properties } }]);
        const tool = set.list[0] as Tool;
        const members: string[] = [];
        for (const [index, [, value]] of parts.entries()) {
          const result = coerce ? undefined : typeText(value, tool.parameterType(`p${index}`));
          if (result !== undefined && "mismatch" in result) return;
          members.push(`"p${index}":${result?.json ?? JSON.stringify(value)}`);
        }
        const argumentsText = `{${members.join(",")}}`;
        const result = checkCall(factsOf(argumentsText), set, policyOf({ schema: coerce ? "coerce" : "reject" }));
        if (!result.ok) return;
        accepted++;
        expect(JSON.parse(result.argumentsText)).toEqual(result.arguments);
        for (const [index, [part]] of parts.entries()) {
          expect(satisfies(part, result.arguments[`p${index}`])).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test("no arguments text makes validation throw", () => {
    const soup = fc.array(fc.constantFrom("{", "}", "[", '"', ":", ",", "1", "null", "__proto__", "path", "\\", " "), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(soup, fc.constantFrom("read", "toString", "__proto__", undefined), (parts, name) => {
        const argumentsText = parts.join("");
        const result = checkCall(
          factsOf(argumentsText, { name, members: 0, depth: 1 }),
          offered(),
          policyOf({ schema: "coerce" }),
        );
        expect(typeof result.ok).toBe("boolean");
      }),
    );
  });
});
