/**
 * Prints what each run-time entry costs a page: minified, and minified and gzipped. `npm run size [-- ENTRY...]`;
 * with `--why` also which sources the bytes come from.
 */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { type Entry, listEntries, projectRoot } from "./entries.ts";

interface Row {
  label: string;
  minified: number;
  gzipped: number;
  /** Minified bytes by source, most first. */
  parts: [source: string, bytes: number][];
}

const partsShown = 16;

const why = process.argv.includes("--why");
const wanted = process.argv.slice(2).filter((argument) => argument !== "--why");
const entries = listEntries().filter(
  (entry) => entry.runtime && entry.source !== undefined && (wanted.length === 0 || wanted.includes(entry.name)),
);
const core = entries.find((entry) => entry.name === "core");
const rows: Row[] = [];
for (const entry of entries) {
  rows.push(await measure(entry.name, [entry], []));
  if (core !== undefined && entry.name.startsWith("formats/")) {
    rows.push(await measure(`core + ${entry.name}`, [core, entry], []));
  }
}
const width = Math.max(5, ...rows.map((row) => row.label.length));
console.log(`${"entry".padEnd(width)}  ${"min".padStart(8)}  ${"min+gzip".padStart(8)}  bytes`);
for (const row of rows) {
  console.log(`${row.label.padEnd(width)}  ${String(row.minified).padStart(8)}  ${String(row.gzipped).padStart(8)}`);
  if (!why) continue;
  for (const [source, bytes] of row.parts.slice(0, partsShown))
    console.log(`${String(bytes).padStart(width + 10)}  ${source}`);
}

/** Bundles the entries together as a user's bundler would. Packages in `external` are counted as absent. */
async function measure(label: string, bundled: readonly Entry[], external: string[]): Promise<Row> {
  const contents = bundled.map((entry, index) => `export * as part${index} from "./${entry.source}";`).join("\n");
  const result = await build({
    absWorkingDir: projectRoot,
    stdin: { contents, resolveDir: projectRoot, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    external,
    write: false,
    metafile: true,
    legalComments: "none",
  });
  const code = result.outputFiles[0]?.contents ?? new Uint8Array();
  const parts = Object.values(result.metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .map(([source, { bytesInOutput }]): [string, number] => [source, bytesInOutput])
    .sort((left, right) => right[1] - left[1]);
  return { label, minified: code.length, gzipped: gzipSync(code, { level: 9 }).length, parts };
}
