import { describe, expect, test } from "vitest";
import { createParser, parse } from "../src/index.ts";
import { grammarIds, judgeGrammar, knownDifferences, loadGrammar } from "./support/reference-parsers.ts";

// Stock Peggy and Ohm read what the machine reads: every format, with the text around its blocks, is written for them, and all three are given the same
// sentences, many of them mutated. To make their parsers takes most of the time, so here it is one format of every fourth
// family, whose parsers are made fast; `TOOLPEG_DEEP=1`: all, and `npm run reference-parsers` does the same with 5,000 sentences for each.

const isDeep = process.env.TOOLPEG_DEEP !== undefined;
const sentences = isDeep ? 20 : 5;

/** The first format of every family. */
const firsts = new Map<string, string>();
for (const id of isDeep ? [] : grammarIds) {
  const family = loadGrammar(id).header.extends ?? "";
  if (family.startsWith("family/") && !firsts.has(family)) firsts.set(family, id);
}
const ids = isDeep ? grammarIds : [...firsts.values()].filter((_, at) => at % 4 === 1);
const seed = Number(process.env.JUDGE_SEED ?? 20261128);

/** Few sentences of a format may be none that Ohm can read. */
let readByOhm = 0;

describe(`reference parsers, seed ${seed}`, () => {
  test.each(ids)("%s", (id) => {
    const verdict = judgeGrammar(id, sentences, seed);
    expect(verdict.disagreements).toEqual([]);
    expect(verdict.mutated).toBeGreaterThan(0);
    expect(verdict.accepted).toBeGreaterThan(0);
    readByOhm += verdict.readByOhm;
  });

  test("Ohm reads some of all of them", () => {
    expect(readByOhm).toBeGreaterThan(ids.length);
  });

  // Found by the reference parsers: what a search had found was still believed after the reading had gone back to before it.
  test("a search begins anew when the reading goes back", () => {
    const inner = "<ToOL:<TOol:</TOoL><TOol:<tOOl:1<toOl:<tooL:<tOol:<tOOL:</TooL>\n<";
    const text = `<ToOl:set-dial.x <tool:<ToOl:</tOOl>${inner}`;
    const options = { format: "cwm", tools: [{ name: "set-dial.x" }] };
    const parser = createParser(options);
    for (const unit of text.split("")) parser.push(unit);
    parser.end();
    const whole = parse(text, options);
    expect(whole.nodes).toEqual(parser.result().nodes);
    expect(whole.calls).toEqual([]);
  });

  test("every known difference has a reason", () => {
    for (const { rule, reason } of knownDifferences) expect(reason.length, rule).toBeGreaterThan(20);
  });
});
