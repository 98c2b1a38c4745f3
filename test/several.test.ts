import { describe, expect, test } from "vitest";
import { corpusIds, loadCorpus } from "../scripts/corpora.ts";
import { parse as parseByCore } from "../src/core.ts";
import { createParser, extract, formats, type ParseOptions, parse } from "../src/index.ts";
import { parseMessage } from "../src/message/prepared-messages.ts";
import { recovery } from "../src/recovery.ts";
import type { Run } from "../src/testing/engine.ts";
import { type Observation, observe } from "../src/testing/observe.ts";
import { isAsked } from "./support/shares.ts";

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] } },
  { name: "list_dials" },
];
const hermesCall = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_call>';
const coderCall = "<tool_call>\n<function=read_dial>\n<parameter=dial>\nsouth\n</parameter>\n</function>\n</tool_call>";
const invokeCall = '<invoke name="read_dial"><parameter name="dial">west</parameter></invoke>';
const list = ["hermes", "qwen3_coder", "deepseek_v31", "anthropic_xml", "pythonic"];

const calls = (text: string, options: Partial<ParseOptions> = {}) =>
  parse(text, { format: list, tools, ...options }).calls.map((call) => [call.format, call.arguments]);

/** The same text in one piece, unit by unit and in threes. */
const reasonsOf = (text: string, format: string[]) =>
  parse(text, { format, tools }).rejected.map(({ reason }) => reason);

/** The result and the events, neighbouring deltas joined and those of refused calls left out, for ways to cut the text. */
function checkChunks(text: string, options: ParseOptions): void {
  const run = { stream: () => createParser(options) } as unknown as Run;
  const reference = observe(run, text, []);
  expect(reference.result).toEqual(parse(text, options));
  for (const size of [1, 3]) {
    const cuts = Array.from({ length: Math.ceil(text.length / size) - 1 }, (_, at) => (at + 1) * size);
    const { result, events } = observe(run, text, cuts);
    expect(result).toEqual(reference.result);
    expect(withoutRefused(events)).toEqual(withoutRefused(reference.events));
  }
}

function withoutRefused(events: Observation["events"]): Observation["events"] {
  const refused = events.flatMap((event) => (event.type === "call-rejected" ? event.index : []));
  return events.filter((event) => event.type !== "call-args-delta" || !refused.includes(event.index));
}

