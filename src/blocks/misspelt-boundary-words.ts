import { type RenderTemplate, slot } from "../contract/render-template.ts";
import type { FormatData } from "../formats/format-data.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { type ParameterTag, parameterTagOf } from "./parameter-tag.ts";

/** What a format writes between two values, in words and marks: the closer of one, the opener of the next with its key. */
export interface Boundary extends ParameterTag {
  /** All words of it, the longest first. */
  readonly words: readonly string[];
  /** The longest word of the tag before a key; undefined: the key is its name. */
  readonly head: string | undefined;
  readonly closer: readonly string[];
  readonly before: readonly string[];
  /** By the kind of the value. */
  readonly after: readonly (readonly string[])[];
  /** It has so few words that marks alone may be enough. */
  readonly isMarks: boolean;
  /** What closes and opens calls and their parts. */
  readonly closers: ReadonlySet<string>;
  readonly openers: ReadonlySet<string>;
  /** Closers that are no closing tags, and the words of all. */
  readonly tokens: readonly string[];
  readonly callWords: ReadonlySet<string>;
}

export type Source = Pick<FormatData, "template" | "closers" | "triggers">;

const known = new WeakMap<RenderTemplate, Boundary | null>();

export function boundaryOf(format: Source): Boundary | null {
  const { template } = format;
  if (!template) return null;
  let boundary = known.get(template);
  if (boundary === undefined) known.set(template, (boundary = makeBoundary(template, format)));
  return boundary;
}

/** Stands for the key of the value, where its closer names it. */
export const ownKey = "\0";

function makeBoundary(template: RenderTemplate, { closers = [], triggers }: Source): Boundary | null {
  const tag = parameterTagOf(template);
  if (tag === null) return null;
  const { members = [], comma = "" } = template;
  const [, ...pieces] = members[0] ?? [""];
  const at = pieces.indexOf(slot.key);
  const text = (some: readonly (string | number)[]) =>
    some.map((piece) => (typeof piece === "string" ? piece : ownKey)).join("");
  const written = text(pieces.slice(pieces.indexOf(slot.value) + 1)) + comma + text(pieces.slice(0, at));
  const { opener } = tag;
  const tokens = (some: string): string[] => some.toLowerCase().match(token()) ?? [];
  const after = new Map<string, string[]>();
  for (const [, ...some] of members) {
    const between = text(some.slice(some.indexOf(slot.key) + 1, some.indexOf(slot.value)));
    after.set(between, tokens(between));
  }
  const wordsIn = (some: readonly string[]) =>
    some.filter((one) => letter().test(one)).sort((left, right) => right.length - left.length);
  const all = [...tokens(written), ...([...after.values()][0] ?? [])];
  return {
    isMarks: wordsIn(all).length <= all.length / 4,
    words: [...new Set(wordsIn([...tokens(written), ...[...after.values()].flat()]))],
    head: wordsIn(tokens(tagName.exec(opener)?.[0] ?? ""))[0],
    ...tag,
    closer: tokens(written.slice(0, written.length - opener.length)),
    before: tokens(opener),
    after: [...after.values()],
    closers: new Set(closers),
    openers: new Set(triggers),
    tokens: closers.filter((one) => one.startsWith("<") && !one.startsWith("</")),
    callWords: new Set(wordsIn(closers.flatMap(tokens))),
  };
}

/** Between a closer and an opener, and before and after a key, stands no more than this. */
export const gapCharsMax = 64;
/** No more of a line is looked at. */
export const lineCharsMax = 240;
const tagName = /^<[^\s=>"]*/;
const token = latePattern("[\\p{L}\\p{N}_]+|[^\\s]", "gu");
export const letter = latePattern("[\\p{L}\\p{N}_]");
