import { commonEnd, commonStart } from "../compiler/template/text-cuts.ts";

/**
 * What looks like a marker of a model: a tag, special tokens with bars, words in square brackets. Only used to cut texts at
 * their ends, so a wrong guess costs a character more or less of framing.
 */
const marker = /<[^<>\s][^<>\n]{0,80}>|\[\/?[A-Z][A-Z_]{2,40}\]|>>>/g;

/** The markers of a text, each once, in its order. */
export function markersIn(text: string): string[] {
  return [...new Set([...text.matchAll(marker)].map(([found]) => found))];
}

/** The marker that a place cuts in two, or the place itself. */
export function markerAt(text: string, at: number): { start: number; end: number } {
  for (const { index: start, 0: found } of text.matchAll(marker)) {
    if (start < at && start + found.length > at) return { start, end: start + found.length };
  }
  return { start: at, end: at };
}

/** How much two texts share at their beginning, without half a marker. */
export function commonMarkedStart(left: string, right: string): number {
  const at = commonStart(left, right);
  return Math.min(markerAt(left, at).start, markerAt(right, at).start);
}

/** How much two texts share at their end, without half a marker. */
export function commonMarkedEnd(left: string, right: string): number {
  const length = commonEnd(left, right);
  return Math.min(...[left, right].map((text) => text.length - markerAt(text, text.length - length).end));
}