describe("a list of formats", () => {
  test("several formats deliver in one message, in order of the text", () => {
    const text = `One: ${hermesCall} two:\n${coderCall}\nthree:\n${invokeCall}\ndone.`;
    expect(calls(text)).toEqual([
      ["hermes", { dial: "north" }],
      ["qwen3_coder", { dial: "south" }],
      ["anthropic_xml", { dial: "west" }],
    ]);
    expect(parse(text, { format: list, tools }).content).toBe("One:  two:\n\nthree:\n\ndone.");
    checkChunks(text, { format: list, tools });
  });

  test("at the same place the earlier format of the list wins when both read the same", () => {
    const first = (format: string[]) => parse(hermesCall, { format, tools }).calls[0].format;
    expect(first(["hermes", "trinity"])).toBe("hermes");
    expect(first(["trinity", "hermes"])).toBe("trinity");
    // To one whose messages begin in thoughts it would stand in them.
    expect(first(["ernie45", "hermes"])).toBe("hermes");
  });

  test("the order of arguments is no difference", () => {
    const properties = { to: { type: "array", items: { type: "string" } }, body: { type: "string" } };
    const mail = [{ name: "send_mail", parameters: { type: "object", properties } }];
    const text = '<send_mail>\n<to>["a"]</to>\n<body>{"a": {"b": 1}, "c": {"b": "\\u00e9"}}</body>\n</send_mail>';
    const made = { to: ["a"], body: '{"a": {"b": 1}, "c": {"b": "\\u00e9"}}' };
    for (const format of [["cline_xml", "yaml_xml"], ["yaml_xml", "cline_xml"], "auto" as const]) {
      expect(parse(text, { format, tools: mail })).toMatchObject({ calls: [{ arguments: made }], rejected: [] });
      checkChunks(text, { format, tools: mail });
    }
  });

  test("different readings of one place are ambiguous, and nothing starts", () => {
    const open = { name: "x", arguments: ["arguments"], id: [] };
    // The same markers, but to the one the name stands under `name`, to the other under `tool`.
    const other = { ...formats.get("hermes"), id: "other", keys: { ...open, name: ["tool"] } };
    const text = '<tool_call>{"name": "read_dial", "tool": "list_dials", "arguments": {"dial": "a"}}</tool_call> end';
    const options = { format: ["hermes", other], tools };
    const parser = createParser(options);
    const events = [...parser.push(text), ...parser.end()];
    expect(parser.result().calls).toEqual([]);
    expect(parser.result().rejected.map(({ reason }) => reason)).toEqual(["ambiguous"]);
    expect(parser.result().content).toBe(" end");
    expect(events.filter(({ type }) => type === "call-start")).toEqual([]);
    checkChunks(text, options);
  });

  test("calls start and come in the order of the text, and whether one starts does not depend on chunks", () => {
    // A call without arguments, which what follows may contradict, is pending.
    const empty = "<tool_call>list_dials\n</tool_call>";
    for (const text of [
      empty + coderCall,
      `${empty} and ${hermesCall}\n${invokeCall}`,
      `<function=list_dials>{</x>}</function>\n${coderCall}`,
      "<tool_call>list_dials</tool_call>\nDone.",
    ]) {
      for (const format of [
        "auto",
        ["glm47", "qwen3_coder"],
        ["glm45", "qwen3_coder", "hermes", "anthropic_xml"],
        ["functionary_v31", "seed_oss", "qwen3_coder"],
      ]) {
        const { calls } = parse(text, { format, tools });
        expect(calls.map(({ start }) => start)).toEqual(
          calls.map(({ start }) => start).sort((left, right) => left - right),
        );
        expect(calls.map(({ index }) => index)).toEqual(
          calls.map(({ index }) => index).sort((left, right) => left - right),
        );
        checkChunks(text, { format, tools });
      }
    }
  });

  test("thoughts that a format begins messages in are cut in a list as they are alone", () => {
    const text = `Maybe ${hermesCall}`;
    for (const format of ["ernie45", ["ernie45", "mistral_array"], ["mistral_array", "ernie45"]]) {
      const options = { format, tools } as ParseOptions;
      expect(parse(text, options).calls).toHaveLength(1);
      const { calls, rejected } = parse(text, { ...options, finishReason: "length" });
      expect([calls, rejected.map(({ reason }) => reason)]).toEqual([[], ["in-reasoning"]]);
    }
  });

  test("thoughts are thoughts where one format of the list says so, beside one to which the tags are none", () => {
    let tried = 0;
    for (const { id, example: call } of [...formats].filter(({ id }) => isAsked(id, 0))) {
      const text = `<think>no: ${call} rather not</think>\nOk.`;
      if (id === "trinity" || parse(text, { format: id, tools: exampleTools }).calls.length > 0) continue;
      tried++;
      for (const format of [
        ["trinity", id],
        [id, "trinity"],
      ])
        expect([format, parse(text, { format, tools: exampleTools }).calls]).toEqual([format, []]);
    }
    expect(tried).toBeGreaterThan(30);
  });

  test("what another format begins with is no framing between a call and its closer", () => {
    const text = (piece: string) => hermesCall.replace("\n</tool_call>", `${piece}\n</tool_call>`);
    for (const [piece, other] of [
      ["<", "cline_xml"],
      ["Action", "react"],
      ["functools", "phi4mini"],
      ["TOOL_CALL", "selectools"],
      [">>>", "functionary_v32"],
      ["<|channel|>", "harmony"],
      ["**Tool Call:**", "rwkv"],
    ])
      for (const format of [["hermes", other], [other, "hermes"], "auto"]) {
        const { calls: made, rejected, content } = parse(text(piece), { format, tools });
        expect([piece, made, rejected[0].reason, content.trim()]).toEqual([piece, [], "ambiguous", piece]);
        checkChunks(text(piece), { format, tools });
      }
  });

  test("what opens no call of another format hides no closers that are left over after a raw call", () => {
    const text = `<function_calls>${invokeCall}</function_calls><|channel|></parameter>\n</invoke>\n</function_calls>`;
    for (const format of ["anthropic_xml", ["anthropic_xml", "harmony"], ["harmony", "anthropic_xml"], "auto"]) {
      const { calls: made, rejected } = parse(text, { format, tools });
      expect([format, made, rejected[0].reason]).toEqual([format, [], "ambiguous"]);
    }
  });

  test("nor does a damaged opener of another format", () => {
    const coder = "<function=read_dial><parameter=dial></parameter></function>";
    const invoke = '<invoke name="read_dial"><parameter name="dial"></parameter></invoke>';
    for (const [call, opener] of [
      [coder, "<invoke name"],
      [invoke, "<function="],
    ])
      for (const format of [
        ["qwen3_coder", "anthropic_xml"],
        ["anthropic_xml", "qwen3_coder"],
      ]) {
        const text = `${call}${opener}</parameter>`;
        const { calls: made, rejected } = parse(text, { format, tools });
        expect([text, made, rejected[0].reason]).toEqual([text, [], "ambiguous"]);
        checkChunks(text, { format, tools });
      }
  });

  test("what recovery looks at while formats dispute a place is bounded by the text", () => {
    const unit = '[BEGIN FINAL RESPONSE]\n<tool_calls>[{"name": "x"';
    const text = unit.repeat(400);
    let given = 0;
    const counting: typeof recovery = {
      ...recovery,
      read: (...options) => {
        const reading = recovery.read(...options);
        const push = reading.push.bind(reading);
        reading.push = (chunk) => {
          given += chunk.length;
          push(chunk);
        };
        return reading;
      },
    };
    const format = [formats.get("apriel"), formats.get("tool_calls")];
    parseByCore(text, { format, tools, policy: { schema: "off" }, recovery: counting });
    expect(given).toBeGreaterThan(65_536);
    expect(given).toBeLessThan(65_536 + 20 * text.length);
  });

  test("blanks between the tokens of arguments make no second reading", () => {
    const open = "｜DSML｜";
    const text = `<${open}function_calls>\n<${open}invoke name="pack">\n<${open}parameter name="items" string="false">["a", "b"]</${open}parameter>\n</${open}invoke>\n</${open}function_calls>`;
    const pack = {
      name: "pack",
      parameters: { type: "object", properties: { items: { type: "array", items: { type: "string" } } } },
    };
    for (const format of [
      ["dsml_v32", "anthropic_xml"],
      ["anthropic_xml", "dsml_v32"],
    ]) {
      const { calls, rejected } = parse(text, { format, tools: [pack] });
      expect(calls.map((call) => call.arguments)).toEqual([{ items: ["a", "b"] }]);
      expect(rejected).toEqual([]);
      checkChunks(text, { format, tools: [pack] });
    }
  });

  test("what one format opens with a marker is not read as a line of calls that none opens", () => {
    const text = "<|python_start|>[list_dials()]<|python_end|>\nDone.";
    for (const format of [
      ["pythonic", "llama4_pythonic"],
      ["llama4_pythonic", "pythonic"],
    ]) {
      const { calls, rejected, content } = parse(text, { format, tools });
      expect([calls.length, rejected.length, content]).toEqual([1, 0, "\nDone."]);
      checkChunks(text, { format, tools });
    }
  });

  test("a call that no marker opens may be as long as it is, also where several formats read it", () => {
    const long = "x".repeat(70_000);
    const object = `{"name": "read_dial", "parameters": {"dial": "${long}"}}`;
    const lengths = (text: string, options: Partial<ParseOptions>) =>
      parse(text, { format: list, tools, ...options }).calls.map((call) => (call.arguments.dial as string).length);
    for (const format of [["llama3", "json_array"], ["json_array", "llama3"], "auto"]) {
      expect(lengths(object, { format })).toEqual([long.length]);
      expect(lengths(`[${object}]`, { format })).toEqual([long.length]);
      expect(lengths(`So:\n${object}`, { format, policy: { bare: "anywhere" } })).toEqual([long.length]);
      const { rejected } = parse(`So:\n${object}`, { format, tools });
      expect(rejected.map(({ reason, start }) => [reason, start])).toEqual([["not-alone", 4]]);
      const parser = createParser({ format, tools });
      for (let at = 0; at < object.length; at += 100) parser.push(object.slice(at, at + 100));
      parser.end();
      expect(parser.result().calls.length).toBe(1);
    }
  });

  test("of lines that may begin such a call only some are read to the end of a long text", () => {
    const line = '{"name": "read_dial", "parameters": {"dial": [\n';
    const format = [formats.get("llama3"), formats.get("json_array")];
    const stepsOf = (count: number) => {
      const text = `So:\n${line.repeat(count)}`;
      const policy = { bare: "anywhere", validate: () => true as const } as const;
      const message = parseMessage({ format, tools, policy }, false);
      message.push(text);
      message.end();
      return message.steps / text.length;
    };
    expect(stepsOf(6_000)).toBeLessThan(stepsOf(1_500) * 1.3);
  });

  test("a damaged reading gives way to one that is whole", () => {
    const text =
      '<tool_calls>\n{"name": "list_dials", "arguments": {}}\n{"name": "list_dials", "arguments": {}}\n</tool_calls>';
    for (const format of [
      ["tool_calls", "minimax_m1"],
      ["minimax_m1", "tool_calls"],
    ]) {
      expect(calls(text, { format })).toEqual([
        ["minimax_m1", {}],
        ["minimax_m1", {}],
      ]);
    }
  });

  test("quoted text and reasoning of any format in the list hold no calls", () => {
    for (const text of [
      `\`${hermesCall.replaceAll("\n", " ")}\``,
      `\`\`\`\n${hermesCall}\n${coderCall}\n\`\`\``,
      `<think>${hermesCall}</think>`,
    ]) {
      expect(calls(text)).toEqual([]);
      checkChunks(text, { format: list, tools });
    }
  });

  test("what no format wants is content, to the last character", () => {
    for (const text of [
      "a < b, <tool_call> alone, <",
      "[a] is a list",
      " < ",
      " [ ",
      "<invoke",
      "[read_dial(dial='x')] is how",
    ]) {
      const { calls: found, content } = parse(text, { format: list, tools });
      expect(found).toEqual([]);
      expect(content).toBe(text);
      checkChunks(text, { format: list, tools });
    }
  });

  test("what a model makes up after an observation is no call among several formats either", () => {
    const text =
      'Action: list_dials\nAction Input: {}\nObservation: north\nAction: read_dial\nAction Input: {"dial": "north"}';
    const options: ParseOptions = { format: ["hermes", "react"], tools };
    expect(parse(text, options).calls.map(({ name }) => name)).toEqual(["list_dials"]);
    checkChunks(text, options);
  });

  test("a message without a marker is read by the formats that have such a form", () => {
    expect(calls("[read_dial(dial='up'), list_dials()]")).toEqual([
      ["pythonic", { dial: "up" }],
      ["pythonic", {}],
    ]);
  });

  test("a closer of thoughts that nothing opened refuses calls before it that a format which begins in thoughts reads too", () => {
    const draft = `First ${hermesCall} perhaps.</think>\n${hermesCall}`;
    const arrayCall = '<tool_calls>[{"name": "read_dial", "arguments": {"dial": "north"}}]</tool_calls>';
    const apriel = `First ${arrayCall} perhaps.\n[BEGIN FINAL RESPONSE]\n${arrayCall}`;
    const cases: [string, ParseOptions["format"]][] = [
      [draft, ["hermes", "ernie45"]],
      [draft, ["ernie45", "glm45"]],
      [draft, "auto"],
      [apriel, ["apriel", "hermes"]],
      [apriel, ["minimax_m1", "apriel"]],
      [apriel, "auto"],
    ];
    for (const [text, format] of cases) {
      const result = parse(text, { format, tools });
      expect(result.calls.map(({ start }) => start > text.indexOf("perhaps"))).toEqual([true]);
      expect(result.rejected.map(({ reason }) => reason)).toEqual(["in-reasoning"]);
      expect(result.reasoning).toContain('{"name": "read_dial"');
      checkChunks(text, { format, tools });
    }
    // Without a closer they are calls, as they are to the other format; and at once where only that one reads them.
    expect(calls(`First ${hermesCall} done.`, { format: ["hermes", "ernie45"] })).toHaveLength(1);
    expect(calls(`First ${hermesCall} done.`, { format: ["ernie45", "iquest_q1"] })).toEqual([]);
    expect(calls(`First ${coderCall} done.</think>`, { format: ["ernie45", "qwen3_coder"] })).toHaveLength(1);
    expect(calls(`<think>No.</think>${hermesCall}</think>`, { format: ["hermes", "ernie45"] })).toHaveLength(1);
    expect(parse(draft, { format: ["hermes", "ernie45"], tools }).rejected[0].message).toContain("hermes");
  });

  test("a closer of thoughts that closes a pair refuses no call before the pair", () => {
    const text = `${hermesCall}\n<think>And now?</think>\n${hermesCall}`;
    for (const format of [["hermes", "ernie45"], "auto"] as const) {
      const options = { format, tools } as ParseOptions;
      expect(calls(text, { format } as ParseOptions)).toHaveLength(2);
      checkChunks(text, options);
      // One more closer has no opener.
      expect(calls(`${text}</think>`, { format } as ParseOptions)).toEqual([]);
    }
  });

  test("the answer of one format is text to the others, and no call of its own follows", () => {
    const action = 'Action: read_dial\nAction Input: {"dial": "north"}';
    for (const label of ["Answer:", "Final Answer:", "  Answer:"]) {
      for (const format of [["hermes", "react"], ["react", "hermes"], "auto"] as const) {
        const options = { format, tools } as ParseOptions;
        const text = `I will read it.\n${label} north.\n${hermesCall}\n`;
        expect(calls(text, { format } as ParseOptions)).toEqual([["hermes", { dial: "north" }]]);
        checkChunks(text, options);
        const acting = `${label} north.\n${action}\n${hermesCall}`;
        expect(calls(acting, { format } as ParseOptions)).toEqual([["hermes", { dial: "north" }]]);
        checkChunks(acting, options);
        const fenced = `${label} north.\n\`\`\`\n${hermesCall}\n\`\`\`\n`;
        expect(calls(fenced, { format } as ParseOptions)).toEqual([]);
        checkChunks(fenced, options);
      }
    }
    // Within a line it is no label.
    expect(calls(`The Answer: ${action}\n${action}`, { format: ["hermes", "react"] })).toHaveLength(1);
  });

  test("a call of one format in the text that another reads as its own is listed", () => {
    const text = `Action: read_dial\nAction Input: {"dial": "north"}\nSo:\n${hermesCall}`;
    for (const format of [["hermes", "react"], ["react", "hermes"], "auto"] as const) {
      const options = { format, tools } as ParseOptions;
      const { calls: made, rejected } = parse(text, options);
      expect(made.map((call) => call.format)).toEqual(["react"]);
      expect(rejected.map(({ reason, raw }) => [reason, raw])).toEqual([["ambiguous", "<tool_call>"]]);
      checkChunks(text, options);
    }
  });

  test("a call in a value of a tool that is not on offer is text of it, whatever its format", () => {
    const text = `<shell>\n<path>a.md</path>\n<text>${hermesCall}</text>\n</shell>`;
    for (const format of [["hermes", "cline_xml"], ["morph_xml", "hermes"], "auto"] as const) {
      const options = { format, tools } as ParseOptions;
      const { calls: made, rejected } = parse(text, options);
      expect(made).toEqual([]);
      expect(rejected.map(({ reason, raw }) => [reason, raw])).toEqual([["quoted", hermesCall]]);
      checkChunks(text, options);
      // Directly in an element it is a call.
      expect(calls(`<shell>\n${hermesCall}\n</shell>`, options)).toHaveLength(1);
    }
  });

  test("a token that ends a turn ends no value of such a tool", () => {
    const call = `-> tool/function_call\n[{"name": "read_dial", "arguments": {"dial": "north"}}]<|im_end|>`;
    for (const format of [
      ["hyperclovax_14b", "cline_xml"],
      ["yaml_xml", "hyperclovax_14b"],
    ]) {
      const options = { format, tools } as ParseOptions;
      for (const [open, close] of [
        ["<shell>\n<path>a.md</path>\n<text>\n", "</text>\n</shell>"],
        ["<shell>\n<text>\n", ""],
      ]) {
        const text = `${open}${call}${close}`;
        expect(parse(text, options).calls).toEqual([]);
        checkChunks(text, options);
      }
      expect(calls(`<shell>\n${call}`, options)).toHaveLength(1);
    }
  });

  test("two ways to escape a character are one reading", () => {
    const text = String.raw`[{"name": "read_dial", "arguments": {"dial": "caf\u00e9 \ud83d\ude00 \n"}}]`;
    for (const format of [["json_array", "sarashina"], ["sarashina", "json_array"], "auto"] as const) {
      const options = { format, tools } as ParseOptions;
      const [call] = parse(text, options).calls;
      expect(call.arguments).toEqual({ dial: "caf\u00e9 \ud83d\ude00 \n" });
      expect(JSON.parse(call.argumentsText)).toEqual(call.arguments);
      checkChunks(text, options);
    }
    const [one, other] = ["json_array", "sarashina"].map((first, at, ids) =>
      parse(text, { format: [first, ids[1 - at]], tools }),
    );
    expect(one.calls[0].argumentsText).toBe(other.calls[0].argumentsText);
  });

  test("openers that open nothing cost what was looked at, not the text after them", () => {
    const text = `${"a < b\n".repeat(400)}${hermesCall}\n${"a < b\n".repeat(400)}`;
    for (const format of [["hermes", "cline_xml"], ["anthropic_xml", "hermes"], "auto"] as const)
      expect(calls(text, { format } as ParseOptions)).toEqual([["hermes", { dial: "north" }]]);
    checkChunks(text, { format: ["hermes", "cline_xml"], tools });
    // As many of them as there is text: none is read from within another.
    for (const many of ["< ".repeat(20_000), "<pre>a < b <x".repeat(2_000)])
      expect(parse(many, { format: "auto", tools }).content).toBe(many);
  });

  test("an empty list is misuse", () => {
    expect(() => parse("", { format: [], tools })).toThrow(/names no format/);
  });
});

