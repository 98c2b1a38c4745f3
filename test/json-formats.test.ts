import { describe, expect, test } from "vitest";
import { createParser, parse } from "../src/index.ts";

const terminal = {
  name: "terminal",
  parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};
const python = {
  name: "python",
  parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
};
const ping = { name: "ping", parameters: { type: "object", properties: {} } };
const tools = [terminal, python, ping];

const read = (format: string, text: string, options: { finishReason?: string; prefill?: string } = {}) => {
  const { calls, rejected } = parse(text, { format, tools, ...options });
  return {
    calls: calls.map(({ name, arguments: found }) => [name, found]),
    reasons: rejected.map(({ reason }) => reason),
  };
};

// What only a caller can know is no case of a corpus: there every prefix of a reply is a reply that was cut.
describe("text as the only parameter", () => {
  test("code at the end of the text is whole when the model came to its end", () => {
    const code = [["python", { code: "print(1)" }]];
    const { calls } = read("functionary_v31", "<|python_tag|>print(1)", { finishReason: "stop" });
    expect(calls).toEqual(code);
    for (const finishReason of ["stop", "STOP", "end_turn"])
      expect(read("functionary_v32", "python\nprint(1)", { prefill: ">>>", finishReason }).calls).toEqual(code);
  });

  test.each([undefined, "length", "tool_calls"])("with the finish reason %s it may have been cut", (finishReason) => {
    const options = finishReason === undefined ? {} : { finishReason };
    const cut = { calls: [], reasons: ["truncated"] };
    expect(read("functionary_v31", "<|python_tag|>print(1)", options)).toEqual(cut);
    expect(read("functionary_v32", "python\nprint(1)", { prefill: ">>>", ...options })).toEqual(cut);
  });

  test.each([
    "length",
    "max_tokens",
    "MAX_TOKENS",
    "repetition",
    "interrupted",
    "model_length",
    "max_output_tokens",
    "incomplete",
    "content-filter",
    "BLOCKLIST",
    "OTHER",
    "guardrail_intervened",
    "ERROR_TOXIC",
    "USER_CANCEL",
    "context_length_exceeded",
    "refusal",
    "error",
  ])("thoughts that %s ends before their end tag hold no call", (finishReason) => {
    const text = '<think>I will <tool_call>{"name": "python", "arguments": {"code": "1"}}</tool_call>';
    expect(read("hermes", text, { finishReason })).toEqual({ calls: [], reasons: ["in-reasoning"] });
    expect(read("hermes", text, { finishReason: "tool_calls" }).calls).toHaveLength(1);
  });

  test("a stop token ends code only where nothing follows it", () => {
    const text = '<|python_tag|>print("<|eom_id|>")\nprint(2)<|eom_id|>';
    expect(read("functionary_v31", text).calls).toEqual([["python", { code: 'print("<|eom_id|>")\nprint(2)' }]]);
  });

  test("the first tool of the header that is offered gets the code", () => {
    const ipython = { ...python, name: "ipython" };
    const { calls } = parse("<|python_tag|>x<|eom_id|>", { format: "functionary_v31", tools: [terminal, ipython] });
    expect(calls.map(({ name }) => name)).toEqual(["ipython"]);
  });

  test("a closer glued to a word at the end of the text may stand in a cut line", () => {
    expect(read("cwm", '<tool: f>\nterminal echo "</tool>')).toEqual({ calls: [], reasons: ["truncated"] });
  });

  test("the text streams while it arrives", () => {
    const parser = createParser({ format: "cwm", tools });
    const events = ["<tool: f>\nterminal ", "echo one ", "two\n", "</tool>"].map((chunk) => parser.push(chunk));
    const deltas = events.map((of) => of.flatMap((event) => (event.type === "call-args-delta" ? [event.delta] : [])));
    expect(deltas[1].join("")).toContain("echo one");
    parser.end();
    expect(parser.result().calls[0]?.arguments).toEqual({ command: "echo one two" });
  });
});

