import type { Family, FormatDraft } from "../compiler/index.ts";
import { nearestName } from "../contract/suggest.ts";
import { UsageError } from "./usage-error.ts";

/** What a command line says of how a format differs from the others of its family. */
export interface WireFlags {
  open?: string;
  close?: string;
  /** `RULE=TEXT`. */
  define: readonly string[];
  keys?: string;
  example?: string;
}

/** The draft of a format with the markers that a command line gives. */
export function draftWire(id: string, family: Family, flags: WireFlags, example: string | undefined): FormatDraft {
  const given = givenRules(family, flags);
  const shown = new Map<string, string>();
  const rules = family.asks.rules.map(({ name, body }) => {
    const literal = literalIn(body);
    const text = given.get(name) ?? (literal === undefined ? undefined : named(literal, id));
    given.delete(name);
    if (literal !== undefined && text !== undefined) shown.set(literal, text);
    return { name, body: text === undefined ? body : literal === undefined ? text : literalOf(text) };
  });
  for (const [name, text] of given) {
    const literal = literalIn(family.literals.get(name) ?? "") ?? "";
    shown.set(literal, text);
    rules.push({ name, body: literalOf(text) });
  }
  const width = Math.max(...rules.map(({ name }) => name.length));
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
    imports: family.asks.imports,
    rules: rules.map(({ name, body }) => `${name.padEnd(width)} = ${body}`),
  };
}

/** Texts by rule, from the flags. */
function givenRules(family: Family, { open, close, define }: WireFlags): Map<string, string> {
  const asked = family.asks.rules.map(({ name }) => name);
  const known = [...asked, ...family.literals.keys()];
  const given = new Map<string, string>();
  const give = (flag: string, ending: RegExp, text: string | undefined) => {
    if (text === undefined) return;
    const rule = known.find((name) => ending.test(name));
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
        `the family ${family.name} has no marker ${name}`,
        `${hint}Its markers are ${known.join(", ")}`,
      );
    }
    given.set(name, text);
  }
  return given;
}

/** The body of a rule that is a marker. Where nothing closes a call, nothing may ever match. */
const literalOf = (text: string) => (text === "" ? '!""' : JSON.stringify(text));

/** The text of a body that is one literal. */
function literalIn(body: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(body)) return undefined;
  return JSON.parse(body) as string;
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
    if (role !== undefined && key !== undefined) shown = shown.replace(`"${role}":`, `${JSON.stringify(key)}:`);
  }
  return shown;
}
