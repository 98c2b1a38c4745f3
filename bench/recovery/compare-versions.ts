/**
 * This checkout against another one, such as the commit before a piece of work: the same texts, run by turns in one
 * process. `npx tsx bench/recovery/compare-versions.ts OTHER_CHECKOUT [--quick] [--only PART_OF_A_NAME]`. Below 1: this one is
 * faster.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as here from "../../src/json-repair/index.ts";
import { damages } from "./damage.ts";
import { conditionsOf, makeText } from "./large-text.ts";
import { Random } from "./random.ts";
import { worstCases } from "./worst-cases.ts";

type Library = typeof here;

const {
  positionals: [other],
  values: { quick, only },
} = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});
if (other === undefined) throw new Error("the other checkout is missing");
// The folder had another name once.
const folder = ["src/json-repair", "src/recovery"].find((name) => existsSync(resolve(other, name)));
if (folder === undefined) throw new Error(`${other} is no checkout of this project`);
const there = (await import(pathToFileURL(resolve(other, folder, "index.ts")).href)) as Library;
const secondsPerRow = quick ? 0.5 : 4;

const whole =
  ({ repairJson }: Library) =>
  (text: string): unknown =>
    repairJson(text);
const inChunks =
  ({ RepairReader, ValueBuilder }: Library) =>
  (text: string): unknown => {
    const builder = new ValueBuilder();
    const reader = new RepairReader(builder);
    for (let at = 0; at < text.length; at += 4096) reader.push(text.slice(at, at + 4096));
    reader.finish(false);
    return builder.value;
  };

/**
 * Milliseconds of the processor, not of the clock: the machine may have other work. Texts are read together, so that a turn takes
 * long enough to be measured.
 */
function timeOf(read: (text: string) => unknown, texts: readonly string[], repeat: number): number {
  const start = process.cpuUsage();
  for (let run = 0; run < repeat; run++) for (const text of texts) read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Quartiles of this / other, and the milliseconds of this one. */
function compare(make: (library: Library) => (text: string) => unknown, texts: readonly string[]): string {
  const mine = make(here);
  const theirs = make(there);
  timeOf(theirs, texts, 1);
  const once = timeOf(mine, texts, 1);
  const repeat = Math.max(1, Math.ceil(5 / Math.max(once, 0.001)));
  const ratios: number[] = [];
  const times: number[] = [];
  const until = performance.now() + secondsPerRow * 1000;
  for (let turn = 0; turn < 9 || (performance.now() < until && turn < 400); turn++) {
    // Who comes first changes, so that neither always pays for the other's garbage.
    const first = turn % 2 === 0 ? mine : theirs;
    const second = turn % 2 === 0 ? theirs : mine;
    const one = timeOf(first, texts, repeat);
    const two = timeOf(second, texts, repeat);
    const [ours, others] = first === mine ? [one, two] : [two, one];
    ratios.push(ours / others);
    times.push(ours / repeat);
  }
  const at = (values: number[], part: number): number =>
    values.sort((left, right) => left - right)[Math.floor(values.length * part)];
  return `${at(times, 0.5).toFixed(3)} | ${at(ratios, 0.5).toFixed(2)} | ${at(ratios, 0.25).toFixed(2)} to ${at(ratios, 0.75).toFixed(2)}`;
}

function row(name: string, make: (library: Library) => (text: string) => unknown, texts: readonly string[]): void {
  if (name.includes(only)) console.log(`| ${name} | ${compare(make, texts)} |`);
}

console.log("| texts | ms | this / other, median | quartiles |\n| --- | ---: | ---: | ---: |");
for (const [sizeName, size] of [["1 KB", 1e3] as const, ["100 KB", 1e5] as const, ["5 MB", 5e6] as const]) {
  for (const [condition, text] of conditionsOf(makeText(size))) {
    row(`${condition}, ${sizeName}`, whole, [text]);
    if (condition === "broken early") row(`${condition}, ${sizeName}, in chunks`, inChunks, [text]);
  }
}
const random = new Random(20261121);
const damaged = damages.flatMap((damage) => Array.from({ length: 10 }, () => damage.make(random).text));
row(`the damage table, ${damaged.length} texts`, whole, damaged);
row("the damage table, in chunks", inChunks, damaged);
for (const [name, text] of worstCases(2e4)) row(name, whole, [text]);
