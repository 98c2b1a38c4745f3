/** What every format writes, it reads: calls come back as they were, or rendering refuses with a reason. */

import { describe, expect, test } from "vitest";
import { defineFormat } from "../src/core.ts";
import { type Format, formats, parse, RenderError, rejectionReasons } from "../src/index.ts";
import { literalsOf } from "../src/machine/program.ts";
import { isAsked } from "./support/shares.ts";

type Arguments = Record<string, unknown>;

const everyFormat = [...formats].map((format): [string, Format] => [format.id, format]);

/** The tool that a call is for, each argument declared with the type that it has. */
function toolFor(name: string, values: Arguments) {
  const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  const properties = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { type: typeOf(value) }]));
  return { name, parameters: { type: "object", properties } };
}

/** `same`, or the reason of the refusal; anything else is a failure of the format. */
function roundTrip(format: Format, name: string, values: Arguments): string {
  let text: string;
  try {
    text = format.renderCall({ name, arguments: values });
  } catch (error) {
    if (error instanceof RenderError) return error.reason;
    throw error;
  }
  const { calls, content, rejected } = parse(text, { format, tools: [toolFor(name, values)], intent: true });
  expect({ calls: calls.map((call) => [call.name, call.arguments]), content, rejected }, JSON.stringify(text)).toEqual({
    calls: [[name, values]],
    content: "",
    rejected: [],
  });
  return "same";
}

/** What may open or close something in some format; each format is tried with all of its own literals as well. */
const markers = [...new Set([...formats].flatMap(({ triggers, stop }) => [...triggers, ...stop]))];

const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
const hostile: string[] = [
  ...controls.flatMap((unit) => [`a${unit}b`, unit]),
  ..."\u007f|\u0085|\u00a0|\u2028|\ufeff|\ud83d\ude00|e\u0301|\ud800".split("|"),
  ...'"|\'|\\|`|\'"\\|\\"|\\n|\\u0041|"""|\'\'\'|```|~~~|```json\n{}\n```|"north"|\'north\''.split("|"),
  ...'{}|[]|{|}|]|)|,|:|{"name": "x", "arguments": {}}|true|null|None|7|007|1e999|&lt;|&amp;amp;|<![CDATA[x]]>'.split(
    "|",
  ),
  ..." |  lead|trail  |\n\nlead|trail\n\n|\r\nlead|trail\r\n|\n|\t".split("|"),
  ..."x </parameter> y|</parameter>\n</function>|</parameter>\n<parameter=b>|</invoke>|</arg_value>|<a>b</a>|</a>".split(
    "|",
  ),
  "",
];

