/** Constraints as xgrammar reads them: the engine of vLLM and SGLang, without a server. `npm run constraints` asks all. */
import { exportConstraint } from "toolpeg/export";
import { beforeAll, describe, expect, test } from "vitest";
import { formats } from "../src/index.ts";
import { mutate, renderSome } from "./support/constraint-checks.ts";
import { accepts, sampler, seededRandom } from "./support/parts.ts";
import { randomTools } from "./support/random-tools.ts";
import { loadXGrammar } from "./support/xgrammar.ts";

let engine: ReturnType<typeof loadXGrammar>;
beforeAll(() => {
  engine = loadXGrammar();
});

describe.each(["hermes", "qwen3_coder", "pythonic", "gemma4", "cline_xml", "harmony"])("%s", (id) => {
  test.each([
    ["any", "markers"],
    ["declared", "closer"],
  ] as const)(
    "xgrammar accepts what the constraint does, and nothing else: order %s, guard %s",
    async (order, guard) => {
      const format = formats.get(id);
      const random = seededRandom(id.length);
      const tools = randomTools(random, 3);
      const constraint = exportConstraint(format, { tools, order, guard });
      const next = sampler(constraint.parts, random);
      const grammars = [
        await engine.fromGbnf(constraint.gbnf().grammar),
        await engine.fromStructuralTag(constraint.structuralTag()),
      ];
      let refused = 0;
      for (let at = 0; at < 12; at++) {
        const sentence = next();
        for (const text of [sentence, renderSome(format, tools, random, true), mutate(sentence, random)]) {
          if (text === undefined) continue;
          const ours = accepts(constraint.parts, text);
          if (!ours) refused++;
          for (const grammar of grammars) expect(grammar.accepts(text), JSON.stringify(text)).toBe(ours);
        }
      }
      expect(refused).toBeGreaterThan(0);
      for (const grammar of grammars) grammar.dispose();
    },
  );

  test("what JSON the engine's own converter writes is read as the constraint says", async () => {
    const parameters = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "array", items: { type: "integer" } } },
      required: ["a"],
      additionalProperties: false,
    };
    const format = formats.get(id);
    const options = {
      tools: [{ name: "f", parameters }],
      toolChoice: "required",
      order: "declared",
      guard: "closer",
    } as const;
    const constraint = exportConstraint(format, options);
    const tag = await engine.fromStructuralTag(constraint.structuralTag());
    const write = (argumentsOf: Record<string, unknown>) => format.renderCall({ name: "f", arguments: argumentsOf });
    const texts = [write({ a: "x", b: [1, -2] }), write({ a: 'say "x"' }), write({ b: [1] }), write({ a: 1 })];
    expect(texts.map((text) => tag.accepts(text))).toEqual(texts.map((text) => accepts(constraint.parts, text)));
    tag.dispose();
  });
});
