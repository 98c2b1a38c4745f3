/** The package's entry points and their sources: one list for build, size and tests. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of package.json, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL("../", import.meta.url));

export interface Entry {
  /** Path under dist/, without ending: `index`, `formats/hermes`. */
  name: string;
  /** Its source, relative to the project. */
  source: string;
  /** A run-time entry works in browsers and on the edge; the others may use Node. */
  runtime: boolean;
  /** Other files of the package import it; users cannot. */
  internal?: true;
}

const fixed: readonly Entry[] = [
  { name: "index", source: "src/index.ts", runtime: true },
  { name: "index-node", source: "src/index-node.ts", runtime: true, internal: true },
  { name: "core", source: "src/core.ts", runtime: true },
  { name: "role-handlers", source: "src/role-handlers.ts", runtime: true },
  { name: "recovery", source: "src/recovery.ts", runtime: true },
  { name: "bodies/yaml", source: "src/blocks/bodies/yaml.ts", runtime: true, internal: true },
  { name: "openai", source: "src/adapters/openai.ts", runtime: true },
  { name: "ai-sdk", source: "src/adapters/ai-sdk.ts", runtime: true },
  { name: "langchain", source: "src/adapters/langchain.ts", runtime: true },
  { name: "proxy", source: "src/proxy/index.ts", runtime: true },
  { name: "proxy/node", source: "src/proxy/node.ts", runtime: false },
  { name: "export", source: "src/export/index.ts", runtime: true },
  { name: "template", source: "src/template/index.ts", runtime: false },
  { name: "compiler", source: "src/compiler/index.ts", runtime: false },
  { name: "plugin", source: "src/plugin/index.ts", runtime: false },
  { name: "testing", source: "src/testing/index.ts", runtime: false },
  { name: "cli", source: "src/cli/index.ts", runtime: false },
];

/** Generated files that hold no format: the list of all, the text around blocks, and what reads blocks faster. */
const noFormats = new Set(["all.ts", "message.ts", "recognisers.ts"]);

/** Every entry of the package, one per compiled format included. */
export function listEntries(): Entry[] {
  const formats = readdirSync(`${projectRoot}generated`)
    .filter((file) => file.endsWith(".ts") && !noFormats.has(file))
    .sort()
    .map((file) => ({ name: `formats/${file.slice(0, -".ts".length)}`, source: `generated/${file}`, runtime: true }));
  return [...fixed, ...formats];
}
