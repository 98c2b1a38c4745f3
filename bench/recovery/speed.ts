/**
 * How long a document takes: valid, broken early, broken late, at three sizes, and worst cases; against the peers.
 * `npx tsx bench/recovery/speed.ts [--quick]`. Median of several runs. A peer that needs longer than the guard on a
 * small size is not asked about the next one; jsonrepair's stream is cut off when it does not end.
 */
import type { Transform } from "node:stream";
import { jsonrepairTransform } from "jsonrepair/stream";
import { RepairReader, repairJson, ValueBuilder } from "../../src/json-repair/index.ts";
import { conditionsOf, makeText } from "./large-text.ts";
import { peers } from "./peers.ts";
import { worstCases } from "./worst-cases.ts";

const quick = process.argv.includes("--quick");
const guardMilliseconds = 20_000;
const worstGuardMilliseconds = 4_000;
const sizes: [string, number][] = [
  ["1 KB", 1e3],
  ["100 KB", 1e5],
  ["5 MB", 5e6],
];
const largest = "5 MB";
const streamed = "jsonrepair, stream";

const readers: [string, (text: string) => unknown][] = [
  ["JSON.parse", (text) => JSON.parse(text)],
  [
    "toolpeg",
    (text) => {
      const result = repairJson(text);
      if (!result.ok) throw new Error(result.reason);
      return result.value;
    },
  ],
  [
    "toolpeg, 4 KB chunks",
    (text) => {
      const builder = new ValueBuilder();
      const reader = new RepairReader(builder);
      for (let at = 0; at < text.length; at += 4096) reader.push(text.slice(at, at + 4096));
      reader.finish(false);
      if (reader.state === "failed") throw new Error(reader.failure?.reason);
      return builder.value;
    },
  ],
  ...Object.entries(peers),
];

/** Median of the milliseconds a run takes, or why there is none. */
function measure(read: (text: string) => unknown, text: string): number | string {
  const times: number[] = [];
  const runs = text.length > 1e6 ? 5 : text.length > 1e4 ? 15 : 200;
  const until = performance.now() + (quick ? 300 : 3000);
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    try {
      read(text);
    } catch (error) {
      return error instanceof RangeError ? "stack overflow" : "refused";
    }
    times.push(performance.now() - start);
    if (performance.now() > until) break;
  }
  times.sort((left, right) => left - right);
  return times[times.length >> 1];
}

function jsonrepairStream(text: string): Promise<number | string> {
  return new Promise((resolve) => {
    const start = performance.now();
    const timer = setTimeout(() => {
      stream.destroy();
      resolve("hangs");
    }, 5000);
    const done = (answer: number | string): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const pieces: string[] = [];
    const stream = jsonrepairTransform() as Transform;
    stream.on("data", (piece: Buffer) => pieces.push(piece.toString()));
    stream.on("error", () => done("refused"));
    stream.on("end", () => {
      try {
        JSON.parse(pieces.join(""));
        done(performance.now() - start);
      } catch {
        done("not JSON");
      }
    });
    for (let at = 0; at < text.length; at += 65536) stream.write(text.slice(at, at + 65536));
    stream.end();
  });
}

const show = (time: number | string): string =>
  typeof time === "string" ? time : time < 1 ? time.toFixed(3) : time.toFixed(1);
/** How many times longer the larger text took. */
const growth = (small: number | string, large: number | string): string =>
  typeof small === "number" && typeof large === "number" ? ` ×${(large / small).toFixed(0)}` : "";
const names = [...readers.map(([name]) => name), streamed];
const header = (first: string): string =>
  `| ${first} | ${names.join(" | ")} |\n| --- |${" ---: |".repeat(names.length)}`;

console.log(
  `Milliseconds, median; in brackets how many times longer than the text that is 50 times shorter.\n\n${header("document")}`,
);
const slow = new Set<string>();
const before = new Map<string, number | string>();
for (const [sizeName, size] of sizes) {
  for (const [kind, text] of conditionsOf(makeText(size))) {
    const row: string[] = [];
    for (const [name, read] of [...readers, [streamed, undefined] as const]) {
      const place = `${kind}/${name}`;
      const time = slow.has(place)
        ? "too slow"
        : read === undefined
          ? await jsonrepairStream(text)
          : measure(read, text);
      if (typeof time === "number" && time * 50 > guardMilliseconds) slow.add(place);
      const grown = sizeName === largest ? growth(before.get(place) ?? "", time) : "";
      before.set(place, time);
      row.push(show(time) + (grown === "" ? "" : ` (${grown.trim()})`));
    }
    console.log(`| ${kind}, ${sizeName} | ${row.join(" | ")} |`);
  }
}

const smallLength = 1e4;
const largeLength = 1e5;
console.log(
  `\nWorst cases: milliseconds for ${smallLength} and for ${largeLength} characters, and how many times longer; 10 is linear.\n\n${header("case | steps per character").replace("| --- |", "| --- | ---: |")}`,
);
const large = new Map(worstCases(largeLength));
let steepest = 0;
for (const [name, text] of worstCases(smallLength)) {
  const long = large.get(name) as string;
  const reader = new RepairReader(new ValueBuilder());
  reader.push(long);
  reader.finish(false);
  const row: string[] = [];
  for (const [who, read] of [...readers, [streamed, undefined] as const]) {
    const ask = (input: string): number | string | Promise<number | string> =>
      read === undefined ? jsonrepairStream(input) : measure(read, input);
    const short = await ask(text);
    // What is quadratic would take minutes.
    const tooLong = typeof short === "number" && short * 100 > worstGuardMilliseconds;
    const time = tooLong ? "too slow" : await ask(long);
    if (who.startsWith("toolpeg") && typeof short === "number" && typeof time === "number" && short > 0.5) {
      steepest = Math.max(steepest, time / short);
    }
    row.push(short === time ? String(time) : `${show(short)} → ${show(time)}${growth(short, time)}`);
  }
  console.log(`| ${name} | ${(reader.steps / long.length).toFixed(1)} | ${row.join(" | ")} |`);
}

/** Median of first / second, run by turns so that both meet the same weather. */
function compare(text: string, first: (text: string) => unknown, second: (text: string) => unknown): number {
  const ratios: number[] = [];
  for (let run = 0; run < (quick ? 7 : 15); run++) {
    const start = performance.now();
    first(text);
    const between = performance.now();
    second(text);
    ratios.push((between - start) / (performance.now() - between));
  }
  ratios.sort((left, right) => left - right);
  return ratios[ratios.length >> 1];
}

const readerOf = (name: string): ((text: string) => unknown) => readers.find(([known]) => known === name)![1];
const [[, valid], [, brokenEarly]] = conditionsOf(makeText(5e6));
const bars: [string, number, number][] = [
  ["5 MB valid / JSON.parse", compare(valid, readerOf("toolpeg"), readerOf("JSON.parse")), 1.1],
  ["5 MB broken early / jsonrepair", compare(brokenEarly, readerOf("toolpeg"), readerOf("jsonrepair")), 0.5],
  ["steepest growth of a worst case, ten times the text", steepest, 20],
];
console.log("");
for (const [bar, ratio, limit] of bars) {
  console.log(`${ratio <= limit ? "met   " : "MISSED"} ${bar}: ${ratio.toFixed(2)} (bar ${limit})`);
}
process.exitCode = bars.every(([, ratio, limit]) => ratio <= limit) ? 0 : 1;
