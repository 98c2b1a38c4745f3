import { defineConfig, type Plugin } from "vitest/config";
import { listEntries, projectRoot } from "./scripts/entries.ts";

/** `toolpeg` and its subpaths mean the sources here, so a test or an example imports what a user would import. */
const ownSources: Plugin = {
  name: "own-sources",
  enforce: "pre",
  resolveId(id) {
    if (id !== "toolpeg" && !id.startsWith("toolpeg/")) return null;
    const name = id === "toolpeg" ? "index" : id.slice("toolpeg/".length);
    const source = listEntries().find((entry) => entry.name === name)?.source;
    return source === undefined ? null : `${projectRoot}${source}`;
  },
};

export default defineConfig({
  plugins: [ownSources],
  test: {
    include: ["test/**/*.test.ts"],
    // Parsing is pure computation without globals, so threads are safe and start faster than processes.
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