describe("auto", () => {
  test("without names a call of each format is its own, also where the tags of others are names", () => {
    // An intent, names, and a format whose marker is a word need to be named.
    const others = ["strict_json", "granite_pythonic", "selectools"];
    for (const format of formats) {
      if (others.includes(format.id)) continue;
      const call = format.renderCall({ name: "read_dial", arguments: { dial: "north" } });
      const { candidates, rejected } = extract(call, { format: "auto" });
      const found = candidates.map(({ name, arguments: given }) => [name, given]);
      expect([format.id, found, rejected]).toEqual([format.id, [["read_dial", { dial: "north" }]], []]);
    }
  });

  test("finds every format's own example", () => {
    const missed: string[] = [];
    for (const format of formats) {
      const options = { tools: exampleTools, intent: true };
      const candidates = parse(format.example, { ...options, format }).calls;
      const found = parse(format.example, { ...options, format: "auto" }).calls;
      expect(candidates.length, format.id).toBeGreaterThan(0);
      const shape = (one: typeof found) => JSON.stringify(one.map((call) => [call.name, call.arguments]));
      if (shape(found) !== shape(candidates)) missed.push(format.id);
    }
    // Its calls are lines of prose.
    expect(missed).toEqual(["granite_pythonic"]);
  });

  test("a fallback format takes part only when the model signalled that it needs a tool", () => {
    const text = '{"tool": "list_dials", "arguments": {}}';
    expect(parse(text, { format: "auto", tools }).calls).toEqual([]);
    expect(parse(text, { format: "auto", tools, intent: true }).calls).toHaveLength(1);
  });

  test("costs one pass: prose is scanned for all openers at once", () => {
    const prose = "Nothing to call here, only words. ".repeat(400);
    const options = { tools: [], policy: { validate: () => true as const } };
    const steps = (format: Parameters<typeof parseMessage>[0]["format"]) => {
      const message = parseMessage({ ...options, format }, false);
      message.push(prose);
      message.end();
      return message.steps;
    };
    // One search for each different opener, whatever the number of formats.
    const openers = new Set(
      [...formats].flatMap(({ triggers, reasoning, stop }) => [
        ...triggers,
        ...stop,
        ...reasoning.flatMap(({ open, close }) => [open, close]),
      ]),
    );
    expect(steps([...formats])).toBeLessThan((openers.size + 20) * prose.length);
  });
});

test("a call in a value of a damaged call runs in no list, nor where one of the formats alone would refuse it", () => {
  for (const damage of ["x", "<"]) {
    const quoted =
      "<parameter=dial>\na\n</parameter>\n<parameter=note>\n<function=list_dials>{}</function>\n</parameter>";
    const text = `<seed:tool_call>\n${damage}<function=read_dial>\n${quoted}\n</function>\n</seed:tool_call>`;
    const lists = [["seed_oss", "functionary_v31"], ["functionary_v31", "seed_oss"], ["functionary_v31"]];
    for (const format of [...lists, "auto" as const]) {
      const { calls, rejected } = parse(text, { format, tools });
      expect(calls).toEqual([]);
      expect(rejected.map(({ reason }) => reason)).toContain("behind-damage");
      checkChunks(text, { format, tools });
    }
  }
});

