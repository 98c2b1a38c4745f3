import { describe, test } from "vitest";
import { type CheckOptions, checkCase } from "./check-case.ts";
import type { Engine } from "./engine.ts";
import {
  checkIsolation,
  checkPrefixes,
  checkQuoting,
  type FormatFacts,
  isValidCase,
  type PropertyOptions,
} from "./properties.ts";
import type { CorpusCase } from "./read-corpus.ts";

/**
 * Declares vitest tests for a corpus: one per case.
 *
 * @param label names the corpus in the test report and in `knownFailures`
 * @param knownFailures lines `label: title`; such a case must fail, and the day it passes the test says so
 */
export function testCorpus(
  label: string,
  cases: readonly CorpusCase[],
  engine: Engine,
  facts: FormatFacts & Pick<CheckOptions, "cutsMax">,
  knownFailures: ReadonlySet<string> = new Set(),
): void {
  describe(label, () => {
    for (const example of cases) {
      const known = knownFailures.has(`${label}: ${example.title}`);
      test(known ? `${example.title} (known failure)` : example.title, () => {
        if (!known) {
          checkCase(example, engine, facts);
          return;
        }
        let failed = false;
        try {
          checkCase(example, engine, facts);
        } catch {
          failed = true;
        }
        if (!failed) throw new Error(`"${label}: ${example.title}" passes now: take it off the list of known failures`);
      });
    }
  });
}

/** Up to so many bad blocks each stands beside each of the good ones. */
const pairedMax = 20;

/** Declares one vitest test per standing property, each over the cases of a corpus that it applies to. */
export function testProperties(
  label: string,
  cases: readonly CorpusCase[],
  engine: Engine,
  facts: FormatFacts,
  options: PropertyOptions = {},
): void {
  const valid = cases.filter(isValidCase);
  const bad = cases.filter((example) => example.calls.length === 0 && example.marks.length > 0);
  describe(`${label} properties`, () => {
    test("every prefix of a valid case yields a prefix of its calls", () => {
      for (const example of valid) checkPrefixes(example, engine, facts, options);
    });
    test("a valid case that is quoted yields no call, and its text stays", () => {
      for (const example of valid) checkQuoting(example, engine, facts);
    });
    test("a bad block leaves the calls around it alone", () => {
      // Each bad block beside a few good ones, one by turns where there are many: what differs between good ones is tried across formats.
      const good = valid.slice(0, 3);
      const isLarge = bad.length > pairedMax;
      for (const [at, other] of bad.entries()) {
        for (const one of isLarge ? good.slice(at % good.length).slice(0, 1) : good)
          checkIsolation(one, other, engine, facts);
      }
    });
  });
}
