import { runOf } from "../../src/testing/check-case.ts";
import type { Engine } from "../../src/testing/engine.ts";
import { callsOf, show, tilingGap } from "../../src/testing/observe.ts";
import { type FormatFacts, PropertyFailure, quotingContexts } from "../../src/testing/properties.ts";
import type { CorpusCall, CorpusCase } from "../../src/testing/read-corpus.ts";
import { sameValue } from "../../src/testing/same-value.ts";

/** A text that stands beside others in one message, and the calls it must give there. */
export interface SequenceBlock {
  title: string;
  text: string;
  calls: readonly CorpusCall[];
}

/** Every sequence of `length` blocks. */
export function sequences(blocks: readonly SequenceBlock[], length: number): SequenceBlock[][] {
  let all: SequenceBlock[][] = [[]];
  for (let count = 0; count < length; count++) all = all.flatMap((begun) => blocks.map((block) => [...begun, block]));
  return all;
}

/** The calls of a sequence are the calls of its blocks, in order: no block changes another. Returns the text. */
export function checkSequence(
  example: CorpusCase,
  blocks: readonly SequenceBlock[],
  engine: Engine,
  facts: FormatFacts,
  between = "\n",
): string {
  const text = blocks.map((block) => block.text).join(between);
  const wanted = blocks.flatMap((block) => block.calls);
  const result = runOf(example, engine, facts.format).whole(text);
  const found = callsOf(result).map((call) => ({ name: call.name, arguments: call.arguments }));
  // After damage whose end is not proven nothing runs: the calls before it must stand, and no other.
  const isCutShort = (result.rejected ?? []).some(({ reason }) => reason === "behind-damage");
  const gap = sameValue(found, isCutShort ? wanted.slice(0, found.length) : wanted)
    ? tilingGap(result, text)
    : `the calls are not those of the blocks (${blocks.map(({ title }) => title).join(", ")})\n  expected ${show(wanted)}\n  got      ${show(found)}`;
  if (gap !== undefined) throw new PropertyFailure(`${example.file}: "${example.title}"\n${gap}\n\ntext ${show(text)}`);
  return text;
}

/**
 * A real call after a quoted one is made, and only that.
 *
 * @returns how many contexts the case could stand in
 */
export function checkCallBehindQuote(example: CorpusCase, engine: Engine, facts: FormatFacts): number {
  if (facts.startsReasoning) return 0;
  let tried = 0;
  for (const context of quotingContexts(facts)) {
    const quoted = context.wrap(example.text);
    if (quoted === undefined) continue;
    const shown: SequenceBlock = { title: `a call quoted in ${context.name}`, text: quoted.text, calls: [] };
    const real: SequenceBlock = { title: "the call", text: example.text, calls: example.calls };
    checkSequence(example, [shown, real], engine, facts);
    tried++;
  }
  return tried;
}
