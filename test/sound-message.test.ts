import { describe, expect, test } from "vitest";
import { argumentOf, tools, workloadsOf } from "../bench/workloads.ts";
import { corpusIds } from "../scripts/corpora.ts";
import { chooseFormats } from "../src/formats/choose-formats.ts";
import { type Format, formats, parse } from "../src/index-node.ts";
import { blockReaderOf } from "../src/machine/recognised-block.ts";
import { PreparedMessages } from "../src/message/prepared-messages.ts";
import { soundReaderOf } from "../src/message/sound-message.ts";
import { validateSchema } from "../src/validation/validate-schema.ts";
import { Random } from "./support/sentences.ts";
import { compareWays, readBothWays } from "./support/sound.ts";

// Messages of plain text and sound calls are read by a second way, which must never answer otherwise than the first.

const deep = process.env.TOOLPEG_DEEP === "1";
const seed = Number(process.env.SOUND_SEED ?? 20261122);

const messagesOf = (...ids: string[]) =>
  new PreparedMessages({
    format: ids.map((id) => formats.get(id)),
    tools,
    policy: { validate: validateSchema },
    soundReader: soundReaderOf,
  });

test("recognisers read blocks of the formats of the registry, and of no others", () => {
  const hints = { names: [], keysOf: () => undefined, takesKey: () => true };
  expect(blockReaderOf(formats.get("qwen3_coder"), hints)).toBeDefined();
  // A format of the caller's may go by the same id, or by one of its own.
  expect(blockReaderOf({ ...formats.get("qwen3_coder") }, hints)).toBeUndefined();
  expect(blockReaderOf({ ...formats.get("qwen3_coder"), id: "own" }, hints)).toBeUndefined();
  expect(blockReaderOf(formats.get("llama3"), hints)).toBeUndefined();
});

describe(`both ways, seed ${seed}`, () => {
  test("read every corpus case, and damage of it, alike", () => {
    const reports = corpusIds().map((id) => compareWays(id, { perCase: deep ? 200 : 1, seed }));
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    expect(reports.filter(({ read }) => read > 0).length).toBeGreaterThan(40);
  }, 120_000);

  test("read corpus cases alike in lists of three formats, and in all", () => {
    const random = new Random(seed);
    const ids = (chooseFormats("auto", formats, false) as readonly Format[]).map(({ id }) => id);
    const reports = corpusIds().flatMap((id, at) => {
      const others = ids.filter((one) => one !== id);
      const few = [random.pick(others), random.pick(others)].filter((one, n, both) => both.indexOf(one) === n);
      const list = compareWays(id, { others: few, every: deep ? 1 : 4, perCase: deep ? 50 : 1, seed });
      if (!deep && at % 8 !== seed % 8) return [list];
      return [list, compareWays(id, { others, every: deep ? 1 : 8, perCase: deep ? 20 : 1, seed })];
    });
    expect(reports.flatMap(({ differences }) => differences)).toEqual([]);
    expect(reports.filter(({ read }) => read > 0).length).toBeGreaterThan(40);
  }, 120_000);

  test.each(["hermes", "qwen3_coder", "deepseek_v31", "harmony", "anthropic_xml", "glm45", "morph_xml"] as const)(
    "%s: the second reads short replies",
    (format) => {
      for (const { text, calls } of workloadsOf(format).slice(0, 2)) {
        const { first, second } = readBothWays(text, messagesOf(format));
        expect(second?.calls.map(({ name, arguments: given }) => ({ name, arguments: given }))).toEqual(calls);
        expect({ ...second, telemetry: second?.telemetry.record() }).toEqual({
          ...first,
          telemetry: first.telemetry.record(),
        });
      }
    },
  );

  test.each(["qwen3_coder", "glm45", "morph_xml"] as const)(
    "%s: both read long values alike, and damage in them",
    (format) => {
      const { text, calls } = argumentOf(format, 70_000);
      const middle = text.indexOf("7 < 8", text.length / 2);
      const marks = [
        "<",
        "&lt;",
        "</text>",
        "<text>",
        "<path>",
        "</parameter>",
        "<read_dial>",
        "</write_note>",
        "</arg_value>",
      ];
      const damaged = marks.map((mark) => text.slice(0, middle) + mark + text.slice(middle));
      expect(readBothWays(text, messagesOf(format)).second?.calls).toMatchObject(calls);
      for (const one of [text, ...damaged]) {
        const { first, second } = readBothWays(one, messagesOf(format));
        if (second === undefined) continue;
        expect({ ...second, telemetry: undefined }).toEqual({ ...first, telemetry: undefined });
      }
    },
  );

  test("with all formats the second reads short replies as soon as it is known which of them read alike", () => {
    const auto = (chooseFormats("auto", formats, false) as readonly Format[]).map(({ id }) => id);
    const [{ text, calls }] = workloadsOf("hermes");
    const messages = messagesOf(...auto);
    const readings = [1, 2, 3].map(() => readBothWays(text, messages).second?.calls.length);
    expect(readings.at(-1)).toBe(calls.length);
  });
});

