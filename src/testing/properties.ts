/**
 * What must hold for every format, whatever its grammar: each property takes the cases of a corpus, makes texts of
 * them, and throws a {@link PropertyFailure} that shows the smallest text for which it does not hold.
 */
import { quotingTags } from "../contract/quoting-tags.ts";
import { allTurnTokens } from "../contract/turn-tokens.ts";
import { disagreement, runOf } from "./check-case.ts";
import type { Engine, HarnessResult, Run } from "./engine.ts";
import { callsOf, inconsistency, observe, show, tilingGap } from "./observe.ts";
import type { CorpusCase } from "./read-corpus.ts";
import { sameValue } from "./same-value.ts";
import { everyUnit, offsets, seededRandom, seedOf } from "./splits.ts";

/** What the properties need to know of a format beyond its corpus. */
export interface FormatFacts {
  /** The engine's format option: an id or a format value. */
  format: unknown;
  /** Opener and closer of a block in which nothing is a call; left out for a format that has none. */
  reasoning?: readonly [open: string, close: string];
  /** Whether every text begins inside such a block, so that its closer, not its place, decides what is quoted. */
  startsReasoning?: boolean;
  /** What begins another turn in the words of the format: behind what ends one, the message is over. */
  turns?: readonly string[];
  /** What opens a block: damaged text without any is none, and what stands before it decides what it is. */
  openers?: readonly string[];
}

/** How much is tried. */
export interface PropertyOptions {
  /** How many places of one text are tried; longer texts are sampled. Default 120. */
  placesMax?: number;
}

/** A property does not hold; the message shows the text for which it does not. */
export class PropertyFailure extends Error {
  override readonly name = "PropertyFailure";
  /** What was found instead, without the text. */
  readonly what: string;
  /** That text, whole. */
  readonly text: string | undefined;
  /** Where in it the fault shows, where it is at one place. */
  readonly at: number | undefined;

  constructor(
    message: string,
    { what = message, text, at }: { what?: string; text?: string; at?: number | undefined } = {},
  ) {
    super(message);
    this.what = what;
    this.text = text;
    this.at = at;
  }
}

/** A case whose text is entirely in order: it has calls, and nothing in it is repaired or rejected. */
export function isValidCase(example: CorpusCase): boolean {
  return example.calls.length > 0 && example.marks.length === 0;
}

/** Any text, cut anywhere, gives what the whole text gives, events included. */
export function checkSplitInvariance(
  example: CorpusCase,
  text: string,
  engine: Engine,
  facts: FormatFacts,
  options: PropertyOptions = {},
): void {
  const run = runOf(example, engine, facts.format);
  const reference = observe(run, text, []);
  const gap = inconsistency(reference, text);
  if (gap !== undefined) throw failure(example, text, gap);
  const split = disagreement(run, text, reference, { cutsMax: options.placesMax ?? 120, randomPartitions: 3 });
  if (split !== undefined) throw failure(example, text, split.what, split.at);
}

/** Nothing vanishes: nodes tile the text, content is what the content nodes cover. For mutants and noise too. */
export function checkConservation(example: CorpusCase, text: string, engine: Engine, facts: FormatFacts): void {
  const gap = tilingGap(runOf(example, engine, facts.format).whole(text), text);
  if (gap !== undefined) throw failure(example, text, gap);
}

