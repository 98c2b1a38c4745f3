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

/** The beginning of the marker that a place cuts in two, or the place itself. */
function markerStart(text: string, at: number): number {
  for (const found of text.matchAll(marker)) {
    if (found.index < at && found.index + found[0].length > at) return found.index;
  }
  return at;
}

/** The same for its end. */
function markerEnd(text: string, at: number): number {
  for (const found of text.matchAll(marker)) {
    if (found.index < at && found.index + found[0].length > at) return found.index + found[0].length;
  }
  return at;
}

/** How much two texts share at their beginning, without half a marker. */
export function commonMarkedStart(left: string, right: string): number {
  const at = commonStart(left, right);
  return Math.min(markerStart(left, at), markerStart(right, at));
}

/** How much two texts share at their end, without half a marker. */
export function commonMarkedEnd(left: string, right: string): number {
  const length = commonEnd(left, right);
  return Math.min(...[left, right].map((text) => text.length - markerEnd(text, text.length - length)));
}
