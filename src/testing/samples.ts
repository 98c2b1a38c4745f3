/**
 * Messages to try any format with, whether or not it has a corpus: its own example of a call, and calls that it writes by
 * itself. Their words hold letters and digits only, so every other character is structure.
 */
import type { Format } from "../formats/format.ts";
import type { Engine, HarnessResult } from "./engine.ts";
import { callsOf } from "./observe.ts";
import type { FormatFacts } from "./properties.ts";
import type { CorpusCall, CorpusCase } from "./read-corpus.ts";
import { sameValue } from "./same-value.ts";

const closed = (properties: Record<string, object>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Closed schemas: a key that damage has made is no key of a call. */
export const sampleTools = [
  { name: "read_dial", parameters: closed({ dial: { type: "string" }, site: { type: "string" } }) },
  {
    name: "set_dial",
    parameters: closed({
      dial: { type: "string" },
      level: { type: "integer" },
      locked: { type: "boolean" },
      marks: { type: "array", items: { type: "string" } },
    }),
  },
  { name: "list_dials", parameters: closed({}) },
];

/** The same with nothing required. */
export const looseTools = sampleTools.map((tool) => ({ ...tool, parameters: { ...tool.parameters, required: [] } }));

const read: CorpusCall = { name: "read_dial", arguments: { dial: "north7", site: "hillside" } };
const set: CorpusCall = {
  name: "set_dial",
  arguments: { dial: "south", level: 4127, locked: true, marks: ["amber", "green"] },
};
const list: CorpusCall = { name: "list_dials", arguments: {} };

/** The words that samples are made of: what stands between them in a rendered text is structure. */
export const sampleWords = /read_dial|set_dial|list_dials|north7|hillside|south|4127|amber|green/g;

/** Messages made of calls, by what they hold. */
const messages: Readonly<Record<string, readonly CorpusCall[]>> = {
  "one call": [read],
  "values of every type": [set],
  "no arguments": [list],
  "two calls": [read, list],
  "three calls": [list, set, read],
};

/** A case that no file holds. */
export function sampleCase(
  title: string,
  text: string,
  calls: CorpusCall[],
  tools: unknown[] = sampleTools,
): CorpusCase {
  return {
    ...{ title, text, tools, calls, file: "samples", line: 0, lastLine: 0, from: "written by the renderer" },
    ...{ prefill: undefined, intent: true, policy: undefined, finishReason: undefined, marker: undefined },
    ...{ names: undefined, lines: [], marks: [], content: "", reasoning: "" },
  };
}

/** The example in the header, read by extraction alone: there is no tool list that fits all examples. */
function exampleOf(format: Format, engine: Engine): CorpusCase[] {
  const text = format.example;
  const names = format.needsNames ? [...new Set(text.match(/\w+/g))] : undefined;
  const {
    candidates = [],
    content = "",
    rejected = [],
  }: Partial<HarnessResult> = engine.extract?.(text, { format, names }) ?? {};
  if (candidates.length === 0 || rejected.length > 0) return [];
  const calls = candidates.map(({ name, arguments: given }) => ({ name, arguments: given }));
  return [
    {
      ...sampleCase(`${format.id}: its own example`, text, calls),
      tools: undefined,
      intent: undefined,
      names,
      content,
    },
  ];
}

/** What a format writes, and reads back as it was; what it cannot carry is left out. */
export function samplesOf(format: Format, engine: Engine): CorpusCase[] {
  const written = Object.entries(messages).flatMap(([title, calls]) => {
    let text: string;
    try {
      text = format.renderCalls(calls);
    } catch {
      return [];
    }
    const found = engine.parse(text, { format, tools: sampleTools, intent: true });
    const same = sameValue(
      callsOf(found).map(({ name, arguments: given }) => ({ name, arguments: given })),
      calls,
    );
    return same && found.rejected.length === 0 ? [sampleCase(`${format.id}: ${title}`, text, [...calls])] : [];
  });
  return [...written, ...exampleOf(format, engine)];
}

/** What a format says of where its calls may stand. */
export function factsOf(format: Format): FormatFacts {
  const [pair] = format.reasoning;
  const startsReasoning = format.starts === "reasoning";
  const { triggers: openers, turns = [] } = format;
  return pair === undefined
    ? { format, startsReasoning, openers, turns }
    : { format, reasoning: [pair.open, pair.close], startsReasoning, openers, turns };
}

/**
 * Readings of a damaged sample that are right although they differ from it. A character at the border of a value may
 * belong to the value, where the text is in order as it stands or where only the envelope's closer is missing:
 * `">north"` is what a raw format says that it is. The words stay, each under its key.
 */
export function isOwnReading(format: Format) {
  // Two strings of Python side by side are one, by the language itself.
  const isPython = format.program.strings.includes("'''");
  return (_damage: unknown, call: { name: string; arguments: unknown }): boolean => {
    const found = JSON.stringify([call.name, onlyWords(call.arguments)]);
    if (known.has(found)) return true;
    return isPython && joined.has(found);
  };
}

const known = new Set([read, set, list].map((call) => JSON.stringify([call.name, onlyWords(call.arguments)])));
const joined = new Set([JSON.stringify([set.name, onlyWords({ ...set.arguments, marks: ["ambergreen"] })])]);

/** A value with only the letters and digits of its strings. */
export function onlyWords(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/[^A-Za-z0-9]/g, "");
  if (Array.isArray(value)) return value.map(onlyWords);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, onlyWords(member)]));
}
