/**
 * Prints what each run-time entry costs a page: minified, and minified and gzipped. `npm run size [-- ENTRY...]`;
 * with `--why` also which layers and sources the bytes come from; `--write` writes the tables of docs/decisions/0014-size.md.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "./bundle.ts";
import { type Entry, listEntries, projectRoot } from "./entries.ts";
import { updatePart } from "./made-files.ts";
import { bundleForPage } from "./page.ts";

interface Row {
  label: string;
  minified: number;
  gzipped: number;
  /** Minified bytes by source, most first. */
  parts: [source: string, bytes: number][];
}

const partsShown = 16;

/** What the page about size speaks of. */
const ofPage = [
  ["core + formats/hermes", "core and `hermes`"],
  ["core + formats/qwen3_coder", "core and `qwen3_coder`"],
  ["ai-sdk + formats/hermes", "`toolpeg/ai-sdk` and `hermes`, its validator and repairs included"],
  ["index", "all formats"],
] as const;
const [layersShown, largestShown] = [9, 4];

const writes = process.argv.includes("--write");
const why = writes || process.argv.includes("--why");
const wanted = writes
  ? ["index", "ai-sdk", "formats/hermes", "formats/qwen3_coder"]
  : process.argv.slice(2).filter((argument) => argument !== "--why");
/** Adapters are measured with a format, as programs import them. */
const adapters = ["ai-sdk", "openai", "langchain"];
const entries = listEntries().filter(
  (entry) => entry.runtime && !entry.internal && (wanted.length === 0 || wanted.includes(entry.name)),
);
const core = listEntries().find((entry) => entry.name === "core");
const folder = join(projectRoot, "node_modules/.cache/toolpeg-size");
rmSync(folder, { recursive: true, force: true });
await bundle(
  listEntries().filter(({ runtime }) => runtime),
  { folder },
);
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", sideEffects: false }));
const sample = listEntries().find((entry) => entry.name === "formats/hermes");
const rows: Row[] = [];
for (const entry of entries) {
  rows.push(await measure(entry.name, [entry]));
  if (core !== undefined && entry.name.startsWith("formats/")) {
    rows.push(await measure(`core + ${entry.name}`, [core, entry]));
  }
  if (sample !== undefined && adapters.includes(entry.name)) {
    rows.push(await measure(`${entry.name} + ${sample.name}`, [entry, sample]));
  }
}
const width = Math.max(5, ...rows.map((row) => row.label.length));
console.log(`${"entry".padEnd(width)}  ${"min".padStart(8)}  ${"min+gzip".padStart(8)}  bytes`);
for (const row of rows) {
  console.log(`${row.label.padEnd(width)}  ${String(row.minified).padStart(8)}  ${String(row.gzipped).padStart(8)}`);
  if (!why) continue;
  for (const parts of [layersOf(row.parts), row.parts.slice(0, partsShown)]) {
    for (const [source, bytes] of parts) console.log(`${String(bytes).padStart(width + 10)}  ${source}`);
    console.log();
  }
}

if (writes) {
  const page = "docs/decisions/0014-size.md";
  const command = "npm run size -- --write";
  const rowOf = (label: string) => rows.find((row) => row.label === label) as Row;
  updatePart(page, ["<!-- entries:start -->", "<!-- entries:end -->"], tableOfEntries(rowOf), command);
  const { parts } = rowOf("core + formats/hermes");
  updatePart(page, ["<!-- layers:start -->", "<!-- layers:end -->"], tableOfLayers(parts), command);
}

function tableOfEntries(rowOf: (label: string) => Row): string {
  const lines = ofPage.map(([label, name]) => {
    const { minified, gzipped } = rowOf(label);
    return `| ${name} | ${(minified / 1000).toFixed(0)} | ${kilobytes(gzipped)} |`;
  });
  return ["", "| | minified, KB | with gzip, KB |", "|---|---:|---:|", ...lines, ""].join("\n");
}

function tableOfLayers(parts: Row["parts"]): string {
  const layers = layersOf(parts);
  const lines = layers.slice(0, layersShown).map(([layer, bytes]) => {
    const largest = parts.filter(([source]) => source.startsWith(`${layer}/`)).slice(0, largestShown);
    const names = largest.map(
      ([source, size]) => `${source.split("/").at(-1)?.replace(/\.ts$/, "")} ${kilobytes(size)}`,
    );
    return `| \`${layer}\` | ${kilobytes(bytes)} | ${names.join(", ")} |`;
  });
  const rest = layers.slice(layersShown).reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    "",
    "| layer | minified, KB | the largest |",
    "|---|---:|---|",
    ...lines,
    `| the rest | ${kilobytes(rest)} | |`,
    "",
  ].join("\n");
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

/** Bundles built entries together as a user's bundler would, packages that they import included. */
async function measure(label: string, bundled: readonly Entry[]): Promise<Row> {
  const result = await bundleForPage(bundled.map(({ name }) => `${folder}/${name}.js`));
  const code = result.outputFiles[0]?.contents ?? new Uint8Array();
  const parts = why ? await partsOf(bundled) : [];
  return { label, minified: code.length, gzipped: gzipSync(code, { level: 9 }).length, parts };
}

/** The same by layer: by the folder below `src`. */
function layersOf(parts: Row["parts"]): Row["parts"] {
  const layers = new Map<string, number>();
  for (const [source, bytes] of parts) {
    const layer = source.split("/").slice(0, 2).join("/");
    layers.set(layer, (layers.get(layer) ?? 0) + bytes);
  }
  return [...layers].sort((left, right) => right[1] - left[1]);
}

/** Minified bytes by source, most first. */
async function partsOf(bundled: readonly Entry[]): Promise<[string, number][]> {
  const { metafile } = await bundleForPage(bundled.map(({ source }) => `${projectRoot}${source}`));
  return Object.values(metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .map(([source, { bytesInOutput }]): [string, number] => [source, bytesInOutput])
    .sort((left, right) => right[1] - left[1]);
}
