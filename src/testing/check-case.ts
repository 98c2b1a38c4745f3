import type { Engine, HarnessResult, Run } from "./engine.ts";
import { callsOf, difference, inconsistency, type Observation, observe, show } from "./observe.ts";
import { printCase } from "./print-case.ts";
import type { CorpusCase, CorpusMark } from "./read-corpus.ts";
import { sameValue } from "./same-value.ts";
import { chunksOf, everyUnit, offsets, randomCuts, seededRandom, seedOf } from "./splits.ts";

/** How a case is read, and how often it is cut. */
export interface CheckOptions {
  /** The format the case is read with: an id, a format value, or whatever the engine takes. */
  format: unknown;
  /** How many places a text is cut in two at; a longer text is cut at a sample of its offsets. Default 1,000. */
  cutsMax?: number;
  /** How many seeded random partitions are tried. Default 4. */
  randomPartitions?: number;
}

/** A case that does not hold. The message shows the case, what was expected, and the chunks it takes to see it. */
export class CaseFailure extends Error {
  override readonly name = "CaseFailure";
}

/** The engine bound to the options of a case. Without `tools:` only extraction is run, which needs no tools. */
export function runOf(example: CorpusCase, engine: Engine, format: unknown): Run {
  const { tools, prefill, intent, policy, finishReason, marker, names } = example;
  const shared = { format, prefill, marker, finishReason };
  if (tools !== undefined) {
    const options = { ...shared, tools, intent, policy };
    return { whole: (text) => engine.parse(text, options), stream: () => engine.createParser(options) };
  }
  const { extract, createExtractor } = engine;
  if (extract === undefined || createExtractor === undefined) {
    throw new CaseFailure(
      `${example.file}:${example.line}: the case names no tools, so it needs extraction\n` +
        "help: add a `tools:` line, or pass an engine with extract and createExtractor",
    );
  }
  const options = { ...shared, names };
  return { whole: (text) => extract(text, options), stream: () => createExtractor(options) };
}

/**
 * Runs one case on an engine: whole, unit by unit, cut in two everywhere, in random chunks; all must agree with what
 * the case says and with each other.
 *
 * @returns nothing; throws a {@link CaseFailure} that names the first thing that does not hold
 */
export function checkCase(example: CorpusCase, engine: Engine, options: CheckOptions): void {
  const run = runOf(example, engine, options.format);
  const { text } = example;
  const fail = (what: string): never => {
    throw new CaseFailure(`${example.file}:${example.line}: ${example.title}\n${what}\n\n${printCase(example)}`);
  };

  const whole = run.whole(text);
  const wrong = unexpected(example, whole);
  if (wrong !== undefined) fail(wrong);

  const reference = observe(run, text, []);
  const gap = inconsistency(reference, text);
  if (gap !== undefined) fail(`in one chunk: ${gap}`);
  const unlike = difference({ result: whole, events: [] }, { result: reference.result, events: [] });
  if (unlike !== undefined) fail(`the stream's result is not the whole text's: ${unlike}`);

  const split = disagreement(run, text, reference, options);
  if (split !== undefined) fail(split.what);
}

/** What in a result is not as the case says, `undefined` when all is. */
export function unexpected(example: CorpusCase, result: HarnessResult): string | undefined {
  const calls = callsOf(result);
  const got = calls.map((call, index) => {
    const fields = Object.keys(example.calls[index] ?? { name: 0, arguments: 0 });
    return Object.fromEntries(fields.map((field) => [field, (call as unknown as Record<string, unknown>)[field]]));
  });
  if (!sameValue(got, example.calls)) {
    const reasons = result.rejected.map(
      (rejection) => `\n  rejected ${rejection.start}-${rejection.end} ${rejection.message}`,
    );
    return `calls\n  expected ${show(example.calls)}\n  got      ${show(got)}${reasons.join("")}`;
  }
  for (const part of ["content", "reasoning"] as const) {
    if (result[part] !== example[part]) {
      return `${part}\n  expected ${show(example[part])}\n  got      ${show(result[part])}`;
    }
  }
  return unexpectedMarks(example.marks, marksOf(result));
}

