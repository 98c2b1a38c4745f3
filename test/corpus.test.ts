import { expect, test } from "vitest";
import { corpusIds, loadCorpus, readKnownFailures } from "../scripts/corpora.ts";
import * as engine from "../src/index.ts";
import { testCorpus } from "../src/testing/test-corpus.ts";

const known = readKnownFailures();
const corpora = corpusIds().map((id) => loadCorpus(id));
// Random partitions, and one unit at a time, cut a text at most places; `npm run corpus` cuts it in two at every one.
const cutsMax = process.env.TOOLPEG_DEEP === undefined ? 1 : 1000;
for (const { id, cases, facts } of corpora) testCorpus(id, cases, engine, { ...facts, cutsMax }, known);

test("every known failure names a case that exists", () => {
  const titles = new Set(corpora.flatMap(({ id, cases }) => cases.map((example) => `${id}: ${example.title}`)));
  expect([...known].filter((line) => !titles.has(line))).toEqual([]);
});