describe("the second way gives back", () => {
  const hermes = messagesOf("hermes");
  const call = (json: string) => `<tool_call>\n${json}\n</tool_call>`;
  const good = call('{"name": "read_dial", "arguments": {"dial": "north"}}');

  test.each([
    ["an empty message", ""],
    ["damage", call('{"name": "read_dial", "arguments": {"dial": "north"}')],
    ["what validation refuses", call('{"name": "read_dial", "arguments": {"dial": "up"}}')],
    ["a sound call before one that is refused", `${good}\n${call('{"name": "set_tide", "arguments": {}}')}`],
    ["a key given twice", call('{"name": "read_dial", "arguments": {"dial": "north", "dial": "south"}}')],
    ["a value in quotes", call('{"name": "set_dial", "arguments": {"dial": "north", "value": "3"}}')],
    ["a key beside the arguments", call('{"name": "read_dial", "arguments": {"dial": "north"}, "note": 1}')],
    ["thoughts", `<think>no</think>${good}`],
    ["quoted text", `\`\`\`\n${good}\n\`\`\``],
    ["a token that ends the turn", `${good}<|im_end|>`],
    ["the beginning of a marker at the end", `${good}<tool_c`],
  ])("%s", (_, text) => {
    expect(readBothWays(text, hermes).second).toBeUndefined();
  });

  test("a message whose options ask for more", () => {
    expect(hermes.sound(good)).toBeDefined();
    expect(hermes.sound(good, { finishReason: "stop" })).toBeDefined();
    for (const own of [
      { finishReason: "length" },
      { prefill: "<think>" },
      { retain: "calls" },
      { id: String },
    ] as const)
      expect(hermes.sound(good, own)).toBeUndefined();
  });

  test("a call with nothing left of one that was given back", () => {
    const parameter = (key: string, value: string) => `<parameter=${key}>\n${value}\n</parameter>\n`;
    const coder = (body: string) => `<tool_call>\n<function=set_dial>\n${body}</function>\n</tool_call>`;
    const messages = messagesOf("qwen3_coder");
    const tags = parameter("tags", '["a"]');
    expect(messages.sound(coder(tags + parameter("value", "no number")))).toBeUndefined();
    const { calls } = messages.sound(coder(parameter("dial", "north") + parameter("value", "3"))) ?? { calls: [] };
    expect(calls.map((one) => one.arguments)).toEqual([{ dial: "north", value: 3 }]);
  });

  test("a message that a validator reads meanwhile", () => {
    const options = { format: "hermes", tools };
    const validate = () => parse(good, options).calls.length === 1;
    const result = parse(good, { ...options, policy: { validate: () => (validate() ? true : "no") } });
    expect(result.calls.map((one) => one.arguments)).toEqual([{ dial: "north" }]);
  });
});

