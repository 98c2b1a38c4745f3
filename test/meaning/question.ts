/**
 * A question to the library: a text as a model may write it, and what the rules say may run. The rules, not the code, say
 * what is expected: docs/guarantees.md names them.
 */
import { type Format, type ParseOptions, type Prepared, prepare } from "../../src/index.ts";
import { difference, observe, show } from "../../src/testing/observe.ts";
import { sameValue } from "../../src/testing/same-value.ts";
import { randomCuts, seededRandom, seedOf } from "../../src/testing/splits.ts";
import { tools } from "./subjects.ts";

/** A call by what makes it the same call elsewhere. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** What a text asks, and what the rules say of it. */
export interface Question {
  /** What stands where, in words. */
  title: string;
  text: string;
  format: Format;
  options?: Partial<ParseOptions>;
  /** The calls that may run, in order, each as it is here. */
  calls: readonly Call[];
  /** All of them have to; else some may be refused. */
  isExact: boolean;
  /** Of what is refused, one has this reason. */
  reason?: string | readonly string[];
  /** What a person sees, where a rule says it. */
  content?: string;
  /** Readings that are right although they differ. */
  isOwn?: (call: Call) => boolean;
}

/** All of them in a deep run, else a few by chance. */
export type Some = <Item>(items: Iterable<Item>) => readonly Item[];

/** A format to read a question with beside its own. */
export interface Beside {
  format: Format;
  isFirst: boolean;
}

const identity = ({ name, arguments: given }: Call) => ({ name, arguments: given });

const known = new Map<string, Prepared>();

/** What reads a question, made once for the same options. */
function preparedFor({ format, options }: Question, beside: Beside | undefined): Prepared {
  const formats = beside === undefined ? format : beside.isFirst ? [beside.format, format] : [format, beside.format];
  const key = JSON.stringify([format.id, beside?.format.id, beside?.isFirst, options]);
  let prepared = known.get(key);
  if (!prepared) {
    if (known.size >= preparedMax) known.clear();
    known.set(key, (prepared = prepare({ tools, intent: true, ...options, format: formats } as ParseOptions)));
  }
  return prepared;
}

const preparedMax = 64;

/** What is wrong with the answer; undefined: nothing. */
export function answerGap(question: Question, beside?: Beside): string | undefined {
  const { text, calls, isExact, isOwn = () => false } = question;
  const info = question.options?.finishReason;
  const prepared = preparedFor(question, beside);
  const run = { whole: () => prepared.parse(text), stream: () => prepared.createParser() };
  const whole = observe(run, text, [], info);
  const found = whole.result.calls?.map(identity) ?? [];
  const rejected = whole.result.rejected.map(({ reason }) => reason);
  let left = [...calls];
  for (const call of found) {
    const at = left.findIndex((one) => sameValue(one, call));
    if (at >= 0) left = left.slice(at + 1);
    else if (!isOwn(call)) return `ran ${show(call)}; what may run: ${show(calls)}`;
  }
  if (isExact && found.length !== calls.length && (beside === undefined || rejected.length === 0)) {
    return `ran ${show(found)}, refused ${show(rejected)}; what has to run: ${show(calls)}`;
  }
  if (beside === undefined) {
    const { reason, content } = question;
    if (reason !== undefined && !rejected.some((one) => [reason].flat().includes(one))) {
      return `refused ${show(rejected)}, expected ${show(reason)}`;
    }
    if (content !== undefined && whole.result.content !== content) {
      return `content ${show(whole.result.content)}, expected ${show(content)}`;
    }
  }
  const cuts = randomCuts(text.length, seededRandom(seedOf(text)), 9);
  const split = difference(whole, observe(run, text, cuts, info));
  return split === undefined ? undefined : `cut at ${cuts}: ${split}`;
}
