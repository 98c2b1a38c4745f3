/**
 * How long a document takes: valid, broken early, broken late, at three sizes, and worst cases; against the peers.
 * `npx tsx bench/recovery/speed.ts [--quick]`. Median of several runs. A peer that needs longer than the guard on a
 * small size is not asked about the next one; jsonrepair's stream is cut off when it does not end.
 */
import type { Transform } from "node:stream";
import * as bestEffort from "best-effort-json-parser";
import JSON5 from "json5";
import { jsonrepair } from "jsonrepair";
import { jsonrepairTransform } from "jsonrepair/stream";
import * as partialJson from "partial-json";
import { RepairReader, repairJson, ValueBuilder } from "../../src/json-repair/index.ts";
import { type Json, makeDocument, write } from "./documents.ts";
import { quiet } from "./quiet.ts";
import { Random } from "./random.ts";
import { worstCases } from "./worst-cases.ts";

const quick = process.argv.includes("--quick");
const guardMilliseconds = 20_000;
const sizes: [string, number][] = [
  ["1 KB", 1e3],
  ["100 KB", 1e5],
  ["5 MB", 5e6],
];

function makeText(size: number): string {
  const random = new Random(7);
  const documents: Json[] = [];
  for (let length = 0; length < size; ) {
    const document = makeDocument(random);
    documents.push(document);
    length += write(document).length + 2;
  }
  return write({ items: documents });
}

const breakEarly = (text: string): string => text.replace('{"items": [', "{items: [");

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
  ["jsonrepair", (text) => JSON.parse(jsonrepair(text))],
  ["partial-json", (text) => quiet(() => partialJson.parse(text))],
  ["best-effort", (text) => quiet(() => bestEffort.parse(text))],
  ["json5", (text) => JSON5.parse(text)],
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
const names = [...readers.map(([name]) => name), "jsonrepair, stream"];
console.log(
  `Milliseconds, median.\n\n| document | size | ${names.join(" | ")} |\n| --- | ---: |${" ---: |".repeat(names.length)}`,
);
const slow = new Set<string>();
for (const [sizeName, size] of sizes) {
  const valid = makeText(size);
  const kinds: [string, string][] = [
    ["valid", valid],
    ["broken early", breakEarly(valid)],
    ["broken late", valid.replace(/\]\}$/, ",]}")],
  ];
  for (const [kind, text] of kinds) {
    const row: string[] = [];
    for (const [name, read] of readers) {
      const time = slow.has(`${kind}/${name}`) ? "too slow" : measure(read, text);
      if (typeof time === "number" && time * 50 > guardMilliseconds) slow.add(`${kind}/${name}`);
      row.push(show(time));
    }
    row.push(show(await jsonrepairStream(text)));
    console.log(`| ${kind} | ${sizeName} | ${row.join(" | ")} |`);
  }
}

console.log(
  `\nWorst cases of 100,000 characters.\n\n| case | steps per character | toolpeg | ${["jsonrepair", "partial-json", "best-effort", "json5", "jsonrepair, stream"].join(" | ")} |\n| --- | ---: |${" ---: |".repeat(6)}`,
);
for (const [name, text] of worstCases(1e5)) {
  const reader = new RepairReader(new ValueBuilder());
  reader.push(text);
  reader.finish(false);
  const row = [show(measure((input) => repairJson(input), text))];
  for (const [, read] of readers.slice(3)) {
    // A small size first: what is quadratic there would take minutes here.
    const small = measure(read, text.slice(0, 4000));
    row.push(typeof small === "number" && small > 200 ? `> ${show(small * 100)} (est.)` : show(measure(read, text)));
  }
  row.push(show(await jsonrepairStream(text)));
  console.log(`| ${name} | ${(reader.steps / text.length).toFixed(1)} | ${row.join(" | ")} |`);
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

const reader = (name: string): ((text: string) => unknown) => readers.find(([known]) => known === name)![1];
const large = makeText(5e6);
const bars: [string, number, number][] = [
  ["5 MB valid / JSON.parse", compare(large, reader("toolpeg"), reader("JSON.parse")), 1.1],
  ["5 MB broken early / jsonrepair", compare(breakEarly(large), reader("toolpeg"), reader("jsonrepair")), 0.5],
];
console.log("");
for (const [bar, ratio, limit] of bars) {
  console.log(`${ratio <= limit ? "met   " : "MISSED"} ${bar}: ${ratio.toFixed(2)} (bar ${limit})`);
}
process.exitCode = bars.every(([, ratio, limit]) => ratio <= limit) ? 0 : 1;
