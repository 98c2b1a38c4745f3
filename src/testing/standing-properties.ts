/**
 * The standing properties of a format, tried at once: whatever a grammar is, these hold. A counter-example comes back as
 * small as it could be made.
 */

import type { Format } from "../formats/format.ts";
import { literalsOf } from "../machine/program.ts";
import { runOf } from "./check-case.ts";
import { structuralDamage } from "./damage.ts";
import type { Engine } from "./engine.ts";
import { floodCost, floodStepsMax, floods } from "./floods.ts";
import { callsOf, show } from "./observe.ts";
import {
  checkConservation,
  checkIsolation,
  checkPrefixes,
  checkQuoting,
  checkSplitInvariance,
  type FormatFacts,
  isValidCase,
  PropertyFailure,
} from "./properties.ts";
import { quotedCallRun } from "./quoted-calls.ts";
import type { CorpusCase } from "./read-corpus.ts";
import { sameValue } from "./same-value.ts";
import { factsOf, isOwnReading, looseTools, onlyWords, samplesOf, sampleTools, sampleWords } from "./samples.ts";
import { shrinkText } from "./shrink.ts";
import { seededRandom, seedOf } from "./splits.ts";

/** A property that does not hold of a format. */
export interface StandingFailure {
  /** The property, as a name: `damage`. */
  property: string;
  /** What has to hold, as a sentence. */
  bar: string;
  /** What was found instead. */
  what: string;
  /** The smallest text that shows it. */
  text: string;
  /** Where in that text the damage is, or what should not have run. */
  at?: number;
  /** The rule that is to blame, where that is known. */
  rule?: string;
}

/** How much is tried. */
export interface StandingOptions {
  /** When trying ends, in milliseconds from the beginning; what has not been tried is not failed. Default 15,000. */
  timeMax?: number;
  /** A clock in milliseconds. Default `performance.now`. */
  now?: () => number;
}

/** What became of the properties: how many were tried, and those that do not hold. */
export interface StandingReport {
  tried: string[];
  /** Those of them for which the time was too short for every case. */
  cutShort: string[];
  failures: StandingFailure[];
}

interface Subject {
  format: Format;
  facts: FormatFacts;
  engine: Engine;
  samples: readonly CorpusCase[];
  /** Samples, and cases of the corpus in which all is in order, shortest first. */
  valid: readonly CorpusCase[];
  bad: readonly CorpusCase[];
  isOver(): boolean;
}

interface Property {
  name: string;
  bar: string;
  /** Throws a PropertyFailure, or gives a failure of its own. */
  try(subject: Subject): Partial<StandingFailure> | undefined;
}

/** How often a text is made smaller, at most. */
const shrinkTriesMax = 200;

/** Checks each case. Of one that fails all is taken away that is not needed to see it. */
const tryEach = (cases: readonly CorpusCase[], subject: Subject, check: (example: CorpusCase) => void): undefined => {
  for (const example of cases) {
    if (subject.isOver()) return;
    const failure = failureOf(() => check(example));
    if (failure === undefined) continue;
    throw smallestFailure(example, subject, check) ?? failure;
  }
};

function failureOf(check: () => void): PropertyFailure | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof PropertyFailure) return error;
    throw error;
  }
}

/** The failure of the smallest text that is read as the case is: with calls or without, with refusals or without. */
function smallestFailure(
  example: CorpusCase,
  { engine, format, isOver }: Subject,
  check: (example: CorpusCase) => void,
) {
  const run = runOf(example, engine, format);
  const caseOf = (text: string): CorpusCase | undefined => {
    const whole = run.whole(text);
    const calls = callsOf(whole).map(({ name, arguments: given }) => ({ name, arguments: given }));
    const isAlike =
      calls.length > 0 === example.calls.length > 0 && whole.rejected.length > 0 === example.marks.length > 0;
    return isAlike ? { ...example, text, calls } : undefined;
  };
  return failureOfSmallest(
    example.text,
    (text) => {
      const small = isOver() ? undefined : caseOf(text);
      return small && failureOf(() => check(small));
    },
    shrinkTriesMax,
  );
}

/** The failure of the smallest text that has one; undefined: no smaller text has. */
function failureOfSmallest(text: string, failureIn: (text: string) => PropertyFailure | undefined, triesMax?: number) {
  let failure: PropertyFailure | undefined;
  const fails = (part: string) => {
    const found = failureIn(part);
    failure = found ?? failure;
    return found !== undefined;
  };
  shrinkText(text, fails, triesMax);
  return failure;
}

