import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rejectionReasons } from "../src/contract/reasons.ts";

const page = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");

/** The page by its second-level headings. */
function sections(): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of page.split(/^## /m).slice(1)) {
    const end = part.indexOf("\n");
    found.set(part.slice(0, end).replaceAll("`", "").trim(), part.slice(end));
  }
  return found;
}

test("every reason has its section, and no section is about a reason that is gone", () => {
  expect([...sections().keys()].sort()).toEqual([...rejectionReasons].sort());
});

test.each(rejectionReasons)("%s: cause, example, what to do", (reason) => {
  const text = sections().get(reason) ?? "";
  const cause = text.indexOf("**Cause.**");
  const example = text.indexOf("**Example.**");
  const advice = text.indexOf("**What to do.**");
  expect(cause).toBeGreaterThan(-1);
  expect(example).toBeGreaterThan(cause);
  expect(advice).toBeGreaterThan(example);
  expect(text.slice(example, advice)).toMatch(/```/);
  expect(text.slice(advice).trim().length).toBeGreaterThan(40);
});
