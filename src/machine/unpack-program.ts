import type { Program, RuleCode } from "./program.ts";

/**
 * How a number is written in a packed program: in printable characters from {@link packedFirst} on. A value below
 * {@link packedShort} is one character. Of the others each leads one more character, the last but one leads three more,
 * and the last says that the number after it is below zero.
 */
export const packedFirst = 35; // after the quotation mark, which a string of JavaScript would have to escape
export const packedBase = 92;
export const packedShort = 64;
export const packedLong = packedBase - 2;
export const packedMinus = packedBase - 1;

/** What a packed program says in words, after its numbers and a line break. The names of its rules follow, line by line. */
export type PackedWords = Pick<Program, "strings" | "sets" | "literals" | "variants" | "repairs" | "entries">;

/** Reads what `packProgram` of the compiler wrote. It runs when a program starts, so it is plain loops. */
export function unpackProgram(packed: string): Program {
  const end = packed.indexOf("\n");
  const numbers = readNumbers(new TextEncoder().encode(packed.slice(0, end)));
  let at = 0;
  const list = () => numbers.slice(at + 1, (at += 1 + numbers[at]));
  const lists = <Item>(read: () => Item): Item[] => {
    const items: Item[] = [];
    for (let left = numbers[at++]; left > 0; left--) items.push(read());
    return items;
  };
  const rules = lists(list);
  const scans = lists(list);
  const tables = lists(list);
  const syncPoints = lists(() => [numbers[at++], numbers[at++], numbers[at++]] as const);
  const ends = list();
  const markers = list();
  const wordsEnd = packed.indexOf("\n", end + 1);
  const words = JSON.parse(packed.slice(end, wordsEnd)) as PackedWords;
  const names = packed.slice(wordsEnd + 1).split("\n");
  return {
    code: rules.map((code, at): RuleCode => [names[at], ...code]),
    scans,
    tables,
    syncPoints,
    ends,
    markers,
    ...words,
  };
}

function readNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let sign = 1;
  for (let at = 0; at < bytes.length; at++) {
    let value = bytes[at] - packedFirst;
    if (value === packedMinus) {
      sign = -1;
      continue;
    }
    if (value === packedLong) {
      value = 0;
      for (const last = at + 3; at < last; ) value = value * packedBase + bytes[++at] - packedFirst;
    } else if (value >= packedShort) {
      value = packedShort + (value - packedShort) * packedBase + bytes[++at] - packedFirst;
    }
    numbers.push(sign * value);
    sign = 1;
  }
  return numbers;
}
