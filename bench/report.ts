import { barChart } from "./charts.ts";
import { type FormatId, formatIds } from "./workloads.ts";

export interface Row {
  format: FormatId;
  workload: string;
  chars: number;
  /** 0: the whole text at once. */
  chunk: number;
  /** Microseconds a reading takes: the lower quartile, since other work on the machine only adds. */
  times: Record<string, number>;
  /** Who did not find the calls, and is not timed. */
  wrong: string[];
}

interface Results {
  version: string;
  /** When it was measured. */
  date: string;
  machine: { cpu: string; cores: number; node: string; system: string };
  rows: Row[];
  growths: {
    format: FormatId;
    wholeExponent: number;
    chunkedExponent: number;
    points: { chars: number; whole: number; chunked: number }[];
  }[];
  tenths: { format: FormatId; first: number; last: number; ratio: number }[];
  memoryKilobytes: number;
  startUpMilliseconds: number;
}

const microseconds = (value: number | undefined) => {
  if (value === undefined) return "-";
  return value >= 1000 ? `${(value / 1000).toFixed(2)} ms` : `${value.toFixed(1)} us`;
};
const times = (value: number | undefined, base: number | undefined) =>
  value === undefined || base === undefined ? "-" : `${(value / base).toFixed(2)}x`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const readmeFormats: readonly FormatId[] = ["hermes", "qwen3_coder"];
const readmeWorkloads = [
  ["1 MB prose", "1 MB of prose with misleading characters"],
  ["200 KB argument", "one argument of 200 KB"],
  ["20 calls", "20 calls"],
  ["small reply", "a reply of one line"],
] as const;

/** What the README says of speed. */
export function readmeSpeed({ rows, date }: Results): string {
  const timesOf = (format: FormatId, name: string, size: number) =>
    rows.find((row) => row.format === format && row.workload === name && row.chunk === size)?.times ?? {};
  const wholes = readmeWorkloads.map(([name, words]) => [
    words,
    ...readmeFormats.map((format) => {
      const { "toolpeg parse": parse, floor } = timesOf(format, name, 0);
      return `${(parse / floor).toFixed(1)}x (${microseconds(parse)})`;
    }),
  ]);
  const streams = readmeWorkloads.slice(1).map(([name, words]) => [
    `${words}, in chunks of 4`,
    ...readmeFormats.map((format) => {
      const { toolpeg, "hand-written scanner": scanner } = timesOf(format, name, 4);
      return `${(toolpeg / scanner).toFixed(1)}x the scanner`;
    }),
  ]);
  const head = [`of the floor's time, ${date}`, ...readmeFormats];
  return `\n${table(head, [...wholes, ...streams])}\n`;
}

