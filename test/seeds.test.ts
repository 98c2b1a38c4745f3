/** What earlier parsers of tool calls promised, option by option, where no corpus case can say it; see docs/seeds.md. */
import { compileGrammar } from "toolpeg/compiler";
import { describe, expect, test } from "vitest";
import {
  createParser,
  extract,
  formats,
  type ParseOptions,
  type ParseResult,
  parse,
  shouldParseText,
  type ToolDefinition,
} from "../src/index.ts";

const tool = (name: string, properties: Record<string, object>, ...required: string[]): ToolDefinition => ({
  name,
  description: `the tool ${name}`,
  parameters: { type: "object", properties, required },
});
const tools = [
  tool("tide_table", { port: { type: "string" }, days: { type: "integer" } }, "port"),
  tool("log_entry", { title: { type: "string" }, body: { type: "string" }, extra: { type: "object" } }),
  tool("lamp_status", {}),
];
const read = (text: string, options: Omit<ParseOptions, "tools">): ParseResult => parse(text, { ...options, tools });
const named = ({ calls }: ParseResult) => calls.map(({ name, arguments: given }) => [name, given]);
const reasons = ({ rejected }: ParseResult) => rejected.map(({ reason }) => reason);

describe("a marker in front of JSON", () => {
  const selectools = { format: "selectools" };

  test("both spellings of the arguments, all three of the name", () => {
    for (const name of ["tool_name", "tool", "name"]) {
      for (const given of ["parameters", "params"]) {
        const text = `TOOL_CALL\n{"${name}": "tide_table", "${given}": {"port": "Bodo"}}`;
        expect(named(read(text, selectools))).toEqual([["tide_table", { port: "Bodo" }]]);
      }
    }
  });

  test("arguments that are empty, null or missing are none", () => {
    for (const rest of [', "parameters": {}', ', "parameters": null', ""]) {
      expect(named(read(`TOOL_CALL\n{"tool_name": "lamp_status"${rest}}`, selectools))).toEqual([["lamp_status", {}]]);
    }
  });

  test("objects nest as deep as the limit says", () => {
    const nested = (depth: number) => `${'{"in": '.repeat(depth)}1${"}".repeat(depth)}`;
    const call = (depth: number) => `TOOL_CALL {"tool_name": "log_entry", "parameters": {"extra": ${nested(depth)}}}`;
    expect(read(call(4), selectools).calls).toHaveLength(1);
    expect(read(call(100), selectools).calls).toHaveLength(1);
    expect(reasons(read(call(200), selectools))).toEqual(["too-deep"]);
  });

  test("text without a call gives none, and all of it back", () => {
    const text = "Low water is at six, as far as I know.";
    expect(read(text, selectools)).toMatchObject({ calls: [], rejected: [], content: text });
  });

  test("JSON without the marker is an answer, whatever its keys", () => {
    for (const text of [
      '{"tool_name": "lamp_status"}',
      '{"tool": "lamp_status", "params": {}}',
      '{"name": "Bodo", "age": 209}',
      '```json\n{"tool_name": "lamp_status", "parameters": {}}\n```',
    ]) {
      expect(read(text, selectools)).toMatchObject({ calls: [], content: text });
    }
  });

  test("a second object after the first refuses the call", () => {
    const two = 'TOOL_CALL\n{"tool_name": "lamp_status"}\n{"tool_name": "tide_table", "parameters": {"port": "Bodo"}}';
    expect(read(two, selectools).calls).toEqual([]);
    expect(reasons(read(two, selectools))).toEqual(["ambiguous"]);
  });

  test("a payload of 8000 characters is read, a longer one is not", () => {
    const text = (length: number) => {
      const frame = '{"tool_name": "log_entry", "parameters": {"body": ""}}'.length;
      return `TOOL_CALL\n{"tool_name": "log_entry", "parameters": {"body": "${"x".repeat(length - frame)}"}}`;
    };
    expect(read(text(7900), selectools).calls).toHaveLength(1);
    expect(reasons(read(text(8100), selectools))).toEqual(["too-large"]);
    expect(read(text(8100), { ...selectools, policy: { maxPayloadChars: 9000 } }).calls).toHaveLength(1);
  });

  test("the same call twice is two calls, and one where only the first counts", () => {
    const text = 'TOOL_CALL {"tool_name": "lamp_status"}\nTOOL_CALL {"tool_name": "lamp_status"}';
    expect(read(text, selectools).calls).toHaveLength(2);
    const first = read(text, { ...selectools, policy: { calls: "first" } });
    expect([first.calls.length, reasons(first)]).toEqual([1, ["not-first"]]);
  });

  test("a marker of any characters stands for itself", () => {
    for (const marker of ["CALL", "[[$(.*)]]", "\\d+", "→ run"]) {
      const text = `Now ${marker} {"tool_name": "lamp_status"}`;
      expect(named(read(text, { ...selectools, marker }))).toEqual([["lamp_status", {}]]);
    }
  });

  test("a name that is empty is none", () => {
    expect(reasons(read('TOOL_CALL {"tool_name": "", "parameters": {}}', selectools))).toEqual(["no-name"]);
  });

  test("what looked like a call and is none says where and why", () => {
    const text = 'Wait. TOOL_CALL {"tool_name": "tide_table", "parameters": {"days": 2}}';
    const { rejected } = read(text, selectools);
    expect(rejected).toHaveLength(1);
    expect(rejected[0].message).toContain("port");
    expect(text.slice(rejected[0].start, rejected[0].end)).toBe(rejected[0].raw);
  });
});

