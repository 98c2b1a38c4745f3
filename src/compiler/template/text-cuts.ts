import { isWordUnit } from "./read-sample.ts";

/** Where a text may be cut: anywhere but inside a word or a run of white space. */
export function places(text: string): number[] {
  const found: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    const inWord = isWordUnit(text[at - 1]) && isWordUnit(text[at]);
    const inBlank = /\s/.test(text[at - 1] ?? "x") && /\s/.test(text[at] ?? "x");
    if (!inWord && !inBlank) found.push(at);
  }
  return found;
}

export function commonEnd(left: string, right: string): number {
  let count = 0;
  while (count < left.length && count < right.length && left.at(-1 - count) === right.at(-1 - count)) count++;
  return count;
}

export function commonStart(left: string, right: string): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

export function distance(left: string, right: string): number {
  return Math.abs(left.length - right.length) - commonStart(left, right) - commonEnd(left, right);
}
