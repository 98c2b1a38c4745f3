/**
 * `npm run bench [-- --quick] [--format hermes,...] [--dry]`, `npm run bench -- --cold [--runs 41]`,
 * `npm run bench -- --bars [--rounds 25]`: measures the bundled library against the floor, a
 * hand-written scanner, stock Peggy and the best npm peer; writes docs/benchmarks.md, its charts, results.json and the
 * README's table.
 */
import { deepStrictEqual } from "node:assert";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { do_not_optimize, measure } from "mitata";
import { updatePart } from "../scripts/made-files.ts";
import { barRows, printBar } from "./bars.ts";
import { coldRows, printCold } from "./cold.ts";
import { printLists } from "./lists.ts";
import { bundleFolder, bundleToolpeg, chunkReaders, type Toolpeg, wholeReaders } from "./participants.ts";
import { type Row, readmeSpeed, writeReport } from "./report.ts";
import {
  argumentOf,
  type Call,
  chunksOf,
  type FormatId,
  formatIds,
  prose,
  tools,
  type Workload,
  workloadsOf,
} from "./workloads.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean" },
    dry: { type: "boolean" },
    format: { type: "string" },
    cold: { type: "boolean" },
    lists: { type: "boolean" },
    runs: { type: "string" },
    bars: { type: "boolean" },
    rounds: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const chunkSizes = [4, 16, 64];
/** The npm peer reads its buffer anew for every chunk: longer streams would take minutes. */
const peerChunksMax = 12_000;
/** Time each measurement gets, in nanoseconds, and how many runs at least. */
const budget = { min_cpu_time: flags.quick ? 40e6 : 150e6, min_samples: 5 };

/** The compiler of the engine gets its time before the clock runs. */
const warmUpMilliseconds = flags.quick ? 60 : 200;
/** What takes longer than this is run twice, not often. */
const slowMilliseconds = 150;

async function timeOf(run: () => unknown): Promise<number> {
  const began = performance.now();
  let fastest = Number.POSITIVE_INFINITY;
  while (performance.now() - began < warmUpMilliseconds || fastest === Number.POSITIVE_INFINITY) {
    const start = performance.now();
    do_not_optimize(run());
    fastest = Math.min(fastest, performance.now() - start);
  }
  if (fastest > slowMilliseconds) {
    const start = performance.now();
    do_not_optimize(run());
    return Math.min(fastest, performance.now() - start) * 1000;
  }
  const { p25 } = await measure(() => do_not_optimize(run()), budget);
  return p25 / 1000;
}

/** Asynchronous readers are timed by hand: few runs, the best counts. */
async function timeOfAsync(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 3; n++) {
    const start = performance.now();
    await run();
    best = Math.min(best, performance.now() - start);
  }
  return best * 1000;
}

function isRight(found: Call[] | number, expected: readonly Call[]): boolean {
  if (typeof found === "number") return found === expected.length;
  try {
    deepStrictEqual(found, expected);
    return true;
  } catch {
    return false;
  }
}

async function wholeRow(toolpeg: Toolpeg, format: FormatId, { name, text, calls }: Workload): Promise<Row> {
  const row: Row = { format, workload: name, chars: text.length, chunk: 0, times: {}, wrong: [] };
  for (const reader of wholeReaders(toolpeg, format)) {
    let found: Call[] | number = -1;
    try {
      found = reader.callsOf(text);
    } catch {
      // Counts as wrong.
    }
    if (isRight(found, calls)) row.times[reader.name] = await timeOf(() => reader.read(text));
    else row.wrong.push(reader.name);
  }
  return row;
}

async function chunkRow(toolpeg: Toolpeg, format: FormatId, workload: Workload, size: number): Promise<Row> {
  const { name, text, calls } = workload;
  const row: Row = { format, workload: name, chars: text.length, chunk: size, times: {}, wrong: [] };
  const chunks = chunksOf(text, size);
  for (const reader of chunkReaders(toolpeg, format)) {
    const isPeer = reader.name.startsWith("@");
    if (isPeer && (size !== 4 || chunks.length > peerChunksMax)) continue;
    const found = await reader.read(chunks);
    if (!isRight(found, calls)) row.wrong.push(reader.name);
    else if (isPeer) row.times[reader.name] = await timeOfAsync(async () => reader.read(chunks));
    else row.times[reader.name] = await timeOf(() => reader.read(chunks));
  }
  return row;
}