const properties: readonly Property[] = [
  {
    name: "rendering",
    bar: "a format writes calls, and reads what it writes",
    try({ format, samples }) {
      if (samples.some(({ title }) => title.endsWith(": one call"))) return;
      try {
        return { what: "what it writes is read in another way", text: format.renderCalls([oneCall]) };
      } catch (error) {
        return { what: (error as Error).message, text: format.example };
      }
    },
  },
  {
    name: "splits",
    bar: "no way of cutting a text into chunks changes what is read",
    try: (subject) =>
      tryEach(subject.valid, subject, (example) =>
        checkSplitInvariance(example, example.text, subject.engine, subject.facts, { placesMax: 60 }),
      ),
  },
  {
    name: "prefixes",
    bar: "a reply that is cut yields the first of its calls, each as it is there, and no other",
    try: (subject) =>
      tryEach(subject.valid, subject, (example) =>
        checkPrefixes(example, subject.engine, subject.facts, { placesMax: 120 }),
      ),
  },
  {
    name: "quoting",
    bar: "a call that is quoted is not made, and its text stays",
    try: (subject) =>
      tryEach(subject.valid, subject, (example) => checkQuoting(example, subject.engine, subject.facts)),
  },
  {
    name: "strings",
    bar: "a call in a string of another call, or in a fence after it, never runs, whichever token of that one is damaged",
    try: ({ format, engine, isOver }) => quotedCallRun(format, engine, isOver),
  },
  {
    name: "damage",
    bar: "a call with one structural character deleted, doubled or swapped is the call it was, or no call",
    try: (subject) => damageIn(subject),
  },
  {
    name: "isolation",
    bar: "a bad block leaves the calls around it alone",
    try(subject) {
      // Rendered calls are closed: a section that is left open decides what the next block is.
      for (const one of subject.samples.slice(0, 3)) {
        tryEach(subject.bad, subject, (other) => checkIsolation(one, other, subject.engine, subject.facts));
      }
      return undefined;
    },
  },
  {
    name: "conservation",
    bar: "nothing of a text vanishes, whatever the damage, and no cut changes it",
    try(subject) {
      const { engine, facts } = subject;
      for (const example of subject.valid) {
        const damaged = structuralDamage(example.text, wordsOf(example));
        const random = seededRandom(seedOf(example.text));
        for (let count = 0; count < Math.min(12, damaged.length); count++) {
          if (subject.isOver()) return undefined;
          const { text } = damaged[Math.floor(random() * damaged.length)];
          const check = (part: string) => {
            checkConservation(example, part, engine, facts);
            checkSplitInvariance(example, part, engine, facts, { placesMax: 12 });
          };
          smallest(text, check);
        }
      }
      return undefined;
    },
  },
  {
    name: "streaming",
    bar: "text comes out as it comes in",
    try({ format, engine }) {
      const words = "north and south of the hall ";
      const parser = engine.createParser({ format, tools: sampleTools, intent: true });
      const chunks = Array.from({ length: 40 }, () => words);
      const events = chunks.flatMap((chunk) => parser.push(chunk));
      const sent = events.reduce((sum, event) => sum + ("text" in event ? event.text.length : 0), 0);
      if (sent > (chunks.length - 2) * words.length) return;
      return { what: `of ${chunks.length * words.length} characters ${sent} came out`, text: words.repeat(3) };
    },
  },
  {
    name: "lists",
    bar: "beside another format, a call is read as alone, or it is refused with a word",
    try: (subject) =>
      tryEach(subject.samples, subject, (example) => {
        if (example.tools === undefined) return;
        const { engine, format } = subject;
        for (const list of [
          [format, "hermes"],
          ["hermes", format],
        ]) {
          const options = { format: list, tools: example.tools, intent: true };
          const found = engine.parse(example.text, options);
          const calls = callsOf(found).map(({ name, arguments: given }) => ({ name, arguments: given }));
          if (sameValue(calls, example.calls) || (calls.length === 0 && found.rejected.length > 0)) continue;
          const what = `calls ${show(calls)}, alone ${show(example.calls)}`;
          throw new PropertyFailure(what, { text: example.text, at: callsOf(found)[0]?.start ?? 0 });
        }
      }),
  },
  {
    name: "floods",
    bar: `no text costs more than ${floodStepsMax} looks per character, nor more of them the longer it is`,
    try(subject) {
      const { format, samples } = subject;
      const own = literalsOf(format.program).filter((literal) => literal.length > 1);
      const [sample] = samples;
      const opened = sample === undefined ? "" : sample.text.slice(0, Math.max(1, sample.text.indexOf("north")));
      const parts = [...own, ...samples.slice(0, 2).map(({ text }) => text), ...floods];
      for (const part of parts) {
        for (const before of ["", opened]) {
          if (subject.isOver()) return undefined;
          const cost = (chars: number) => floodCost(format, before + part.repeat(Math.ceil(chars / part.length)));
          const [short, long] = [cost(250), cost(1000)];
          if (long <= floodStepsMax && long <= short * 1.6 + 6) continue;
          const what = `${long.toFixed(1)} looks per character (${short.toFixed(1)} in a quarter of it)`;
          return {
            what: `${what}: ${show(part)} over and over${before && ` after ${show(before)}`}`,
            text: before + part,
            at: before.length,
          };
        }
      }
      return undefined;
    },
  },
];

const oneCall = { name: "read_dial", arguments: { dial: "north7", site: "hillside" } };