/** A reply that is cut short yields the first calls of the full reply, each as it is there, and no other. */
export function checkPrefixes(
  example: CorpusCase,
  engine: Engine,
  facts: FormatFacts,
  options: PropertyOptions = {},
): void {
  const run = runOf(example, engine, facts.format);
  const full = identities(run.whole(example.text));
  const random = seededRandom(seedOf(example.text));
  for (const length of offsets(example.text.length, options.placesMax ?? 120, random)) {
    const prefix = example.text.slice(0, length);
    const result = run.whole(prefix);
    // A last value that lacks its closer ends with its call: what would have followed in a longer text is not known.
    const isKnown = (result.calls ?? []).every(
      ({ repairs }) => !repairs.some(({ kind }) => kind === "missing-last-closer"),
    );
    const calls = identities(result);
    // A quoting tag that nothing closes quotes nothing: the closer stands in what was cut off.
    const read = prefix.toLowerCase();
    const isOpen = quotingTags.some(
      ([open, close]) => read.lastIndexOf(open.replace(/>$/, "")) > read.lastIndexOf(close),
    );
    if (isKnown && !isOpen && !sameValue(calls, full.slice(0, calls.length))) {
      const what = `a cut reply gave other calls\n  full ${show(full)}\n  cut  ${show(calls)}`;
      throw failure(example, prefix, what, prefix.length - 1);
    }
    // What has no name yet is not known to be a call; what has one was cut, whatever it looks like by then.
    const { content, rejected } = result;
    const misnamed = rejected.find(
      ({ reason, end, name, raw }) =>
        end === length && name !== undefined && misreadCuts.includes(reason) && !content.includes(raw),
    );
    if (misnamed !== undefined) {
      throw failure(
        example,
        prefix,
        `a cut call is ${misnamed.reason}, not truncated: ${misnamed.message}`,
        length - 1,
      );
    }
    const gap = tilingGap(result, prefix);
    if (gap !== undefined) throw failure(example, prefix, gap);
  }
}

/** Reasons that say of a call that is cut what it would have been. */
const misreadCuts: readonly string[] = ["malformed", "type-mismatch"];

/** One place where a call is only shown. `wrap` gives `undefined` when the text cannot stand there. */
export interface QuotingContext {
  name: string;
  /** The text in that context, and what of it is then seen; undefined: it cannot stand there. */
  wrap(text: string): { text: string; content: string; reasoning: string } | undefined;
}