describe("phases, fallbacks, records", () => {
  const chain = { format: ["tool_tag", "strict_json", "bracket"] };
  const asJson = '{"tool": "tide_table", "arguments": {"port": "Bodo"}}';
  const inBrackets = '[tide_table(port="Bodo")]';

  test("extraction finds a candidate for any name; only validation makes a call", () => {
    const text = '<tool name="sell_boat">{"price": 1}</tool>';
    expect(extract(text, { format: "tool_tag" }).candidates).toMatchObject([{ name: "sell_boat" }]);
    expect([named(read(text, chain)), reasons(read(text, chain))]).toEqual([[], ["unknown-tool"]]);
  });

  test("one list holds the primary form and both fallbacks, which need intent", () => {
    const expected = [["tide_table", { port: "Bodo" }]];
    expect(named(read('<tool name="tide_table">{"port": "Bodo"}</tool>', chain))).toEqual(expected);
    for (const text of [asJson, inBrackets]) {
      expect(named(read(text, { ...chain, intent: true }))).toEqual(expected);
      expect(named(read(text, chain))).toEqual([]);
    }
  });

  test("a snippet of 2 KB passes, a longer one does not", () => {
    const text = (length: number) => `{"tool": "log_entry", "arguments": {"body": "${"x".repeat(length)}"}}`;
    const options = { format: "strict_json", intent: true };
    expect(read(text(1900), options).calls).toHaveLength(1);
    expect(reasons(read(text(2100), options))).toEqual(["too-large"]);
  });

  test("a refused fallback is asked for again in the primary format", () => {
    const two = '[lamp_status(), tide_table(port="Bodo")]';
    const result = read(two, { ...chain, intent: true });
    const { rejected } = result;
    expect(result).toMatchObject({ calls: [], content: two });
    expect(reasons(result)).toEqual(["several-candidates", "several-candidates"]);
    const parser = createParser({ ...chain, intent: true, tools });
    for (const unit of two) parser.push(unit);
    parser.end();
    expect(parser.result()).toEqual(result);
    expect(formats.get("tool_tag").correction(rejected[0])).toContain("<tool name=");
  });

  test("the record names the way a call was read, and takes what its tool gave", () => {
    const modes = [
      ['<tool name="lamp_status">{}</tool>', "primary", false],
      ['{"tool": "lamp_status", "arguments": {}}', "json", true],
      ["[lamp_status()]", "bracket", true],
      ["It is dark.", "none", false],
    ] as const;
    for (const [text, mode, fallback] of modes) {
      const { telemetry } = read(text, { ...chain, intent: true });
      expect(telemetry.withToolResult("empty").record()).toMatchObject({
        parse_mode: mode,
        fallback_used: fallback,
        candidate_count: mode === "none" ? 0 : 1,
        tool_result_status: "empty",
      });
    }
    const { telemetry } = read('<tool name="tide_table">{}</tool>', chain);
    expect(telemetry.record().schema_validation).toMatch(/^fail/);
  });
});

