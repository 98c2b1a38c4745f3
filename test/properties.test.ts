import { describe, expect, test } from "vitest";
import { corpusIds, loadCorpus } from "../scripts/corpora.ts";
import * as engine from "../src/index.ts";
import { checkConservation, checkSplitInvariance } from "../src/testing/properties.ts";
import { seededRandom, seedOf } from "../src/testing/splits.ts";
import { testProperties } from "../src/testing/test-corpus.ts";
import { isAsked } from "./support/shares.ts";

const deep = process.env.TOOLPEG_DEEP !== undefined;

test("every format has a corpus", () => {
  expect(corpusIds()).toEqual(expect.arrayContaining([...engine.formats].map((format) => format.id)));
});

for (const id of corpusIds()) {
  const { cases, facts } = loadCorpus(id);
  if (isAsked(id, 0)) testProperties(id, cases, engine, facts, deep ? {} : { placesMax: 6 });

  describe.runIf(isAsked(id, 1))(`${id} mutants`, () => {
    // Unforeseen damage: a slice taken out, doubled, or moved from another case of the corpus.
    const mutants = cases.flatMap((example, index) => {
      const random = seededRandom(seedOf(example.text));
      const at = () => Math.floor(random() * (example.text.length + 1));
      const donor = cases[(index + 1) % cases.length].text;
      return (deep ? [0, 1, 2] : [index % 3]).map((kind) => {
        const [from, to] = [at(), at()].sort((left, right) => left - right);
        const middle = ["", example.text.slice(from, to).repeat(2), donor.slice(0, to)][kind];
        return { example, text: example.text.slice(0, from) + middle + example.text.slice(to) };
      });
    });
    test("nothing of them vanishes", () => {
      for (const { example, text } of mutants) checkConservation(example, text, engine, facts);
    });
    test("no split changes them", () => {
      // Of five cases that are damaged one; `npm run fuzz` takes as many as it is given time for.
      for (const { example, text } of mutants.filter((_, index) => deep || index % 5 === Math.floor(index / 5) % 5)) {
        checkSplitInvariance(example, text, engine, facts, { placesMax: deep ? 200 : 4 });
      }
    });
  });
}
