/** Recognisers beside the machine: what both say of the blocks in corpus cases, damaged at random. */
import { isDeepStrictEqual } from "node:util";
import { recognisers } from "../../generated/recognisers.ts";
import { loadCorpus } from "../../scripts/corpora.ts";
import { formats } from "../../src/index.ts";
import type { Hints } from "../../src/machine/hints.ts";
import { Machine } from "../../src/machine/machine.ts";
import { readyProgram } from "../../src/machine/program.ts";
import { Recognition } from "../../src/machine/recognition.ts";
import { openersOf } from "../../src/message/readings/openers.ts";
import { prepareTools, type ToolDefinition } from "../../src/validation/tools.ts";
import { Random } from "./sentences.ts";
import { damaged } from "./sound.ts";

/** A block as far as it has been read: its end, and the log. */
interface Reading {
  readonly end: number;
  readonly log: readonly number[];
}

interface BothReadings {
  /** Undefined: the recogniser leaves the block to the machine. */
  readonly recognised: Reading | undefined;
  /** Undefined: it is no block for the machine. */
  readonly machine: Reading | undefined;
}

/** What both say of every place of a text where an opener stands. */
export function readWith(id: string, text: string, tools: readonly ToolDefinition[]): BothReadings[] {
  const format = formats.get(id);
  const set = prepareTools(tools);
  const hints: Hints = { names: set.names, keysOf: (name) => set.get(name)?.keys };
  const recognition = new Recognition(recognisers[id], hints);
  const machine = new Machine(readyProgram(format.program), hints, 0, () => "");
  machine.isDriven = true;
  const openers = openersOf(format, undefined, set.names);
  const readings: BothReadings[] = [];
  for (let at = 0, next = 0; at < text.length; at = Math.max(next, at + 1)) {
    if (!openers.some((opener) => text.startsWith(opener, at))) continue;
    // What either has searched in vain before is forgotten.
    recognition.load(text);
    machine.load(text);
    const end = recognition.read(at);
    const recognised = end < 0 ? undefined : { end, log: recognition.log.slice(0, recognition.logTop) };
    machine.enterWhole(format.program.entries.block, at);
    const isRead = machine.run(true) === "done" && machine.safeLog === machine.logTop;
    const log = machine.log.slice(0, machine.logTop);
    if (isRead) next = machine.position;
    readings.push({ recognised, machine: isRead ? { end: machine.position, log } : undefined });
  }
  return readings;
}

export interface RecogniserReport {
  readonly id: string;
  blocks: number;
  /** Blocks that the recogniser has read. */
  read: number;
  /** What it read otherwise than the machine. */
  differences: string[];
}

/** Reads one in so many cases of a corpus, and so many damaged texts for each. */
export function compareRecogniser(id: string, perCase: number, seed: number, every = 1): RecogniserReport {
  const report: RecogniserReport = { id, blocks: 0, read: 0, differences: [] };
  const { cases } = loadCorpus(id);
  const random = new Random(seed);
  for (const [index, example] of cases.entries()) {
    const { tools } = example;
    if (tools === undefined || index % every !== seed % every) continue;
    const other = cases[(index + 1) % cases.length].text;
    for (let n = 0; n <= perCase; n++) {
      const text = n === 0 ? example.text : damaged(example.text, other, random);
      for (const { recognised, machine } of readWith(id, text, tools as readonly ToolDefinition[])) {
        report.blocks++;
        if (recognised === undefined) continue;
        report.read++;
        if (!isDeepStrictEqual(recognised, machine))
          report.differences.push(`${id}, ${example.title}: ${JSON.stringify(text)}`);
      }
    }
  }
  return report;
}
