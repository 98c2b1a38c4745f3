/**
 * `npm run bench -- --bars [--rounds 25]`: how the library stands against what it has to reach. All readers of a row take turns
 * in one process, and each figure is the median of what the turns gave, in time of the processor: other work on the machine
 * falls on all alike.
 */
import { do_not_optimize } from "mitata";
import { type ChunkReader, chunkReaders, type Toolpeg, type WholeReader, wholeReaders } from "./participants.ts";
import { chunksOf, type FormatId, tools, workloadsOf } from "./workloads.ts";

export interface BarRow {
  readonly name: string;
  /** What is compared, in words: `times the floor`. */
  readonly unit: string;
  readonly figure: number;
  readonly bar: number;
  /** Above the bar is good. */
  readonly isLeast?: boolean;
  /** Microseconds of the library, where the figure is a ratio. */
  readonly microseconds?: number;
}

type Run = () => unknown;

const median = (values: number[]) => values.sort((left, right) => left - right)[values.length >> 1];

/** A turn takes about so long. */
const turnMilliseconds = 3;
/** A reader is warm when it is no faster any more, and has run so long at least: the engine compiles beside it at first. */
const warmUp = { stepMilliseconds: 250, least: 2, most: 12, gain: 0.95 };

/** Whether a reader is warm after a step of its warm-up, by what a run has taken in each. */
function isWarm(steps: readonly number[]): boolean {
  const [before, last] = steps.slice(-2);
  return steps.length >= warmUp.most || (steps.length >= warmUp.least && last > before * warmUp.gain);
}

/** A reader is warmed up by running it each time that this asks for it. @returns how often it runs in a turn */
function* warming(): Generator<void, number> {
  const steps: number[] = [];
  while (!isWarm(steps)) {
    const began = process.cpuUsage();
    let runs = 0;
    for (; workSince(began) < warmUp.stepMilliseconds * 1000 || runs < 3; runs++) yield;
    steps.push(workSince(began) / runs);
  }
  return Math.max(1, Math.round((turnMilliseconds * 1000) / steps[steps.length - 1]));
}

function repeatsOf(run: Run): number {
  const steps = warming();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    do_not_optimize(run());
  }
}

async function repeatsLater(run: Run): Promise<number> {
  const steps = warming();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await run();
  }
}

/** Time of the processor: what other programs take of the clock is none of a reader's. */
function workSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

function turn(run: Run, repeats: number): number {
  const start = process.cpuUsage();
  for (let n = 0; n < repeats; n++) do_not_optimize(run());
  return workSince(start) / repeats;
}

/** The medians of two readers in turns, and of the ratio of neighbouring turns. */
function inTurns(ours: Run, other: Run, rounds: number): { ratio: number; ours: number; other: number } {
  const repeats = [repeatsOf(ours), repeatsOf(other)];
  const turns: [number, number][] = [];
  for (let round = 0; round < rounds; round++) turns.push([turn(ours, repeats[0]), turn(other, repeats[1])]);
  return {
    ratio: median(turns.map(([left, right]) => left / right)),
    ours: median(turns.map(([left]) => left)),
    other: median(turns.map(([, right]) => right)),
  };
}

/** The same where a reader is asynchronous: both are warm as above before the clock runs, and a turn takes as long. */
async function inTurnsLater(ours: Run, other: Run, rounds: number) {
  const turns: [number, number][] = [];
  const repeats = [await repeatsLater(ours), await repeatsLater(other)];
  for (let round = 0; round < rounds; round++) {
    const pair: number[] = [];
    for (const [at, run] of [ours, other].entries()) {
      const start = process.cpuUsage();
      for (let n = 0; n < repeats[at]; n++) await run();
      pair.push(workSince(start) / repeats[at]);
    }
    turns.push(pair as [number, number]);
  }
  return { ratio: median(turns.map(([left, right]) => right / left)), ours: median(turns.map(([left]) => left)) };
}

const peerName = "@ai-sdk-tool/parser";
const named = <Reader extends WholeReader | ChunkReader>(readers: readonly Reader[], name: string) =>
  readers.find((reader) => reader.name === name);

