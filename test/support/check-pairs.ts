import { expect } from "vitest";
import * as engine from "../../src/index.ts";
import { runOf } from "../../src/testing/check-case.ts";
import { difference, inconsistency, observe } from "../../src/testing/observe.ts";
import type { CorpusCase } from "../../src/testing/read-corpus.ts";
import { chunksOf, pairsOfCuts, seededRandom, seedOf } from "../../src/testing/splits.ts";

/** Cuts a text in three: all pairs of places where there are at most so many, else so many of them. */
export function checkPairs(example: CorpusCase, text: string, format: unknown, pairsMax: number): void {
  const run = runOf(example, engine, format);
  const reference = observe(run, text, []);
  expect(inconsistency(reference, text), JSON.stringify(text)).toBeUndefined();
  for (const cuts of pairsOfCuts(text.length, pairsMax, seededRandom(seedOf(text)))) {
    const what = difference(reference, observe(run, text, cuts));
    if (what !== undefined) expect.fail(`${JSON.stringify(chunksOf(text, cuts))}\n${what}`);
  }
}
