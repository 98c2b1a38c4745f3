/**
 * Writes docs/grammar-reference.md: what authors of grammars may write, from the tables of the compiler and from the
 * grammars that ship.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { roleOf } from "../src/compiler/analyse/role-of.ts";
import { shippedFamilies } from "../src/compiler/parse/draft-grammar.ts";
import { readHeader } from "../src/compiler/parse/read-header.ts";
import {
  flagMeanings,
  headerMeanings,
  placeMeanings,
  primitiveMeanings,
  roleMeanings,
} from "../src/compiler/reference.ts";
import { projectRoot } from "./entries.ts";

/** Where the page lies. */
export const grammarReferencePath = join(projectRoot, "docs/grammar-reference.md");

const grammars = join(projectRoot, "grammars");
const sharedFolder = "shared";
const read = (path: string) => readFileSync(join(grammars, path), "utf8");
const filesIn = (folder: string) =>
  readdirSync(join(grammars, folder))
    .filter((file) => file.endsWith(".peggy"))
    .sort();

/** The formats that ship, with their texts. */
const formats = filesIn(".")
  .filter((file) => file !== "message.peggy")
  .map((file) => ({
    id: file.replace(/\.peggy$/, ""),
    text: read(file),
    header: readHeader({ path: file, text: read(file) }),
  }));

const table = (head: [string, string], rows: readonly (readonly [string, string])[]) =>
  [
    `| ${head.join(" | ")} |`,
    "|---|---|",
    ...rows.map(([left, right]) => `| ${left} | ${right.replace(/\|/g, "\\|")} |`),
  ].join("\n");

const code = (word: string) =>
  word
    .split(", ")
    .map((part) => `\`${part}\``)
    .join(", ");

const meanings = (head: string, from: Readonly<Record<string, string>>) =>
  table(
    [head, "meaning"],
    Object.entries(from).map(([word, meaning]) => [code(word), meaning] as const),
  );

function familySection({ name, title, asks, example, literals }: ReturnType<typeof shippedFamilies>[number]): string {
  const members = formats.filter(({ header }) => header.extends === `family/${name}`);
  const replaced = new Map<string, number>();
  for (const { header } of members) {
    for (const rule of header.overrides ?? []) replaced.set(rule, (replaced.get(rule) ?? 0) + 1);
  }
  const often = [...replaced].sort(([, left], [, right]) => right - left).slice(0, 8);
  const markers = [...literals.keys()];
  return [
    `### \`${name}\``,
    "",
    `${title}.`,
    "",
    ...example.split("\n").map((line) => `    ${line}`.trimEnd()),
    "",
    "It leaves to the format:",
    "",
    ...[...asks.imports, ...asks.rules.map(({ name: rule, body }) => `${rule} = ${body}`)].map((line) => `    ${line}`),
    "",
    ...(markers.length === 0 ? [] : [`Its other markers: ${markers.map(code).join(", ")}.`]),
    ...(often.length === 0 ? [] : [`Formats write anew: ${often.map(([rule]) => code(rule)).join(", ")}.`]),
    `Formats of it: ${members.map(({ id }) => id).join(", ")}.`,
  ].join("\n");
}

/** Code that may hold marks of code. */
function inlineCode(text: string): string {
  const marks = "`".repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const blank = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${blank}${text}${blank}${marks}`;
}

/** The comment above a rule, as one line. */
function commentAbove(lines: readonly string[], at: number): string {
  const found: string[] = [];
  for (
    let above = at - 1;
    above >= 0 && lines[above].startsWith("// ") && !lines[above].startsWith("// ---");
    above--
  ) {
    found.unshift(lines[above].slice(3));
  }
  return found.join(" ");
}

function sharedSection(file: string): string {
  const text = read(`${sharedFolder}/${file}`);
  const { title = file } = readHeader({ path: file, text });
  const uses = (rule: string) =>
    formats.filter(({ text: grammar }) =>
      new RegExp(`import \\{[^}]*\\b${rule}\\b[^}]*\\} from "[^"]*${file}"`).test(grammar),
    ).length;
  const lines = text.split("\n");
  const rows = lines.flatMap((line, at) => {
    const [, rule] = /^([A-Za-z_]\w*)(?: "[^"]*")?\s*=/.exec(line) ?? [];
    if (rule === undefined || uses(rule) === 0) return [];
    const [, body] = /=\s*(.*)$/.exec(line) as RegExpExecArray;
    const comment = commentAbove(lines, at);
    return [[code(rule), comment === "" ? inlineCode(body) : comment] as const];
  });
  return `### \`toolpeg/${sharedFolder}/${file}\`\n\n${title}.\n\n${table(["rule", "what it is"], rows)}`;
}