describe("tags and tokens", () => {
  const block =
    '<function_calls>\n<invoke name="tide_table">\n<parameter name="port">Bodo</parameter>\n' +
    '<parameter name="days">3</parameter>\n</invoke>\n</function_calls>';
  const prefixed = (prefix: string) => block.replace(/<(\/?)/g, `<$1${prefix}`);
  const expected = [["tide_table", { port: "Bodo", days: 3 }]];

  test("tags are read plain, without their wrapper, and with any one prefix", () => {
    const bare = block.split("\n").slice(1, -1).join("\n");
    for (const text of [block, bare, prefixed("house:"), prefixed("｜DSML｜")]) {
      expect(named(read(text, { format: "anthropic_xml" }))).toEqual(expected);
    }
    expect(named(read(prefixed("｜DSML｜"), { format: "dsml" }))).toEqual(expected);
  });

  test("a list is tried as one, and says which format read a call", () => {
    const result = read(`${prefixed("｜DSML｜")}\n${block}`, { format: ["dsml", "anthropic_xml"] });
    expect(result.calls.map(({ format }) => format)).toEqual(["dsml", "anthropic_xml"]);
  });

  test("without schemas values are booleans, numbers, JSON or text by their look", () => {
    const values = { lit: "true", port: "8080", config: '{"debug": true}', title: "test" };
    const inside = Object.entries(values).map(([key, value]) => `<parameter name="${key}">${value}</parameter>`);
    const { candidates } = extract(`<invoke name="set">${inside.join("")}</invoke>`, { format: "anthropic_xml" });
    expect(candidates[0].arguments).toEqual({ lit: true, port: 8080, config: { debug: true }, title: "test" });
  });

  test("nodes give back the raw text of a call, and the whole text", () => {
    const text = `Before.\n${block}\nBehind.`;
    const { calls, nodes } = read(text, { format: "anthropic_xml" });
    expect(text.slice(calls[0].start, calls[0].end)).toContain('<invoke name="tide_table">');
    expect(nodes.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  });

  test("the triggers say whether a text may hold calls", () => {
    const mayHold = (text: string) => formats.get("anthropic_xml").triggers.some((trigger) => text.includes(trigger));
    expect([mayHold(block), mayHold("Plain text.")]).toEqual([true, false]);
  });

  test("every name that configurations use names its format", () => {
    const names = {
      hermes: ["simple_xml", "xml", "qwen25", "qwen", "qwen3"],
      qwen3_coder: ["qwen3_coder", "iquest_coder", "interns2-preview", "qwen35coder", "granite_thinking"],
      iquest_q1: ["iquest_coder_v2"],
      cohere: ["cohere_command"],
      glm47: ["laguna"],
      deepseek_v3: ["deepseek_r1", "deepseek_r1_0528"],
      dsml_v4: ["deepseek_v4_0731"],
      deepseek_v31: ["deepseekv31", "deepseek_v31"],
      deepseek: ["deepseek"],
      harmony: ["gpt_oss"],
      anthropic_xml: ["standard", "anthropic", "generic"],
      dsml: ["deepseek_dsml"],
    };
    for (const [id, aliases] of Object.entries(names)) {
      for (const alias of aliases) expect([alias, formats.get(alias).id]).toEqual([alias, id]);
    }
  });

  test("a format must be named; an unknown name gets a hint", () => {
    expect(() => parse("", { tools } as unknown as ParseOptions)).toThrow(/format is missing/);
    expect(() => read("", { format: "qwen25x" })).toThrow(/Did you mean/);
  });

  test("the tokens of DeepSeek are read by all three of its names", () => {
    const text =
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tide_table<｜tool▁sep｜>{"port": "Bodo"}<｜tool▁call▁end｜>' +
      "<｜tool▁call▁begin｜>lamp_status<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
    for (const format of ["deepseekv31", "deepseek_v31", "deepseek"]) {
      expect(named(read(text, { format }))).toEqual([
        ["tide_table", { port: "Bodo" }],
        ["lamp_status", {}],
      ]);
    }
  });

  test("a recipient is read in any namespace", () => {
    for (const namespace of ["functions.", "tools."]) {
      const text = `<|channel|>commentary to=${namespace}tide_table<|constrain|>json<|message|>{"port": "Bodo"}<|call|>`;
      expect(named(read(text, { format: "gpt_oss" }))).toEqual([["tide_table", { port: "Bodo" }]]);
    }
  });

  test("ids are the caller's to make", () => {
    const id = (n: number) => `call-5e1f-${n}`;
    const text = '<tool_call>{"name": "lamp_status", "arguments": {}}</tool_call>';
    expect(read(text, { format: "hermes", id }).calls[0].id).toMatch(/^call-5e1f-\d$/);
  });
});

describe("an agent's tags", () => {
  const text = '[TOOL_CALL]{"name": "tide_table", "args": {"port": "Bodo"}}[/TOOL_CALL]';

  test("tags are never shown while a reply streams", () => {
    const parser = createParser({ format: "ambi", tools });
    const shown: string[] = [];
    const events = [...`Here it is. ${text} Done.`].flatMap((unit) => parser.push(unit)).concat(parser.end());
    for (const event of events) if (event.type === "text-delta") shown.push(event.text);
    expect(shown.join("")).toBe("Here it is.  Done.");
    expect(parser.result().calls).toHaveLength(1);
  });

  test("garbage after a complete object is text; a value that was cut does not run, and is shown as partial", () => {
    const garbled = read(text.replace("[/TOOL_CALL]", " and th"), { format: "ambi" });
    expect([named(garbled), garbled.content]).toEqual([[["tide_table", { port: "Bodo" }]], " and th"]);
    const cut = read('[TOOL_CALL]{"name": "tide_table", "args": {"port": "Bod', { format: "ambi" });
    expect([named(cut), reasons(cut)]).toEqual([[], ["truncated"]]);
    expect(JSON.stringify(cut.rejected[0].partial)).toContain("Bod");
  });

  test("what is no call leads to a prompt for another try", () => {
    const { rejected } = read("[TOOL_CALL]the tides of Bodo[/TOOL_CALL]", { format: "ambi" });
    expect(reasons(read("[TOOL_CALL]the tides of Bodo[/TOOL_CALL]", { format: "ambi" }))).toEqual(["malformed"]);
    expect(formats.get("ambi").correction(rejected[0])).toContain("[TOOL_CALL]");
  });

  test("other tags are a grammar of three lines", () => {
    const format = compileGrammar(
      '// House\n//\n// format:  house\n// extends: toolpeg/ambi\n//\n// example:\n//   <tool>{"name": "ring", "args": {"times": 2}}</tool>\n\n' +
        'OPEN  = "<tool>"\nCLOSE = "</tool>"\n',
    );
    const result = parse('<tool>{"name": "tide_table", "args": {"port": "Bodo"}}</tool>', { format, tools });
    expect([named(result), result.calls[0].format]).toEqual([[["tide_table", { port: "Bodo" }]], "house"]);
    expect(format.triggers).toContain("<tool>");
    expect(format.instruction(tools)).toContain("<tool>");
  });

  test("the instruction is made once per set of tools", () => {
    const format = formats.get("ambi");
    expect(format.instruction(tools)).toContain("tide_table");
    expect(format.instruction(tools)).toBe(format.instruction(tools));
  });
});

test("text is not parsed beside native calls, or where JSON was asked for", () => {
  expect(shouldParseText({ tool_calls: [{}] })).toBe(false);
  expect(shouldParseText({}, { response_format: { type: "json_object" } })).toBe(false);
  expect(shouldParseText({ tool_calls: [] }, { response_format: { type: "text" } })).toBe(true);
});
