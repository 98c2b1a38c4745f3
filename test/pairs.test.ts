/** Every case of every corpus, cut in three: what two cuts do that one does not. */
import { describe, test } from "vitest";
import { corpusIds, loadCorpus } from "../scripts/corpora.ts";
import { checkPairs } from "./support/check-pairs.ts";

/** `TOOLPEG_DEEP=1`: all pairs of places, 16 million of them, for a quarter of an hour. */
const pairsMax = process.env.TOOLPEG_DEEP === undefined ? 3 : Number.POSITIVE_INFINITY;
const timeout = 3_600_000;

describe("pairs of cuts change nothing", () => {
  test.each(corpusIds())("%s", { timeout }, (id) => {
    const { cases, facts } = loadCorpus(id);
    for (const example of cases) checkPairs(example, example.text, facts.format, pairsMax);
  });
});