const ratio = (value: number | undefined, base: number | undefined) =>
  value === undefined || base === undefined ? "-" : `${(value / base).toFixed(2)}x`;

const median = (list: number[]) => list.sort((left, right) => left - right)[list.length >> 1];

/** Time of the processor so far: other programs on the machine take none of it. */
function workMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Time by size, and the exponent of the line through the points: also of the floor, since memory for long strings costs more. */
function growth(toolpeg: Toolpeg, format: FormatId) {
  const sizes = flags.quick ? [10_000, 100_000, 1_000_000] : [10_000, 100_000, 1_000_000, 10_000_000];
  const points: { chars: number; whole: number; chunked: number; floor: number }[] = [];
  for (const chars of sizes) {
    const { text } = argumentOf(format, chars);
    const chunks = chunksOf(text, 16);
    const [floor, parsing] = wholeReaders(toolpeg, format);
    const [streaming] = chunkReaders(toolpeg, format);
    const best = (run: () => unknown) => {
      const times: number[] = [];
      for (let n = 0; n < (chars > 1e6 ? 3 : 15); n++) {
        const start = workMilliseconds();
        run();
        times.push(workMilliseconds() - start);
      }
      return Math.min(...times);
    };
    points.push({
      chars,
      whole: best(() => parsing.read(text)),
      chunked: best(() => streaming.read(chunks)),
      floor: best(() => floor.read(text)),
    });
  }
  const exponent = (key: "whole" | "chunked" | "floor") => {
    // From 100 KB on: below, what a message costs by itself hides the growth.
    const xs = points.slice(1).map(({ chars }) => Math.log(chars));
    const ys = points.slice(1).map((point) => Math.log(point[key]));
    const [meanX, meanY] = [xs, ys].map((list) => list.reduce((sum, one) => sum + one, 0) / list.length);
    const up = xs.reduce((sum, x, at) => sum + (x - meanX) * (ys[at] - meanY), 0);
    return up / xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  };
  return {
    format,
    points,
    wholeExponent: exponent("whole"),
    chunkedExponent: exponent("chunked"),
    floorExponent: exponent("floor"),
  };
}

/** Cost of a chunk in the first and the last tenth of a 1 MB argument, in nanoseconds. */
function tenths(toolpeg: Toolpeg, format: FormatId) {
  const chunks = chunksOf(argumentOf(format, 1_000_000).text, 4);
  const tenth = Math.floor(chunks.length / 10);
  const runs = [...Array(7)].map(() => {
    const parser = toolpeg.createParser({ format, tools });
    const marks: number[] = [];
    for (const [at, chunk] of chunks.entries()) {
      if (at % tenth === 0) marks.push(workMilliseconds());
      parser.push(chunk);
    }
    const cost = (from: number) => ((marks[from + 1] - marks[from]) / tenth) * 1e6;
    return { first: cost(0), last: cost(8) };
  });
  const first = median(runs.slice(2).map((run) => run.first));
  const last = median(runs.slice(2).map((run) => run.last));
  return { format, first, last, ratio: last / first };
}

/** Heap that stays in use while 10 MB of prose pass by, content not kept. */
function memory(toolpeg: Toolpeg): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const parser = toolpeg.createParser({ format: "hermes", tools, retain: "calls" });
  const piece = prose(64_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 160; n++) for (const chunk of chunksOf(piece, 64)) parser.push(chunk);
  collect();
  const used = process.memoryUsage().heapUsed - before;
  parser.end();
  return used / 1024;
}

