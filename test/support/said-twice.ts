/** Calls that a server has read itself and left in the text: what stands in the text, and what the server made of it. */

export const turnSchema = {
  type: "object",
  properties: { n: { type: "integer" }, list: { type: "array", items: { type: "integer" } }, s: { type: "string" } },
};

const hermesTurn = (json: string) => `<tool_call>\n{"name": "turn", "arguments": ${json}}\n</tool_call>`;
const qwenTurn = (key: string, value: string) =>
  `<tool_call>\n<function=turn>\n<parameter=${key}>\n${value}\n</parameter>\n</function>\n</tool_call>`;

export interface SaidTwice {
  what: string;
  format: string;
  text: string;
  native: string;
  /** What may run of both. */
  runs: Record<string, unknown>;
}

const said = (what: string, text: string, native: string, runs: Record<string, unknown>, format = "hermes") => ({
  what,
  format,
  text: format === "hermes" ? hermesTurn(text) : text,
  native,
  runs,
});

export const saidTwice: readonly SaidTwice[] = [
  said("a number in quotes", '{"n": "5"}', '{"n":"5"}', { n: 5 }),
  said("a list in quotes", '{"list": "[1, 2]"}', '{"list":"[1, 2]"}', { list: [1, 2] }),
  said("a comma too many", '{"n": 5,}', '{"n": 5,}', { n: 5 }),
  said("single quotes", "{'n': 5}", "{'n': 5}", { n: 5 }),
  said("a document in a string", '{"s": "x"}', '"{\\"s\\": \\"x\\"}"', { s: "x" }),
  said("null for none", "{}", "null", {}),
  said("nothing for none", "{}", "", {}),
  said("a value between tags", qwenTurn("n", "5"), '{"n": "5"}', { n: 5 }, "qwen3_coder"),
  said("another spelling between tags", qwenTurn("n", "05"), '{"n": "05"}', { n: 5 }, "qwen3_coder"),
  said("a string that the server took for a number", qwenTurn("s", "5"), '{"s": 5}', { s: "5" }, "qwen3_coder"),
  said("a key that is not declared", qwenTurn("more", "5"), '{"more": "5"}', { more: 5 }, "qwen3_coder"),
];
