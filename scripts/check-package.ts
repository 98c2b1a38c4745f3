/** Packs the project as it would be published and lets publint and attw look at the tarball. Needs a built dist/. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "./entries.ts";

const folder = mkdtempSync(join(tmpdir(), "toolpeg-pack-"));
try {
  const packed = run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], "pipe");
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  run("npx", ["publint", "run", tarball, "--strict"], "inherit");
  run("npx", ["attw", tarball, "--profile", "esm-only", "--format", "ascii"], "inherit");
} finally {
  rmSync(folder, { recursive: true });
}

function run(command: string, args: string[], output: "pipe" | "inherit"): string {
  const stdio = ["ignore", output, "inherit"] as ["ignore", "pipe" | "inherit", "inherit"];
  const done = spawnSync(command, args, { cwd: projectRoot, encoding: "utf8", stdio });
  if (done.status !== 0) {
    console.error(`check-package: ${command} ${args[0]} has something to say`);
    process.exitCode = 1;
  }
  return done.stdout ?? "";
}