test("what begins as a call without its tokens and is damaged holds no call of another format of the list", () => {
  const begun = {
    kimi_k2: "functions.read_dial:0 ",
    mistral: "read_dial[ARGS]",
    mistral_compact: "read_dial",
    harmony: "to=read_dial",
  };
  for (const [id, begin] of Object.entries(begun)) {
    for (const format of [
      ["hermes", id],
      [id, "hermes"],
    ]) {
      for (const before of ["", "I say ", "<think>The dial.</think>"]) {
        const text = `${before}${begin}{"dial": "${hermesCall}"}`;
        expect(parse(text, { format, tools }).calls, text).toEqual([]);
        expect(reasonsOf(text, format), text).toEqual([expect.stringMatching(/malformed|not-alone/), "behind-damage"]);
        checkChunks(text, { format, tools });
        for (const value of [`{dial: "${hermesCall}"}`, `{// x\n"dial": "${hermesCall}"}`])
          expect(calls(before + begin + value, { format })).toEqual([]);
        const after = `${before}${begin}{"dial": "north",}\n${hermesCall}`;
        expect(calls(after, { format })).toEqual([["hermes", { dial: "north" }]]);
      }
    }
  }
});

test("what begins as a call of no offered tool, without its tokens, holds no call of another format of the list", () => {
  const shown = "<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_value>north</arg_value>\n</tool_call>".replaceAll(
    "\n",
    "",
  );
  for (const [first, text] of [
    ["llama3", `Sure.\n{"name": "note", "parameters": {"text": "x ${shown} y"}}`],
    ["json_array", `Sure.\n[{"name": "note", "parameters": {"text": "x ${shown} y"}}]`],
    ["pythonic", `Sure.\n[note(text="x ${shown} y")]`],
    ["llama3", `{"name": "list_dials"}, "parameters": {"text": "x ${shown} y"}}`],
    ["json_array", `[{"name": "list_dials"]}, "parameters": {"text": "x ${shown} y"}}]`],
    ["pythonic", `[list_dials()], text="x ${shown} y"]`],
    ["pythonic", `[list_dials)(text="x ${shown} y")]`],
    ["pythonic", `[(text="x ${shown} y", n=3)]`],
  ]) {
    for (const format of [
      [first, "glm47"],
      ["glm47", first],
    ]) {
      expect(calls(text, { format }), text).toEqual([]);
      expect(reasonsOf(text, format), text).toContain("behind-damage");
      checkChunks(text, { format, tools });
    }
    expect(calls(text, { format: "auto" }), text).toEqual([]);
  }
});

test("a string that has lost its first quote holds no call of another format of the list", () => {
  const shown = "<tool_call>read_dial<arg_key>dial</arg_key><arg_value>north</arg_value></tool_call>";
  for (const [first, text] of [
    ["functionary_v32", `>>>read_dial\n{"dial": a } ${shown} {", "n": 33}`],
    ["mistral", `[TOOL_CALLS]read_dial[ARGS]{"dial": a } ${shown} {", "n": 33}`],
    ["llama3_json", `<|python_tag|>{"name": "read_dial", "parameters": {"dial": a }} ${shown} {", "n": 33}}`],
    ["phi4mini", `functools[{"name": "read_dial", "arguments": {"dial": a }}] ${shown} {", "n": 33}}]`],
  ]) {
    for (const format of [
      [first, "glm47"],
      ["glm47", first],
    ]) {
      expect(calls(text, { format }), text).toEqual([]);
      checkChunks(text, { format, tools });
    }
  }
});

test("where closers of parts follow, a call directly behind the opener of another format stands in what that has lost", () => {
  const rest = '</parameter>\n<parameter name="n">33</parameter>\n</invoke>\n</function_calls>';
  for (const format of [
    ["anthropic_xml", "hermes"],
    ["hermes", "anthropic_xml"],
  ]) {
    const text = `<function_calls>\n${hermesCall}${rest}`;
    expect(calls(text, { format })).toEqual([]);
    expect(reasonsOf(text, format)).toContain("behind-damage");
    checkChunks(text, { format, tools });
    expect(calls(`<function_calls>\n${hermesCall}\n</function_calls>`, { format })).toEqual([
      ["hermes", { dial: "north" }],
    ]);
  }
});

test("openers of other formats in the thoughts of a block are listed", () => {
  const thoughts = {
    harmony: ["<|channel|>analysis<|message|>", "<|end|>"],
    inkling: ["<|message_model|><|content_thinking|>", "<|end_message|>"],
  };
  for (const [id, [open, close]] of Object.entries(thoughts)) {
    for (const text of [
      `${open}${hermesCall}${close}`,
      `${open}I use <tool.${hermesCall}`,
      `${open}${"a <tool ".repeat(400)}${hermesCall}\n${close}`,
    ]) {
      for (const format of [
        ["hermes", id],
        [id, "hermes"],
      ]) {
        const { calls, rejected } = parse(text, { format, tools });
        expect(calls).toEqual([]);
        expect(rejected.map(({ reason, raw }) => [reason, raw])).toEqual([["in-reasoning", "<tool_call>"]]);
        expect(rejected[0].start).toBe(text.indexOf("<tool_call>"));
        checkChunks(text, { format, tools });
      }
    }
  }
});

/** The tools of the examples in headers. */
const exampleTools = ["read_dial", "set_dial"].map((name) => {
  const types = {
    ...{ dial: "string", times: "integer", position: "integer", litres: "number", loud: "boolean", locked: "boolean" },
    ...{ range: "object", marks: "array", note: "null" },
  };
  const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]));
  return { name, parameters: { type: "object", properties } };
});

test("tokens that end a message, and closers that close nothing, are framing in a list too", () => {
  const list = ["hermes", "llama3_json", "anthropic_xml"];
  expect(parse("Done.<|eom_id|>", { format: list, tools }).content).toBe("Done.");
  expect(parse("Done.</think> Yes.", { format: list, tools }).content).toBe("Done. Yes.");
});

test("what can no longer be a call is not waited for; what can is given up in time, and does not run", () => {
  const call = '<|python_tag|>{"name": "read_dial", "parameters": {"dial": "north"}}';
  const options: ParseOptions = { format: ["llama3_json", "functionary_v31"], tools, policy: { maxCalls: 10_000 } };
  expect(parse(call.repeat(1200), options).calls.length).toBe(1200);

  const python = { name: "python", parameters: { type: "object", properties: { code: { type: "string" } } } };
  const disputed = parse(call.repeat(1200), { ...options, tools: [...tools, python], finishReason: "stop" });
  expect(disputed.calls).toEqual([]);
  expect(disputed.rejected.every(({ reason }) => reason === "ambiguous")).toBe(true);
});

test.each([
  ["rwkv", "ernie45", "}"],
  ["glm45", "ernie45", "<"],
])(
  "what follows the closer of another form of %s is no closer that is cut, whatever was read before: %s",
  (...given) => {
    const [first, second, rest] = given;
    const options = { format: [first, second], tools };
    for (const _ of [1, 2]) {
      checkChunks(hermesCall + rest, options);
      expect(parse(hermesCall + rest, options)).toMatchObject({ calls: [{ name: "read_dial" }], content: rest });
    }
  },
);

describe("what is left over after a call of one format", () => {
  const stepCall =
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_dial">\n<steptml:parameter name="dial">\nnorth\n</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>';
  const listCall =
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="list_dials">\n</steptml:invoke><｜tool_call_end｜>';

  test.each([
    [
      "an opener of another format among them explains its own closers only",
      `<｜tool_calls_begin｜>\n${stepCall}<｜tool_call_end｜>\n${listCall}\n<｜tool_calls_end｜>`,
      ["step3", "anthropic_xml"],
    ],
    [
      "a word that opens a block of another format stands in its closer",
      '[TOOL_CALL]{"name": "read_dial", "args": {"dial": "a"}}[/TOOL_CALL, "n": 5}}[/TOOL_CALL]',
      ["ambi", "selectools"],
    ],
    [
      "a call of another format stands before it",
      `${coderCall}\n<tool_calls>[{"name": "list_dials", "arguments": {}}]</tool_calls>\n</parameter>\n</function>\n</tool_call>`,
      ["qwen3_coder", "tool_calls"],
    ],
  ])("refuses it: %s", (_what, text, format) => {
    for (const list of [format, [...format].reverse()]) {
      expect(calls(text, { format: list })).toEqual([]);
      expect(reasonsOf(text, list)).toContain("ambiguous");
      checkChunks(text, { format: list, tools });
    }
  });

  test("and a call of another format after it does not", () => {
    const text = `${coderCall}\n${hermesCall}\n${coderCall}`;
    expect(calls(text, { format: ["qwen3_coder", "hermes"] })).toHaveLength(3);
    checkChunks(text, { format: ["qwen3_coder", "hermes"], tools });
  });
});

