import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { bundleForTests } from "./scripts/bundle-for-tests.ts";
import { listEntries, projectRoot } from "./scripts/entries.ts";

/** By the path of a source, the file of the bundle that stands for it. */
let bundled: ReadonlyMap<string, string> = new Map();

/** Sources of a run come from a bundle. To be watched, or broken one by one, they stay what they are. */
const bundledSources: Plugin = {
  name: "bundled-sources",
  async configureVitest({ vitest }) {
    if (!vitest.config.watch) bundled = await bundleForTests();
  },
};

/** `toolpeg` and its subpaths mean the sources here, so a test or an example imports what a user would import. */
const ownSources: Plugin = {
  name: "own-sources",
  enforce: "pre",
  resolveId(id, importer) {
    const path = id.startsWith(".") && importer !== undefined ? join(dirname(importer), id) : (sourceOf(id) ?? id);
    const file = bundled.get(path);
    return file === undefined ? sourceOf(id) : { id: file, external: true };
  },
};

function sourceOf(id: string): string | null {
  if (id !== "toolpeg" && !id.startsWith("toolpeg/")) return null;
  const name = id === "toolpeg" ? "index" : id.slice("toolpeg/".length);
  const source = listEntries().find((entry) => entry.name === name)?.source;
  return source === undefined ? null : `${projectRoot}${source}`;
}

const program = readFileSync(`${projectRoot}src/machine/program.ts`, "utf8");
const operations = new Map([...program.matchAll(/^ {2}(\w+) = (\d+),/gm)].map(([, name, code]) => [name, code]));

/** The operations of the machine become numbers, as in the build. Looked up through imports, they cost a third of its time. */
const inlinedOperations: Plugin = {
  name: "inlined-operations",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(`${projectRoot}src/`) || !code.includes("Operation.")) return null;
    return { code: code.replace(/\bOperation\.(\w+)\b/g, (member, name) => operations.get(name) ?? member), map: null };
  },
};

/** Tests that take long. */
const longest = [
  ...[
    "packed",
    "batch",
    "corpus",
    "several",
    "proxy",
    "hostile",
    "every-format",
    "moved-tokens",
    "envelope",
    "template",
  ],
  ...["export", "families", "pairs", "list-agreement", "fuzz", "recogniser", "play", "package"],
];

/** They begin first: a long one that begins last runs alone. Without results of a run before, all that is known of a file is its size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => longest.indexOf(basename(moduleId, ".test.ts")) >>> 0;
    return (await super.sort(files)).sort((left, right) => placeOf(left) - placeOf(right));
  }
}

export default defineConfig({
  plugins: [bundledSources, ownSources, inlinedOperations],
  test: {
    include: ["test/**/*.test.ts"],
    // Parsing is pure computation without globals, so threads are safe and start faster than processes.
    pool: "threads",
    maxWorkers: 2,
    // A worker keeps its modules: to load them for every file took a fifth of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    server: { deps: { external: [/\/\.cache\//] } },
    testTimeout: 30_000,
  },
});
