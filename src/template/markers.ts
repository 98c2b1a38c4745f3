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
export function commonStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return Math.min(markerStart(left, at), markerStart(right, at));
}

/** How much two texts share at their end, without half a marker. */
export function commonEnd(left: string, right: string): number {
  let length = 0;
  const most = Math.min(left.length, right.length);
  while (length < most && left[left.length - 1 - length] === right[right.length - 1 - length]) length++;
  const ends = [left, right].map((text) => text.length - markerEnd(text, text.length - length));
  return Math.min(...ends);
}