function repairRules(): string {
  const names = new Set<string>();
  for (const text of [
    ...formats.map((format) => format.text),
    ...filesIn("family").map((file) => read(`family/${file}`)),
  ]) {
    for (const [, rule] of text.matchAll(/^([A-Z]\w*)(?: "[^"]*")?\s*=/gm)) {
      const role = roleOf(rule);
      if (role !== undefined && "repair" in role) names.add(rule);
    }
  }
  return [...names].sort().map(code).join(", ");
}

function toolSets(): string {
  const sets = JSON.parse(read(`${sharedFolder}/tools.json`)) as Record<string, unknown>;
  const rows = Object.entries(sets).flatMap(([name, tools]) => {
    if (!Array.isArray(tools)) return [];
    const shown = tools.map(({ name: tool, parameters }) => {
      const { properties = {} } = (parameters ?? {}) as { properties?: Record<string, { type?: string | string[] }> };
      const keys = Object.entries(properties).map(([key, { type }]) => (type === undefined ? key : `${key}: ${type}`));
      return `\`${tool}(${keys.join(", ")})\``;
    });
    return [[code(name), shown.join(", ")] as const];
  });
  return table(["set", "tools"], rows);
}

/** The text of the page. */
export function grammarReference(): string {
  return `# Reference for authors of grammars

Made by \`npm run docs\` from the tables of the compiler and from the grammars. How to write a format is in
[grammar-guide.md](grammar-guide.md).

## Families

\`extends: toolpeg/family/NAME\` takes over the rules of a family. A format writes what the family leaves to it, and any other
rule of the family anew; the names of those stand in \`overrides\`.

${shippedFamilies().map(familySection).join("\n\n")}

## Header keys

The list is closed. In \`reasoning\`, \`stop\`, \`turns\` and \`framing\`, \`\\n\`, \`\\r\`, \`\\t\`, \`\\s\` (a blank), \`\\;\`, \`\\\\\` and \`\\uXXXX\` are escapes.
A value goes on in the next line where that is indented by three blanks or more.

${meanings("key", headerMeanings)}

### Flags

${meanings("flag", flagMeanings)}

## Rules that are known by name

${meanings("rule", placeMeanings)}

## Roles

What a rule means goes by its name. What follows an underscore distinguishes rules of one role: \`Verbatim_single\` is a
\`Verbatim\`. In a call, text that no role covers is framing; outside of one, text that could be a sentence needs a role.

${Object.entries(roleMeanings)
  .map(([title, roles]) => `### ${title}\n\n${meanings("role", roles as Record<string, string>)}`)
  .join("\n\n")}

### Repairs

A rule that is named for a [kind of repair](recovery.md) records that repair, at the level \`safe\`, where it matches; often its body is
\`""\`. The grammars use ${repairRules()}.

## Primitives

What PEG cannot write down has a name, a stand-in body in \`toolpeg/shared/primitives.peggy\`, and one implementation in the machine.
All of them work at any cut of the text. The names of tools and parameters reach a grammar only so.

${meanings("primitive", primitiveMeanings)}

## Shared rules

\`import { ws } from "toolpeg/shared/json.peggy"\` takes a rule from one of these files.

${filesIn(sharedFolder)
  .filter((file) => file !== "primitives.peggy")
  .map(sharedSection)
  .join("\n\n")}

## Sets of tools

What \`tools:\` of a case may name. Sets of your own stand in a \`tools.json\` beside the grammar: \`{"bells": [...]}\`.

${toolSets()}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(grammarReferencePath, grammarReference());
