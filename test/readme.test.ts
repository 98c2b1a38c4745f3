/** A reader will paste the README's code: it runs, and prints what the README says. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";

const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
const shown = [...readme.matchAll(/```ts\n([\s\S]*?)```\n+Prints\n+```\n([\s\S]*?)```/g)].map(([, code, output]) => ({
  code,
  output,
}));

test("there is code to run", () => expect(shown.length).toBeGreaterThan(0));

test.each(shown)("code in the README prints what it says", async ({ code, output }) => {
  // tsconfig.json says which source `toolpeg` means here.
  const bundle = await build({
    stdin: { contents: code, resolveDir: projectRoot, loader: "ts" },
    absWorkingDir: projectRoot,
    bundle: true,
    format: "esm",
    // As a browser gets it: packages that have code of their own for Node come as plain modules.
    platform: "browser",
    write: false,
  });
  const args = ["--input-type=module", "-"];
  expect(execFileSync(process.execPath, args, { input: bundle.outputFiles[0].text, encoding: "utf8" })).toBe(output);
});