test("an opener that is told by its first characters is decided alike, however it is cut", () => {
  for (const format of ["anthropic_xml", "step3"])
    checkChunks('<｜tool_sep｜><steptml:invoke name="read_dial"><steptml:parameter name="dial">', { format, tools });
  checkChunks("<|open|>tools<|sep|><|close|>call<|sep|><|close|>tools<|sep|>", {
    format: ["kimi_k3", "cline_xml"],
    tools,
  });
});

test("what one refuses and another may read in part names both", () => {
  const text = `<function_calls>\n<invoke nam="read_dial">\n${hermesCall}\n</function_calls>`;
  const options = { format: ["hermes", "anthropic_xml"], tools };
  const { calls, rejected } = parse(text, options);
  expect(calls).toEqual([]);
  expect(rejected.map(({ message }) => message)).toEqual([
    expect.stringContaining("anthropic_xml and hermes read this place differently"),
  ]);
  checkChunks(text, options);
});

test("what an opener directly behind that of another format leaves of it does not depend on chunks", () => {
  const beginnings = [...formats].flatMap(({ id, renderCall }) => {
    const text = renderCall({ name: "list_dials", arguments: {} });
    const begun = text.slice(0, text.indexOf("list_dials"));
    return begun.trim() === "" ? [] : [{ id, begun }];
  });
  for (const [at, { id, begun }] of beginnings.entries()) {
    const other = beginnings[(at + (at % 2 === 0 ? 1 : 7)) % beginnings.length];
    checkChunks(begun + other.begun, { format: [id, other.id], tools });
  }
});

test("a string of what begins as a line that is a call may go on with a call of another format directly behind it", () => {
  const call = "<tool_call>list_dials</tool_call>";
  for (const text of ['="a"CALL", 1)', '=""CALL"")', '="it" CALL "x")']) {
    const line = `read_dial(dial${text.replace("CALL", call)}`;
    expect(reasonsOf(line, ["granite_pythonic", "glm45"])).toContain("behind-damage");
    expect(calls(line, { format: ["granite_pythonic", "glm45"] })).toEqual([]);
  }
  expect(calls(`read_dial(dial="a")\n${call}`, { format: ["granite_pythonic", "glm45"] })).toHaveLength(2);
});

test("an opener directly before that of another format only frames it", () => {
  const frames = {
    anthropic_xml: "function_calls",
    hy_v3: "tool_calls",
    dots: "dots_function_call",
    olmo3: "function_calls",
  };
  for (const [id, tag] of Object.entries(frames)) {
    for (const format of [
      ["hermes", id],
      [id, "hermes"],
    ]) {
      const text = `<${tag}>\n${hermesCall}\n</${tag}>`;
      const { calls, rejected } = parse(text, { format, tools });
      expect(calls.map((call) => call.format)).toEqual(["hermes"]);
      expect(rejected.map(({ reason, raw }) => [reason, raw])).toEqual([["malformed", `<${tag}>`]]);
      checkChunks(text, { format, tools });
    }
  }
  // What the format reads itself is its own.
  const own =
    "<tool_calls>\n<tool_call>read_dial<arg_key>dial</arg_key><arg_value>north</arg_value></tool_call>\n</tool_calls>";
  expect(parse(own, { format: ["hermes", "hy_v4"], tools }).calls.map((call) => call.format)).toEqual(["hy_v4"]);
  checkChunks(own, { format: ["hermes", "hy_v4"], tools });
});

describe("a turn that begins for some formats of a list", () => {
  const own = ' -> tool/function_call\n[{"name": "list_dials", "arguments": {}}]';
  const text = `${hermesCall}<|im_end|>\n<|im_start|>assistant${own}<|im_end|>\n${hermesCall}`;

  test.each([[["hermes", "hyperclovax_14b"]], [["hyperclovax_14b", "hermes"]]])(
    "%s: the others have ended",
    (format) => {
      const result = parse(text, { format, tools });
      expect(result.calls.map((call) => [call.format, call.name])).toEqual([
        ["hermes", "read_dial"],
        ["hyperclovax_14b", "list_dials"],
      ]);
      expect(result.rejected.map(({ reason }) => reason)).toEqual(["after-turn"]);
      checkChunks(text, { format, tools });
    },
  );

  test("without a token that ends a turn before, none has", () => {
    const format = ["hermes", "hyperclovax_14b"];
    expect(parse(`<|im_start|>assistant\n${hermesCall}`, { format, tools }).calls).toHaveLength(1);
  });

  test("one that a block begins ends it for all, and lists what the others open", () => {
    const options = { format: ["harmony", "hermes"], tools };
    const [turn, prose] = ["<|start|>user", "<|start|> you"].map((head) => `Hi ${head}\n${hermesCall}`);
    expect(parse(turn, options).rejected.map(({ reason }) => reason)).toEqual(["after-turn"]);
    expect(parse(prose, options).calls).toHaveLength(1);
    for (const text of [turn, prose]) checkChunks(text, options);
  });
});

test("a fence in a quoting pair ends with it, whatever the openers of the list begin with", () => {
  const text = `<tool_response>\n\`\`\`\ncut\n</tool_response>\nSo:\n\`\`\`\n${hermesCall}\n\`\`\``;
  for (const format of [["morph_xml", "hermes"], ["hermes", "anthropic_xml"], "auto"]) {
    expect(parse(text, { format, tools } as ParseOptions).calls).toEqual([]);
  }
});

describe("a call before damage that another format reads", () => {
  const damaged = '<tool_call>\n{"name": "read_dial", "arguments": {\\"dial\\": \\"n\\"}}\n</tool_call>';
  const cut = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "no';

  test.each([
    ["damaged", damaged, "malformed"],
    ["cut", cut, "truncated"],
  ])("%s: the call before it runs, in any order", (_what, text, reason) => {
    for (const format of [["hermes", "qwen3_coder"], ["qwen3_coder", "hermes"], "auto"]) {
      const options = { format, tools } as ParseOptions;
      const result = parse(coderCall + text, options);
      expect([result.calls.length, result.rejected.map((one) => one.reason)], String(format)).toEqual([1, [reason]]);
      checkChunks(coderCall + text, options);
    }
  });

  test("but not where its closers stand in the damage", () => {
    const left = '\n<tool_calls>[{"name": fasle</parameter>\n</function>\n</tool_call></tool_calls>';
    for (const format of [["qwen3_coder", "tool_calls"], "auto"])
      expect(parse(coderCall + left, { format, tools } as ParseOptions).calls).toEqual([]);
  });
});

test("a refused call that formats read alike says the same of the call before it, in any order", () => {
  const [open, close] = ["<ifm|tool_calls>\n<ifm|tool_call>", "</ifm|tool_call>\n</ifm|tool_calls>"];
  const text = `${open}list_dials\n${close}\n${open}{"name":\n ""read_dial", "arguments":<|im_end|> {"dial": "n"}}${close}`;
  for (const format of [
    ["k2_horizon", "k2_horizon_json"],
    ["k2_horizon_json", "k2_horizon"],
  ]) {
    const { calls, rejected } = parse(text, { format, tools });
    expect([calls.map(({ name }) => name), rejected.map(({ reason }) => reason)], String(format)).toEqual([
      ["list_dials"],
      ["ambiguous"],
    ]);
  }
});

test.each([
  ["kimi_k2", "<|tool_calls_section_end|>"],
  ["deepseek_v31", "<｜tool▁calls▁end｜>"],
  ["solar_open2", "<|tool_call:end|>"],
])("a token of %s between a payload and its closer is text to the format of the call", (other, token) => {
  const text = hermesCall.replace("</tool_call>", `${token}</tool_call>`);
  for (const format of ["hermes", ["hermes", other], [other, "hermes"], "auto"]) {
    const options = { format, tools } as ParseOptions;
    expect(
      parse(text, options).rejected.map(({ reason }) => reason),
      String(format),
    ).toEqual(["ambiguous"]);
  }
});