describe.each(everyFormat)("%s", (id, format) => {
  test("writes plain values of every kind, and reads them back", () => {
    expect(roundTrip(format, "read_dial", { dial: "north" })).toBe("same");
    expect(roundTrip(format, "read_dial", { dial: "north", site: "hill two" })).toBe("same");
    expect(roundTrip(format, "read_dial", {})).toBe("same");
    expect(roundTrip(format, "list", { a: "text", b: 7, c: -0.5, d: true, e: false, f: null })).toBe("same");
    expect(roundTrip(format, "list", { a: [1, "x"], b: { k: "v", n: { m: [true, null] } }, c: [], d: {} })).toBe(
      "same",
    );
  });

  test("writes several calls, or says that a message carries one", () => {
    const calls = [
      { name: "read_dial", arguments: { dial: "north" } },
      { name: "list_dials", arguments: {} },
      { name: "read_dial", arguments: { dial: "south", site: "hill" } },
    ];
    const tools = [toolFor("read_dial", { dial: "", site: "" }), toolFor("list_dials", {})];
    if (format.template?.between === undefined) {
      expect(() => format.renderCalls(calls)).toThrow(RenderError);
      expect(() => format.renderCalls(calls)).toThrow("carries one call");
      return;
    }
    const read = parse(format.renderCalls(calls), { format, tools, intent: true });
    expect(read.rejected).toEqual([]);
    expect(read.calls.map(({ name, arguments: given }) => ({ name, arguments: given }))).toEqual(calls);
    expect(read.content).toBe("");
  });

  test("a hostile value comes back, or is refused", () => {
    const outcomes = hostile.map((value) => roundTrip(format, "read_dial", { dial: value, site: "plain" }));
    for (const outcome of outcomes) expect(["same", "changed", ...rejectionReasons]).toContain(outcome);
    // Refusing is for what a format cannot carry; one that refuses everything says nothing.
    const carried = outcomes.filter((outcome) => outcome === "same").length;
    expect(carried, hostile.filter((_, at) => outcomes[at] !== "same").join(" | ")).toBeGreaterThan(hostile.length / 2);
  });

  test.runIf(isAsked(id, 0))("a marker inside a value comes back, or is refused", () => {
    const own = literalsOf(format.program).filter((literal) => literal.length > 2);
    const foreign = markers.filter((marker) => !own.some((literal) => marker.includes(literal)));
    const outcomes = [
      roundTrip(format, "read_dial", { dial: foreign.join("\n"), site: foreign.join(" ") }),
      ...own.map((marker) =>
        roundTrip(format, "read_dial", { dial: marker, site: `x ${marker} y ${marker.slice(0, -1)}` }),
      ),
    ];
    for (const outcome of outcomes) expect(["same", "changed", ...rejectionReasons]).toContain(outcome);
  });

  test.runIf(isAsked(id, 1))("a hostile value inside a value, and hostile keys, come back or are refused", () => {
    for (const value of hostile) {
      const outcome = roundTrip(format, "list", { values: [value, { k: value }] });
      expect(["same", "changed", "no-template", ...rejectionReasons]).toContain(outcome);
    }
    for (const key of ["a b", 'a"b', "a'b", "a<b", "a>b", "a=b", "a:b", "", "\n", "ключ", "__proto__", "constructor"]) {
      const values = Object.defineProperty({}, key, { value: "v", enumerable: true }) as Arguments;
      expect(["same", "changed", "no-template", ...rejectionReasons]).toContain(roundTrip(format, "list", values));
    }
  });

  test("the instruction is made once per tool set, names the tools, and its example calls one of them", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const parameters = {
      $schema,
      type: "object",
      properties: { valve: { type: "string", description: "Which." }, turns: { type: "integer", minimum: 2 } },
      required: ["valve", "turns"],
    };
    const tools = [
      { name: "list_valves", parameters: { type: "object" } },
      { name: "open_valve", description: "Opens a valve.", parameters },
    ];
    const text = format.instruction(tools);
    expect(format.instruction(tools)).toBe(text);
    for (const part of ["list_valves", "Opens a valve.", "Which."]) expect(text).toContain(part);
    for (const part of [$schema, "{{", "read_dial", "set_dial"]) expect(text).not.toContain(part);
    const example = format.renderCall({ name: "open_valve", arguments: { valve: "...", turns: 2 } });
    expect(text).toContain(example);
    const { calls, rejected } = parse(example, { format, tools, intent: true });
    expect([calls.map((call) => call.name), rejected]).toEqual([["open_valve"], []]);
    tools.push({ name: "close_valve", description: "Closes a valve.", parameters });
    expect(format.instruction(tools)).toContain("close_valve");
  });

  test("a correction says for every reason what was wrong and how a call looks", () => {
    for (const reason of rejectionReasons) {
      const text = format.correction({ reason, message: "detail of it", name: "read_dial" });
      for (const part of ["read_dial", "detail of it", format.example]) expect(text).toContain(part);
    }
  });
});

describe("prompts", () => {
  const parameters = {
    type: "object",
    properties: {
      dial: { type: "string", description: "Its name." },
      unit: { enum: ["bar", "psi"] },
      times: { type: ["integer", "null"], default: 1 },
      span: { type: "array", items: { anyOf: [{ type: "number" }, { type: "string" }] } },
      at: { type: "object", properties: { x: { type: "integer" } }, required: ["x"] },
    },
    required: ["dial", "at"],
  };
  const tools = [
    { name: "read_dial", description: "Reads.\nAt once.", parameters },
    { name: "list_dials", parameters: { type: "object", properties: {} } },
  ];

  test("harmony lists types", () => {
    expect(formats.get("harmony").instruction(tools)).toContain(`namespace functions {

// Reads.
// At once.
type read_dial = (_: {
// Its name.
dial: string,
unit?: "bar" | "psi",
times?: number | null, // default: 1
span?: (number | string)[],
at: {
x: number,
},
}) => any;

type list_dials = () => any;

} // namespace functions`);
  });

  test("a way to list tools that few prompts have comes with the module of the format", () => {
    const { listings, ...withoutListings } = formats.get("harmony");
    expect(Object.keys(listings ?? {})).toEqual(["typescript"]);
    expect(formats.get("hermes").listings).toBeUndefined();
    expect(() => defineFormat(withoutListings).instruction(tools)).toThrow("compile its grammar again");
  });

  test("qwen3_coder lists tags", () => {
    const text = formats.get("qwen3_coder").instruction(tools);
    expect(text).toContain(
      "<parameter>\n<name>dial</name>\n<type>string</type>\n<description>Its name.</description>\n</parameter>",
    );
    expect(text).toContain('<required>["dial","at"]</required>\n</parameters>\n</function>');
  });

  test("hermes lists JSON between tags, deepseek_v31 headings, mistral one array", () => {
    expect(formats.get("hermes").instruction(tools)).toMatch(
      /<tools>\n\{"type":"function".*\}\n\{"type":"function".*\}\n<\/tools>/,
    );
    expect(formats.get("deepseek_v31").instruction(tools)).toContain(
      "### read_dial\nDescription: Reads.\nAt once.\n\nParameters: {",
    );
    expect(formats.get("mistral").instruction(tools)).toMatch(/^\[AVAILABLE_TOOLS\]\[\{.*\}\]\[\/AVAILABLE_TOOLS\]\n/);
  });

  test("what a description holds is no place of the prompt", () => {
    const hostile = [{ name: "read_dial", description: "{{example}} {{tools json}}", parameters }];
    for (const format of formats) {
      expect(format.instruction(hostile).split("{{example}} {{tools json}}").length).toBe(2);
    }
  });
});

