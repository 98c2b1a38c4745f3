/** Damage that shows only later how a string should have been read: what was sent before does not depend on chunks. */
import { describe, expect, test } from "vitest";
import { createParser, type ParseEvent, parse } from "../src/index.ts";
import { chunksOf, everyUnit, seededRandom } from "../src/testing/splits.ts";

const tools = [{ name: "put", parameters: { type: "object", properties: { text: { type: "string" } } } }];

const wires: readonly [format: string, write: (inside: string) => string][] = [
  ["hermes", (inside) => `<tool_call>{"name": "put", "arguments": {"text": "${inside}"}}</tool_call>`],
  ["hermes", (inside) => `<tool_call>{"arguments": {"text": "${inside}"}, "name": "put"}</tool_call>`],
  ["mistral_compact", (inside) => `[TOOL_CALLS]put[ARGS]{"text": "${inside}"}`],
  [
    "mistral",
    (inside) =>
      `[TOOL_CALLS][{"name": "put", "arguments": {"text": "${inside}"}}, {"name": "put", "arguments": {"text": "${inside}"}}]`,
  ],
];

/** Events with the deltas of each call joined. */
function observed(format: string, text: string, cuts: readonly number[]) {
  const parser = createParser({ format, tools });
  const events: ParseEvent[] = chunksOf(text, cuts).flatMap((chunk) => parser.push(chunk));
  events.push(...parser.end());
  const deltas: string[] = [];
  const others = events.filter((event) => {
    if (event.type !== "call-args-delta") return true;
    deltas[event.index] = (deltas[event.index] ?? "") + event.delta;
    return false;
  });
  return { deltas, others };
}

describe("a backslash that escapes nothing after escapes that were decoded", () => {
  test("goes no further than the place where the reading turned out to be wrong", () => {
    const text = wires[0][1]("x\\ny\\<too z\\nq");
    for (let cut = 0; cut <= text.length; cut++) {
      const { deltas, others } = observed("hermes", text, [cut]);
      expect(deltas, `cut at ${cut}`).toEqual(['{"text":"x\\ny']);
      expect(others.at(-1)).toMatchObject({ type: "call-rejected", index: 0, rejection: { reason: "needs-guess" } });
    }
  });

  test.each(wires)("%s %#: no cut changes what is sent", (format, write) => {
    const parts = ["\\n", "\\<", '\\"', "\\\\", "a", '","k":"', "é", "\\u00e9", "\\t", "\\'"];
    const random = seededRandom(7);
    for (let count = 0; count < 12; count++) {
      const text = write(Array.from({ length: 6 }, () => parts[Math.floor(random() * parts.length)]).join(""));
      const whole = observed(format, text, []);
      for (let cut = 1; cut < text.length; cut++) {
        expect(observed(format, text, [cut]), `${text} cut at ${cut}`).toEqual(whole);
      }
      expect(observed(format, text, everyUnit(text.length)), text).toEqual(whole);
    }
  });
});

/** No cut changes the result. */
function isAsWhole(format: string, text: string): void {
  for (let cut = 1; cut < text.length; cut++) {
    const parser = createParser({ format, tools });
    for (const chunk of chunksOf(text, [cut])) parser.push(chunk);
    parser.end();
    expect(parser.result(), `cut at ${cut}`).toEqual(parse(text, { format, tools }));
  }
}

describe("the opener of an argument after an opener that opens no call", () => {
  test.each([
    [
      "qwen3_coder",
      '<tool_call>\n<function=put>\n</function>\n</tool_call>\n<tool_call> so {"text": 1} <parameter=text> x',
    ],
    ["minicpm5", '<function name="put"></function> <function {"text": 1} <param name="text"> x'],
  ])("%s: what stands before it contradicts a call, in a whole text too", (format, text) => {
    expect(parse(text, { format, tools }).calls).toEqual([]);
    isAsWhole(format, text);
  });
});

test("an opener of text behind thoughts that code may have closed too early stays in what another closer ends", () => {
  const text = "<think>`</think>put(``<think>\n```\n</think></think>ee \\put(</think>";
  expect(parse(text, { format: "granite_pythonic", tools }).content).toBe("ee \\");
  isAsWhole("granite_pythonic", text);
});
