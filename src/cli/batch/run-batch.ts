import { resolve } from "node:path";
import { countText } from "../../contract/count-text.ts";
import { compressionOf } from "../compression.ts";
import type { CliEngine } from "../engine.ts";
import { Progress } from "../progress.ts";
import type { Input } from "../read-replies.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { blocksOf } from "./blocks-of.ts";
import { type FinishedBlock, localPool, type Pool, threadPool } from "./pool.ts";
import { addTally, type BatchSetup, type BatchTally, complaintsMax } from "./read-block.ts";
import { fileSink, type RunState, type Sink, terminalSink } from "./sink.ts";

export interface BatchOptions {
  setup: BatchSetup;
  jobs: number;
  /** A file; absent: standard output. */
  output?: string;
  resume: boolean;
}

/** What is being read, in order; `end` is where the run stands once it is written. */
interface Underway {
  input: number;
  end: RunState["place"];
  work: Promise<FinishedBlock>;
}

/**
 * Replies in, records out, in the order of the inputs. Memory does not grow with the input.
 *
 * @returns what was counted, a resumed run's earlier part included
 */
export async function runBatch(
  inputs: readonly Input[],
  { setup, jobs, output, resume }: BatchOptions,
  engine: CliEngine,
  terminal: Terminal,
): Promise<BatchTally> {
  if (output !== undefined && inputs.some(({ name }) => name !== "-" && resolve(name) === resolve(output))) {
    throw new UsageError(`${output} is an input too`, "name another output");
  }
  const compression = output === undefined ? "none" : compressionOf(output);
  // Misuse is reported before a file is touched.
  const local = await localPool(engine, setup, compression);
  const sink = output === undefined ? terminalSink(terminal) : await fileSink(output, runOf(inputs, setup), resume);
  if (sink.isDone) {
    terminal.err(`${output} is complete: ${countText(sink.start.tally.replies, "line")} of it were read before\n`);
    return sink.start.tally;
  }
  const { workerFile } = terminal;
  const threads = jobs > 1 && workerFile !== undefined;
  const pool = threads ? threadPool(workerFile, jobs, setup, compression) : local;
  try {
    return await readAll(inputs, pool, sink, terminal);
  } finally {
    await pool.close();
    await sink.close();
  }
}

/** What another run must share to go on with the output of this one. The size shows that a file was replaced. */
function runOf(inputs: readonly Input[], setup: BatchSetup): string {
  // A line that stopped the run may be left out when it goes on.
  const { skipBad: _, ...rest } = setup;
  return JSON.stringify([inputs.map(({ name, bytes, jsonl }) => [name, bytes, jsonl]), rest]);
}

async function readAll(inputs: readonly Input[], pool: Pool, sink: Sink, terminal: Terminal): Promise<BatchTally> {
  const state: RunState = structuredClone(sink.start);
  const pace = new Pace(inputs, state, terminal);
  const underway: Underway[] = [];
  let complaints = 0;
  const writeFirst = async () => {
    const { input, end, work } = underway.shift() as Underway;
    const finished = await work;
    addTally(state.tally, finished.tally);
    state.input = input;
    state.place = end;
    for (const complaint of finished.complaints) {
      if (complaints++ >= complaintsMax) break;
      pace.clear();
      terminal.err(`${terminal.errColours.yellow("left out")}: ${complaint}\n`);
    }
    await sink.write(finished.bytes, state);
    pace.show(state.tally);
  };
  try {
    for (let number = state.input; number < inputs.length; number++) {
      const from = number === sink.start.input ? sink.start.place : { line: 0, bytes: 0 };
      for await (const { block, end } of blocksOf(inputs[number], terminal, from, pace.onRead)) {
        const work = pool.read(block);
        // Its failure is met when its turn comes.
        work.catch(() => {});
        underway.push({ input: number, end, work });
        while (underway.length >= pool.width) await writeFirst();
      }
    }
    while (underway.length > 0) await writeFirst();
  } finally {
    pace.clear();
  }
  await sink.finish(state);
  return state.tally;
}

/** The line that says how far a run is, how fast, and how long it will take. */
class Pace {
  readonly #progress: Progress;
  readonly #total: number | undefined;
  readonly #before: number;
  readonly #started = Date.now();
  #read = 0;
  #skipped = 0;

  constructor(inputs: readonly Input[], { input, place, tally }: RunState, terminal: Terminal) {
    this.#progress = new Progress(terminal);
    const sizes = inputs.map(({ bytes }) => bytes);
    this.#total = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
    this.#skipped = inputs.slice(0, input).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
    if (compressionOf(inputs[input]?.name ?? "") === "none") this.#skipped += place.bytes;
    this.#before = tally.replies;
  }

  readonly onRead = (bytes: number): void => {
    this.#read += bytes;
  };

  show({ replies, bad }: BatchTally): void {
    this.#progress.show(() => {
      const seconds = (Date.now() - this.#started) / 1000;
      const rate = (replies - this.#before) / seconds;
      const parts = [`${replies.toLocaleString("en")} replies`, `${Math.round(rate).toLocaleString("en")}/s`];
      if (bad > 0) parts.push(`${bad.toLocaleString("en")} left out`);
      if (this.#total !== undefined && this.#total > 0 && this.#read > 0) {
        const done = Math.min(1, (this.#skipped + this.#read) / this.#total);
        const left = (seconds * (this.#total - this.#skipped - this.#read)) / this.#read;
        return [`${Math.floor(100 * done)}%`, ...parts, `${duration(Math.max(0, left))} left`].join(", ");
      }
      return parts.join(", ");
    });
  }

  clear(): void {
    this.#progress.clear();
  }
}

/** `42 s`, `3 min`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