/** Measures every bar but those of fresh processes and of growth. */
export async function barRows(toolpeg: Toolpeg, rounds: number, report: (row: BarRow) => void): Promise<BarRow[]> {
  const rows: BarRow[] = [];
  const add = (row: BarRow) => {
    rows.push(row);
    report(row);
  };
  const floorBars: [FormatId, number, number][] = [
    ["hermes", 4, 2.5],
    ["qwen3_coder", 5, 3.5],
    ["glm45", 5, 3.5],
    ["morph_xml", 5, 3.5],
  ];
  for (const [format, small, twenty] of floorBars) {
    for (const [at, bar] of [small, twenty].entries()) {
      const { name, text } = workloadsOf(format)[at];
      const [floor, parse] = wholeReaders(toolpeg, format);
      const { ratio, ours } = inTurns(
        () => parse.read(text),
        () => floor.read(text),
        rounds,
      );
      add({ name: `${format}, ${name}`, unit: "times the floor", figure: ratio, bar, microseconds: ours });
    }
  }
  for (const format of ["hermes", "qwen3_coder", "morph_xml"] as const) {
    for (const { name, text, calls } of workloadsOf(format)) {
      const readers = wholeReaders(toolpeg, format);
      const [, parse] = readers;
      const peer = named(readers, peerName);
      const found = peer?.callsOf(text);
      if (peer === undefined || typeof found !== "object" || JSON.stringify(found) !== JSON.stringify(calls)) continue;
      const isLong = text.length > 100_000;
      const { ratio, other: ours } = inTurns(
        () => peer.read(text),
        () => parse.read(text),
        isLong ? 5 : rounds,
      );
      const unit = "times as fast as the npm peer";
      add({ name: `${format}, ${name}`, unit, figure: ratio, bar: 3, isLeast: true, microseconds: ours });
      const fresh = structuredClone(tools);
      const clone = inTurns(
        () => peer.read(text),
        () => toolpeg.parse(text, { format, tools: [...fresh] }),
        isLong ? 5 : rounds,
      );
      add({ name: `${format}, ${name}, a fresh array of tools`, unit, figure: clone.ratio, bar: 3, isLeast: true });
    }
  }
  for (const format of ["hermes", "qwen3_coder"] as const) {
    const workload = workloadsOf(format)[1];
    // Over 10 KB: the same 20 calls again and again.
    const chunks = chunksOf(`${workload.text}\n`.repeat(4), 4);
    const readers = chunkReaders(toolpeg, format);
    const [ours, peer] = [readers[0], named(readers, peerName)];
    if (peer === undefined) continue;
    const { ratio, ours: time } = await inTurnsLater(
      () => ours.read(chunks),
      () => peer.read(chunks),
      5,
    );
    const unit = "times as fast as the npm peer";
    add({
      name: `${format}, 80 calls in chunks of 4`,
      unit,
      figure: ratio,
      bar: 10,
      isLeast: true,
      microseconds: time,
    });
  }
  {
    const { text } = workloadsOf("hermes")[0];
    const { ratio, ours } = inTurns(
      () => toolpeg.parse(text, { format: "auto", tools }),
      () => toolpeg.parse(text, { format: "hermes", tools }),
      rounds,
    );
    add({ name: '"auto", short reply', unit: "times one format", figure: ratio, bar: 3, microseconds: ours });
  }
  const chunkBars: [FormatId, number, number][] = [
    ["hermes", 2, 1.7],
    ["hermes", 1, 2.5],
    ["qwen3_coder", 1, 3.5],
  ];
  for (const [format, at, bar] of chunkBars) {
    const { name, text } = workloadsOf(format)[at];
    const chunks = chunksOf(text, 4);
    const readers = chunkReaders(toolpeg, format);
    const scanner = named(readers, "hand-written scanner") as ChunkReader;
    const { ratio, ours } = inTurns(
      () => readers[0].read(chunks),
      () => scanner.read(chunks),
      at === 2 ? 7 : rounds,
    );
    const unit = "times the scanner";
    add({ name: `${format}, ${name} in chunks of 4`, unit, figure: ratio, bar, microseconds: ours });
  }
  add(freshTools(toolpeg, rounds));
  return rows;
}

/** What a fresh array of tools with the same content costs over the same array. */
function freshTools(toolpeg: Toolpeg, rounds: number): BarRow {
  const { text } = workloadsOf("hermes")[0];
  const repeats = 200;
  const clones = () => Array.from({ length: repeats }, () => structuredClone(tools));
  const same = Array.from({ length: repeats }, () => tools);
  const time = (sets: (typeof tools)[]) => {
    const start = process.cpuUsage();
    for (const set of sets) do_not_optimize(toolpeg.parse(text, { format: "hermes", tools: set }));
    return workSince(start) / repeats;
  };
  const turns: [number, number][] = [];
  for (let round = -5; round < rounds; round++) {
    const pair: [number, number] = [time(clones()), time(same)];
    if (round >= 0) turns.push(pair);
  }
  const figure = median(turns.map(([fresh]) => fresh)) - median(turns.map(([, known]) => known));
  return { name: "a fresh array of tools, same content", unit: "us over the same array", figure, bar: 4 };
}

/** One line for each bar. */
export function printBar({ name, unit, figure, bar, isLeast = false, microseconds }: BarRow): void {
  const isMet = isLeast ? figure >= bar : figure <= bar;
  const time = microseconds === undefined ? "" : `, ${microseconds.toFixed(1)} us`;
  const sign = isLeast ? ">=" : "<=";
  console.log(
    `${isMet ? "met " : "MISS"} ${name.padEnd(52)} ${figure.toFixed(2).padStart(8)} ${unit} (bar ${sign} ${bar}${time})`,
  );
}