const toolpeg = await bundleToolpeg();
if (flags.cold) {
  printCold(coldRows(bundleFolder, Number(flags.runs ?? 41)));
  process.exit(0);
}
if (flags.bars) {
  await barRows(toolpeg, Number(flags.rounds ?? 25), printBar);
  for (const format of ["hermes", "qwen3_coder"] as const) {
    const { wholeExponent, chunkedExponent, floorExponent } = growth(toolpeg, format);
    const bar = { unit: `growth exponent, ${floorExponent.toFixed(2)} of the floor`, bar: 1.05 };
    printBar({ ...bar, name: `${format}, time by size, whole`, figure: wholeExponent });
    printBar({ ...bar, name: `${format}, time by size, in chunks of 16`, figure: chunkedExponent });
    const { ratio: tenth } = tenths(toolpeg, format);
    printBar({ name: `${format}, 1 MB`, unit: "last tenth over first tenth", figure: tenth, bar: 1.2 });
  }
  const { rows: coldOnes } = coldRows(bundleFolder, Number(flags.runs ?? 15));
  const [{ import: importTime, importWork, parse: parseTime = 0, parseWork = 0 }] = coldOnes;
  printBar({ name: "import, fresh process", unit: "ms", figure: importTime, bar: 15 });
  printBar({ name: "import, fresh process, processor", unit: "ms", figure: importWork, bar: 15 });
  printBar({ name: "first parse, fresh process", unit: "ms", figure: parseTime, bar: 3 });
  printBar({ name: "first parse, fresh process, processor", unit: "ms", figure: parseWork, bar: 3 });
  process.exit(0);
}
if (flags.lists) {
  printLists(toolpeg);
  process.exit(0);
}
const ids = (flags.format?.split(",") ?? formatIds) as FormatId[];
const rows: Row[] = [];
for (const format of ids) {
  for (const workload of workloadsOf(format)) {
    const whole = await wholeRow(toolpeg, format, workload);
    rows.push(whole);
    const { floor, "toolpeg parse": parse, "toolpeg extract": extract } = whole.times;
    const peer = whole.times["@ai-sdk-tool/parser"];
    console.log(
      `${format.padEnd(14)} ${workload.name.padEnd(16)} whole: ${parse?.toFixed(1)} us, ${ratio(parse, floor)} the floor ` +
        `(extract ${ratio(extract, floor)}), Peggy ${ratio(whole.times["stock Peggy"], parse)}, npm peer ${ratio(peer, parse)}` +
        `${whole.wrong.length ? `; wrong: ${whole.wrong.join(", ")}` : ""}`,
    );
    for (const size of chunkSizes) {
      const row = await chunkRow(toolpeg, format, workload, size);
      rows.push(row);
      const chunkCount = Math.ceil(row.chars / size);
      console.log(
        `${"".padEnd(31)} chunks of ${String(size).padEnd(2)}: ${((row.times.toolpeg / chunkCount) * 1000).toFixed(0)} ns a chunk, ` +
          `${ratio(row.times.toolpeg, row.times["hand-written scanner"])} the scanner, npm peer ` +
          `${ratio(row.times["@ai-sdk-tool/parser"], row.times.toolpeg)}${row.wrong.length ? `; wrong: ${row.wrong.join(", ")}` : ""}`,
      );
    }
  }
}
const growths = [];
const tenthRows = [];
for (const format of ids) {
  const grown = growth(toolpeg, format);
  const tenth = tenths(toolpeg, format);
  growths.push(grown);
  tenthRows.push(tenth);
  console.log(
    `${format.padEnd(14)} time ~ size^${grown.wholeExponent.toFixed(2)} whole (floor ${grown.floorExponent.toFixed(2)}), size^${grown.chunkedExponent.toFixed(2)} in chunks of 16; ` +
      `last tenth / first tenth of 1 MB: ${tenth.ratio.toFixed(2)}`,
  );
}
const memoryKilobytes = memory(toolpeg);
const cold = coldRows(bundleFolder, flags.quick ? 9 : 41);
const startUpMilliseconds = cold.rows[0].import;
console.log(`memory that 10 MB of prose leave (retain: "calls"): ${memoryKilobytes.toFixed(0)} KB`);
printCold(cold);

if (!flags.dry) {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    node: process.version,
    system: `${platform()} ${release()}`,
  };
  const date = new Date().toISOString().slice(0, 10);
  const results = { version, date, machine, rows, growths, tenths: tenthRows, memoryKilobytes, startUpMilliseconds };
  mkdirSync(`${root}docs/benchmarks`, { recursive: true });
  writeFileSync(`${root}docs/benchmarks/results.json`, `${JSON.stringify(results, null, 1)}\n`);
  for (const [name, text] of writeReport(results)) writeFileSync(`${root}docs/${name}`, text);
  updatePart("README.md", ["<!-- speed:start -->", "<!-- speed:end -->"], readmeSpeed(results), "npm run bench");
  console.log("wrote docs/benchmarks.md, its charts, docs/benchmarks/results.json and the table of the README");
}
