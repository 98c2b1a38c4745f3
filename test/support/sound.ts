/** The second way to read a message, beside the first: what it says of corpus cases, damaged at random. */
import { isDeepStrictEqual } from "node:util";
import { loadCorpus } from "../../scripts/corpora.ts";
import { recovery } from "../../src/blocks/make-recovery.ts";
import { formats } from "../../src/index-node.ts";
import type { CoreParseOptions } from "../../src/message/options.ts";
import { PreparedMessages } from "../../src/message/prepared-messages.ts";
import { soundReaderOf } from "../../src/message/sound-message.ts";
import type { ParseResult } from "../../src/output/result.ts";
import type { CorpusCase } from "../../src/testing/read-corpus.ts";
import { validateSchema } from "../../src/validation/validate-schema.ts";
import { Random } from "./sentences.ts";

/** What the second way says of a text, and what the first says. */
interface BothWays {
  readonly second: ParseResult | undefined;
  readonly first: ParseResult;
}

export interface SoundReport {
  texts: number;
  /** Texts that the second way read. */
  read: number;
  /** What it read otherwise than the first. */
  differences: string[];
}

const plain = ({ telemetry, ...result }: ParseResult) => ({ ...result, telemetry: telemetry.record() });

export function readBothWays(text: string, messages: PreparedMessages): BothWays {
  const message = messages.message(undefined, false);
  message.push(text);
  message.end();
  return { first: message.result(), second: messages.sound(text) };
}

/** The same where the second way reads the text; where it does not, the first need not. */
const readIfSound = (text: string, messages: PreparedMessages): Partial<BothWays> =>
  messages.sound(text) === undefined ? {} : readBothWays(text, messages);

/** What the case asks for, as the root entry would. */
function optionsOf(ids: readonly string[], { tools, policy, finishReason }: CorpusCase): CoreParseOptions | undefined {
  const found = ids.flatMap((id) => formats.get(id) ?? []);
  if (found.length < ids.length || tools === undefined) return undefined;
  return {
    format: found,
    tools: tools as CoreParseOptions["tools"],
    policy: { validate: validateSchema, ...(policy as object) },
    recovery,
    soundReader: soundReaderOf,
    finishReason,
  };
}

/** A text with a few units taken out, put in, replaced or moved; or cut; or followed by another. */
export function damaged(text: string, other: string, random: Random): string {
  const place = (of: string) => random.below(of.length + 1);
  const unit = () => random.pick([...text, ...'{}[]"<>/\\: \n`,']);
  let result = text;
  for (let edits = 1 + random.below(2); edits > 0; edits--) {
    const at = place(result);
    const end = Math.min(result.length, at + 1 + random.below(random.chance(0.2) ? 30 : 3));
    const from = place(other);
    result = [
      () => result.slice(0, at) + result.slice(end),
      () => result.slice(0, at) + unit() + result.slice(at),
      () => result.slice(0, at) + unit() + result.slice(at + 1),
      () => result.slice(0, end) + result.slice(at),
      () => result.slice(0, at),
      () => result.slice(0, at) + other.slice(from, from + 1 + random.below(20)) + result.slice(at),
      () => result + random.pick(["", "\n", " and\n", "<"]) + other,
    ][random.below(7)]();
  }
  return result;
}

/** Which cases of a corpus are read, in which formats, and how many damaged texts for each. */
export interface Comparison {
  /** Beside the format of the corpus. */
  readonly others?: readonly string[];
  /** Every n-th case; default all. */
  readonly every?: number;
  readonly perCase: number;
  readonly seed: number;
}

/** Reads cases of a corpus, and damaged texts for each, both ways. */
export function compareWays(id: string, { others = [], every = 1, perCase, seed }: Comparison): SoundReport {
  const report: SoundReport = { texts: 0, read: 0, differences: [] };
  const { cases } = loadCorpus(id);
  const random = new Random(seed);
  for (const [index, example] of cases.entries()) {
    if (index % every !== seed % every) continue;
    const options = optionsOf([id, ...others], example);
    if (options === undefined) continue;
    const messages = new PreparedMessages(options);
    const other = cases[(index + 1) % cases.length].text;
    for (let n = 0; n <= perCase; n++) {
      const text = n === 0 ? example.text : damaged(example.text, other, random);
      report.texts++;
      // In a list what the first way has read says to the second what formats read alike.
      const { first, second } = others.length === 0 ? readIfSound(text, messages) : readBothWays(text, messages);
      if (second === undefined) continue;
      report.read++;
      if (!isDeepStrictEqual(first && plain(first), plain(second)))
        report.differences.push(`${[id, ...others]}, ${example.title}: ${JSON.stringify(text)}`);
    }
  }
  return report;
}