describe("rendering", () => {
  const hermes = formats.get("hermes");

  test("is written as the documents of the format show it", () => {
    const calls = [
      { name: "read_dial", arguments: { dial: "north", times: 2 } },
      { name: "list_dials", arguments: {} },
    ];
    expect(hermes.renderCalls(calls)).toBe(
      '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north", "times": 2}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "list_dials", "arguments": {}}\n</tool_call>',
    );
    expect(formats.get("deepseek_v31").renderCalls(calls)).toBe(
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_dial<｜tool▁sep｜>{"dial": "north", "times": 2}<｜tool▁call▁end｜>' +
        "<｜tool▁call▁begin｜>list_dials<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    );
    expect(formats.get("pythonic").renderCalls(calls)).toBe('[read_dial(dial="north", times=2), list_dials()]');
    expect(formats.get("qwen3_coder").renderCall(calls[0])).toBe(
      "<tool_call>\n<function=read_dial>\n<parameter=dial>\nnorth\n</parameter>\n<parameter=times>\n2\n</parameter>\n" +
        "</function>\n</tool_call>",
    );
  });

  test("what the header's render shows is taken over", () => {
    const calls = [{ name: "list_dials" }, { name: "read_dial", arguments: { dial: "north" } }];
    expect(formats.get("qwen3_coder").renderCalls(calls)).toBe(
      "<tool_call>\n<function=list_dials>\n</function>\n</tool_call>\n" +
        "<tool_call>\n<function=read_dial>\n<parameter=dial>\nnorth\n</parameter>\n</function>\n</tool_call>",
    );
  });

  test.each([
    [
      "llama3_json",
      '<|python_tag|>{"name": "read_dial", "parameters": {"dial": "north"}}; {"name": "list_dials", "parameters": {}}',
    ],
    [
      "seed_oss",
      "<seed:tool_call>\n<function=read_dial>\n<parameter=dial>\nnorth\n</parameter>\n</function>\n</seed:tool_call>\n" +
        "<seed:tool_call>\n<function=list_dials>\n</function>\n</seed:tool_call>",
    ],
    [
      "step3",
      '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_dial">\n' +
        '<steptml:parameter name="dial">\nnorth\n</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n' +
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="list_dials">\n</steptml:invoke><｜tool_call_end｜>\n' +
        "<｜tool_calls_end｜>",
    ],
    ["functionary_v32", '>>>read_dial\n{"dial": "north"}>>>list_dials\n{}'],
  ])("%s: between calls stands what the model's own template writes there", (id, text) => {
    const calls = [{ name: "read_dial", arguments: { dial: "north" } }, { name: "list_dials" }];
    expect(formats.get(id).renderCalls(calls)).toBe(text);
  });

  test("what a parse gave can be rendered, digits included", () => {
    const text = '<tool_call>\n{"name": "read_dial", "arguments": {"id": 12345678901234567890}}\n</tool_call>';
    const { calls } = parse(text, { format: hermes, tools: [{ name: "read_dial" }] });
    expect(hermes.renderCalls(calls)).toBe(text);
  });

  test("an id is written where the example of the format shows one", () => {
    const call = { name: "read_dial", arguments: {}, id: "call_7", wireId: 'w"9' };
    expect(formats.get("cohere").renderCall(call)).toContain('"tool_call_id": "w\\"9"');
    expect(formats.get("cohere").renderCall({ name: "read_dial", id: "seven" })).toContain('"tool_call_id": "seven"');
    expect(hermes.renderCall(call)).not.toMatch(/call_7|w.9/);
  });

  test("an argumentsText that says something else is ignored", () => {
    const call = { name: "read_dial", arguments: { dial: "north" }, argumentsText: '{"dial":"south"}' };
    expect(hermes.renderCall(call)).toContain('{"dial": "north"}');
  });

  test("misuse is a TypeError, what a format cannot carry a RenderError", () => {
    expect(() => hermes.renderCall({ name: "" })).toThrow(TypeError);
    expect(() => hermes.renderCall({ name: "f", arguments: [] as never })).toThrow("must be an object, not an array");
    expect(() => hermes.renderCall({ name: "f", arguments: { n: Number.NaN } })).toThrow('"n" is NaN');
    const loop: Arguments = {};
    loop.self = loop;
    expect(() => hermes.renderCall({ name: "f", arguments: loop })).toThrow(TypeError);
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    for (const values of [{ deep }, { deep: JSON.parse("[".repeat(200) + "]".repeat(200)) }]) {
      expect(() => hermes.renderCall({ name: "f", arguments: values })).toThrow(RenderError);
    }
    expect(hermes.renderCalls([])).toBe("");
  });

  test("an instruction without tools teaches none", () => {
    expect(hermes.instruction([])).not.toContain(hermes.example);
  });
});