describe("text alone", () => {
  const marks =
    '``` ~~~ `` \\` \\\\ <b> </b> <s> </s> <tool </ <| |> <!-- --> <think <T {x [1,2] {"a":1} tool_call functions call';
  const turns =
    "assistant user: name: <|im_start|> <|im_start|>critic <|start|>critic [INST] <|end <start_of_turn>x Observation:";
  const pieces: readonly string[] = [
    ..."`~\\<>[]{}|/*_-=#\"':.\n\n\n  ",
    ...marks.split(" "),
    ...turns.split(" "),
    ...["\n> ", "\n- ", "\n    ", "\n```js\n", "\r\n", "\n| --- |", "\n# ", "a < b", "\t"],
    ...["The dial ", "reads north. ", "Nothing", " and so on", "ünï", "😀", "\ud83d"],
  ];

  test.each(["hermes", "qwen3_coder", "glm45", "morph_xml", "deepseek_v31", "harmony", "pythonic", "auto", "list"])(
    "%s: both ways read prose with marks of all kinds alike",
    (id) => {
      const random = new Random(seed);
      const named = id === "list" ? ["hermes", "glm45", "react"] : [id];
      const format = id === "auto" ? chooseFormats("auto", formats, false) : named.map((one) => formats.get(one));
      const messages = new PreparedMessages({
        format: format as readonly Format[],
        tools,
        soundReader: soundReaderOf,
        policy: { validate: validateSchema },
      });
      let read = 0;
      for (let count = deep ? 5000 : id === "auto" ? 150 : 300; count > 0; count--) {
        const text = Array.from({ length: 1 + random.below(12) }, () => random.pick(pieces)).join("");
        const { first, second } = readBothWays(text, messages);
        if (second === undefined) continue;
        read++;
        expect({ ...second, telemetry: second.telemetry.record() }, JSON.stringify(text)).toEqual({
          ...first,
          telemetry: first.telemetry.record(),
        });
      }
      expect(read).toBeGreaterThan(10);
    },
  );

  test.each(["hermes", "qwen3_coder", "glm45", "morph_xml", "deepseek_v31", "anthropic_xml", "list"] as const)(
    "%s: both ways read calls among prose with marks alike",
    (id) => {
      const random = new Random(seed + 1);
      const messages = messagesOf(...(id === "list" ? ["hermes", "glm45", "react"] : [id]));
      const [{ text: reply }] = workloadsOf(id === "list" ? "glm45" : id);
      const call = reply.slice(reply.indexOf("\n") + 1);
      const quotations = [
        "\n```js\nlet x = [1, `a`];\n```\n",
        "\n````\n```\n````\n",
        "\n```\n<b> \\n <tool\n``` \n",
        "`x`",
        "``y [1]``",
        "`a\\`",
        "`a < b, <b>`",
        "\n- `x`\n  ```\n  y\n  ```\n",
        "```",
        "`` ` ``",
      ];
      let read = 0;
      for (let count = deep ? 20_000 : 1000; count > 0; count--) {
        const some = () => random.pick(random.chance(0.6) ? [...quotations, ...quotations, "\n", call] : pieces);
        const [before, after] = [0, 1].map(() => Array.from({ length: random.below(6) }, some).join(""));
        const text = before + call + after;
        const { first, second } = readBothWays(text, messages);
        if (second === undefined) continue;
        read++;
        expect({ ...second, telemetry: second.telemetry.record() }, JSON.stringify(text)).toEqual({
          ...first,
          telemetry: first.telemetry.record(),
        });
      }
      expect(read).toBeGreaterThan(20);
    },
  );

  test("of any length is read, and what another format would call is not", () => {
    const long = "Only `words` that go on.\n".repeat(5000);
    expect(messagesOf("hermes").sound(long)?.content).toBe(long);
    expect(messagesOf("hermes").sound(`${long}<tool_call>`)).toBeUndefined();
    const { rejected } = parse('[TOOL_CALL]{"name": "read_dial", "args": {}}[/TOOL_CALL]', { format: "hermes", tools });
    expect(rejected.map(({ reason }) => reason)).toEqual(["other-format"]);
  });
});
