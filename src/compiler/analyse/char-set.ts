import { blankRanges } from "../../machine/program.ts";
import type { ClassExpression } from "../parse/linked-grammar.ts";

const lastUnit = 0xffff;

/** A set of UTF-16 units: inclusive ranges [low, high, low, high, ...], sorted, apart from each other. */
export type CharSet = readonly number[];

export const emptySet: CharSet = [];
export const fullSet: CharSet = [0, lastUnit];

export const setOf = (unit: number): CharSet => [unit, unit];

export const isFull = (set: CharSet): boolean => set.length === 2 && set[0] === 0 && set[1] === lastUnit;

/** All units that are in either set. */
export function union(left: CharSet, right: CharSet): CharSet {
  if (!left.length) return right;
  if (!right.length) return left;
  const out: number[] = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    const isLeft = j >= right.length || left[i] <= right[j];
    const low = isLeft ? left[i] : right[j];
    const high = isLeft ? left[i + 1] : right[j + 1];
    if (isLeft) i += 2;
    else j += 2;
    if (out.length && low <= out[out.length - 1] + 1) out[out.length - 1] = Math.max(out[out.length - 1], high);
    else out.push(low, high);
  }
  return out;
}

/** All units that are not in the set. */
export function complement(set: CharSet): CharSet {
  const out: number[] = [];
  let next = 0;
  for (let at = 0; at < set.length; at += 2) {
    if (set[at] > next) out.push(next, set[at] - 1);
    next = set[at + 1] + 1;
  }
  if (next <= lastUnit) out.push(next, lastUnit);
  return out;
}

/** All units that are in both sets. */
export function intersection(left: CharSet, right: CharSet): CharSet {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const low = Math.max(left[i], right[j]);
    const high = Math.min(left[i + 1], right[j + 1]);
    if (low <= high) out.push(low, high);
    if (left[i + 1] < right[j + 1]) i += 2;
    else j += 2;
  }
  return out;
}

export const overlaps = (left: CharSet, right: CharSet): boolean => intersection(left, right).length > 0;

export const equalSets = (left: CharSet, right: CharSet): boolean =>
  left.length === right.length && left.every((unit, at) => unit === right[at]);

/** How many units the set holds. */
export function sizeOf(set: CharSet): number {
  let size = 0;
  for (let at = 0; at < set.length; at += 2) size += set[at + 1] - set[at] + 1;
  return size;
}

/** The units that a class of a grammar matches. */
export function classSet(expression: ClassExpression): CharSet {
  let set: CharSet = emptySet;
  for (const part of expression.parts) {
    const [low, high] = typeof part === "string" ? [part, part] : part;
    set = union(set, [low.charCodeAt(0), high.charCodeAt(0)]);
  }
  return expression.inverted ? complement(set) : set;
}

/** A set as programs hold it: `rangesOf` of the machine reads it. */
export function classText(set: CharSet): string {
  const inverted = `^${withBlanks(complement(set))}`;
  return shorter(withBlanks(set), inverted);
}

function withBlanks(set: CharSet): string {
  const text = rangesText(set);
  if (!equalSets(intersection(set, blankRanges), blankRanges)) return text;
  return shorter(text, `\\s${rangesText(intersection(set, complement(blankRanges)))}`);
}

/** The shorter one as it stands in a module; of equals the first. */
const shorter = (left: string, right: string) =>
  JSON.stringify(right).length < JSON.stringify(left).length ? right : left;

function rangesText(set: CharSet): string {
  let text = "";
  for (let at = 0; at < set.length; at += 2) {
    text += unitText(set[at]);
    if (set[at] !== set[at + 1]) text += `-${unitText(set[at + 1])}`;
  }
  return text;
}

function unitText(unit: number): string {
  const text = String.fromCharCode(unit);
  return text === "\\" || text === "-" || text === "^" ? `\\${text}` : text;
}
