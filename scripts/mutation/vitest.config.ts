/** The tests of one layer for mutation testing: the quick ones, properties with few runs of a fixed seed. */
import type { Plugin } from "vitest/config";
import projectConfig from "../../vitest.config.ts";
import { isMutatedLayer, mutatedLayers } from "./layers.ts";

const layer = process.env.TOOLPEG_MUTATED_LAYER ?? "";
if (!isMutatedLayer(layer)) throw new TypeError("TOOLPEG_MUTATED_LAYER names no layer; use npm run mutate");

/** Enough for a break to show, few enough for thousands of breaks. */
const runsMax = 150;

const fewerRuns: Plugin = {
  name: "fewer-runs",
  enforce: "pre",
  transform(code, id) {
    if (!id.includes("/test/")) return null;
    // A test that counts what its property has met needs all of its runs.
    const most = code.includes("toBeGreaterThan(") ? Number.POSITIVE_INFINITY : runsMax;
    return code.replaceAll(
      /numRuns: (\d+)/g,
      (_, runs: string) => `numRuns: ${Math.min(Number(runs), most)}, seed: 20261121`,
    );
  },
};

// Sources are broken where they stand.
const plugins = (projectConfig.plugins as Plugin[]).filter(({ name }) => name !== "bundled-sources");

export default {
  ...projectConfig,
  plugins: [...plugins, fewerRuns],
  test: {
    ...projectConfig.test,
    maxWorkers: 1,
    include: mutatedLayers[layer].tests.map((name) => `${name}.test.ts`),
  },
};
