import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../src/contract/types.ts";
import * as core from "../src/core.ts";
import {
  createExtractor,
  createParser,
  extract,
  formats,
  type ParseOptions,
  parse,
  parseAsync,
  parseStream,
  prepare,
} from "../src/index.ts";
import { prepareTools, type ToolDefinition } from "../src/validation/tools.ts";

const parameters = {
  type: "object",
  properties: { dial: { type: "string" }, at: { type: "integer" } },
  required: ["dial"],
};
const tools: ToolDefinition[] = [{ name: "read_dial", description: "Reads.", parameters }];
const fresh = () => structuredClone(tools) as ToolDefinition[];
const call = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';

test("options that have changed since the last message are read again", () => {
  const given: ToolDefinition[] = [...tools];
  const options: ParseOptions = { format: "hermes", tools: given };
  const other = call.replaceAll("read_dial", "other");
  expect(parse(call, options).calls).toHaveLength(1);
  expect(parse(other, options).calls).toHaveLength(0);
  given.push({ name: "other", parameters });
  expect(parse(other, options).calls).toHaveLength(1);
  given.shift();
  expect(parse(call, options).calls).toHaveLength(0);
  given[0] = tools[0] as ToolDefinition;
  expect(parse(call, options).calls).toHaveLength(1);
  options.finishReason = "length";
  expect(parse(call, options).truncated).toBe(true);
  options.id = (n) => `x${n}`;
  expect(parse(call, options).calls[0]?.id).toBe("x0");
  options.id = undefined;
  expect(parse(call, options).calls[0]?.id).toBe("call_0");
  options.policy = { repairs: "none" };
  const damaged = call.replace("}}", ",}}");
  expect(parse(damaged, options).calls).toHaveLength(0);
  options.policy.repairs = "safe";
  expect(parse(damaged, options).calls).toHaveLength(1);
  delete options.policy;
  expect(parse(call, { ...options, format: "mistral" }).calls).toHaveLength(0);
  expect(() => parse(call, { ...options, tolls: [] } as never)).toThrow("tolls");
  expect(() => parse(call, { ...options, tools: undefined } as never)).toThrow("tools must be an array");
  expect(parse(call, options).calls).toHaveLength(1);
});

test("tools that take turns are each their own, fresh or not, after any other options", () => {
  const [one, other] = ["one", "other"].map((name) => ({
    tools: [{ name, parameters }],
    text: call.replace("read_dial", name),
  }));
  for (let time = 0; time < 4; time++) {
    for (const finishReason of ["stop", "length"] as const) {
      for (const { tools, text } of [one, other]) {
        const given = { format: "hermes", tools: time % 2 ? structuredClone(tools) : tools, finishReason } as const;
        expect(parse(text, given)).toMatchObject({ calls: [{}], truncated: finishReason === "length" });
        expect(parse(text === one.text ? other.text : one.text, given).rejected[0]?.reason).toBe("unknown-tool");
      }
    }
  }
  expect(() => parse(call, null as never)).toThrow("options are missing");
  expect(() => parse(call, { format: "hermes" } as never)).toThrow("tools must be an array");
});

