/** Packs the project as it would be published and lets publint and attw look at the tarball. Needs a built dist/. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "./entries.ts";

const folder = mkdtempSync(join(tmpdir(), "toolpeg-pack-"));
try {
  const packed = run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  run("npx", ["publint", "run", tarball, "--strict"]);
  run("npx", ["attw", tarball, "--profile", "esm-only", "--format", "ascii"]);
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs a command quietly; what it says is shown when it is not content. */
function run(command: string, args: string[]): string {
  const done = spawnSync(command, args, { cwd: projectRoot, encoding: "utf8" });
  if (done.status !== 0) {
    console.error(`${done.stdout}${done.stderr}\ncheck-package: ${command} ${args[0]} has something to say`);
    process.exitCode = 1;
  }
  return done.stdout;
}
