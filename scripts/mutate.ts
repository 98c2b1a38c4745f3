/**
 * Mutation testing: `npm run mutate -- validation` (or `values`, `json-repair`, `machine`) breaks the sources of a folder in every small way
 * there is, and lists each break that no test of that layer sees. What follows is passed on to Stryker:
 * `npm run mutate -- json-repair --mutate src/json-repair/read-key.ts:10-40`. The report is reports/mutation/<layer>.json.
 */
import { spawnSync } from "node:child_process";
import { projectRoot } from "./entries.ts";
import { isMutatedLayer, mutatedLayers } from "./mutation/layers.ts";

/** Not among the dependencies: 65 MB that few ever need would be part of every install. Stryker 10 needs Node 22. */
const strykerVersion = "9.6.1";

const [layer = "", ...further] = process.argv.slice(2);
if (!isMutatedLayer(layer)) {
  throw new TypeError(
    `usage: npm run mutate -- LAYER [options of Stryker]; layers: ${Object.keys(mutatedLayers).join(", ")}`,
  );
}
const packages = ["core", "vitest-runner"].map((name) => `--package=@stryker-mutator/${name}@${strykerVersion}`);
const sources = further.includes("--mutate") ? [] : ["--mutate", mutatedLayers[layer].sources.join(",")];
const { status } = spawnSync(
  "npx",
  ["--yes", ...packages, "--", "stryker", "run", "scripts/mutation/stryker.config.json", ...sources, ...further],
  { cwd: projectRoot, stdio: "inherit", env: { ...process.env, TOOLPEG_MUTATED_LAYER: layer } },
);
process.exitCode = status ?? 1;
