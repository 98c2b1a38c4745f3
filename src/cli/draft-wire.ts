import { type Family, type FormatDraft, rulesOfFamily, shownText } from "../compiler/index.ts";
import { nearestName } from "../contract/suggest.ts";
import { UsageError } from "./usage-error.ts";

/** What a command line says of how a format differs from the others of its family. */
export interface WireFlags {
  open?: string;
  close?: string;
  /** `RULE=TEXT`. */
  define: readonly string[];
  /** `name = expression`, or a line of imports: what the family does not have. */
  rule: readonly string[];
  keys?: string;
  example?: string;
}

/** The draft of a format with the markers and rules that a command line gives. */
export function draftWire(id: string, family: Family, flags: WireFlags, example: string | undefined): FormatDraft {
  const given = givenRules(family, flags);
  const isImport = (line: string) => line.startsWith("import ");
  const helpers = helperRules(
    family,
    flags.rule.filter((line) => !isImport(line)),
  );
  const asked = new Map(family.asks.rules.map(({ name, body }) => [name, body]));
  const before = new Map([...family.literals, ...asked]);
  const drafted = new Map<string, string>();
  for (const [name, body] of asked) {
    const literal = literalIn(body);
    drafted.set(name, literal === undefined ? body : JSON.stringify(named(literal, id)));
  }
  for (const [name, text] of given) drafted.set(name, isMarker(family, name) ? bodyOf(family, name, text) : text);
  const after = new Map([...before, ...drafted, ...helpers]);
  const shown = new Map<string, string>();
  for (const words of exampleWords) {
    for (const name of drafted.keys()) {
      const [old, now] = [textOfRule(before, name, words), textOfRule(after, name, words)];
      if (old !== undefined && now !== undefined) shown.set(old, now);
    }
  }
  const rules = [...drafted, ...helpers];
  const width = Math.max(...rules.map(([name]) => name.length));
  return {
    id,
    family: family.name,
    header: [
      ...(flags.keys === undefined ? [] : ([["keys", flags.keys]] as [string, string][])),
      ["reasoning", "<think> </think>"],
      ["stop", "none"],
      ["source", "say who documents the format"],
    ],
    example: example ?? withKeys(replaceAll(family.example, shown), flags.keys),
    imports: [...family.asks.imports, ...flags.rule.filter(isImport)],
    rules: rules.map(([name, body]) => `${name.padEnd(width)} = ${body}`),
  };
}

/** Markers that are given as nothing, and do not close calls: few families can do without one. */
export function emptyMarkers(family: Family, flags: WireFlags): string[] {
  const given = [...givenRules(family, flags)];
  return given
    .filter(([name, text]) => text === "" && isMarker(family, name) && !closesCalls(family, name))
    .map(([name]) => name);
}

/** Texts by rule, from the flags. */
function givenRules(family: Family, { open, close, define }: WireFlags): Map<string, string> {
  const asked = family.asks.rules.map(({ name }) => name);
  const markers = [...asked, ...family.literals.keys()];
  const known = [...markers, ...rulesOfFamily(family.name)];
  const given = new Map<string, string>();
  const give = (flag: string, ending: RegExp, text: string | undefined) => {
    if (text === undefined) return;
    const rule = markers.find((name) => ending.test(name));
    if (rule === undefined) {
      throw new UsageError(
        `the family ${family.name} has no rule for ${flag}`,
        `it asks for ${asked.join(", ")}: write --define ${asked[0]}=...`,
      );
    }
    given.set(rule, text);
  };
  give("--open", /^OPEN$|_OPEN$|Open$/, open);
  give("--close", /^CLOSE$|_CLOSE$|Close$/, close);
  for (const definition of define) {
    const [, name, text] = /^(\w+)=([\s\S]*)$/.exec(definition) ?? [];
    if (name === undefined || text === undefined) {
      throw new UsageError(`--define ${definition} defines nothing`, "write --define RULE=TEXT");
    }
    if (!known.includes(name)) {
      const near = nearestName(name, known);
      const hint = near === undefined ? "" : `did you mean ${near}? `;
      throw new UsageError(
        `the family ${family.name} has no rule ${name}`,
        `${hint}Its markers are ${markers.join(", ")}; a rule that it does not have is given by --rule`,
      );
    }
    given.set(name, text);
  }
  return given;
}