/** The page and its charts: name under docs/, and text. */
export function writeReport(results: Results): [string, string][] {
  const { rows, machine, growths, tenths } = results;
  const whole = rows.filter(({ chunk }) => chunk === 0);
  const charts: [string, string][] = [];
  const charted = formatIds.filter((id) => ["hermes", "qwen3_coder"].includes(id));
  for (const id of charted) {
    const groups = whole
      .filter(({ format }) => format === id)
      .map(({ workload, times: found }) => ({
        name: workload,
        bars: Object.entries(found)
          .filter(([name]) => name !== "floor")
          .map(([label, value]) => ({ label, value: value / found.floor, text: times(value, found.floor) })),
      }));
    if (groups.length === 0) continue;
    charts.push([
      `benchmarks/${id}-whole.svg`,
      barChart(`${id}: a whole text, times the floor (logarithmic)`, groups, 3),
    ]);
    const streams = rows
      .filter(({ format, chunk }) => format === id && chunk === 4)
      .map(({ workload, chars, times: found }) => ({
        name: workload,
        bars: Object.entries(found).map(([label, value]) => {
          const nanoseconds = (value / Math.ceil(chars / 4)) * 1000;
          return { label, value: nanoseconds, text: `${nanoseconds.toFixed(0)} ns` };
        }),
      }));
    charts.push([
      `benchmarks/${id}-stream.svg`,
      barChart(`${id}: nanoseconds for a chunk of 4 characters (logarithmic)`, streams),
    ]);
  }
  const wrong = rows.flatMap((row) =>
    row.wrong.map(
      (name) => `${name} on "${row.workload}" in ${row.format}${row.chunk ? `, chunks of ${row.chunk}` : ""}`,
    ),
  );
  const page = `# Benchmarks

Written by \`npm run bench\` on ${results.date} (toolpeg ${results.version}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.system}).
The library is measured as it ships, in a bundle. Every reader must first find the right calls; one that does not is
listed below and not timed. Times are lower quartiles, so look at the ratios. The figures of this page are in
[benchmarks/results.json](benchmarks/results.json).

- *Floor*: one \`indexOf\` pass for each literal that can leave prose, \`JSON.parse\` between the markers, nothing else: no
  quoting, no damage, no schema, no events. It is the physical limit in JavaScript.
- *Scanner*: what somebody writes by hand for one format and good replies, with events and deltas.
- *Peggy*: the same grammar through stock Peggy: a tree of what it captured, no call is built.
- *npm peer*: \`@ai-sdk-tool/parser\`, where it has the format; its streams are asynchronous, and not asked for streams of
  more than 12,000 chunks, which would take it minutes.

## Whole texts
${charted.map((id) => `![${id}, whole](benchmarks/${id}-whole.svg)`).join("\n")}

${table(
  ["format", "workload", "parse", "floor", "parse / floor", "extract / floor", "Peggy / parse", "npm peer / parse"],
  whole.map(({ format, workload, times: found }) => [
    format,
    workload,
    microseconds(found["toolpeg parse"]),
    microseconds(found.floor),
    times(found["toolpeg parse"], found.floor),
    times(found["toolpeg extract"], found.floor),
    times(found["stock Peggy"], found["toolpeg parse"]),
    times(found["@ai-sdk-tool/parser"], found["toolpeg parse"]),
  ]),
)}

\`parse\` checks every call against its schema and builds content, nodes and telemetry, which the floor does not; on a
reply of a line that is most of the work.

## Streams
${charted.map((id) => `![${id}, stream](benchmarks/${id}-stream.svg)`).join("\n")}

${table(
  ["format", "workload", "chunk", "ns a chunk", "toolpeg / scanner", "npm peer / toolpeg"],
  rows
    .filter(({ chunk }) => chunk > 0)
    .map(({ format, workload, chunk, chars, times: found }) => [
      format,
      workload,
      String(chunk),
      ((found.toolpeg / Math.ceil(chars / chunk)) * 1000).toFixed(0),
      times(found.toolpeg, found["hand-written scanner"]),
      times(found["@ai-sdk-tool/parser"], found.toolpeg),
    ]),
)}

## Growth
Time grows as size to the power of k, from 100 KB to the largest; the last tenth of a 1 MB argument costs as much as
the first.

${table(
  ["format", "k, whole", "k, chunks of 16", "first tenth, ns a chunk", "last tenth", "last / first"],
  growths.map(({ format, wholeExponent, chunkedExponent }, at) => [
    format,
    wholeExponent.toFixed(2),
    chunkedExponent.toFixed(2),
    tenths[at].first.toFixed(0),
    tenths[at].last.toFixed(0),
    tenths[at].ratio.toFixed(2),
  ]),
)}

## Memory and start-up
With \`retain: "calls"\`, 10 MB of prose in chunks of 64 leave ${Math.max(0, results.memoryKilobytes).toFixed(0)} KB behind.
Importing the root entry with all formats takes ${results.startUpMilliseconds.toFixed(0)} ms.

## Who was wrong
${wrong.length === 0 ? "Nobody." : wrong.map((one) => `- ${one}`).join("\n")}
`;
  return [["benchmarks.md", page], ...charts];
}
