/** Every reason for which a call is refused is produced by a case of a corpus, or by a case here. */
import { expect, test } from "vitest";
import { corpusIds, loadCorpus } from "../scripts/corpora.ts";
import { formats, type ParseOptions, parse, rejectionReasons } from "../src/index.ts";

const tools = [{ name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } } } }];
const call = (args: string) => `<tool_call>{"name": "read_dial", "arguments": ${args}}</tool_call>`;

const refuseToValidate = () => {
  throw new Error("no");
};

const here: readonly [reason: string, text: string, options: Partial<ParseOptions>][] = [
  ["validator-error", call("{}"), { policy: { validate: refuseToValidate } }],
  ["too-large", call('{"dial": "north"}'), { policy: { maxPayloadChars: 10 } }],
  ["too-deep", call('{"dial": [[[[1]]]]}'), { policy: { maxDepth: 3 } }],
  ["too-many", call("{}") + call("{}"), { policy: { maxCalls: 1 } }],
  ["not-first", call("{}") + call("{}"), { policy: { calls: "first" } }],
  ["no-intent", '{"tool": "read_dial", "arguments": {}}', { format: "strict_json" }],
  [
    "contradicts-sent",
    "<|tool_calls|>[{'name':'read_dial''','a''rgumen}':{'dial':'','e':7,'f':True,'g':['' '']}},{'name':'read_dial','arguments':'']",
    { format: "sarashina" },
  ],
  ["behind-damage", `${call("{}").replace('"name"', '\\"name\\"')}\n${call("{}")}`, {}],
  ["after-turn", `Done.<|im_end|>\n<|im_start|>user\n${call("{}")}`, {}],
  ["not-alone", 'I will read it.\n[{"name": "read_dial", "arguments": {}}]', { format: "json_array" }],
  ["other-format", '[TOOL_CALLS][{"name": "read_dial", "arguments": {}}]', {}],
  ["sensitive-key", call('{"__proto__": 1}'), {}],
];

test.each(here)("%s", (reason, text, options) => {
  const { rejected } = parse(text, { format: "hermes", tools, ...options } as ParseOptions);
  expect(rejected.map((one) => one.reason)).toContain(reason);
});

test.each([
  ["anthropic_xml", "qwen3_coder"],
  ["minimax_m2", "qwen3_coder"],
  ["qwen3_coder", "anthropic_xml"],
  ["seed_oss", "anthropic_xml"],
])("the other format that is named for %s reads it, where it is read as %s", (id, format) => {
  const properties = { dial: { type: "string" }, n: { type: "integer" } };
  const dial = { name: "set_dial", parameters: { type: "object", properties } };
  const text = formats.get(id).renderCalls([{ name: "set_dial", arguments: { dial: "a", n: 3 } }]);
  const [{ reason, message }] = parse(text, { format, tools: [dial] }).rejected.slice(-1);
  expect(reason).toBe("other-format");
  const named = /looks like (\w+)/.exec(message)?.[1] as string;
  expect(parse(text, { format: named, tools: [dial] }).calls).toHaveLength(1);
});

test.each(["hermes", "glm47", "hy_v4", "mistral_array", "tool_calls", "deepseek_v3"])(
  "a call of %s is named so",
  (id) => {
    const text = formats.get(id).renderCalls([{ name: "read_dial", arguments: { dial: "a" }, id: "123456789" }]);
    for (const format of ["minicpm5", "seed_oss"])
      expect(parse(text, { format, tools }).rejected.at(-1)?.message).toMatch(new RegExp(`looks like ${id},`));
  },
);

test("another format is named that alone reads what all together refuse", () => {
  const text = `<tool_calls> <invoke name="read_dial"> <parameter name="dial">a</parameter> </invoke> </tool_calls>`;
  const reasons = (written: string) =>
    parse(written, { format: "gigachat35", tools }).rejected.map(({ reason }) => reason);
  expect(reasons(text)).toEqual(["other-format"]);
  expect(reasons(`Write ${text}`)).toEqual([]);
});

test("an empty list between the markers of several formats names none of them", () => {
  for (const format of ["hermes", "qwen3_coder", "glm47"])
    for (const { reason } of parse("<tool_call>[]</tool_call>", { format, tools }).rejected)
      expect(reason).toBe("malformed");
});

test("another format is looked for up to so many openers that open nothing", () => {
  const text = formats.get("hermes").renderCalls([{ name: "read_dial", arguments: { dial: "a" } }]);
  const named = (count: number) =>
    parse(`${"`<tool_call>` opens it. ".repeat(count)}\n\n${text}`, { format: "tool_tag", tools }).rejected.length;
  expect(named(20)).toBe(1);
  expect(named(2000)).toBe(0);
});

test("no reason is without a case", () => {
  const produced = new Set<string>(here.map(([reason]) => reason));
  for (const id of corpusIds()) {
    for (const { marks } of loadCorpus(id).cases)
      for (const mark of marks) if (mark.what === "rejected") produced.add(mark.code);
  }
  expect(rejectionReasons.filter((reason) => !produced.has(reason))).toEqual([]);
});
