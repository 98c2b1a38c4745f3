import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { differences } from "../bench/recovery/differences.ts";
import { type RepairKind, repairKinds } from "../src/contract/repairs.ts";
import { parse } from "../src/index.ts";
import { type RepairJsonOptions, repairJson } from "../src/json-repair/index.ts";

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

const page = readFileSync(new URL("../docs/recovery.md", import.meta.url), "utf8");
const examples = readExamples(page);

interface CallExample {
  text: string;
  format: string;
  policy: object;
  /** What must come of it, as the page says. */
  expected: string[];
}

/** The fenced `call` blocks of the page. */
function readCallExamples(): CallExample[] {
  return [...page.matchAll(/^~~~call\n([\s\S]*?)\n~~~$/gm)].map(([, block]) => {
    const example: CallExample = { text: "", format: "", policy: {}, expected: [] };
    const text: string[] = [];
    for (const line of block.split("\n")) {
      const [, head, rest] = /^(format:|policy:) (.*)$/.exec(line) ?? [];
      if (head === "format:") example.format = rest;
      else if (head === "policy:") example.policy = JSON.parse(rest) as object;
      else if (/^(=> |safe: |guess: |refused: |none$)/.test(line)) example.expected.push(line);
      else text.push(line);
    }
    return { ...example, text: text.join("\n") };
  });
}

const dial = { type: "string" };
const closed = { type: "object", required: ["dial"], additionalProperties: false } as const;
const steps = { type: "array", items: { type: "integer" } };
const tools = [
  { name: "read_dial", parameters: { ...closed, properties: { dial } } },
  { name: "list_dials", parameters: { type: "object", properties: {}, additionalProperties: false } },
  { name: "set_dial", parameters: { ...closed, properties: { dial, position: { type: "integer" }, steps } } },
];

/** The sections of the page that begin with a kind, by kind: what stands under it. */
function sectionsOf(): Map<string, string> {
  const sections = new Map<string, string>();
  for (const [, kind, text] of page.matchAll(/^`([a-z-]+)`:([\s\S]*?)(?=^`[a-z-]+`:|^##)/gm)) sections.set(kind, text);
  return sections;
}

/** The table of what other repairers read otherwise. */
function readDifferences(heading = "| row | text |"): { row: string; text: string; ours: string }[] {
  const plain = (cell: string): string => cell.replace(/^(`+) ?(.*?) ?\1/, "$2").replaceAll("⏎", "\n");
  const table = page.slice(page.indexOf(heading)).split("\n\n")[0];
  return table
    .split("\n")
    .slice(2)
    .map((line) => {
      const [, row, text, , ours] = line.split(/ ?\| ?/);
      return { row, text: plain(text), ours: plain(ours) };
    });
}

/** Kinds that only the reading of a call can find, because they lie in its format and not in its JSON. */
const ofFormats: readonly RepairKind[] = [
  "missing-envelope-closer",
  "missing-open-marker",
  "missing-close-marker",
  "missing-value-closer",
  "missing-last-closer",
  "argument-key",
  "empty-arguments",
  "encoded-arguments",
  "quoted-scalar",
  "quoted-container",
  "coerced",
];

describe("docs/recovery.md", () => {
  it.each(examples)("is true of $text", ({ text, options, value, level, kinds, refused }) => {
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

  it.each(readCallExamples())("is true of the call $text", ({ text, format, policy, expected }) => {
    const { calls, rejected } = parse(text, { format, tools, policy });
    const found = calls.flatMap((call) => [
      `=> ${call.name} ${JSON.stringify(call.arguments)}`,
      ...call.repairs.map(({ kind, level }) => `${level}: ${kind}`),
    ]);
    found.push(...rejected.map(({ reason }) => `refused: ${reason}`));
    expect(found.length === 0 ? ["none"] : found).toEqual(expected);
  });

  it("has a counter-example of every kind that may be safe", () => {
    for (const [kind, section] of sectionsOf()) {
      if (/^safe: /m.test(section)) expect(section, kind).toMatch(/^(guess|truncated|refused): /m);
    }
  });

  it("has a section of every kind that only the reading of a call finds", () => {
    const headings = [...page.matchAll(/^#### ([a-z-]+)/gm)].map(([, kind]) => kind);
    expect(ofFormats.filter((kind) => !headings.includes(kind))).toEqual([]);
  });

  it.each([...readDifferences(), ...readDifferences("| damage | text |")])(
    "tells the truth about where others read otherwise: $row",
    ({ text, ours }) => {
      const read = repairJson(text, { final: true, several: "array", bareText: true });
      expect(read.ok ? `${JSON.stringify(read.value)}, ${read.level}` : `refused: ${read.reason}`).toBe(ours);
    },
  );

  it("has a row of every reason that the pairs of others are given", () => {
    expect(readDifferences().map(({ row }) => row)).toEqual(Object.keys(differences));
  });

  it("has an example of every kind that recovery reports", () => {
    const shown = new Set(examples.flatMap((example) => [...example.kinds, example.refused ?? ""]));
    const missing = repairKinds.filter((kind) => !shown.has(kind) && !ofFormats.includes(kind));
    expect(missing).toEqual([]);
  });
});