/** The names of the standing properties, in the order in which they are tried. */
export const standingProperties: readonly string[] = properties.map(({ name }) => name);

/**
 * Tries the standing properties of a format on what it writes by itself, and on the cases of its corpus.
 *
 * @param format a compiled format
 * @param cases its corpus; may be empty
 * @returns what does not hold; nothing is thrown but faults of the engine
 */
export function checkStanding(
  format: Format,
  cases: readonly CorpusCase[],
  engine: Engine,
  { timeMax = 15_000, now = () => performance.now() }: StandingOptions = {},
): StandingReport {
  const end = now() + timeMax;
  let sliceEnd = end;
  const samples = samplesOf(format, engine);
  const plain = cases.filter((example) => isValidCase(example) && example.prefill === undefined);
  const subject: Subject = {
    format,
    facts: factsOf(format),
    engine,
    samples,
    valid: [...samples, ...plain].sort((left, right) => left.text.length - right.text.length),
    bad: cases.filter((example) => example.calls.length === 0 && example.marks.length > 0),
    isOver: () => now() > sliceEnd,
  };
  const report: StandingReport = { tried: [], cutShort: [], failures: [] };
  for (const [at, { name, bar, try: tryIt }] of properties.entries()) {
    // What one leaves over of its share, the next have.
    sliceEnd = now() + (end - now()) / (properties.length - at);
    report.tried.push(name);
    const failure = { property: name, bar };
    try {
      const found = tryIt(subject);
      if (found) report.failures.push({ ...failure, what: "", text: "", ...found });
    } catch (error) {
      if (!(error instanceof PropertyFailure)) throw error;
      const { what, text = "", at } = error;
      report.failures.push({ ...failure, what, text, ...(at === undefined ? {} : { at }) });
    }
    if (subject.isOver()) report.cutShort.push(name);
  }
  return report;
}

/** Throws with the smallest text that fails; nothing when all is in order. */
function smallest(text: string, check: (text: string) => void): void {
  const first = failureOf(() => check(text));
  if (first === undefined) return;
  throw failureOfSmallest(text, (part) => failureOf(() => check(part))) ?? first;
}

/** What is no structure in a case: the words and numbers of its calls. */
function wordsOf(example: CorpusCase): RegExp {
  if (example.file === "samples" && example.tools !== undefined) {
    return new RegExp(`${sampleWords.source}|dial|site|level|locked|marks`, "g");
  }
  const words = new Set(JSON.stringify(example.calls).match(/-?\d[\d.eE+-]*|[\p{L}\p{N}_]+/gu) ?? []);
  const escaped = [...words]
    .sort((left, right) => right.length - left.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(escaped.length === 0 ? "(?!)" : escaped.join("|"), "gu");
}

/**
 * A sample that structural damage makes another call of, with all taken away that is not needed to see it. What a repair
 * has been listed for is not silent: the policy decides about it.
 */
function damageIn(subject: Subject): Partial<StandingFailure> | undefined {
  for (const sample of subject.samples) {
    if (sample.tools === undefined) continue;
    for (const tools of [sampleTools, looseTools]) {
      const example: CorpusCase = { ...sample, tools: [...tools] };
      const misread = misreadings(subject, example);
      const found = misread(example.text);
      if (found === undefined) continue;
      const words = new Set(example.text.match(/[A-Za-z0-9_]+/g));
      const isOfWords = (part: string) => part.match(/[A-Za-z0-9_]+/g)?.every((word) => words.has(word)) !== false;
      const short = shrinkText(example.text, (part) => isOfWords(part) && misread(part) !== undefined, 80);
      // There may have been no time to make it smaller.
      return misread(short) ?? found;
    }
  }
  return undefined;
}

/** The first damage of a text in order that makes another call of it. */
function misreadings({ engine, facts, format, isOver }: Subject, example: CorpusCase) {
  const run = runOf(example, engine, facts.format);
  const isOwn = isOwnReading(format);
  const isLoose = example.tools?.[0] === looseTools[0];
  return (text: string): Partial<StandingFailure> | undefined => {
    const whole = run.whole(text);
    const calls = callsOf(whole);
    if (calls.length === 0 || whole.rejected.length > 0) return undefined;
    // A text that was made smaller may have markers in its values: there an edit changes the value, as it should.
    if (calls.some(({ arguments: given }) => !sameValue(onlyWords(given), given))) return undefined;
    const known = new Set(calls.map(({ name, arguments: given }) => JSON.stringify([name, onlyWords(given)])));
    for (const damage of structuralDamage(text, wordsOf(example))) {
      if (isOver()) return undefined;
      for (const { name, arguments: given, repairs } of callsOf(run.whole(damage.text))) {
        if (known.has(JSON.stringify([name, onlyWords(given)])) || isOwn(damage, { name, arguments: given })) continue;
        if (isLoose && repairs.length > 0) continue;
        const what = `${damage.kind} in ${show(text)} made ${show({ name, arguments: given })}`;
        return { what, text: damage.text, at: damage.at };
      }
    }
    return undefined;
  };
}
