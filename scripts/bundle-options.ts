import type { BuildOptions } from "esbuild";
import { type Entry, projectRoot } from "./entries.ts";

/** How dist/ is made of the entries: shared with the tests that look at what the built files import. */
export function bundleOptions(entries: readonly Entry[]): BuildOptions {
  return {
    absWorkingDir: projectRoot,
    entryPoints: entries.flatMap(({ name, source }) => (source === undefined ? [] : [{ in: source, out: name }])),
    outdir: "dist",
    bundle: true,
    format: "esm",
    splitting: true,
    target: "es2022",
    platform: "neutral",
    packages: "external",
    external: ["node:*"],
    chunkNames: "chunks/[name]-[hash]",
    legalComments: "none",
    logLevel: "warning",
  };
}
