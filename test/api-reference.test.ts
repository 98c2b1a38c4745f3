/** docs/api/ and the docstrings that it is made of travel together. */
import { expect, test } from "vitest";
import { apiFolder, writeApiReference } from "../scripts/docs.ts";
import { staleFiles } from "../scripts/made-files.ts";

test("docs/api/ is what the docstrings say", async () => {
  const pages = await writeApiReference();
  // One page per entry point, and their list.
  expect([...pages.keys()].sort()).toEqual([
    "README.md",
    "ai-sdk.md",
    "compiler.md",
    "core.md",
    "export.md",
    "formats.md",
    "langchain.md",
    "openai.md",
    "plugin.md",
    "proxy-node.md",
    "proxy.md",
    "recovery.md",
    "role-handlers.md",
    "template.md",
    "testing.md",
    "toolpeg.md",
  ]);
  expect(staleFiles(apiFolder, pages), "stale pages; commit them with their sources (npm run docs)").toEqual([]);
}, 120_000);