describe("what one format opens directly after an opener of another", () => {
  const openings = ["<think>x", "<pre>", "<!--", '"<|python_end|>', "<example>"];

  test.each(openings)("%s ends the reading", (opening) => {
    const text = `<|python_start|>${opening}`;
    for (const format of [["llama4_pythonic", "pythonic"], ["pythonic", "llama4_pythonic"], "hermes", "auto"])
      checkChunks(text, { format, tools } as ParseOptions);
  });

  test("holds no call, where the whole text is there and in chunks", () => {
    const text = '<tool_call><think>{"name": "list_dials", "arguments": {}}</think></tool_call>';
    for (const format of [["trinity", "hermes"], ["hermes", "trinity"], ["trinity", "glm47"], "auto"]) {
      const options = { format, tools } as ParseOptions;
      expect(parse(text, options).calls, String(format)).toEqual([]);
      checkChunks(text, options);
    }
  });
});

describe("formats that read a call alike", () => {
  test.each([
    [
      ["hermes", "qwen3_coder"],
      '<tool_call>\n{"name": "list_dials", "arguments": {}}\n</tool_call>\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      ["dots_json", "dots"],
      '<dots_function_call>\n{"name": "list_dials", "arguments": {}}\n</dots_function_call>x\n</invoke>\n</dots_function_call>',
    ],
    [
      ["trinity", "qwen3_coder"],
      '<tool_call>\n{"name": "list_dials", "arguments": {}}north\n</parameter>\n</function>',
    ],
  ])("%s: what contradicts it in one of them does so in the list", (list, text) => {
    for (const format of [list, [...list].reverse()]) {
      expect(parse(text, { format, tools }).calls).toEqual([]);
      expect(reasonsOf(text, format)).toContain("ambiguous");
      checkChunks(text, { format, tools });
    }
  });

  test("the one that guesses nothing counts, in any order", () => {
    const text = '[TOOL_CALLS] [{"name": "list_dials", "arguments" {}}][{"name": "list_dials", "parameters": {}}]';
    for (const format of [
      ["mistral_array", "xlam"],
      ["xlam", "mistral_array"],
    ])
      expect(parse(text, { format, tools }).calls.map((call) => call.format)).toEqual(["mistral_array"]);
  });
});

test("an opener in the middle of a call leaves two readings, whichever formats read its halves", () => {
  const text = "<read_dial>\n<dial>north</dial><read_dial>\n<times>7</times>\n</read_dial>";
  const free = [{ name: "read_dial", parameters: { type: "object", properties: { dial: {}, times: {} } } }];
  for (const format of [["yaml_xml", "cline_xml"], ["cline_xml", "yaml_xml"], "auto"])
    expect(parse(text, { format, tools: free } as ParseOptions).calls, String(format)).toEqual([]);
});

test("thoughts in an opener are thoughts where one format of the list says so, and blocks after them are read", () => {
  for (const format of [
    ["trinity", "llama3"],
    ["llama3", "trinity"],
  ]) {
    const read = parse('<think>hm</think>\n{"name": "list_dials", "parameters": {}}', { format, tools });
    expect([read.calls.length, read.reasoning]).toEqual([1, "hm"]);
  }
  for (const format of [
    ["trinity", "mistral_array"],
    ["hermes", "trinity"],
  ])
    expect(calls('<tool_call><think>{"name": "list_dials", "arguments": {}}</think></tool_call>', { format })).toEqual(
      [],
    );
});

test("of equal readings one whose end is in doubt counts, in any order", () => {
  const read = (dial: string) => `<tool_call>{"name": "read_dial", "arguments": {"dial": "${dial}"}}`;
  const text = `${read("a")}\n${read("b")}</tool_call>"}}</tool_call>`;
  for (const format of [
    ["rwkv", "hermes"],
    ["hermes", "rwkv"],
  ])
    expect(calls(text, { format })).toEqual([]);
});

test("a token that frames another format is no framing between a payload and its closer", () => {
  const text = hermesCall.replace("\n</tool_call>", "<|end|>\n</tool_call>");
  for (const format of [
    ["hermes", "harmony"],
    ["harmony", "hermes"],
  ]) {
    expect(calls(text, { format })).toEqual([]);
    checkChunks(text, { format, tools });
  }
});

test("a prefill that a format has begun to read goes on with the text, however it is cut", () => {
  const ping = [{ name: "ping", parameters: { type: "object", properties: {} } }];
  const text = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>"}';
  for (const format of [
    ["hermes", "llama3"],
    ["llama3", "hermes"],
  ]) {
    const options = { format, tools: ping, prefill: '{"a": "' };
    expect(parse(text, options).rejected.map(({ reason }) => reason)).toEqual(["quoted"]);
    checkChunks(text, options);
  }
});

test("a whole call in the prefill says which format reads what goes on behind it", () => {
  const message = (name: string, parameters: string) =>
    `<|start|>assistant to=${name}<|message|><atem:function_calls>\n<atem:invoke name="${name}">\n${parameters}</atem:invoke>\n</atem:function_calls><|eom|>`;
  const prefill = message("read_dial", '<atem:parameter name="dial">north</atem:parameter>\n');
  for (const format of [["muse_glimmer", "harmony"], ["harmony", "muse_glimmer"], "auto" as const]) {
    const options = { format, tools, prefill };
    expect(parse("Hello", options)).toMatchObject({ calls: [], rejected: [], content: "Hello" });
    for (const before of ["", "\n"]) {
      const text = before + message("list_dials", "");
      expect(parse(text, options)).toMatchObject({ calls: [{ name: "list_dials", arguments: {} }], rejected: [] });
      checkChunks(text, options);
    }
  }
});

test("marks that close a fence before the end of thoughts begin no code span", () => {
  const rest =
    '[BEGIN FINAL RESPONSE]\n<tool_calls>[{"name": "list_dials", "arguments": {}}]</tool_calls>[THINK]x[/THINK]';
  for (const format of [["apriel", "plamo3"], ["mistral", "apriel"], "auto" as const]) {
    expect(calls(`\`\`\`\nx\n\`\`\`${rest}`, { format })).toHaveLength(1);
    if (format === "auto" || format[0] === "mistral") expect(calls(`x \`\`\`${rest}`, { format })).toEqual([]);
    checkChunks(`\`\`\`\nx\n\`\`\`${rest}`, { format, tools });
  }
});

test("what is struck through ends no turn, also where its tag might open a call of some format", () => {
  const text = `<s>Todo</s>\nTool: read\n${formats.get("hermes").renderCall({ name: "list_dials", arguments: {} })}`;
  for (const format of [["hermes", "morph_xml"], ["anthropic_xml", "hermes"], "auto"] as const)
    expect(parse(text, { format, tools }).calls.length).toBe(1);
});

test("messages read before say nothing of the next", () => {
  const cases = corpusIds().flatMap((id) => loadCorpus(id).cases.filter(({ tools }) => tools !== undefined));
  const sample = cases.filter((_, at) => at % 61 === 0);
  const action = 'Action: read_dial\nAction Input: {"dial": "a"}';
  const texts = [`Action: list_dials\nObservation: 3\n${action}`, `Hi\nObservation: 3\n${action}`];
  for (const format of ["auto", ["react", "command_r", "hermes"]] as const) {
    for (const text of [...texts, ...sample.map(({ text }) => text)]) {
      const alone = parse(text, { format, tools: structuredClone(tools) });
      expect(parse(text, { format, tools })).toEqual(alone);
    }
  }
  expect(texts.map((text) => parse(text, { format: "auto", tools }).calls)).toEqual([[], []]);
});

/** Calls of a value that is cut short by its own closers, which are left over behind what stands at `{}`. */
const cutShort: readonly (readonly [id: string, text: string])[] = [
  [
    "glm45",
    "<tool_call>read_dial<arg_key>dial</arg_key><arg_value>a</arg_value></tool_call>\n{}</arg_value></tool_call>",
  ],
  [
    "qwen3_coder",
    "<tool_call>\n<function=read_dial>\n<parameter=dial>\na\n</parameter>\n</function>\n</tool_call>\n{}\n</parameter>\n</function>\n</tool_call>",
  ],
  ["anthropic_xml", '<invoke name="read_dial"><parameter name="dial">a</parameter></invoke>\n{}</parameter></invoke>'],
];

