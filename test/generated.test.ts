/** A grammar and what it compiles to travel together: a stale file is rewritten and fails once; on CI it only fails. */
import { expect, test } from "vitest";
import { generateAll, generatedFolder } from "../scripts/generate.ts";
import { staleFiles, writeFiles } from "../scripts/made-files.ts";

const fresh = generateAll();

// The files were written by another run: that two give the same bytes is said as well.
test("generated/ is what the grammars say", () => {
  const stale = (process.env.CI ? staleFiles : writeFiles)(generatedFolder, fresh);
  expect(stale, "stale files; commit them with their grammars (npm run generate)").toEqual([]);
});
