import { endOfTurnTokens, turnOpeners, turnTokens } from "../contract/turns.ts";
import type { Program } from "./program.ts";

/**
 * How a number is written in a packed program: in printable characters from {@link packedFirst} on. A value below
 * {@link packedShort} is one character. Of the others each leads one more character, the last but one leads three more,
 * and the last says that the number after it is below zero.
 */
export const packedFirst = 35; // behind the quotation mark, which a string of JavaScript would have to escape
export const packedBase = 92;
export const packedShort = 64;
export const packedLong = packedBase - 2;
export const packedMinus = packedBase - 1;

/** What a packed program says in words, after its numbers and a line break. The names of its rules follow, line by line. */
export type PackedWords = Pick<Program, "variants" | "repairs" | "entries" | "partners"> & {
  /** As they are; or as ends of {@link sharedTexts}: which, times {@link sharedOffsets}, and from where. */
  readonly strings: readonly (string | number)[];
};

/** Most programs hold all tokens of turns, to stop at after damage. */
export const sharedTexts = (): readonly string[] => [...endOfTurnTokens, ...turnTokens, ...turnOpeners];
export const sharedOffsets = 64;

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
  /** A list in which each number says how far it is from the one before. */
  const rising = () => {
    const items = list();
    for (let index = 1; index < items.length; index++) items[index] += items[index - 1];
    return items;
  };
  /** A table of targets, as runs: how long, and of which target. */
  const table = () => {
    const runs = list();
    const targets: number[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const length = targets.length + runs[index];
      while (targets.length < length) targets.push(runs[index + 1]);
    }
    return targets;
  };
  const code = list();
  const sets = lists(rising);
  const scans = lists(list);
  const tables = lists(table);
  const syncPoints = lists(() => [numbers[at++], numbers[at++], numbers[at++]] as const);
  const ends = list();
  const markers = list();
  const addresses = rising();
  const wordsEnd = packed.indexOf("\n", end + 1);
  const names = wordsEnd < 0 ? packed.length : wordsEnd;
  const words = JSON.parse(packed.slice(end, names)) as PackedWords;
  const shared = sharedTexts();
  const strings = words.strings.map((text) =>
    typeof text === "string" ? text : shared[Math.floor(text / sharedOffsets)].slice(text % sharedOffsets),
  );
  return {
    code,
    sets,
    scans,
    tables,
    syncPoints,
    ends,
    markers,
    ...words,
    strings,
    // Only explanations ask.
    get rules() {
      const lines = packed.slice(names + 1).split("\n");
      return addresses.map((address, index) => [address, lines[index]] as const);
    },
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