describe("closers that are left over refuse a call in a list as they do alone", () => {
  const shown: readonly (readonly [id: string, text: string])[] = [
    ["mistral", "[TOOL_CALLS]list_dials[ARGS]{}"],
    ["mistral", "[TOOL_CALLS]list_dials[ARGS]{}\n[TOOL_CALLS]list_dials[ARGS]{}"],
    ["functionary_v32", ">>>list_dials\n{}"],
    ["harmony", "<|channel|>commentary to=functions.list_dials<|message|>{}<|call|>"],
    ["kimi_k2", "<|tool_call_begin|>functions.list_dials:0<|tool_call_argument_begin|>{}<|tool_call_end|>"],
    [
      "kimi_k2",
      "<|tool_call_begin|>functions.list_dials:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>functions.list_dials:1<|tool_call_argument_begin|>{}<|tool_call_end|>",
    ],
  ];
  // What is damaged takes the closers along.
  const damaged: readonly (readonly [id: string, text: string])[] = [
    ["iquest_q1", "<iquest_tool_call>list_dials<arg_key>x</arg_key><arg_value>"],
    ["ambi", '[TOOL_CALL]{"name": "list_dials", "args": {}}'],
    ["kimi_k2", "<|tool_call_begin|>functions.list_dials:0<|tool_call_argument_begin|>{}"],
    ["harmony", "<|channel|>commentary to=functions.list_dials<|message|>{}"],
    ["hunyuan", "<tool_calls>\n<"],
  ];
  test.each(cutShort)("%s", (id, text) => {
    for (const [other, call] of [...shown, ...damaged]) {
      const whole = text.replace("{}", () => call);
      expect(calls(whole, { format: id })).toEqual([]);
      for (const format of [[id, other], [other, id], "auto" as const]) {
        expect([format, calls(whole, { format })]).toEqual([format, []]);
        checkChunks(whole, { format, tools });
      }
    }
  });
});

test("a call that ends thoughts ends them to those formats only that say so", () => {
  const kimi = (name: string) =>
    `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"dial": "k"}<|tool_call_end|>`;
  const glm = "<tool_call>read_dial<arg_key>dial</arg_key><arg_value>g</arg_value></tool_call>";
  const own = ["kimi_k2", { dial: "k" }];
  const other = ["glm45", { dial: "g" }];
  const cases: [text: string, calls: unknown[], reasons: string[]][] = [
    [`<think>Not ${kimi("nope")} or ${glm} but`, [], ["unknown-tool", "in-reasoning"]],
    [`<think>Not ${kimi("read_dial")} or ${glm} but`, [own], ["in-reasoning"]],
    [`<think>Not ${kimi("read_dial")} or ${glm}\n`, [own, other], []],
    [`<think>Not ${kimi("nope")} or ${glm}`, [other], ["unknown-tool"]],
    [`<think>Not ${kimi("nope")} or ${kimi("read_dial")} but`, [own], ["unknown-tool"]],
    [`<think>Not ${kimi("read_dial")} or ${glm} but ${kimi("read_dial")} ends`, [own, own], ["in-reasoning"]],
    [`<think>Not ${kimi("read_dial")} or ${glm}</think>ok`, [], ["in-reasoning", "in-reasoning"]],
    [`<think>Not ${kimi("read_dial")} or ${glm.slice(0, 40)} but ${glm} ends`, [own], ["in-reasoning"]],
  ];
  for (const [text, made, reasons] of cases)
    for (const format of [["kimi_k2", "glm45"], ["glm45", "kimi_k2"], "auto" as const]) {
      expect([text, format, calls(text, { format })]).toEqual([text, format, made]);
      if (format !== "auto" && !text.includes("ends")) expect(reasonsOf(text, format)).toEqual(reasons);
      checkChunks(text, { format, tools });
    }
  // A token that ends turns closes the thoughts of others as well, and none of these.
  for (const format of [["kimi_k2", "hyperclovax_14b"], "auto" as const])
    expect(calls(`<think>Not ${kimi("read_dial")}<|im_end|>`, { format })).toEqual([own]);
});

test("what frames text in one format of a list begins no line to another, as in that one alone", () => {
  const written = (id: string) => formats.get(id)!.renderCalls([{ name: "read_dial", arguments: { dial: "north" } }]);
  const framing = [
    ["mistral", "</s>"],
    ["hermes", "<|im_end|>"],
    ["hermes", "</tool_call>"],
    ["gemma4", "<eos>"],
  ] as const;
  for (const titled of ["command_r", "rwkv", "react"])
    for (const [other, token] of framing)
      for (const before of ["Corrective ", ""]) {
        const text = `${before}${token}${written(titled).trimStart()}`;
        const made = calls(text, { format: titled });
        for (const format of [[titled, other], [other, titled], "auto" as const]) {
          expect([text, format, calls(text, { format })]).toEqual([text, format, made]);
          if (format !== "auto") checkChunks(text, { format, tools });
        }
        expect(calls(`${before}${token}\n${written(titled)}`, { format: [titled, other] })).toHaveLength(1);
      }
});

test("an object between markers that two formats have stands in the same place to both", () => {
  const text = '<tool_calls>\n{"name": "read_dial", "arguments": {"dial": "north"}}\n</tool_calls>';
  const places = [["minimax_m1"], ["hunyuan"], ["minimax_m1", "hunyuan"], ["hunyuan", "minimax_m1"]].map((format) => {
    const { calls: made, nodes } = parse(text, { format, tools });
    return [made.map(({ start, end }) => [start, end]), nodes.map(({ type, start, end }) => [type, start, end])];
  });
  expect(new Set(places.map((one) => JSON.stringify(one))).size).toBe(1);
});

test("what ends in one format of a list begins no line, and no message, to another to which it is text", () => {
  const written = (id: string) => formats.get(id)!.renderCalls([{ name: "read_dial", arguments: { dial: "north" } }]);
  const bare = (id: string) => written(id).trimStart();
  const other = (id: string) => formats.get(id)!.renderCalls([{ name: "list_dials", arguments: {} }]);
  const check = (text: string, format: [string, string]) => {
    const alone = format.map((id) => calls(text, { format: id }).map(([, given]) => given));
    for (const order of [format, [...format].reverse()]) {
      const made = parse(text, { format: order, tools });
      expect([text, order, made.calls.map((call) => call.arguments)]).toEqual([text, order, alone.flat()]);
      checkChunks(text, { format: order, tools });
    }
  };
  // A whole call on the line.
  for (const id of ["react", "command_r", "rwkv", "granite_pythonic"])
    for (const before of ["tool_tag", "longcat", "qwen3_coder"]) {
      check(`${other(before)}${bare(id)}`, [id, before]);
      expect(calls(`${other(before)}\n${bare(id)}`, { format: [id, before] })).toHaveLength(2);
    }
  // Framing at the start.
  check(`</arguments>${bare("ui_tars")}`, ["ui_tars", "mirothinker"]);
  check(`<|recipient|>${bare("llama3")}`, ["llama3", "functionary_v2"]);
  check(`</s>${bare("pythonic")}`, ["pythonic", "mistral"]);
  expect(reasonsOf(`</s>${bare("pythonic")}`, ["mistral", "pythonic"])).toEqual(["not-alone"]);
  // What opens thoughts, line break included.
  check(`<|im_start|>assistant/think\n${bare("pythonic")}`, ["pythonic", "hyperclovax_14b"]);
  // A token that opens nothing there.
  for (const id of ["react", "command_r", "llama3", "granite_pythonic"])
    for (const before of ["inkling", "kimi_k3"]) {
      const token = before === "inkling" ? "<|message_model|>" : "<|open|>";
      check(`${token}${bare(id)}\n`, [id, before]);
      check(`Read.\n${token}${bare(id)}\n`, [id, before]);
    }
  // What frames a reply in all of them, also where one of them says so itself; one text says nothing of the next.
  for (const before of [
    "<|im_end|>",
    "<|im_start|>assistant\n",
    "<think>",
    "<think:opensource>a</think:opensource>",
    "<s>",
  ])
    for (const pair of [
      ["pythonic", "hyperclovax_14b"],
      ["pythonic", "hunyuan"],
      ["llama3", "json_array"],
    ]) {
      const text = before + bare(pair[0]);
      const made = calls(text, { format: pair }).length;
      const alone = pair.map((format) => calls(text, { format }).length);
      expect([text, pair, made]).toEqual([text, pair, Math.max(...alone)]);
    }
});

