import {
  endsCodeBefore,
  fencePlace,
  isInPlace,
  leavesPlace,
  lineUnitsMax,
  plainPlace,
} from "../../src/machine/fence-containers.ts";
import { indentMax, isIndent, isLineBreak, lineBeginIn } from "../../src/machine/indent.ts";

/** What was matched on the way to a place, newest first: rules that bind, the roles `Name` and `Key`, where fences begin. */
export interface TrailEntry {
  /** `Bind<Slot>`, `Name`, `Key` or `fenceBegins`. */
  name: string;
  start: number;
  end: number;
  text: string;
  previous: TrailEntry | null;
}

/** A primitive for a grammar that {@link writePeggy} wrote: where its match at `offset` ends, or -1. */
export type PrimitiveHook = (input: string, offset: number, trail: TrailEntry | null) => number;

/** What is passed to the written parser as `options.primitives`. */
export interface PrimitiveHooks {
  lineStart: PrimitiveHook;
  fenceStart: PrimitiveHook;
  leavesFence: PrimitiveHook;
  insideFence: PrimitiveHook;
  leavesCode: PrimitiveHook;
  closesPair: PrimitiveHook;
  toolsKnown: PrimitiveHook;
  unnamedOffered: PrimitiveHook;
  toolName: PrimitiveHook;
  declaredKey: PrimitiveHook;
  seenKey: PrimitiveHook;
}

export interface PrimitiveFacts {
  /** How much of the input is prefill, in UTF-16 units. Default 0. */
  prefillEnd?: number;
  /** The offered names. Undefined: any word is one. */
  names?: readonly string[];
  /** The tools that a call without a name may mean. */
  unnamed?: readonly string[];
  /** The declared keys of a tool. Undefined: any word is one. */
  keysOf?: (name: string) => Iterable<string> | undefined;
}

/** And before a fence, in whatever containers it stands. */
const fenceIndentMax = 60;
const fenceIndent = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/;

/** The primitives as the documents define them, written without regard for speed: the machine's are compared with them. */
export function primitiveHooks(facts: PrimitiveFacts = {}): PrimitiveHooks {
  const prefillEnd = facts.prefillEnd ?? 0;
  const lineOf = (input: string, offset: number) => {
    const line = lineBeginIn(input, offset);
    return Math.max(line, offset < prefillEnd ? 0 : prefillEnd);
  };
  /** What stands before a place on its line, if it is not too much. */
  const beforeFence = (input: string, offset: number): string | undefined => {
    const from = lineOf(input, offset);
    return offset - from <= fenceIndentMax ? input.slice(from, offset) : undefined;
  };
  /** What the fence stands in that has begun last. */
  const placeOf = (input: string, trail: TrailEntry | null) => {
    let entry = trail;
    while (entry !== null && entry.name !== "fenceBegins") entry = entry.previous;
    if (entry === null) return plainPlace;
    const line = lineOf(input, entry.start);
    return fencePlace(entry.start - line > lineUnitsMax ? "" : input.slice(line, entry.start));
  };
  return {
    lineStart: (input, offset) => {
      for (let at = offset; at >= offset - indentMax; at--) {
        if (at === 0 || at === prefillEnd || isLineBreak(input[at - 1])) return offset;
        if (!isIndent(input.charCodeAt(at - 1))) return -1;
      }
      return -1;
    },
    fenceStart: (input, offset) => {
      const before = beforeFence(input, offset);
      return before !== undefined && fenceIndent.test(before) ? offset : -1;
    },
    leavesFence: (input, offset, trail) => (leavesPlace(placeOf(input, trail), input, offset, true) ? offset : -1),
    insideFence: (input, offset, trail) => {
      const before = beforeFence(input, offset);
      return before !== undefined && isInPlace(placeOf(input, trail), before) ? offset : -1;
    },
    leavesCode: (input, offset, trail) => (endsCodeBefore(placeOf(input, trail), input, offset, true) ? offset : -1),
    closesPair: (_input, offset) => offset,
    toolsKnown: (_input, offset) => (facts.names === undefined ? -1 : offset),
    unnamedOffered: (_input, offset) => {
      const { names, unnamed = [] } = facts;
      return names === undefined || unnamed.some((name) => names.includes(name)) ? offset : -1;
    },
    toolName: (input, offset) => longestOf(facts.names, input, offset),
    declaredKey: (input, offset, trail) => {
      const { seen, name } = seenSince(trail);
      const keys = name === undefined ? undefined : facts.keysOf?.(name);
      return longestOf(keys === undefined ? undefined : [...keys].filter((key) => !seen.has(key)), input, offset);
    },
    seenKey: (input, offset, trail) => longestOf([...seenSince(trail).seen], input, offset),
  };
}

/** The call that is being read, as far as it has been remembered. */
function seenSince(trail: TrailEntry | null): { seen: Set<string>; name: string | undefined } {
  const seen = new Set<string>();
  let entry = trail;
  while (entry !== null && entry.name !== "Name") {
    if (entry.name === "Key" || entry.name === "Tag") seen.add(entry.text);
    entry = entry.previous;
  }
  return { seen, name: entry?.text };
}

function longestOf(words: readonly string[] | undefined, input: string, offset: number): number {
  if (words === undefined) {
    const word = /^[\p{L}\p{N}_.:-]+/u.exec(input.slice(offset));
    return word === null ? -1 : offset + word[0].length;
  }
  const lengths = words.filter((word) => input.startsWith(word, offset)).map((word) => word.length);
  return lengths.some((length) => length > 0) ? offset + Math.max(...lengths) : -1;
}