describe("actions and answers", () => {
  test.each([
    "Action: ping\nAction Input: {}\nFinal Answer: 7",
    "Final Answer: 7\nAction: ping\nAction Input: {}",
    "Final Answer: 7\n<think>Or is it?</think>\nAction: ping\nAction Input: {}",
    "Action: ping\nAction Input: {}\nI am done.\nAnswer: 7",
  ])("an action and an answer in one message: neither order runs", (text) => {
    expect(read("react", text)).toEqual({ calls: [], reasons: ["ambiguous"] });
  });

  test("an answer that is made up after an observation changes nothing", () => {
    const text = "Action: ping\nAction Input: {}\nObservation: 1\nFinal Answer: 7";
    expect(read("react", text)).toEqual({ calls: [["ping", {}]], reasons: [] });
  });
});

describe("arguments that stand by themselves", () => {
  test.each(["1", "true", '"text"', '"[1]"', "[{}]"])("%s is not an object, and is refused", (value) => {
    expect(read("tool_tag", `<tool name="ping">${value}</tool>`).calls).toEqual([]);
    expect(read("mistral_compact", `[TOOL_CALLS]ping[ARGS]${value}`)).toEqual({
      calls: [],
      reasons: ["type-mismatch"],
    });
  });

  test("an encoded object is decoded once, not twice", () => {
    const once = JSON.stringify('{"command":"ls"}');
    expect(read("mistral_compact", `[TOOL_CALLS]terminal[ARGS]${once}`).calls).toEqual([
      ["terminal", { command: "ls" }],
    ]);
    expect(read("mistral_compact", `[TOOL_CALLS]terminal[ARGS]${JSON.stringify(once)}`).reasons).toEqual([
      "type-mismatch",
    ]);
  });
});

describe("white space that JSON does not know, between a marker and its payload", () => {
  const object = '{"name": "ping", "arguments": {}}';
  const wires: readonly [format: string, before: string, payload: string, after: string][] = [
    ["hermes", "<tool_call>", object, "</tool_call>"],
    ["ernie45", "</think><tool_call>", object, "</tool_call>"],
    ["minimax_m1", "<tool_calls>", object, "\n</tool_calls>"],
    ["mistral_array", "[TOOL_CALLS]", `[${object}]`, ""],
    ["mistral_compact", "[TOOL_CALLS]ping[ARGS]", "{}", ""],
    ["granite3", "<|tool_call|>", `[${object}]`, ""],
    ["llama3_json", "<|python_tag|>", '{"name": "ping", "parameters": {}}', "<|eom_id|>"],
    [
      "deepseek_v31",
      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>",
      "{}",
      "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ],
    ["harmony", "<|channel|>commentary to=functions.ping <|constrain|>json<|message|>", "{}", "<|call|>"],
    ["tool_tag", '<tool name="ping">', "{}", "</tool>"],
    ["functionary_v31", "<function=ping>", "{}", "</function>"],
    ["rwkv", "**Tool Call:**\n```json\n", object, "\n```"],
    ["json_array", "", '[{"name": "ping", "parameters": {}}]', ""],
    ["pythonic", "", "[ping()]", ""],
  ];

  test.each(wires)("%s: the call is made, and nothing is left over as text", (format, before, payload, after) => {
    for (const blank of ["\u00a0", "\u3000", "\ufeff", "\u200b", "\v", "\n\u00a0\n\ufeff"]) {
      // A list of lines ends each with its line, and at the end of a message all but white space is text.
      const isClosed = after !== "" && format !== "minimax_m1" && format !== "llama3_json";
      const text = `${before}${blank}${payload}${isClosed ? blank : ""}${after}`;
      const { calls, content } = parse(text, { format, tools });
      expect([calls.map(({ name }) => name), content], JSON.stringify(text)).toEqual([["ping"], ""]);
    }
  });

  test("what stands after it decides: prose stays prose, and a second value is refused as ever", () => {
    const prose = "<tool_call>\u00a0opens a call";
    expect(parse(prose, { format: "hermes", tools }).content).toBe(prose);
    const twice = `<tool_call>${object}\u00a0${object}</tool_call>`;
    expect(read("hermes", twice)).toEqual({ calls: [], reasons: ["malformed"] });
  });
});
