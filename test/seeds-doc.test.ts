/** docs/seeds.md says what proves each row: every case and every test it names exists, and is expected to pass. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { corpusIds, loadCorpus, readKnownFailures } from "../scripts/corpora.ts";

interface Row {
  section: string;
  cells: string[];
}

function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  let section = "";
  for (const line of page.split("\n")) {
    if (line.startsWith("## ")) section = line.slice(3);
    if (!line.startsWith("| ") || line.startsWith("| there |")) continue;
    rows.push({
      section,
      cells: line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    });
  }
  return rows;
}

const titles = new Map<string, Set<string>>();

/** The titles of a corpus, or those that a test file gives its tests; `%s` stands in titles of tables. */
function titlesOf(name: string): Set<string> {
  let known = titles.get(name);
  if (known === undefined) {
    known = name.endsWith(".test.ts") ? testTitles(name) : new Set(loadCorpus(name).cases.map(({ title }) => title));
    titles.set(name, known);
  }
  return known;
}

function testTitles(file: string): Set<string> {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const opening = /^\s*(?:test|it|\])(?:\.each\([^\n]*?\))?\(\s*("(?:[^"\\\n]|\\.)*")/gm;
  return new Set([...source.matchAll(opening)].map(([, title]) => JSON.parse(title) as string));
}

const rows = rowsOf(readFileSync(new URL("../docs/seeds.md", import.meta.url), "utf8"));
const corpora = new Set(corpusIds());
const knownFailures = readKnownFailures();

function missing(proof: string): string | undefined {
  const parts = /^`([\w.-]+)`: (\S.*)$/.exec(proof);
  if (!parts) return `"${proof}" is not written as \`name\`: title`;
  const [, name, title] = parts;
  if (name.endsWith(".test.ts")) {
    if (!existsSync(new URL(name, import.meta.url))) return `there is no test/${name}`;
    return titlesOf(name).has(title) ? undefined : `test/${name} has no test "${title}"`;
  }
  if (!corpora.has(name)) return `there is no corpus of ${name}`;
  if (!titlesOf(name).has(title)) return `${name} has no case "${title}"`;
  return knownFailures.has(`${name}: ${title}`) ? `${name}: "${title}" does not pass yet` : undefined;
}

describe("docs/seeds.md", () => {
  test("has a table for each of the five documents", () => {
    const sections = new Set(rows.map(({ section }) => section));
    expect([...sections].map((section) => section.split(":")[0])).toEqual([
      "selectools",
      "Playbook",
      "Tool call parsers",
      "NexRL",
      "Ambi",
    ]);
  });

  test("no cell is empty, and every proof exists", () => {
    const problems: string[] = [];
    for (const { section, cells } of rows) {
      if (cells.length !== 3 || cells.includes("")) problems.push(`${section}: three cells, none empty: ${cells[0]}`);
      else
        for (const proof of cells[2].split("<br>"))
          problems.push(...[missing(proof)].filter((one) => one !== undefined));
    }
    expect(problems).toEqual([]);
  });

  test("what does not exist is noticed", () => {
    expect(missing("`selectools`: no such case")).toMatch(/no case/);
    expect(missing("`nobody`: prose, then one call")).toMatch(/no corpus/);
    expect(missing("`seeds.test.ts`: no such test")).toMatch(/no test/);
    expect(missing("nothing")).toMatch(/not written/);
  });
});
