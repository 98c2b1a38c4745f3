/** A grammar and what it compiles to travel together: a stale file is rewritten and fails once; on CI it only fails. */
import { expect, test } from "vitest";
import { generateAll, staleFiles, writeGenerated } from "../scripts/generate.ts";

const fresh = generateAll();

test("generated/ is what the grammars say", () => {
  const stale = process.env.CI ? staleFiles(fresh) : writeGenerated(fresh);
  expect(stale, "stale files; commit them with their grammars (npm run generate)").toEqual([]);
});

test("two runs give the same bytes", () => {
  expect([...generateAll()]).toEqual([...fresh]);
});
