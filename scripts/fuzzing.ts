/**
 * Texts without an author, made of what formats are made of; what must hold of any text is asked of each. Everything
 * follows from the seed, so a finding can be had again.
 */
import { commonStart } from "../src/compiler/template/text-cuts.ts";
import * as engine from "../src/index.ts";
import { literalsOf } from "../src/machine/program.ts";
import { runOf } from "../src/testing/check-case.ts";
import type { Run } from "../src/testing/engine.ts";
import { callsOf, difference, inconsistency, observe } from "../src/testing/observe.ts";
import { shrinkText } from "../src/testing/shrink.ts";
import { chunksOf, randomCuts, seededRandom } from "../src/testing/splits.ts";
import { sampleCase, sampledFormats, sampleTools } from "./samples.ts";

/** One text to be read, and how. */
export interface FuzzInput {
  formats: readonly string[] | "auto";
  /** Whether both phases are run, or extraction alone. */
  phase: "parse" | "extract";
  text: string;
  cuts: readonly number[];
}

export interface Finding extends FuzzInput {
  seed: number;
  what: string;
}

type Random = () => number;
const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)];

const fragments: readonly string[] = [
  ...'{ } [ ] ( ) " \' ` \\ , : = < > / | </ {} [] "" null true None 7 -0.5 1e999 00123'.split(" "),
  ...[" ", "\n", "\r\n", "\t", "\n\n", "\0", "\ufeff", "\u2028", "\ud83d", "\ude00", "\u{1f600}", "é"],
  ...[
    '{"name": "',
    '"arguments": {',
    '"parameters": {',
    '"dial": "north7"',
    '"site": "hillside"',
    '", "',
    '"}',
    '"}}',
    "}}",
  ],
  ...[
    "```",
    "```json\n",
    "\n```\n",
    "~~~\n",
    "`",
    "<think>",
    "</think>",
    "read_dial",
    "list_dials",
    "no_dial",
    "dial",
    "site",
  ],
  ...[
    "So: ",
    "That is all.",
    "\\n",
    '\\"',
    "\\u00e9",
    "\\ud83d",
    "// note\n",
    "/* note */",
    "True",
    "'north7'",
    "...",
    "&lt;",
    "</a>",
  ],
];

/** One text, from whole calls to noise. */
function makeText(chosen: readonly (typeof sampledFormats)[number][], random: Random): string {
  let text = "";
  for (let count = 1 + Math.floor(random() * random() * 12); count > 0; count--) {
    const { format, samples } = pick(chosen, random);
    const sample = pick(samples, random).text;
    const at = Math.floor(random() * sample.length);
    const kind = random();
    if (kind < 0.25) text += sample;
    else if (kind < 0.4) text += sample.slice(0, at);
    else if (kind < 0.5) text += sample.slice(at);
    else if (kind < 0.6) text += sample.slice(0, at) + sample.slice(at + 1 + Math.floor(random() * 3));
    else if (kind < 0.7) text += sample.slice(0, at) + pick(fragments, random) + sample.slice(at);
    else if (kind < 0.82) text += pick(format.program.strings.length ? literalsOf(format.program) : fragments, random);
    else text += pick(fragments, random);
  }
  return text;
}

/** The input that a seed stands for. */
export function makeInput(seed: number): FuzzInput {
  const random = seededRandom(seed);
  random();
  const kind = random();
  const count = kind < 0.8 ? 1 : 2 + Math.floor(random() * 2);
  const chosen = Array.from({ length: count }, () => pick(sampledFormats, random));
  const text = makeText(chosen, random);
  return {
    formats: kind > 0.97 ? "auto" : chosen.map(({ id }) => id),
    phase: random() < 0.75 ? "parse" : "extract",
    text,
    cuts: randomCuts(text.length, random, pick([1, 3, 12, 60], random)),
  };
}

