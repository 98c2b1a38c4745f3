import type { JsonSchema } from "../contract/types.ts";

/** Code points as pairs of first and last, in order. Surrogates are in none: what engines read is Unicode text. */
export type CharRanges = readonly number[];

/**
 * What a model may write, as parts that every engine's language can say.
 *
 * - `text`: exactly this.
 * - `all`: one after the other. `any`: one of them; none at all, when the list is empty.
 * - `many`: the same part again and again, with a text between.
 * - `chars`: one character of a set, `min` to `max` times.
 * - `rule`: a named part; the only way to recursion.
 * - `until`: text of any length that holds none of some strings.
 * - `schema`: JSON that fits a schema; `part` says the same in parts.
 */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "all"; readonly parts: readonly Part[] }
  | { readonly type: "any"; readonly parts: readonly Part[] }
  | {
      readonly type: "many";
      readonly part: Part;
      readonly between: string;
      readonly min: number;
      readonly max?: number | undefined;
    }
  | { readonly type: "chars"; readonly ranges: CharRanges; readonly min: number; readonly max?: number | undefined }
  | { readonly type: "rule"; readonly name: string }
  | UntilPart
  | { readonly type: "schema"; readonly schema: JsonSchema; readonly part: Part };

/** Text of any length that holds none of some strings. */
export interface UntilPart {
  readonly type: "until";
  /** Strings that stand nowhere in the text. */
  readonly not: readonly string[];
  /** Beginnings of them that the text does not end in. */
  readonly notLast?: readonly string[] | undefined;
  /** The characters it is made of. */
  readonly chars: CharRanges;
  /** Those it may begin with, where that is not all. */
  readonly first?: CharRanges | undefined;
  /** What may stand for a character: escapes, references. Begins with a character that is not among `chars`. */
  readonly instead?: Part | undefined;
  /** Whether it may be empty. */
  readonly min: 0 | 1;
  /**
   * Where the next character of a forbidden string is not ASCII, no such character may stand: `<é` counts as `<｜`. For
   * prose alone, where that costs little: xgrammar 0.1.27 cannot distinguish the two.
   */
  readonly coarse?: boolean | undefined;
}

/** The root and the rules that it names. */
export interface Parts {
  readonly root: Part;
  readonly rules: ReadonlyMap<string, Part>;
}

const lastCodePoint = 0x10ffff;
/** Every character but surrogates. */
export const everyChar: CharRanges = [0, 0xd7ff, 0xe000, lastCodePoint];
/** The same without NUL, which some engines take for the end of a string. */
export const textChars: CharRanges = [1, 0xd7ff, 0xe000, lastCodePoint];

export const text = (value: string): Part => ({ type: "text", text: value });
export const nothing: Part = text("");
/** What cannot be written. */
export const never: Part = { type: "any", parts: [] };
export const rule = (name: string): Part => ({ type: "rule", name });
export const chars = (ranges: CharRanges, min = 1, max: number | undefined = min): Part => ({
  type: "chars",
  ranges,
  min,
  max,
});
/** One character or more of a set. */
export const charsOf = (ranges: CharRanges, min: number): Part => ({ type: "chars", ranges, min });

export const isNever = (part: Part): boolean => part.type === "any" && part.parts.length === 0;
const isNothing = (part: Part): boolean => part.type === "text" && part.text === "";

/** One after the other; texts that meet become one, and one part that cannot be written makes all of it so. */
export function all(...given: readonly Part[]): Part {
  const parts: Part[] = [];
  const add = (part: Part): boolean => {
    if (part.type === "all") return part.parts.every(add);
    const last = parts[parts.length - 1];
    if (part.type !== "text" || last?.type !== "text") {
      if (!isNothing(part)) parts.push(part);
      return !isNever(part);
    }
    parts[parts.length - 1] = text(last.text + part.text);
    return true;
  };
  if (!given.every(add)) return never;
  return parts.length === 0 ? nothing : parts.length === 1 ? parts[0] : { type: "all", parts };
}

/** One of them, each once. */
export function any(...given: readonly Part[]): Part {
  const parts: Part[] = [];
  const known = new Set<string>();
  const add = (part: Part): void => {
    if (part.type === "any") {
      for (const one of part.parts) add(one);
      return;
    }
    if (part.type === "text" || part.type === "rule") {
      const key = part.type === "text" ? `"${part.text}` : part.name;
      if (known.has(key)) return;
      known.add(key);
    }
    parts.push(part);
  };
  for (const part of given) add(part);
  return parts.length === 1 ? parts[0] : { type: "any", parts };
}

export const optional = (part: Part): Part => (isNever(part) ? nothing : any(nothing, part));

export function many(part: Part, options: { between?: string; min?: number; max?: number | undefined } = {}): Part {
  const { between = "", min = 0, max } = options;
  if (isNever(part)) return min === 0 ? nothing : never;
  if (max === 0) return nothing;
  if (max !== undefined && max < min) return never;
  if (max === 1) return min === 1 ? part : optional(part);
  return { type: "many", part, between, min, max };
}

/** What is in the first set and not in the second. */
export function without(ranges: CharRanges, taken: CharRanges): CharRanges {
  let left: number[] = [...ranges];
  for (let at = 0; at < taken.length; at += 2) {
    const [first, last] = [taken[at], taken[at + 1]];
    const next: number[] = [];
    for (let place = 0; place < left.length; place += 2) {
      const [low, high] = [left[place], left[place + 1]];
      if (last < low || first > high) next.push(low, high);
      else {
        if (low < first) next.push(low, first - 1);
        if (high > last) next.push(last + 1, high);
      }
    }
    left = next;
  }
  return left;
}

/** The characters of a text as a set. */
export function rangesOf(characters: string): CharRanges {
  const codes = [...new Set([...characters].map((char) => char.codePointAt(0) as number))].sort((a, b) => a - b);
  const ranges: number[] = [];
  for (const code of codes) {
    if (ranges.length > 0 && ranges[ranges.length - 1] === code - 1) ranges[ranges.length - 1] = code;
    else ranges.push(code, code);
  }
  return ranges;
}

export function holds(ranges: CharRanges, code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) if (code >= ranges[at] && code <= ranges[at + 1]) return true;
  return false;
}

/** The parts directly inside a part. */
export function inside(part: Part): readonly Part[] {
  switch (part.type) {
    case "all":
    case "any":
      return part.parts;
    case "many":
    case "schema":
      return [part.part];
    case "until":
      return part.instead === undefined ? [] : [part.instead];
    default:
      return [];
  }
}