describe("prepare", () => {
  test("reads messages as parse and createParser do, each with what it has of its own", async () => {
    const options: ParseOptions = { format: "hermes", tools };
    const prepared = prepare(options);
    expect(prepared.parse(call)).toEqual(parse(call, options));
    expect(await prepared.parseAsync(call)).toEqual(parse(call, options));
    const own = { id: (n: number) => `x${n}`, finishReason: "length", prefill: "<tool_call>" } as const;
    const rest = call.slice("<tool_call>".length);
    expect(prepared.parse(rest, own)).toEqual(parse(rest, { ...options, ...own }));
    expect(prepared.parse(rest, own).calls[0]?.id).toBe("x0");
    const parser = prepared.createParser(own);
    expect([...parser.push(rest), ...parser.end()].at(-1)).toMatchObject({ type: "call-end" });
    // What one message had of its own is not the next one's.
    expect(prepared.parse(call)).toEqual(parse(call, options));
  });

  test("takes the intent of a message, also for what auto stands for", () => {
    const prepared = prepare({ format: "auto", tools });
    const bare = '{"name": "read_dial", "arguments": {"dial": "north"}}';
    const bracket = '[read_dial] {"dial": "north"}';
    for (const text of [bare, bracket, call]) {
      for (const intent of [true, false, undefined]) {
        expect(prepared.parse(text, { intent })).toEqual(parse(text, { format: "auto", tools, intent }));
      }
    }
  });

  test("in the core takes formats as values", () => {
    const prepared = core.prepare({ format: formats.get("hermes"), tools, policy: { schema: "off" } });
    expect(prepared.parse(call).calls).toHaveLength(1);
    expect(() => core.prepare({ format: formats.get("hermes"), tools })).toThrow("no validator");
  });

  test("complains at once", () => {
    expect(() => prepare({ format: "hermes", tools: [{ name: "" }] })).toThrow("has no name");
    expect(() => prepare({ format: "hermse", tools })).toThrow('there is no format "hermse"');
  });
});

describe("an unknown option", () => {
  const slip = { format: "hermes", tools, polcy: { repairs: "none" } } as never;
  const said = 'there is no option "polcy" (did you mean "policy"?)';

  test("throws, wherever it is given", async () => {
    expect(() => parse(call, slip)).toThrow(said);
    expect(() => createParser(slip)).toThrow(said);
    expect(() => prepare(slip)).toThrow(said);
    expect(() => parseStream([call], slip)).toThrow(said);
    await expect(parseAsync(call, slip)).rejects.toThrow(said);
    expect(() => prepare({ format: "hermes", tools }).parse(call, { finishreason: "length" } as never)).toThrow(
      'there is no option "finishreason" (did you mean "finishReason"?)',
    );
    expect(() => extract(call, { format: "hermes", tools } as never)).toThrow('there is no option "tools"');
    const end = (info: unknown) => createParser({ format: "hermes", tools }).end(info as never);
    expect(() => end({ finish_reason: "length" })).toThrow('end() has no option "finish_reason": did you mean');
    expect(() => end("length")).toThrow('end() takes an object such as { finishReason: "length" }, not "length"');
    const parser = createParser({ format: "hermes", tools });
    parser.push(call);
    expect(() => parser.end("stop" as never)).toThrow("end() takes an object");
    parser.end({ finishReason: "stop" });
    expect(parser.result().calls).toHaveLength(1);
    expect(() => createExtractor({ format: "hermes", name: [] } as never)).toThrow('did you mean "names"');
  });

  test("does no harm where it is undefined, or null as servers say it", () => {
    const open = `<think>I will ${call}`;
    for (const finishReason of [null, "stop", { type: "stop" }])
      expect(parse(open, { format: "hermes", tools, finishReason } as never).calls).toHaveLength(1);
    const cut = { finishReason: { type: "length", length: 5 } };
    expect(parse(open, { format: "hermes", tools, ...cut } as never).calls).toEqual([]);
    const unified = { finishReason: { unified: "length", raw: "max_tokens" } };
    expect(parse(open, { format: "hermes", tools, ...unified } as never).calls).toEqual([]);
    expect(parse(call, { format: "hermes", tools, polcy: undefined } as never).calls).toHaveLength(1);
  });
});

