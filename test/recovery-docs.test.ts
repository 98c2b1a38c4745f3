import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type RepairJsonOptions, repairJson } from "../src/recovery/index.ts";
import { repairKinds } from "../src/runtime/repairs.ts";

interface Example {
  text: string;
  options: RepairJsonOptions;
  value?: unknown;
  level?: string;
  kinds: string[];
  refused?: string;
}

/** The fenced `repair` blocks of the page. */
function readExamples(page: string): Example[] {
  const examples: Example[] = [];
  for (const [, , block] of page.matchAll(/^(```|~~~)repair\n([\s\S]*?)\n\1$/gm)) {
    const example: Example = { text: "", options: {}, kinds: [] };
    const text: string[] = [];
    for (const line of block.split("\n")) {
      const [, head, rest] = /^(string:|with:|=>|none:|safe:|truncated:|guess:|refused:) (.*)$/.exec(line) ?? [];
      if (head === undefined) text.push(line);
      else if (head === "string:") text.push(JSON.parse(rest) as string);
      else if (head === "with:") example.options = JSON.parse(rest) as RepairJsonOptions;
      else if (head === "=>") example.value = JSON.parse(rest) as unknown;
      else if (head === "refused:") example.refused = rest;
      else {
        example.level = head.slice(0, -1);
        example.kinds = rest.split(" ");
      }
    }
    example.text = text.join("\n");
    examples.push(example);
  }
  return examples;
}

const examples = readExamples(readFileSync(new URL("../docs/recovery.md", import.meta.url), "utf8"));

/** Kinds that only the reading of a call can find, because they lie in its format and not in its JSON. */
const ofFormats = [
  "missing-envelope-closer",
  "missing-open-marker",
  "missing-close-marker",
  "missing-value-closer",
  "trailing-garbage",
  "argument-key",
  "encoded-arguments",
  "quoted-scalar",
  "quoted-container",
  "coerced",
];

describe("docs/recovery.md", () => {
  it.each(examples)("tells the truth about $text", ({ text, options, value, level, kinds, refused }) => {
    const result = repairJson(text, options);
    if (refused !== undefined) {
      expect(result).toMatchObject({ ok: false, reason: refused });
      return;
    }
    if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
    expect(result.value).toEqual(value);
    expect(result.level).toBe(level);
    expect([...new Set(result.repairs.map((repair) => repair.kind))]).toEqual([...new Set(kinds)]);
  });

  it("has an example of every kind that recovery reports", () => {
    const shown = new Set(examples.flatMap((example) => [...example.kinds, example.refused ?? ""]));
    const missing = repairKinds.filter((kind) => !shown.has(kind) && !ofFormats.includes(kind));
    expect(missing).toEqual([]);
  });
});