function runFor({ formats, phase }: FuzzInput): Run {
  const example = sampleCase("fuzz", "", [], sampleTools);
  const format = formats === "auto" ? formats : formats.length === 1 ? formats[0] : formats;
  return runOf(phase === "parse" ? example : { ...example, tools: undefined }, engine, format);
}

/** What does not hold of an input, `undefined` when all holds. */
export function check(input: FuzzInput): string | undefined {
  const { text, cuts, phase } = input;
  try {
    const run = runFor(input);
    const whole = observe(run, text, []);
    const gap = inconsistency(whole, text);
    if (gap !== undefined) return gap;
    for (const call of callsOf(whole.result)) {
      if (call.repairs.some(({ level }) => level !== "safe"))
        return `a call with a repair that is not safe: ${call.name}`;
      if (phase === "parse" && !sampleTools.some(({ name }) => name === call.name)) return `no tool: ${call.name}`;
    }
    const unlike = difference(whole, observe(run, text, cuts));
    return unlike === undefined ? undefined : `in chunks ${JSON.stringify(chunksOf(text, cuts))}: ${unlike}`;
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** What kind of thing does not hold: a smaller text must fail in the same way. */
const kindOf = (what: string) =>
  what.replace(/^in chunks .*?: (?=calls|content|reasoning|rejected|nodes|truncated|event)/s, "").slice(0, 12);

/** Leaves out as much of the text, and as many cuts, as it can with the same failure. */
export function minimise(input: FuzzInput, what: string): FuzzInput {
  const fails = (candidate: FuzzInput) => {
    const found = check(candidate);
    return found !== undefined && kindOf(found) === kindOf(what);
  };
  let smallest = input;
  // The cuts before what is left out stay, the others are counted from the end of the text.
  const without = (part: string): FuzzInput => {
    const { text, cuts } = smallest;
    const from = commonStart(part, text);
    const gone = text.length - part.length;
    return { ...smallest, text: part, cuts: cuts.map((cut) => (cut <= from ? cut : Math.max(from, cut - gone))) };
  };
  shrinkText(input.text, (part) => {
    const fewer = without(part);
    if (!fails(fewer)) return false;
    smallest = fewer;
    return true;
  });
  for (let at = 0; at < smallest.cuts.length; ) {
    const fewer = { ...smallest, cuts: smallest.cuts.filter((_, index) => index !== at) };
    if (fails(fewer)) smallest = fewer;
    else at++;
  }
  if (smallest.formats !== "auto") {
    for (const formats of smallest.formats.map((id) => [id])) {
      const fewer = { ...smallest, formats };
      if (fails(fewer)) return fewer;
    }
  }
  return smallest;
}

/** Tries the inputs of the seeds from `first` on, until `count` are tried or the clock says stop. */
export function fuzz(
  first: number,
  count: number,
  goesOn: () => boolean = () => true,
): { tried: number; findings: Finding[] } {
  const findings: Finding[] = [];
  let tried = 0;
  for (let seed = first; tried < count && goesOn(); seed++, tried++) {
    const input = makeInput(seed);
    const what = check(input);
    if (what === undefined) continue;
    const small = minimise(input, what);
    findings.push({ ...small, seed, what: check(small) ?? what });
  }
  return { tried, findings };
}

/** A finding as a case for a corpus; what it should give, its reader writes. */
export function printFinding({ seed, what, formats, phase, text, cuts }: Finding): string {
  return [
    `// seed ${seed}, ${phase} with ${formats === "auto" ? formats : formats.join(" and ")}, cut at ${cuts.join(", ") || "nowhere"}`,
    ...what.split("\n", 6).map((line) => `//   ${line.slice(0, 400)}`),
    `=== found by fuzzing, seed ${seed}`,
    "from:  written by scripts/fuzz.ts",
    ...(phase === "parse" ? [`tools: ${JSON.stringify(sampleTools)}`] : []),
    ...text.split("\n").map((line) => `|${line}`),
    "calls: none",
    "",
  ].join("\n");
}