describe("an option with a value that it does not take", () => {
  const given = { format: "hermes", tools } as const;
  test.each([
    ["retain", "call", 'options.retain cannot be "call" (did you mean'],
    ["intent", "yes", 'options.intent must be true or false, not "yes"'],
    ["recovery", 5, "options.recovery must be the `recovery`"],
    ["policy", null, 'policy must be an object such as { schema: "reject" }, not null'],
    ["policy", "strict", "policy must be an object"],
    ["prefill", 5, 'options.prefill must be a string such as "<think>'],
    ["marker", 5, "options.marker must be a string"],
    ["id", "call", 'options.id must be a function (n) => string, not "call"'],
    ["onTelemetry", 5, "options.onTelemetry must be a function"],
    ["clock", 5, "options.clock must be a function () => number, not 5"],
  ])("%s: %j", (key, value, message) => {
    const options = { ...given, [key]: value } as never;
    for (const misuse of [() => parse(call, options), () => createParser(options), () => prepare(options)])
      expect(misuse).toThrow(message);
    expect(misuse(() => parse(call, options))).toBeInstanceOf(TypeError);
    if (!["policy", "recovery"].includes(key))
      expect(() => prepare(given).parse(call, { [key]: value } as never)).toThrow(message);
  });

  test("of the extractor, and of the wrappers", async () => {
    expect(() => extract(call, { format: "hermes", names: "read_dial" } as never)).toThrow(
      'options.names must be a list of strings such as ["read_dial"], not "read_dial"',
    );
    const late = { ...given, finishReasonAtEnd: "stop" } as never;
    expect(() => parseStream([call], late)).toThrow("options.finishReasonAtEnd must be a function");
  });

  test.each([[5], [undefined], [""]])("an id that is no text: %j", (id) => {
    expect(() => parse(call, { ...given, id: () => id as string })).toThrow(
      "options.id must return a string that is not empty",
    );
  });

  function misuse(misused: () => unknown): unknown {
    try {
      return misused();
    } catch (error) {
      return error;
    }
  }
});

describe("a function of the host that throws", () => {
  const failing = (): never => {
    throw new Error("no more ids");
  };

  test("options.id: the message cannot go on, and says so each time", () => {
    const parser = createParser({ format: "hermes", tools, id: failing });
    expect(parser.push("Reading. ")).toHaveLength(1);
    for (const next of [() => parser.push(call), () => parser.push(" and"), () => parser.end(), () => parser.result()])
      expect(next).toThrow("no more ids");
  });

  test("options.onTelemetry: the events and the result are still there", () => {
    const parser = createParser({ format: "pythonic", tools, onTelemetry: failing });
    parser.push('[read_dial(dial="north")]');
    expect(() => parser.end()).toThrow("no more ids");
    expect(parser.end().map(({ type }) => type)).toContain("call-end");
    expect(parser.end()).toEqual([]);
    expect(parser.result().calls).toHaveLength(1);
  });
});

