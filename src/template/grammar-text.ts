import type { Inspection } from "./inspect-template.ts";
import { markersIn } from "./markers.ts";
import type { Draft } from "./skeletons/skeleton.ts";
import type { ReadSource } from "./template-source.ts";
import type { ThoughtMarkers } from "./thoughts.ts";

/** What a grammar is written from. */
export interface GrammarParts {
  id: string;
  draft: Draft;
  /** Names of the rules that the family has. */
  inherited: readonly string[];
  source: ReadSource;
  inspection: Inspection;
  thoughts: ThoughtMarkers | undefined;
  /** One call, and several. */
  one: string;
  several: string | undefined;
}

const keyColumns = 10;

/** The text of a grammar, as people write one. */
export function grammarText(parts: GrammarParts, withRender: boolean): string {
  const { id, draft, inherited, source, inspection, thoughts, one, several } = parts;
  const model = source.model !== undefined && /^[\w.-]+\/[\w.-]+$/.test(source.model) ? source.model : undefined;
  const stop = stopsOf(source, inspection);
  const lines: [string, string][] = [
    ["format", id],
    ...(model === undefined ? [] : ([["models", model]] as [string, string][])),
    ["extends", `toolpeg/family/${draft.family}`],
    ...overridesOf(draft.rules, inherited),
    ...draft.header,
    ["reasoning", thoughts === undefined ? "none" : `${token(thoughts.open)} ${token(thoughts.close)}`],
    ["stop", stop.length === 0 ? "none" : stop.map(token).join(" ")],
    ["source", model === undefined ? "the model's chat template" : `the chat template of ${model}`],
  ];
  const header = lines.map(([key, value]) => `// ${`${key}:`.padEnd(keyColumns)} ${value}`);
  const render = withRender && several !== undefined ? ["//", "// render:", ...block(several)] : [];
  const imports = draft.imports.map(([part, names]) => `import { ${names} } from "toolpeg/part/${part}.peggy"`);
  return [
    `// ${id}`,
    "//",
    `// Made from a chat template by \`toolpeg new\`: ${draft.kind}.`,
    "//",
    ...header,
    "//",
    "// example:",
    ...block(one),
    ...render,
    "",
    ...(imports.length === 0 ? [] : [...imports, ""]),
    ...draft.rules,
    "",
  ].join("\n");
}

const ruleName = /^([A-Za-z_]\w*)(?:\s+"(?:[^"\\]|\\.)*")?\s*=/;

/** The line of the header that names the rules which take the place of the family's. */
function overridesOf(rules: readonly string[], inherited: readonly string[]): [key: string, value: string][] {
  const names = rules.map((rule) => ruleName.exec(rule)?.[1] ?? "").filter((name) => inherited.includes(name));
  return names.length === 0 ? [] : [["overrides", names.join(", ")]];
}

/**
 * The names of the rules of a family, and of what it extends.
 *
 * @param load Reads a grammar of the package by its path.
 */
export function rulesOfFamily(family: string, load: (path: string) => string | undefined): string[] {
  const text = load(`toolpeg/family/${family}.peggy`) ?? "";
  const names = text.split("\n").flatMap((line) => ruleName.exec(line)?.[1] ?? []);
  const parent = /^\/\/ extends:\s+family\/(\S+)/m.exec(text)?.[1];
  return parent === undefined ? names : [...names, ...rulesOfFamily(parent, load)];
}

const block = (text: string) => text.split("\n").map((line) => `//   ${line}`.trimEnd());

/** What ends a turn. The role of the next turn may follow it, so only the first marker is one. */
function stopsOf(source: ReadSource, { frame }: Inspection): string[] {
  const [first] = markersIn(frame.end);
  const ends = [first, source.eosToken].filter((text): text is string => text !== undefined && text.trim() !== "");
  return [...new Set(ends.map((text) => text.trim()))];
}

/** A token as headers write it, without white space and without what parts two of them. */
function token(text: string): string {
  const escapes: Record<string, string> = {
    "\\": "\\\\",
    ";": "\\;",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    " ": "\\s",
  };
  return text
    .trim()
    .replace(/[\\;\s]/g, (sign) => escapes[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
