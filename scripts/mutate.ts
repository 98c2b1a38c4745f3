/**
 * Mutation testing: `npm run mutate -- gate` (or `recovery`, `machine`) breaks the sources of a room in every small way
 * there is, and lists each break that no test of that room sees. What follows is passed on to Stryker:
 * `npm run mutate -- recovery --mutate src/json-repair/read-key.ts:10-40`. The report is reports/mutation/<room>.json.
 */
import { spawnSync } from "node:child_process";
import { projectRoot } from "./entries.ts";
import { isMutatedLayer, mutatedLayers } from "./mutation/layers.ts";

/** Not among the dependencies: 65 MB that few ever need would be part of every install. Stryker 10 wants Node 22. */
const strykerVersion = "9.6.1";

const [room = "", ...further] = process.argv.slice(2);
if (!isMutatedLayer(room)) {
  throw new TypeError(
    `usage: npm run mutate -- ROOM [options of Stryker]; rooms: ${Object.keys(mutatedLayers).join(", ")}`,
  );
}
const packages = ["core", "vitest-runner"].map((name) => `--package=@stryker-mutator/${name}@${strykerVersion}`);
const sources = further.includes("--mutate") ? [] : ["--mutate", mutatedLayers[room].sources.join(",")];
const { status } = spawnSync(
  "npx",
  ["--yes", ...packages, "--", "stryker", "run", "scripts/mutation/stryker.config.json", ...sources, ...further],
  { cwd: projectRoot, stdio: "inherit", env: { ...process.env, TOOLPEG_MUTATED_ROOM: room } },
);
process.exitCode = status ?? 1;