/** The contexts in which a complete call must stay text: inline code, a fence, and a reasoning block. */
export function quotingContexts(facts: FormatFacts): QuotingContext[] {
  const inProse = (name: string, before: string, after: string, fits: (text: string) => boolean): QuotingContext => ({
    name,
    wrap(text) {
      if (!fits(text)) return undefined;
      const quoted = `${before}${text}${after}`;
      return { text: quoted, content: quoted, reasoning: "" };
    },
  });
  const contexts = [
    // Inline code ends with its line, and at the next backtick.
    inProse("inline code", "Write `", "` to do that.", (text) => !/[`\n]/.test(text)),
    inProse("a fence", "It looks so:\n\n```text\n", "\n```\n\nThat is all.", (text) => !/^ {0,3}```/m.test(text)),
    inProse("a tilde fence", "It looks so:\n\n~~~\n", "\n~~~\n\nThat is all.", (text) => !/^ {0,3}~~~/m.test(text)),
  ];
  if (facts.reasoning) {
    const {
      reasoning: [open, close],
      turns = [],
    } = facts;
    contexts.push({
      name: "reasoning",
      wrap: (text) =>
        // What opens another turn ends the message, and with it the thoughts that nothing has closed.
        [open, close, ...allTurnTokens(), ...turns].some((marker) => text.includes(marker))
          ? undefined
          : { text: `${open}A draft: ${text}${close}Done.`, content: "Done.", reasoning: `A draft: ${text}` },
    });
  }
  return contexts;
}

/** A call that is quoted is not made, and its text stays where the reader sees it. */
export function checkQuoting(
  example: CorpusCase,
  engine: Engine,
  facts: FormatFacts,
  contexts: readonly QuotingContext[] = quotingContexts(facts),
): void {
  // A prefill may leave the text inside something already: quoting it there is another case.
  if (example.prefill !== undefined || facts.startsReasoning) return;
  const run = runOf(example, engine, facts.format);
  for (const context of contexts) {
    const quoted = context.wrap(example.text);
    if (quoted === undefined) continue;
    for (const cuts of [[], everyUnit(quoted.text.length)]) {
      const { result } = observe(run, quoted.text, cuts);
      const calls = identities(result);
      const wrong =
        calls.length > 0
          ? `a call quoted in ${context.name} was made: ${show(calls)}`
          : result.content !== quoted.content
            ? `a call quoted in ${context.name} changed the content\n  expected ${show(quoted.content)}\n  got      ${show(result.content)}`
            : result.reasoning !== quoted.reasoning
              ? `a call quoted in ${context.name} changed the reasoning\n  expected ${show(quoted.reasoning)}\n  got      ${show(result.reasoning)}`
              : tilingGap(result, quoted.text);
      if (wrong !== undefined) throw failure(example, quoted.text, wrong, callsOf(result)[0]?.start);
    }
  }
}

/**
 * A bad block changes nothing in the good call before it, and nothing in the one after it unless the block never ended.
 *
 * @param bad a case without calls whose candidates were refused
 * @returns false when the two cannot stand in one message (the format reads the whole message as one call)
 */
export function checkIsolation(good: CorpusCase, bad: CorpusCase, engine: Engine, facts: FormatFacts): boolean {
  if (facts.startsReasoning || !isValidCase(good) || !isBlock(good) || !isBlock(bad)) return false;
  const run = runOf(good, engine, facts.format);
  const wanted = identities(run.whole(good.text));
  const twice = identities(run.whole(`${good.text}\n${good.text}`));
  if (!sameValue(twice, [...wanted, ...wanted])) return false;
  // With the tools of the good case the bad one may be refused for another reason, or be a call: then it is not bad.
  const alone = run.whole(bad.text);
  // What no opener begins counts as the start of a message only, such as one JSON value, damaged or not, or the rest of a header.
  const leading = bad.text.search(/\S/);
  if (
    facts.openers?.some((one) => bad.text.startsWith(one, leading)) === false &&
    (/["{[]/.test(bad.text[leading]) || alone.rejected.some(({ start }) => start <= leading))
  )
    return false;
  // Without an opener of its own it may belong to the block before it, where that was not closed.
  if (facts.openers !== undefined && !facts.openers.some((opener) => bad.text.includes(opener))) return false;
  if (alone.rejected.length === 0 || identities(alone).length > 0) return false;
  const order = ends(bad, run) ? ["before", "after"] : ["before"];
  for (const place of order) {
    const text = place === "before" ? `${good.text}\n${bad.text}` : `${bad.text}\n${good.text}`;
    const result = run.whole(text);
    const calls = identities(result);
    // A damaged neighbour never changes a call: it runs as it would alone, or is refused. One that no marker opens counts
    // as the whole message only.
    const isRefused = result.rejected.some(({ reason }) => neighbourReasons.includes(reason));
    if (!sameValue(calls, isRefused ? wanted.slice(0, calls.length) : wanted)) {
      const what = `a call ${place} a bad block (${bad.title}) is not what it is alone`;
      throw failure(good, text, `${what}\n  alone ${show(wanted)}\n  here  ${show(calls)}`);
    }
  }
  return true;
}

/** Why a call that is sound is refused beside another block. */
const neighbourReasons: readonly string[] = ["behind-damage", "ambiguous", "not-alone", "after-turn"];

/** Can this text be put beside another? A prefill or a finish reason belongs to a whole message. */
function isBlock(example: CorpusCase): boolean {
  return example.prefill === undefined && example.finishReason === undefined && example.text !== "";
}

/** Is the bad block over where its text ends: does a word after it come out as content? */
function ends(bad: CorpusCase, run: Run): boolean {
  const { text, rejected, content } = { text: bad.text, ...run.whole(`${bad.text}\nafter`) };
  const unclosed = rejected.some((rejection) => rejection.end > text.length);
  // An open fence or a quote would swallow what follows as well; both show in what is merely quoted.
  return !unclosed && content.endsWith("after") && rejected.every((rejection) => rejection.reason !== "quoted");
}

/** What makes a call the same call elsewhere: its name and arguments, not its place or id. */
function identities(result: HarnessResult): { name: string; arguments: unknown }[] {
  return callsOf(result).map((call) => ({ name: call.name, arguments: call.arguments }));
}

function failure(example: CorpusCase, text: string, what: string, at?: number): PropertyFailure {
  const origin = `${example.file}:${example.line}: made from "${example.title}"`;
  return new PropertyFailure(`${origin}\n${what}\n\ntext ${show(text)}`, { what: `${origin}\n${what}`, text, at });
}
