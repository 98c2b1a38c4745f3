import { expect } from "vitest";
import * as engine from "../../src/index.ts";
import { runOf } from "../../src/testing/check-case.ts";
import { difference, inconsistency, observe } from "../../src/testing/observe.ts";
import type { CorpusCase } from "../../src/testing/read-corpus.ts";
import { chunksOf, seededRandom, seedOf } from "../../src/testing/splits.ts";

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

/** Cuts in three: every pair of places inside the text where there are no more than `most`, else so many by chance. */
function* pairsOfCuts(length: number, most: number, random: () => number): Generator<[number, number]> {
  const places = length - 1;
  if ((places * (places - 1)) / 2 <= most) {
    for (let first = 1; first < places; first++) {
      for (let second = first + 1; second <= places; second++) yield [first, second];
    }
    return;
  }
  const place = () => 1 + Math.floor(random() * places);
  for (let count = 0; count < most; ) {
    const [first, second] = [place(), place()];
    if (first === second) continue;
    count++;
    yield first < second ? [first, second] : [second, first];
  }
}
