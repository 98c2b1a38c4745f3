/** The package's entry points and their sources: one list for build, size and tests. */
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of package.json, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL("../", import.meta.url));

export interface Entry {
  /** Path under dist/, without ending: `index`, `formats/hermes`. */
  name: string;
  /** Source, relative to the project: the first candidate that exists, `undefined` while it is not written. */
  source: string | undefined;
  /** Where the source is looked for, for the notice. */
  candidates: string[];
  /** A run-time entry works in browsers and on the edge; the others may use Node. */
  runtime: boolean;
  /** Other files of the package import it; users cannot. */
  internal?: true;
}

const fixed: Omit<Entry, "source">[] = [
  { name: "index", candidates: ["src/index.ts"], runtime: true },
  { name: "index-node", candidates: ["src/index-node.ts"], runtime: true, internal: true },
  { name: "core", candidates: ["src/core.ts"], runtime: true },
  { name: "role-handlers", candidates: ["src/role-handlers.ts"], runtime: true },
  { name: "recovery", candidates: ["src/recovery.ts"], runtime: true },
  { name: "bodies/yaml", candidates: ["src/blocks/bodies/yaml.ts"], runtime: true, internal: true },
  { name: "openai", candidates: ["src/adapters/openai.ts", "src/adapters/openai/index.ts"], runtime: true },
  { name: "ai-sdk", candidates: ["src/adapters/ai-sdk.ts", "src/adapters/ai-sdk/index.ts"], runtime: true },
  {
    name: "langchain",
    candidates: ["src/adapters/langchain.ts", "src/adapters/langchain/index.ts"],
    runtime: true,
  },
  { name: "proxy", candidates: ["src/proxy/index.ts"], runtime: true },
  { name: "proxy/node", candidates: ["src/proxy/node.ts"], runtime: false },
  { name: "export", candidates: ["src/export/index.ts"], runtime: true },
  { name: "template", candidates: ["src/template/index.ts"], runtime: false },
  { name: "compiler", candidates: ["src/compiler/index.ts"], runtime: false },
  { name: "plugin", candidates: ["src/plugin/index.ts"], runtime: false },
  { name: "testing", candidates: ["src/testing/index.ts"], runtime: false },
  { name: "cli", candidates: ["src/cli/index.ts"], runtime: false },
];

/** Generated files that hold no format: the list of all, the text around blocks, and what reads blocks faster. */
const noFormats = new Set(["all.ts", "message.ts", "recognisers.ts"]);

/** Every entry of the package, one per compiled format included, whether its source exists yet or not. */
export function listEntries(): Entry[] {
  const formats = existsSync(`${projectRoot}generated`)
    ? readdirSync(`${projectRoot}generated`)
        .filter((file) => file.endsWith(".ts") && !noFormats.has(file))
        .map((file) => file.slice(0, -".ts".length))
        .sort()
    : [];
  const all = [
    ...fixed,
    ...formats.map((id) => ({
      name: `formats/${id}`,
      candidates: [`src/formats/${id}.ts`, `generated/${id}.ts`],
      runtime: true,
    })),
  ];
  return all.map((entry) => ({
    ...entry,
    source: entry.candidates.find((path) => existsSync(`${projectRoot}${path}`)),
  }));
}