describe("tools are prepared once", () => {
  test("for the same array, the same schemas, and the same content", () => {
    const first = prepareTools(tools);
    expect(prepareTools(tools)).toBe(first);
    expect(prepareTools([{ name: "read_dial", description: "Reads.", parameters }])).toBe(first);
    expect(
      prepareTools([{ type: "function", function: { name: "read_dial", description: "Reads.", parameters } }]),
    ).toBe(first);
    prepareTools(fresh());
    const byContent = prepareTools(fresh());
    expect(prepareTools(fresh())).toBe(byContent);
  });

  test("and again where anything differs", () => {
    const first = prepareTools(tools);
    const other: ToolDefinition[][] = [
      [{ name: "read", description: "Reads.", parameters }],
      [{ name: "read_dial", description: "Reads!", parameters }],
      [{ name: "read_dial", parameters }],
      [{ name: "read_dial", description: "Reads.", parameters: { ...parameters, required: [] } }],
      [...tools, { name: "more" }],
      [],
    ];
    for (const list of other) {
      for (let time = 0; time < 3; time++) {
        expect(prepareTools(structuredClone(list) as ToolDefinition[])).not.toBe(first);
        expect(prepareTools(structuredClone(list) as ToolDefinition[]).names).toEqual(prepareTools(list).names);
      }
      expect(prepareTools(list).list.map(({ schema }) => schema)).toEqual(
        list.map((tool) => ("parameters" in tool ? tool.parameters : { type: "object" })),
      );
    }
  });

  test("and again when a tool is changed in its place", () => {
    const plain = { name: "read_dial", parameters: { type: "object" } as JsonSchema };
    const wrapped = { type: "function" as const, function: plain };
    const narrow: JsonSchema = { type: "object", properties: { dial: { enum: ["south"] } } };
    const text = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north"}}</tool_call>';
    for (const tool of [plain, wrapped]) {
      const kept = [tool];
      const reasons = () =>
        [kept, [tool]].map((list) => parse(text, { format: "hermes", tools: list }).rejected[0]?.reason);
      expect(reasons()).toEqual([undefined, undefined]);
      plain.name = "write_dial";
      expect(reasons()).toEqual(["unknown-tool", "unknown-tool"]);
      plain.name = "read_dial";
      plain.parameters = narrow;
      expect(reasons()).toEqual(["schema", "schema"]);
      plain.parameters = { type: "object" };
    }
    wrapped.function = { ...plain, parameters: narrow };
    expect(parse(text, { format: "hermes", tools: [wrapped] }).calls).toEqual([]);
  });

  test("and what one caller does to its tools afterwards is not another's", () => {
    const make = () => [{ name: "put", parameters: { type: "object", properties: { a: { type: "string" } } } }];
    const sets = [make(), make(), make()].map((list) => ({ list, set: prepareTools(list) }));
    for (const { list } of sets) (list[0] as { parameters: { properties: object } }).parameters.properties = { b: {} };
    expect(prepareTools(make()).get("put")?.schema).toEqual(make()[0]?.parameters);
  });

  test("where a tool is more than data, by its schema alone", () => {
    const check = (value: unknown) => ({ value });
    const made = (validate: unknown) => ({ "~standard": { validate, jsonSchema: { input: () => parameters } } });
    const one = made(check);
    expect(prepareTools([{ name: "a", parameters: one }])).toBe(prepareTools([{ name: "a", parameters: one }]));
    expect(prepareTools([{ name: "a", parameters: made(check) }])).not.toBe(
      prepareTools([{ name: "a", parameters: one }]),
    );
  });

  test("a repeated policy too, and one that differs is another", () => {
    const text = '<tool_call>{"name": "read_dial", "arguments": {"dial": "north", "at": "3"}}</tool_call>';
    for (let time = 0; time < 2; time++) {
      expect(parse(text, { format: "hermes", tools, policy: { repairs: "none" } }).rejected[0]?.reason).toBe("schema");
      expect(parse(text, { format: "hermes", tools, policy: { repairs: "safe" } }).calls).toHaveLength(1);
      expect(parse(text, { format: "hermes", tools, policy: { repairs: { allow: [] } } }).calls).toHaveLength(0);
      expect(
        parse(text, { format: "hermes", tools, policy: { repairs: { allow: ["quoted-scalar"] } } }).calls,
      ).toHaveLength(1);
      expect(parse(text, { format: "hermes", tools, policy: {} }).calls).toHaveLength(1);
      expect(parse(text, { format: "hermes", tools }).calls).toHaveLength(1);
      expect(parse(text, { format: "strict_json", tools, intent: true }).calls).toHaveLength(0);
    }
  });
});

test("a message that is not kept keeps a thousand rejections, and counts them", () => {
  const text = '<tool_call>{"name": "none", "arguments": {}}</tool_call>\n'.repeat(1500);
  const short = parse(text, { format: "hermes", tools, retain: "calls" });
  expect([short.rejected.length, short.rejectedCount]).toEqual([1000, 1500]);
  expect(short.telemetry.record().rejections).toEqual({ "unknown-tool": 1500 });
  const parser = createParser({ format: "hermes", tools, retain: "calls" });
  expect([...parser.push(text), ...parser.end()].filter(({ type }) => type === "call-rejected")).toHaveLength(1500);
  expect(parser.result()).toEqual(short);
  const whole = parse(text, { format: "hermes", tools });
  expect([whole.rejected.length, whole.rejectedCount]).toEqual([1500, undefined]);
});
