/**
 * A million replies through `toolpeg parse --jsonl`: processor time against bare `parse()`, memory on the way, and a run that
 * is killed and goes on.
 *
 *     npm run build && npx tsx bench/batch/index.ts --replies 1000000
 *
 * Processor time is compared, not the clock: the machine may have other work. That changes with what others do to the caches,
 * so bare `parse()` runs before, between and after, and means count. Two cores that work at the same time are slower than one
 * that works alone: two threads are compared with `bare2`, two processes of bare `parse()` side by side. `--only bare,jobs1,bare`
 * runs some parts, as often as they are named; what they have found is kept in the folder (`--folder`), and the table is printed
 * of all that is there.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type * as Toolpeg from "../../src/index.ts";
import { formatIds, tools, workloadsOf } from "../workloads.ts";

const { values } = parseArgs({
  options: {
    replies: { type: "string", default: "1000000" },
    folder: { type: "string", default: join(tmpdir(), "toolpeg-bench-batch") },
    dist: { type: "string", default: fileURLToPath(new URL("../../dist/", import.meta.url)) },
    only: { type: "string", default: "generate,bare,jobs1,bare,bare2,jobs2,bare2,kill" },
    /** Runs bare `parse()` and prints what it found, for `bare2`. */
    child: { type: "boolean", default: false },
  },
});
const replies = Number(values.replies);
const folder = values.folder;
const { dist } = values;
mkdirSync(folder, { recursive: true });
const input = join(folder, "replies.jsonl");
const toolsFile = join(folder, "tools.json");
const resultsFile = join(folder, "results.json");
const megabyte = 1e6;

interface Found {
  cpuSeconds: number;
  seconds: number;
  /** Memory in MB at the tenths of the run, and the most. */
  memory?: number[];
  memoryMax?: number;
  /** Processor time of each run. */
  runs?: number[];
  note?: string;
}
const results: Record<string, Found> = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : {};

/** Replies as a log holds them: a sentence and a call, several calls, one that is damaged, prose alone; in eight formats. */
async function generate(): Promise<void> {
  writeFileSync(toolsFile, JSON.stringify(tools));
  const kinds = formatIds.flatMap((format) => {
    const [small] = workloadsOf(format);
    const damaged = small.text.replace(/"north"(?=\})/, "'north'").replace("read_dial", "read_dail");
    const texts = [
      small.text,
      small.text,
      `${small.text}\n`,
      damaged,
      "The north dial reads 7 bar; nothing is to be done.",
    ];
    return texts.map((text) => ({ format, text }));
  });
  const file = await open(input, "w");
  for (let at = 0; at < replies; ) {
    let block = "";
    for (const end = Math.min(at + 10_000, replies); at < end; at++) {
      block += `${JSON.stringify({ id: at, model: "m", ...kinds[at % kinds.length] })}\n`;
    }
    await file.write(block);
  }
  await file.close();
}

/** What a program of one's own would do: a line, `parse()`, nothing written. */
async function bare(): Promise<Found> {
  const { parse } = (await import(join(dist, "index.js"))) as typeof Toolpeg;
  let began = process.cpuUsage();
  let calls = 0;
  let parsing = 0;
  const start = performance.now();
  let block: { text: string; format: string }[] = [];
  const read = () => {
    began = process.cpuUsage();
    for (const { text, format } of block) calls += parse(text, { format, tools }).calls.length;
    const { user, system } = process.cpuUsage(began);
    parsing += (user + system) / 1e6;
    block = [];
  };
  for await (const line of createInterface({ input: createReadStream(input) })) {
    if (block.push(JSON.parse(line)) === 10_000) read();
  }
  read();
  return { cpuSeconds: parsing, seconds: (performance.now() - start) / 1000, note: `${calls} calls` };
}

/** Bare `parse()` in two processes at the same time; the mean of both. */
async function bareTwice(): Promise<Found> {
  const args = [...process.execArgv, process.argv[1], "--child", "--folder", folder, "--dist", dist];
  const run = async () => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    return (await json(child.stdout)) as Found;
  };
  const [one, two] = await Promise.all([run(), run()]);
  return { cpuSeconds: (one.cpuSeconds + two.cpuSeconds) / 2, seconds: Math.max(one.seconds, two.seconds) };
}

