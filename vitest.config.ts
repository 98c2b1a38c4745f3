import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// `toolpeg` and its subpaths mean the sources here, so a test or an example imports what a user would import.
// Which source stands behind a format is asked per id, as scripts/build.ts does.
const alias = [
  { find: /^toolpeg$/, replacement: at("./src/index.ts") },
  { find: /^toolpeg\/(core)$/, replacement: `${at("./src/")}$1.ts` },
  { find: /^toolpeg\/(recovery|compiler|testing)$/, replacement: `${at("./src/")}$1/index.ts` },
  { find: /^toolpeg\/(openai|ai-sdk)$/, replacement: `${at("./src/adapters/")}$1.ts` },
  {
    find: /^toolpeg\/formats\/([^/]+)$/,
    replacement: "$1",
    customResolver: (id: string) =>
      [at(`./src/formats/${id}.ts`), at(`./generated/${id}.ts`)].find((path) => existsSync(path)) ?? null,
  },
];

export default defineConfig({
  resolve: { alias },
  test: {
    include: ["test/**/*.test.ts"],
    // Parsing is pure computation without globals, so threads are safe and start faster than processes.
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
