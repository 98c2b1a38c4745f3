/**
 * The guide for authors of grammars is run step by step: what it shows is what a reader gets.
 *
 *     WRITE_GUIDE=1 npx vitest run test/grammar-guide.test.ts    writes what is found into the page; read it
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../scripts/entries.ts";
import { shippedFamilies } from "../src/compiler/index.ts";
import * as engine from "../src/index.ts";
import { standingProperties } from "../src/testing/index.ts";
import { runGuide, withFound } from "./support/run-guide.ts";

const path = join(projectRoot, "docs/grammar-guide.md");
const guide = readFileSync(path, "utf8");

test("every step of the guide shows what it does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolpeg-guide-"));
  try {
    const steps = await runGuide(guide, folder, engine);
    if (process.env.WRITE_GUIDE) writeFileSync(path, withFound(guide, steps));
    expect(steps.length).toBeGreaterThan(10);
    for (const { line, info, shown, found } of steps) expect(found, `${info} on line ${line}`).toBe(shown);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test("the guide names every family, and how many properties there are", () => {
  const names = shippedFamilies().map(({ name }) => name);
  // What stands after Mistral's one marker is nobody else's.
  for (const name of names.filter((one) => one !== "mistral-calls")) expect(guide).toContain(`\`${name}\` |`);
  expect(guide).toContain(`${standingProperties.length} of ${standingProperties.length} properties hold`);
});