test("who reads damage behind calls, and what is left of a closer behind them, is no matter of the order", () => {
  const mail = [{ name: "send", parameters: { type: "object", properties: { to: { type: "string" } } } }];
  const call = '[TOOL_CALLS]send[ARGS]{"to":""}';
  const damaged = `${call}T[TOOL_CALLS]{n"}]{"`;
  for (const format of ["mistral", ["mistral", "mistral_array"], ["mistral_array", "mistral"]])
    expect(parse(damaged, { format, tools: mail })).toMatchObject({ calls: [{ name: "send" }], content: "T" });
  const section = formats.get("deepseek_v3")!.renderCalls([{ name: "send", arguments: { to: "a" } }]);
  for (const format of ["deepseek", "deepseek_v3", ["deepseek", "deepseek_v3"], ["deepseek_v3", "deepseek"]]) {
    const text = `\`${section.trim()}\``;
    expect(parse(text, { format, tools: mail })).toMatchObject({
      calls: [],
      content: "``",
      rejected: [{ reason: "ambiguous" }],
    });
    checkChunks(text, { format, tools: mail });
  }
  const cut = '<tool_call>\n{"name": "send", "arguments": {"to": "a"}}\n</tool_cal ';
  const listed = '<tool_calls>\n{"name": "send", "arguments": {"to": "a"}}\n</tool_calls>';
  for (const [text, ids] of [
    [cut, ["hermes", "rwkv"]],
    [listed, ["minimax_m1", "tool_calls"]],
  ] as const) {
    const [made, other] = [ids, [...ids].reverse()].map((format) => parse(text, { format: [...format], tools: mail }));
    expect([made.content, made.calls[0].start, made.calls[0].end]).toEqual(["", 0, other.calls[0].end]);
    expect([other.content, other.calls[0].start]).toEqual(["", 0]);
  }
});

test("a tag that no format reads as an opener says nothing of the calls before it, however the text is cut", () => {
  const dials = [{ name: "ping" }, { name: "list", parameters: { properties: { tags: { type: "array" } } } }];
  const block = '> <list>\n> <tags>["a", "b} c"]</tags>\n> </list>';
  for (const id of ["mistral_array", "mistral", "phi4mini", "llama3_json", "functionary_v32"])
    for (const tagged of ["cline_xml", "morph_xml"]) {
      const text = `${formats.get(id)!.renderCalls([{ name: "ping", arguments: {} }])}\n${block}\n`;
      const options = { format: [id, tagged], tools: dials };
      expect([id, tagged, parse(text, options).calls.length]).toEqual([id, tagged, 1]);
      checkChunks(text, options);
    }
});

test("of formats that read a call alike, the stricter one says what text beside it means, whatever the order", () => {
  const texts = [
    "<arg_key>dial</arg_key><arg_value>a</arg_value><tool_call>note</tool_call>",
    "<tool_call>list_dials\n\n<tool_call>read_dial\n<arg_key>dial</arg_key>\n<arg_valuue>x y</arg_value>\n</tool_call>",
    '<tool_cal"l></tool_call>x\n<arg_key>dial</arg_key>\n<arg_value><tool_call>x</arg_value>\n</tool_call>\n<tool_call>list_dials\n</tool_call>',
  ];
  const given = [...tools, { name: "note", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
  for (const text of texts)
    for (const format of [
      ["glm45", "telechat4"],
      ["telechat4", "glm45"],
    ]) {
      expect([text, format, parse(text, { format, tools: given }).calls]).toEqual([text, format, []]);
      checkChunks(text, { format, tools: given });
    }
});

test("a token of any format that reads a call alike may have been moved into it, whatever the order", () => {
  const text = "<|python_start|>[read_dial(dial='sou<|python_end|>th')]";
  const moved = ["pythonic", "llama4_pythonic"];
  // JSON in a format of tags lacks none of them.
  const tag = '<tool_call>\n{"name": "read_dial", "arguments": {"dial": "x<function=y"}}\n</tool_call>';
  const json = ["hermes", "qwen3_coder"];
  for (const order of [moved, moved.toReversed()]) {
    expect([order, reasonsOf(text, order)]).toEqual([order, ["ambiguous"]]);
    checkChunks(text, { format: order, tools });
  }
  for (const format of [["hermes"], ["qwen3_coder"], json, json.toReversed()])
    expect([format, reasonsOf(tag, format)]).toEqual([format, []]);
});

test("what calls of one format begin with is listed also where any tag may open those of another", () => {
  const call = "<tool_call>list_dials</tool_call>";
  const text = `read_dial<arg_key>dial</arg_key><arg_value>${call}\n${call}</arg_value></tool_call>`;
  const alone = reasonsOf(text, ["glm47"]);
  expect(alone).toEqual(["malformed", "ambiguous", "ambiguous"]);
  for (const other of ["anthropic_xml", "morph_xml", "cline_xml"])
    for (const format of [
      ["glm47", other],
      [other, "glm47"],
    ]) {
      expect([format, reasonsOf(text, format)]).toEqual([format, alone]);
      checkChunks(text, { format, tools });
    }
});

test("what opens a call of one format is no argument in a call of another that does not declare it", () => {
  const open = [...tools, { name: "note", parameters: { type: "object", properties: { text: { type: "string" } } } }];
  const call = { name: "read_dial", arguments: { dial: "north" } };
  for (const { id, renderCall } of [...formats].filter(({ id }) => isAsked(id, 1))) {
    const text = `<note>\n${renderCall(call)}\n</note>`;
    const alone = parse(text, { format: id, tools: open }).calls;
    if (alone.length === 0 || ["morph_xml", "cline_xml"].includes(id)) continue;
    for (const format of [
      [id, "morph_xml"],
      ["morph_xml", id],
    ]) {
      const made = parse(text, { format, tools: open });
      expect([format, made.calls.filter(({ name }) => name === "note")]).toEqual([format, []]);
      expect([format, made.calls.length + made.rejected.length > 0]).toEqual([format, true]);
      const parser = createParser({ format, tools: open });
      parser.push(text);
      parser.end();
      expect([format, parser.result().calls.length]).toEqual([format, made.calls.length]);
    }
  }
  const options = { format: ["hermes", "morph_xml"], tools: open };
  const shown = `<note>\n<x>${hermesCall}</x>\n</note>`;
  const [refused] = parse(shown, options).rejected;
  expect([refused.reason, refused.message]).toEqual([
    "ambiguous",
    "hermes and morph_xml read this place differently; name the format that the model speaks",
  ]);
  checkChunks(shown, options);
  // A declared one is text.
  expect(parse(`<note>\n<text>${hermesCall}</text>\n</note>`, options).calls.map(({ name }) => name)).toEqual(["note"]);
});

test("a closer that a call lacks refuses it in the block of any other format, as in text", () => {
  const call = { name: "read_dial", arguments: { dial: "north" } };
  const action = formats.get("react").renderCall({ name: "list_dials", arguments: {} });
  for (const id of ["hermes", "functionary_v31", "longcat", "internlm", "ambi"]) {
    const written = formats.get(id).renderCall(call);
    const end = written.lastIndexOf("}") + 1;
    const text = `${written.slice(0, end)}\n${action}\n${written.slice(end).trimStart()}`;
    for (const format of [
      [id, "react"],
      ["react", id],
    ]) {
      expect([format, calls(text, { format })]).toEqual([format, []]);
      checkChunks(text, { format, tools });
    }
    expect([id, calls(`${written}\n${action}`, { format: [id, "react"] }).length]).toEqual([id, 2]);
  }
});

test("behind text, too, a call may stand in thoughts with which messages of one format begin", () => {
  const text = `${hermesCall}\nSo\n${hermesCall}\nand on.`;
  for (const format of [
    ["ernie45", "mistral_array"],
    ["mistral_array", "ernie45"],
  ]) {
    expect(calls(text, { format })).toEqual([]);
    expect(reasonsOf(text, format)).toEqual(["in-reasoning", "in-reasoning"]);
  }
});

test("what closes a block of one format, and may open one of another, is listed as no opener where it closes something", () => {
  const text = '[list_dials(<| so <|python_end|>{"name": "read_dial", "parameters": {"dial": "n"}}';
  const { rejected } = parse(text, { format: ["llama3", "pythonic"], tools });
  expect(rejected.map(({ raw }) => raw.trim())).toEqual(["[list_dials(", '{"name": "read_dial"']);
});

test("a closer that a value of another format holds is left over behind the call that it may belong to", () => {
  const text =
    '<tool_call>read_dial<arg_key>dial</arg_key><arg_value>n</arg_value></tool_call>\n<read_dial>\ndial: "see</arg_value>"\n</read_dial>';
  for (const format of [
    ["glm45", "yaml_xml"],
    ["yaml_xml", "glm45"],
  ])
    expect(reasonsOf(text, format)).toEqual(["ambiguous", "ambiguous"]);
  expect(calls(text.replace('</arg_value>"', '"'), { format: ["glm45", "yaml_xml"] })).toHaveLength(2);
});
