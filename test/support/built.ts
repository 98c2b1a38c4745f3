/** The build that ships: that in dist/ if it is of the project as it stands, or one that is made for the tests and kept. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readBuilt, stateOfSources } from "../../scripts/built.ts";
import type { BuiltFile } from "../../scripts/bundle.ts";
import { projectRoot } from "../../scripts/entries.ts";
import { runProgram } from "./run-program.ts";

export interface Build {
  readonly folder: string;
  readonly files: readonly BuiltFile[];
}

/** Inside the project, so that packages are found. */
const cache = join(projectRoot, ".cache");

export function builtProject(): Build {
  const state = stateOfSources();
  const own = join(cache, `build-${state}`);
  const build = buildIn(join(projectRoot, "dist"), state) ?? buildIn(own, state);
  if (build !== undefined) return build;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, "unfinished-"));
  runProgram(process.execPath, ["--import", "tsx", "scripts/build.ts", unfinished], { cwd: projectRoot });
  // Another file of tests may have been faster.
  if (existsSync(own)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, own);
  return buildIn(own, state) as Build;
}

function buildIn(folder: string, state: string): Build | undefined {
  const files = readBuilt(folder, state);
  return files === undefined ? undefined : { folder, files };
}
