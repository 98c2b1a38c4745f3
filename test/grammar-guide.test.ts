/** The worked format of the guide is what the guide says it is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { checkGrammar, compileGrammar, formatGrammarError, grammarWarnings } from "../src/compiler/index.ts";
import * as engine from "../src/index.ts";
import { checkCase, checkStanding, readCorpus, standingProperties } from "../src/testing/index.ts";

const guide = readFileSync(join(projectRoot, "docs/grammar-guide.md"), "utf8");
/** The indented block that begins with a line. */
const block = (first: string): string => {
  const from = guide.slice(guide.indexOf(`    ${first}`));
  return from.slice(0, from.search(/^(?! {4}|$)/m)).replace(/^ {4}/gm, "");
};
const grammar = block("// Bells");

test("its grammar is fine, reads its case and keeps what every format keeps", () => {
  expect(checkGrammar(grammar).map(formatGrammarError)).toEqual([]);
  expect(grammarWarnings(grammar)).toEqual([]);
  const format = compileGrammar(grammar);
  const cases = readCorpus(block("=== prose"), "bells.corpus.txt");
  expect(cases).toHaveLength(1);
  for (const example of cases) checkCase(example, engine, { format });
  expect(checkStanding(format, cases, engine, { timeMax: 4000 }).failures).toEqual([]);
  expect(guide).toContain(`${standingProperties.length} of ${standingProperties.length} properties hold`);
});
