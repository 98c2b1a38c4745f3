import { readdirSync } from "node:fs";
import type { GrammarFile } from "./grammar-error.ts";
import { type AskedRules, readHeader } from "./read-header.ts";
import { shippedRoot, stemOf } from "./resolve-path.ts";
import { loadShippedGrammar, shippedFolder } from "./shipped-grammars.ts";

/** A format that extends a family, before anybody has written its grammar. */
export interface FormatDraft {
  id: string;
  /** Name of the family: `json-in-tags`. */
  family: string;
  /** What the comment at the top says besides; empty: nothing. */
  remark?: string;
  /** Lines of the header that are not made from the rest, in their order. */
  header: readonly [key: string, value: string][];
  example: string;
  /** Lines: `import { ws } from "toolpeg/shared/json.peggy"`. */
  imports: readonly string[];
  /** Lines that begin with the name of a rule; a line that does not goes on with the one before. */
  rules: readonly string[];
}

const ruleName = /^([A-Za-z_]\w*)(?:\s+"(?:[^"\\]|\\.)*")?\s*=/;
const keyColumns = 10;

/** The text of a grammar, as people write one. What takes the place of a rule of the family is said in `overrides`. */
export function draftGrammar({ id, family, remark = "", header, example, imports, rules }: FormatDraft): string {
  const inherited = rulesOfFamily(family);
  const replaced = rules.map((rule) => ruleName.exec(rule)?.[1] ?? "").filter((name) => inherited.includes(name));
  const lines: (readonly [key: string, value: string])[] = [
    ["format", id],
    ["extends", `${shippedRoot}/family/${family}`],
    ...(replaced.length === 0 ? [] : [["overrides", replaced.join(", ")] as const]),
    ...header,
  ];
  return [
    `// ${id}`,
    "//",
    ...(remark === "" ? [] : [`// ${remark}`, "//"]),
    ...lines.map(([key, value]) => `// ${`${key}:`.padEnd(keyColumns)} ${value}`),
    "//",
    "// example:",
    ...blockLines(example),
    "",
    ...(imports.length === 0 ? [] : [...imports, ""]),
    ...rules,
    "",
  ].join("\n");
}

const blockLines = (text: string) => text.split("\n").map((line) => `//   ${line}`.trimEnd());

/** A family as its file describes it. */
export interface Family {
  name: string;
  /** The first line of its file: `JSON between markers`. */
  title: string;
  /** What it leaves to the format, with bodies that can stand there; the example shows a call with these. */
  asks: AskedRules;
  example: string;
  /** Its other markers: rules that are one literal, with the text of their bodies. */
  literals: ReadonlyMap<string, string>;
}

/** The families that ship with the package, by name. */
export function shippedFamilies(): Family[] {
  return readdirSync(shippedFolder("family"))
    .filter((file) => file.endsWith(".peggy"))
    .map((file) => familyOf(stemOf(file)))
    .filter((family) => family !== undefined)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** One of them; undefined where there is none of that name. */
export function familyOf(name: string): Family | undefined {
  const file = familyFile(name);
  if (file === undefined) return undefined;
  const { title = name, asks = { rules: [], imports: [] }, example = "", extends: parent } = readHeader(file);
  const own = [...file.text.matchAll(/^([A-Za-z_]\w*)(?: +"[^"\n]*")? *= *("(?:[^"\\\n]|\\.)+")$/gm)];
  const literals = new Map(parent === undefined ? [] : familyOf(stemOf(parent))?.literals);
  for (const [, rule, body] of own) literals.set(rule, body);
  return { name, title, asks, example, literals };
}

function familyFile(name: string): GrammarFile | undefined {
  const path = `${shippedRoot}/family/${name}.peggy`;
  const text = loadShippedGrammar(path);
  return text === undefined ? undefined : { path, text };
}

/** The names of the rules of a family, and of what it extends. */
export function rulesOfFamily(name: string): string[] {
  const file = familyFile(name);
  if (file === undefined) return [];
  const names = file.text.split("\n").flatMap((line) => ruleName.exec(line)?.[1] ?? []);
  const parent = readHeader(file).extends;
  return parent === undefined ? names : [...names, ...rulesOfFamily(stemOf(parent))];
}
