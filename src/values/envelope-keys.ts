import { onceFor } from "../contract/once-for.ts";
import type { PayloadKeys } from "../formats/format-data.ts";
import { Kept } from "../machine/kept.ts";
import { argumentSynonyms } from "./argument-synonyms.ts";
import { harmlessBesideArguments, harmlessKeys } from "./harmless-keys.ts";
import { nameSynonyms } from "./name-synonyms.ts";

/** What a key of an envelope holds. The first three are the header's; the others stand on closed lists, or nowhere. */
export type EnvelopeSlot =
  | "name"
  | "arguments"
  | "id"
  | "synonym"
  | "second-name"
  | "harmless"
  | "description"
  | "other";

/** One object of an envelope. Most envelopes are one object; `function.name` in a header is a key of an inner one. */
export interface EnvelopeLevel {
  readonly slots: ReadonlyMap<string, EnvelopeSlot>;
  readonly inner: ReadonlyMap<string, EnvelopeLevel>;
  /** Every key that may stand here: what distinguishes a key from text where quotes are damaged. */
  readonly keys: ReadonlySet<string>;
}

interface OpenLevel extends EnvelopeLevel {
  readonly slots: Map<string, EnvelopeSlot>;
  readonly inner: Map<string, OpenLevel>;
  readonly keys: Set<string>;
}

function newLevel(): OpenLevel {
  return { slots: new Map(), inner: new Map(), keys: new Set([...argumentSynonyms, ...harmlessKeys]) };
}

/** The envelope that a header describes. */
export const envelopeOf = onceFor((keys: PayloadKeys): EnvelopeLevel => {
  const top = newLevel();
  for (const slot of ["name", "arguments", "id"] as const) {
    for (const path of keys[slot] === "*" ? [] : keys[slot]) {
      const steps = path.split(".");
      const last = steps.pop() as string;
      let level = top;
      for (const step of steps) {
        level.keys.add(step);
        let inner = level.inner.get(step);
        if (!inner) level.inner.set(step, (inner = newLevel()));
        level = inner;
      }
      level.keys.add(last);
      level.slots.set(last, slot);
    }
  }
  wrap(top);
  return top;
});

/**
 * The key under which the OpenAI interface puts the call into a further object, `{"type": "function", "function": {...}}`:
 * read in every format, where nothing but harmless keys stands beside it.
 */
export const wrapperKey = "function";

/** Whether calls stand in an object or a list under a key, as the interfaces of servers and the formats here write them, or as arguments may. */
export const isWrapper = (key: string): boolean =>
  key.length <= wordCharsMax && (wrappers.has(folded(key)) || wordOf(key) === "synonym");

const wrappers: ReadonlySet<string> = new Set(
  ["call", "function", "functioncall", "toolcall", "tooluse"].flatMap((word) => [word, `${word}s`]),
);

function wrap(top: OpenLevel): void {
  if (top.inner.has(wrapperKey)) return;
  top.keys.add(wrapperKey);
  top.inner.set(wrapperKey, { slots: new Map(top.slots), inner: new Map(top.inner), keys: new Set(top.keys) });
}

/** Case, `_` and `-` aside. */
export function folded(key: string): string {
  return key.toLowerCase().replace(/[-_]/g, "");
}

/** A key that is longer is no such word, however many `_` it has. */
const wordCharsMax = 40;

/** What a key of this object holds: as the header says, or else as the closed lists say. */
export function slotOf(level: EnvelopeLevel, key: string): EnvelopeSlot {
  const documented = level.slots.get(key);
  if (documented) return documented;
  if (harmlessKeys.includes(key)) return "harmless";
  if (key === harmlessBesideArguments) return "description";
  return wordOf(key) ?? "other";
}

/** Whether a key is a word for arguments or for a name, in any format. */
export function wordOf(key: string): "synonym" | "second-name" | undefined {
  if (key.length > wordCharsMax) return undefined;
  let word = words.get(key);
  if (word === undefined) {
    const plain = folded(key);
    const isOneOf = (synonyms: readonly string[]) => synonyms.some((synonym) => folded(synonym) === plain);
    word = isOneOf(argumentSynonyms) ? "synonym" : isOneOf(nameSynonyms) ? "second-name" : "none";
    words.keep(key, word);
  }
  return word === "none" ? undefined : word;
}

/** Keys that were asked about; most are those of a few tools. */
const words = new Kept<string, "synonym" | "second-name" | "none">(1024);

/**
 * What stands at a path of an envelope: one of its objects, or a place of the arguments; undefined: neither.
 *
 * @param path Keys from the top of the object that is the call.
 */
export function envelopePlace(
  keys: PayloadKeys,
  path: readonly (string | number)[],
): { level: EnvelopeLevel } | { inArguments: readonly (string | number)[] } | undefined {
  if (keys.name === "*") return path.length === 0 ? undefined : { inArguments: path.slice(1) };
  let level: EnvelopeLevel | undefined = envelopeOf(keys);
  for (const [at, step] of path.entries()) {
    const slot = slotOf(level, String(step));
    if (slot === "arguments" || slot === "synonym") return { inArguments: path.slice(at + 1) };
    level = level.inner.get(String(step));
    if (!level) return undefined;
  }
  return { level };
}

/** Whether a key that stands among the arguments may be one of the envelope's, where a brace is missing. */
export function isEnvelopeKey(key: string): boolean {
  return slotOf(noHeader, key) !== "other";
}

const noHeader: EnvelopeLevel = { slots: new Map(), inner: new Map(), keys: new Set() };