/** Bodies by rule, of rules that the family does not have. */
function helperRules(family: Family, texts: readonly string[]): Map<string, string> {
  const helpers = new Map<string, string>();
  for (const text of texts) {
    const [, name, body] = /^\s*([A-Za-z_]\w*)\s*=\s*([^\n]*\S)\s*$/.exec(text) ?? [];
    if (name === undefined || body === undefined) {
      throw new UsageError(`--rule ${text} is no rule`, "write --rule 'name = expression', on one line");
    }
    if (rulesOfFamily(family.name).includes(name) || family.asks.rules.some((rule) => rule.name === name)) {
      throw new UsageError(`the family ${family.name} has a rule ${name}`, `write --define '${name}=${body}'`);
    }
    helpers.set(name, body);
  }
  return helpers;
}

/** A marker is given as text; what else a rule may be is given as an expression. */
const isMarker = ({ asks, literals }: Family, name: string) =>
  literalIn(asks.rules.find((rule) => rule.name === name)?.body ?? literals.get(name) ?? "") !== undefined;

const closesCalls = ({ asks }: Family, name: string) =>
  /(?:CLOSE|Close)$/.test(name) && asks.rules.some((rule) => rule.name === name);

/** The body of a rule that is a marker. Where nothing closes a call, nothing may ever match. */
const bodyOf = (family: Family, name: string, text: string) =>
  text === "" && closesCalls(family, name) ? '!""' : JSON.stringify(text);

/** The text of a body that is one literal. */
function literalIn(body: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(body)) return undefined;
  return JSON.parse(body) as string;
}

/** What rules stand for in the examples of families: words of their calls, and blanks that are left out. */
const exampleWords = [
  ["read_dial", "dial"],
  ["list_dials", "times"],
].map(
  ([name, key]): Readonly<Record<string, string>> => ({
    ...{ Name: name, toolName: name, Key: key, declaredKey: key },
    ...{ Cut: "", ws: "", blanks: "" },
  }),
);

/** What a call shows for a rule, by the bodies of rules. */
function textOfRule(
  bodies: ReadonlyMap<string, string>,
  name: string,
  words: Readonly<Record<string, string>>,
  depth = 0,
): string | undefined {
  const body = bodies.get(name);
  if (name in words) return words[name];
  if (body === undefined || depth > bodies.size) return undefined;
  return shownText(body, (inner) => textOfRule(bodies, inner, words, depth + 1));
}

/** A marker that was not given bears the id, so that no two formats begin alike. */
function named(literal: string, id: string): string {
  return literal.replace(/\b(calls?)\b/, `${id.replace(/[^a-z0-9]/g, "_")}_$1`);
}

function replaceAll(text: string, pairs: ReadonlyMap<string, string>): string {
  const found = [...pairs.keys()].filter((key) => key !== "").sort((left, right) => right.length - left.length);
  if (found.length === 0) return text;
  const pattern = new RegExp(found.map((key) => key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  return text.replace(pattern, (key) => pairs.get(key) ?? key);
}

/** The keys of a payload as `keys` spells them first. A path, or `name = *`, has to be shown by an example. */
function withKeys(example: string, keys: string | undefined): string {
  let shown = example;
  for (const part of keys?.split(";") ?? []) {
    const [, role, key] = /^\s*(name|arguments)\s*=\s*([^\s|.*]+)\s*(?:\||$)/.exec(part) ?? [];
    if (role !== undefined && key !== undefined) shown = shown.replaceAll(`"${role}":`, `${JSON.stringify(key)}:`);
  }
  return shown;
}
