import { describe, expect, test } from "vitest";
import { grammarIds, judgeGrammar, knownDifferences } from "./support/judges.ts";

// Stock Peggy and Ohm read what the machine reads: every grammar is written for them, and all three are given the same
// sentences, about half of them mutated. `npm run judge` does the same with 5,000 sentences for each format.

const sentences = 50;
const seed = Number(process.env.JUDGE_SEED ?? 20261121);

describe(`independent judges, seed ${seed}`, () => {
  test.each(grammarIds)("%s", (id) => {
    const verdict = judgeGrammar(id, sentences, seed);
    expect(verdict.disagreements).toEqual([]);
    expect(verdict.mutated).toBeGreaterThanOrEqual(Math.floor(sentences / 3));
    expect(verdict.accepted).toBeGreaterThan(0);
    expect(verdict.judgedByOhm).toBeGreaterThan(0);
  });

  test("every known difference has a reason", () => {
    for (const { rule, reason } of knownDifferences) expect(reason.length, rule).toBeGreaterThan(20);
  });
});