function command(output: string, ...further: string[]): ChildProcess {
  const args = ["parse", input, "--tools", toolsFile, "--format", "hermes", "--jsonl", "--compact", "-o", output];
  return spawn(process.execPath, [join(dist, "cli.js"), ...args, ...further], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Processor time and memory of a process, as the system counts them. */
function used(pid: number): { cpuSeconds: number; megabytes: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return { cpuSeconds: ticks / 100, megabytes: (pages * 4096) / megabyte };
  } catch {
    return undefined;
  }
}

/** Waits for a command and looks at it on the way. */
async function watched(child: ChildProcess): Promise<Found & { samples: number[] }> {
  const samples: number[] = [];
  let cpuSeconds = 0;
  const start = performance.now();
  const timer = setInterval(() => {
    const now = used(child.pid as number);
    if (now === undefined || now.megabytes === 0) return;
    cpuSeconds = Math.max(cpuSeconds, now.cpuSeconds);
    samples.push(now.megabytes);
  }, 100);
  const status = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  clearInterval(timer);
  if (status !== null && status !== 0) throw new Error(`the command ended with ${status}`);
  const tenths = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => Math.round(samples[Math.floor(samples.length * share)] ?? 0));
  const seconds = (performance.now() - start) / 1000;
  return { cpuSeconds, seconds, memory: tenths, memoryMax: Math.round(Math.max(...samples)), samples };
}

const outputOf = (name: string) => join(folder, `${name}.jsonl`);

function clear(output: string): void {
  for (const path of [output, `${output}.progress.json`]) rmSync(path, { force: true });
}

async function withJobs(jobs: number): Promise<Found> {
  const output = outputOf(`jobs${jobs}`);
  clear(output);
  const { samples: _, ...found } = await watched(command(output, "--jobs", `${jobs}`));
  return { ...found, note: await check(output) };
}

/** Every reply once, in order. */
async function check(output: string): Promise<string> {
  let next = 0;
  const hash = createHash("sha256");
  for await (const line of createInterface({ input: createReadStream(output) })) {
    const { id } = JSON.parse(line);
    if (id !== next) throw new Error(`${output}: the record ${next} has the id ${id}`);
    hash.update(line);
    next++;
  }
  if (next !== replies) throw new Error(`${output} holds ${next} records of ${replies} replies`);
  return `${next} records, ${hash.digest("hex").slice(0, 12)}`;
}

/** Killed again and again, without a chance to say goodbye, until a run comes to its end. */
async function killed(): Promise<Found> {
  const output = outputOf("killed");
  clear(output);
  let kills = 0;
  let found: Found | undefined;
  while (found === undefined) {
    const child = command(output, "--jobs", "2", "--resume");
    const timer = kills < 5 ? setTimeout(() => child.kill("SIGKILL"), 4000 + 2500 * kills) : undefined;
    const { samples: _, ...run } = await watched(child);
    clearTimeout(timer);
    if (child.signalCode === "SIGKILL") kills++;
    else found = run;
  }
  const note = await check(output);
  if (results.jobs1?.note !== undefined && results.jobs1.note !== note)
    throw new Error(`${note}, not ${results.jobs1.note}`);
  return { ...found, note: `killed ${kills} times: ${note}` };
}

/** The mean of the runs so far and one more. */
function withRun(before: Found | undefined, found: Found): Found {
  const runs = [...(before?.runs ?? []), found.cpuSeconds];
  const mean = runs.reduce((sum, one) => sum + one, 0) / runs.length;
  return { ...found, cpuSeconds: mean, runs };
}

const parts: Record<string, () => Promise<Found | undefined>> = {
  generate: async () => {
    await generate();
    return undefined;
  },
  bare,
  bare2: bareTwice,
  jobs1: () => withJobs(1),
  jobs2: () => withJobs(2),
  kill: killed,
};
if (values.child) {
  console.log(JSON.stringify(await bare()));
  process.exit();
}
for (const part of values.only.split(",")) {
  if (part === "generate") for (const name of Object.keys(results)) delete results[name];
  const found = await parts[part]();
  if (found !== undefined) results[part] = withRun(results[part], found);
  writeFileSync(resultsFile, JSON.stringify(results));
}

console.log(
  `${replies.toLocaleString("en")} replies, ${(statSync(input).size / megabyte).toFixed(0)} MB; Node ${process.version}, ${cpus().length} cores`,
);
console.log(
  "| | processor, s | of `parse()` | replies per processor second | clock, s | memory at 10, 30, 50, 70, 90 %, MB | most | |",
);
console.log("|---|---:|---:|---:|---:|---|---:|---|");
for (const [name, { cpuSeconds, seconds, memory = [], memoryMax, runs = [], note }] of Object.entries(results)) {
  const base = name === "jobs2" ? results.bare2 : results.bare;
  const share = base === undefined || !name.startsWith("jobs") ? "" : (cpuSeconds / base.cpuSeconds).toFixed(2);
  const rate = name === "kill" ? "" : Math.round(replies / cpuSeconds).toLocaleString("en");
  const cells = [
    name,
    cpuSeconds.toFixed(1),
    share,
    rate,
    seconds.toFixed(0),
    memory.join(", "),
    memoryMax ?? "",
    [...(runs.length > 1 ? [`mean of ${runs.map((one) => one.toFixed(1)).join(", ")}`] : []), note ?? ""].join("; "),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
