import { runOf } from "./check-case.ts";
import type { Engine } from "./engine.ts";
import { callsOf, show, tilingGap } from "./observe.ts";
import { type FormatFacts, PropertyFailure } from "./properties.ts";
import type { CorpusCase } from "./read-corpus.ts";
import { sameValue } from "./same-value.ts";

/** One edit of a text at one character. */
export interface Damage {
  kind: "deletion" | "duplication" | "swap";
  at: number;
  text: string;
}

/**
 * Every deletion, duplication and swap of a structural character.
 *
 * @param words matches what is no structure: names and values. Must be global.
 */
export function structuralDamage(text: string, words: RegExp): Damage[] {
  const isWord = new Uint8Array(text.length + 1);
  for (const match of text.matchAll(words)) isWord.fill(1, match.index, match.index + match[0].length);
  const damage: Damage[] = [];
  for (let at = 0; at < text.length; at++) {
    if (isWord[at]) continue;
    const [before, unit, after] = [text.slice(0, at), text[at], text.slice(at + 1)];
    damage.push({ kind: "deletion", at, text: before + after });
    damage.push({ kind: "duplication", at, text: before + unit + unit + after });
    if (at + 1 < text.length && !isWord[at + 1] && text[at + 1] !== unit) {
      damage.push({ kind: "swap", at, text: before + text[at + 1] + unit + text.slice(at + 2) });
    }
  }
  return damage;
}

/**
 * A call whose structure is damaged in one place is the call it was, or no call: never a third thing.
 *
 * @param allowed the readings that are right although they differ, such as a raw value that has grown by a character
 * @returns how many damaged texts were read
 */
export function checkDamage(
  example: CorpusCase,
  words: RegExp,
  engine: Engine,
  facts: FormatFacts,
  allowed: (damage: Damage, call: { name: string; arguments: unknown }) => boolean = () => false,
): number {
  const run = runOf(example, engine, facts.format);
  const damaged = structuralDamage(example.text, words);
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
