/**
 * What a list of formats, or `"auto"`, makes of a case against what its own format makes of it alone: the same calls, or a
 * refusal in the place of each that is missing. A call beside them is what its format makes of that text alone.
 */
import { corpusIds, loadCorpus } from "../../scripts/corpora.ts";
import { chooseFormats } from "../../src/formats/choose-formats.ts";
import { extract, formats, type ParseOptions, parse, type Rejection, type ToolCall } from "../../src/index.ts";
import type { CorpusCase } from "../../src/testing/read-corpus.ts";
import { seededRandom, seedOf } from "../../src/testing/splits.ts";

export type FormatList = readonly string[] | "auto";

/** How often each outcome was seen, and what must not be, as sentences. */
export interface Agreement {
  readings: number;
  same: number;
  /** A call is missing, and a refusal stands in its place. */
  refused: number;
  /** Another format of the list finds a call that the case's own does not. */
  more: number;
  wrong: string[];
}

const listSizes = [2, 3, 8];

const ids = [...formats].map(({ id }) => id);

/** A format whose calls are lines of prose is none of them. */
const inAuto = new Set([chooseFormats("auto", formats, true)].flat().map(({ id }) => id));

/** The corpus cases of every format. */
export const formatCases = (): readonly { id: string; cases: readonly CorpusCase[] }[] =>
  corpusIds().flatMap((id) => (ids.includes(id) ? [{ id, cases: loadCorpus(id).cases }] : []));

/** Seeded lists of each size that hold the format. */
export function listsWith(id: string, perSize: number): (readonly string[])[] {
  const random = seededRandom(seedOf(id));
  const below = (count: number) => Math.floor(random() * count);
  return listSizes.flatMap((size) =>
    Array.from({ length: perSize }, () => {
      const list = [id];
      while (list.length < size) {
        const other = ids[below(ids.length)];
        if (!list.includes(other)) list.splice(below(list.length + 1), 0, other);
      }
      return list;
    }),
  );
}

interface Reading {
  calls: readonly ToolCall[];
  rejected: readonly Rejection[];
}

function readingOf({ text, tools, names, ...given }: CorpusCase, format: FormatList | string): Reading {
  const { prefill, intent, policy, finishReason, marker } = given;
  const options = { format, prefill, intent, policy, finishReason, marker } as ParseOptions;
  if (tools !== undefined) return parse(text, { ...options, tools } as ParseOptions);
  const { candidates, rejected } = extract(text, { ...options, names });
  return { calls: candidates, rejected };
}

const shapeOf = ({ name, arguments: given }: ToolCall) => JSON.stringify([name, given]);

/** Those of some calls that are not among others, each counted as often as it is there; of equal ones first those in its place. */
function without(calls: readonly ToolCall[], others: readonly ToolCall[]): ToolCall[] {
  const rest = [...others];
  const missing = (isSameCall: (one: ToolCall, other: ToolCall) => boolean) => (call: ToolCall) => {
    const at = rest.findIndex((other) => isSameCall(call, other));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  };
  const alike = (one: ToolCall, other: ToolCall) => shapeOf(one) === shapeOf(other);
  return calls.filter(missing((one, other) => alike(one, other) && one.start === other.start)).filter(missing(alike));
}

/**
 * Reads cases of a format alone and in a list, in both orders, and counts what it finds. To make a list costs more than to read
 * a case: all cases of one are read together.
 */
export function compareList(id: string, cases: readonly CorpusCase[], list: FormatList, into: Agreement): void {
  if (list === "auto" && !inAuto.has(id)) return;
  const alone = cases.map((example) => readingOf(example, id));
  const read = (one: FormatList) =>
    cases.map((example, at) => {
      const reading = readingOf(example, one);
      countReading(reading, alone[at], { id, example, list: one }, into);
      return reading;
    });
  const readings = read(list);
  if (list === "auto") return;
  read(list.toReversed()).forEach((reversed, at) => {
    if (!isSame(readings[at], reversed))
      into.wrong.push(sentence({ id, example: cases[at], list }, "the order decides"));
  });
}

interface Place {
  id: string;
  example: CorpusCase;
  list: FormatList;
}

const sentence = ({ id, example, list }: Place, what: string) =>
  `${id}: ${example.title}: ${JSON.stringify(list)}: ${what}`;

function countReading(read: Reading, alone: Reading, place: Place, into: Agreement): void {
  into.readings++;
  const wrong = (what: string) => into.wrong.push(sentence(place, what));
  const missing = without(alone.calls, read.calls);
  const extra = without(read.calls, alone.calls);
  if (missing.length === 0 && extra.length === 0) into.same++;
  else if (missing.length > 0) into.refused++;
  else into.more++;
  for (const call of missing) {
    const isRefused = read.rejected.some(({ start, end }) => start < call.end && end > call.start);
    if (!isRefused) wrong(`${shapeOf(call)} is lost without a word`);
  }
  for (const call of extra) {
    const own = readingOf(place.example, call.format);
    if (without([call], own.calls).length > 0) wrong(`${shapeOf(call)} is read by ${call.format} in no other way`);
  }
}

/** The same calls and refusals; only which of equal readings it is, and so its id and span, may go by the order. */
function isSame(left: Reading, right: Reading): boolean {
  const facts = ({ calls, rejected }: Reading) =>
    JSON.stringify([calls.map(shapeOf), rejected.map(({ reason }) => reason)]);
  return facts(left) === facts(right);
}

/** Nothing counted yet. */
export const noAgreement = (): Agreement => ({ readings: 0, same: 0, refused: 0, more: 0, wrong: [] });
