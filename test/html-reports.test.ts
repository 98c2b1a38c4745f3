/** `explain --html` and `stats --html`: pages that need nothing else, and in which the model's text is text. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CliEngine } from "../src/cli/engine.ts";
import * as library from "../src/index.ts";
import { runCommand } from "./support/run-command.ts";

const engine = library as unknown as CliEngine;
const hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>";
const call = (vent: string) =>
  `<tool_call>\n{"name": "open_vent", "arguments": {"vent": ${JSON.stringify(vent)}}}\n</tool_call>`;
const tools = [
  {
    name: "open_vent",
    parameters: { type: "object", properties: { vent: { type: "string" } }, required: ["vent"] },
  },
];

let folder = "";
let options: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolpeg-html-"));
  writeFileSync(join(folder, "tools.json"), JSON.stringify(tools));
  options = ["--format", "hermes", "--tools", join(folder, "tools.json")];
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a browser would show of a page. */
function shown(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

function expectHarmless(html: string): void {
  expect(html).toMatch(/^<!doctype html>/);
  const tags = html.match(/<[^>]*>/g) ?? [];
  expect(tags.filter((tag) => /^<(script|img|link|iframe)|\son\w+=|(src|href)="(?!#)/i.test(tag))).toEqual([]);
}

describe("toolpeg explain --html", () => {
  test("shows the calls beside their text, repairs and refusals with what to do, and how it was read", async () => {
    const text = `I open ${hostile}.\n${call(`west ${hostile}`).replaceAll('"', "'")}\n${call("east").replace("open_vent", "open_vant")}`;
    const { status, out } = await runCommand(["explain", "--html", ...options], engine, { stdin: [text] });
    expect(status).toBe(3);
    expectHarmless(out);
    const page = shown(out);
    for (const part of [
      `I open ${hostile}.`,
      `"vent": "west ${hostile}"`,
      "repaired quote-style",
      "unknown-tool",
      "help:",
    ]) {
      expect(page).toContain(part);
    }
    expect(out).toContain('aria-label="Call of open_vent"');
    expect(out).toContain('aria-label="Refused: unknown-tool"');
    expect(page).toMatch(/How it was read .*open_vant/);
  });
});

describe("toolpeg stats --html", () => {
  test("draws calls, refusals by reason and repairs by kind, by format and by model", async () => {
    const replies = [
      { model: "small", text: call("west") },
      { model: "small", text: call("west").replaceAll('"', "'") },
      { model: hostile, text: call("west").replace("open_vent", "open_vant") },
    ].map((reply) => `${JSON.stringify(reply)}\n`);
    const batch = await runCommand(["parse", "-", "--input", "jsonl", "--jsonl", ...options], engine, {
      stdin: replies,
    });
    const { status, out } = await runCommand(["stats", "--html"], engine, { stdin: [batch.out] });
    expect(status).toBe(0);
    expectHarmless(out);
    const page = shown(out);
    expect(page).toMatch(/messages 3 .*with calls 2 .*calls 2 of 3 candidates/);
    expect(page).toMatch(/Refusals by reason .*unknown-tool 1/);
    expect(page).toMatch(/Repairs by kind .*quote-style \d/);
    expect(page).toMatch(/By format .*hermes.*By model .*small/);
    expect(page.slice(page.indexOf("By model"))).toContain(hostile);
  });

  test("draws a page of nothing, too", async () => {
    const { status, out } = await runCommand(["stats", "--html"], engine);
    expect(status).toBe(1);
    expect(shown(out)).toMatch(/messages 0 .*Refusals by reason None/);
  });
});
