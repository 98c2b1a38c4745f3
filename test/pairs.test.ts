/** Every case of every corpus, cut in three: what two cuts do that one does not. */
import { describe, test } from "vitest";
import { corpusIds, loadCorpus } from "../scripts/corpora.ts";
import { checkPairs } from "./support/check-pairs.ts";

/** `TOOLPEG_DEEP=1`: every case, not every second, and all pairs of places, 16 million of them, for a quarter of an hour. */
const deep = process.env.TOOLPEG_DEEP !== undefined;
const pairsMax = deep ? Number.POSITIVE_INFINITY : 3;
const timeout = 3_600_000;

describe("pairs of cuts change nothing", () => {
  test.each(corpusIds())("%s", { timeout }, (id) => {
    const { cases, facts } = loadCorpus(id);
    for (const [at, example] of cases.entries())
      if (deep || at % 2 === 0) checkPairs(example, example.text, facts.format, pairsMax);
  });
});
