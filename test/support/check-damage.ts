import { runOf } from "../../src/testing/check-case.ts";
import { type Damage, structuralDamage } from "../../src/testing/damage.ts";
import type { Engine } from "../../src/testing/engine.ts";
import { callsOf, show, tilingGap } from "../../src/testing/observe.ts";
import { type FormatFacts, PropertyFailure } from "../../src/testing/properties.ts";
import type { CorpusCase } from "../../src/testing/read-corpus.ts";
import { sameValue } from "../../src/testing/same-value.ts";

/**
 * A call whose structure is damaged in one place is the call it was, or no call: never a third thing.
 *
 * @param isTried which damages, by their position in the list
 * @param allowed the readings that are right although they differ, such as a raw value that has grown by a character
 * @returns how many damaged texts were read
 */
export function checkDamage(
  example: CorpusCase,
  words: RegExp,
  engine: Engine,
  facts: FormatFacts,
  isTried: (position: number) => boolean,
  allowed: (damage: Damage, call: { name: string; arguments: unknown }) => boolean = () => false,
): number {
  const run = runOf(example, engine, facts.format);
  const damaged = structuralDamage(example.text, words).filter((_, position) => isTried(position));
  for (const damage of damaged) {
    const result = run.whole(damage.text);
    const left = [...example.calls];
    const fail = (what: string) =>
      new PropertyFailure(
        `${example.file}: made from "${example.title}" by ${damage.kind} at ${damage.at}\n${what}\n\ntext ${show(damage.text)}`,
      );
    for (const { name, arguments: given } of callsOf(result)) {
      const at = left.findIndex((call) =>
        sameValue({ name: call.name, arguments: call.arguments }, { name, arguments: given }),
      );
      if (at >= 0) left.splice(0, at + 1);
      else if (!allowed(damage, { name, arguments: given }))
        throw fail(`a third thing: ${show({ name, arguments: given })}`);
    }
    const gap = tilingGap(result, damage.text);
    if (gap !== undefined) throw fail(gap);
  }
  return damaged.length;
}