/** A span of the input that a result says something of. */
export type FoundMark = Pick<CorpusMark, "what" | "start" | "end"> & { code: string };

/** Every repair of a call and every rejection, as marks. Repairs of a rejected candidate lead nowhere and are no marks. */
export function marksOf(result: HarnessResult): FoundMark[] {
  const repairs = callsOf(result).flatMap((call) => call.repairs);
  // Calls of one envelope may each list its repair: it is one edit.
  const distinct = repairs.filter((repair, index) => repairs.findIndex((other) => sameValue(other, repair)) === index);
  return [
    ...distinct.map(({ kind, start, end }) => ({ what: "repair" as const, code: kind, start, end })),
    ...result.rejected.map(({ reason, start, end }) => ({ what: "rejected" as const, code: reason, start, end })),
  ];
}

function unexpectedMarks(expected: readonly CorpusMark[], found: readonly FoundMark[]): string | undefined {
  const left = [...found];
  const missing = expected.filter((mark) => {
    const at = left.findIndex(
      (other) =>
        other.what === mark.what &&
        other.code === mark.code &&
        other.start === mark.start &&
        // One caret marks one unit, or the empty span before it: there is no narrower mark.
        (other.end === mark.end || (other.end === other.start && mark.end - mark.start <= 1)),
    );
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (missing.length === 0 && left.length === 0) return undefined;
  const line = ({ what, code, start, end }: FoundMark) => `${what} ${code} ${start}-${end}`;
  return [
    "marked spans",
    ...missing.map((mark) => `  expected ${line(mark)} (line ${mark.line})`),
    ...left.map((mark) => `  got      ${line(mark)}`),
    ...(missing.length > 1 && left.length === 1
      ? ["  help: one span over several lines has its label on its last line only"]
      : []),
  ].join("\n");
}

/** Reads the text in many partitions; the smallest that disagrees with the reference, in words, and where it cuts first. */
export function disagreement(
  run: Run,
  text: string,
  reference: Observation,
  options: Pick<CheckOptions, "cutsMax" | "randomPartitions">,
): { what: string; at: number } | undefined {
  const random = seededRandom(seedOf(text));
  const disagrees = (cuts: readonly number[]): string | undefined => {
    let observation: Observation;
    try {
      observation = observe(run, text, cuts);
    } catch (error) {
      return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    }
    return difference(reference, observation);
  };
  const describe = (cuts: readonly number[], what: string) => ({
    what: `chunks ${show(chunksOf(text, cuts))}\n(cut at ${cuts.join(", ")}) disagree with the whole text in ${what}`,
    at: cuts[0],
  });

  for (const cut of offsets(text.length, options.cutsMax ?? 1000, random)) {
    const what = disagrees([cut]);
    if (what !== undefined) return describe([cut], what);
  }
  const partitions = [everyUnit(text.length)];
  for (let count = options.randomPartitions ?? 4; count > 0; count--) partitions.push(randomCuts(text.length, random));
  for (const cuts of partitions) {
    const what = disagrees(cuts);
    if (what === undefined) continue;
    const smallest = shrink(cuts, (fewer) => disagrees(fewer) !== undefined);
    return describe(smallest, disagrees(smallest) ?? what);
  }
  return undefined;
}

/** Leaves out cuts, many at once and then one by one, as long as the rest still disagrees. */
function shrink(cuts: readonly number[], fails: (cuts: readonly number[]) => boolean): readonly number[] {
  let smallest = cuts;
  for (let size = Math.ceil(cuts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length; ) {
      const fewer = [...smallest.slice(0, at), ...smallest.slice(at + size)];
      if (fails(fewer)) smallest = fewer;
      else at += size;
    }
  }
  return smallest;
}
