import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { drawNodes } from "../src/cli/draw-nodes.ts";
import { ohmTrace } from "../src/cli/ohm-trace.ts";
import { rejectionReasons } from "../src/contract/reasons.ts";
import { stages } from "../src/explain.ts";
import { explain, extract, formats, parse } from "../src/index.ts";
import { isAsked } from "./support/shares.ts";

const tools = [
  { name: "read_dial", parameters: { type: "object", properties: { dial: { type: "string" } }, required: ["dial"] } },
];
const text = [
  "Type `<tool_call>` to begin.",
  `<tool_call>{"name": "read_dial", "arguments": {"dial": 'north'}}</tool_call>`,
  '<tool_call>{"name": "read_dial", "arguments": {}}</tool_call>',
  "Then <tool_call> alone.",
  '<tool_call>{"name": "read_dial", "arguments": {"dial": "no',
].join("\n");

describe("explain", () => {
  const explanation = explain(text, { format: "hermes", tools });

  test("holds the very result of parse", () => {
    const { telemetry: _, ...expected } = parse(text, { format: "hermes", tools });
    const { telemetry: __, ...found } = explanation.result;
    expect(found).toEqual(expected);
  });

  test("without tools it explains what extract finds", () => {
    for (const { id } of [...formats].filter(({ id }) => isAsked(id, 0, 3))) {
      const call = formats.get(id).renderCall({ name: "read_dial", arguments: { dial: "north" } });
      const { candidates, result } = explain(call, { format: "auto" });
      const found = extract(call, { format: "auto" });
      expect([id, result.calls, result.rejected]).toEqual([id, found.candidates, found.rejected]);
      expect(candidates.map(({ outcome }) => outcome === "call")).toEqual([
        ...found.candidates.map(() => true),
        ...found.rejected.map(() => false),
      ]);
    }
  });

  test("lists every candidate in the order of the text, with who said no", () => {
    expect(explanation.candidates.map(({ outcome, refusedBy }) => refusedBy ?? outcome)).toEqual([
      "context",
      "call",
      "schema",
      "reading",
      "reading",
    ]);
  });

  test("says where the grammar stopped and what recovery did", () => {
    const [, repaired, unfit, lone, cut] = explanation.candidates;
    expect(text.slice(repaired.stopped?.at, (repaired.stopped?.at ?? 0) + 7)).toBe("'north'");
    expect(repaired.stopped?.expected).toMatch(/^expected .+, found "'"$/);
    expect(repaired.stopped?.rules.length).toBeGreaterThan(0);
    expect(repaired.repairs.map(({ kind }) => kind)).toEqual(["quote-style"]);
    expect(unfit.stopped).toBeUndefined();
    expect(text.slice(lone.stopped?.at)).toMatch(/^alone/);
    expect(cut.stopped?.at).toBe(text.length);
    const { candidates } = explain(`${text}\n`, { format: "hermes", tools });
    expect(candidates.at(-1)).toMatchObject({ refusedBy: "repairs", reason: "truncated" });
  });

  test("says where a call inside a section stopped, and not that no section begins there", () => {
    const begin = "<｜tool▁calls▁begin｜>";
    const call = (given: string) => `<｜tool▁call▁begin｜>read_dial<｜tool▁sep｜>${given}<｜tool▁call▁end｜>`;
    const section = `${begin}${call('{"dial": "north"}')}${call('{"dial": south}')}<｜tool▁calls▁end｜>`;
    const [, second] = explain(section, { format: "deepseek_v31", tools }).candidates;
    expect(section.slice(second.stopped?.at)).toMatch(/^south/);
    expect(second.stopped?.expected).toMatch(/^expected .+, found "s"$/);
    const cut = parse(`${begin}${call('{"dial": "north"}')}<｜tool▁call▁begin｜>read_di`, {
      format: "deepseek_v31",
      tools,
    });
    expect(cut.rejected[0].message).toBe(
      'the text ends inside the call; expected "<｜tool▁sep｜>", found the end of the text',
    );
  });

  test("never throws on model text, in any format", () => {
    for (const format of formats) {
      // Each is cut at one of these places, or not.
      for (const cut of [1, 0.7, 0.4].filter((_, place) => isAsked(format.id, place, 3))) {
        const part = format.example.slice(0, Math.ceil(format.example.length * cut));
        const { candidates } = explain(`${part}\n<|x`, { format, tools });
        for (const { start, end, refusedBy } of candidates) {
          expect(end).toBeGreaterThan(start);
          if (refusedBy !== undefined) expect(stages).toContain(refusedBy);
        }
      }
    }
    expect(rejectionReasons.length).toBeGreaterThan(0);
  });
});

describe("a drawing of the nodes", () => {
  const colours = pc.createColors(false);

  test("has a sign under every character, and the name of each node where it ends", () => {
    const reply = 'Now.\n<tool_call>{"name": "read_dial", "arguments": {"dial": "北"}}</tool_call>';
    const { nodes } = parse(reply, { format: "hermes", tools });
    expect(drawNodes(reply, nodes, colours)).toEqual([
      "1 | Now.",
      "  | ..... content",
      '2 | <tool_call>{"name": "read_dial", "arguments": {"dial": "北"}}</tool_call>',
      // One character takes two columns.
      `  | ${"=".repeat(reply.length - "Now.\n".length + 1)} call 0`,
    ]);
  });

  test("leaves out the middle of what is long, and never steers a terminal", () => {
    const reply = `\u001b[2J${"word\n".repeat(500)}`;
    const drawn = drawNodes(reply, parse(reply, { format: "hermes", tools }).nodes, colours);
    expect(drawn.length).toBeLessThan(20);
    expect(drawn.join("\n")).not.toContain("\u001b");
    expect(drawn.some((line) => line.endsWith("more lines"))).toBe(true);
  });

  test("Ohm's trace names the rules it tries", () => {
    const trace = ohmTrace("hermes", '<tool_call>{"name": "read_dial"}</tool_call>');
    expect(trace.join("\n")).toMatch(/json_Object|object/i);
  });
});
