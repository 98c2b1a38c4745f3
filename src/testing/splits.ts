/** Ways to cut a text into chunks, written as the offsets of the cuts. Seeded: the same text is cut alike every time. */

/** A generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number that depends on every unit of the text (FNV-1a). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The chunks between the cuts. Equal neighbours give an empty chunk. */
export function chunksOf(text: string, cuts: readonly number[]): string[] {
  const edges = [0, ...cuts, text.length];
  return edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
}

/** Every offset of the text, or `most` of them, spread evenly and moved about by chance. */
export function offsets(length: number, most: number, random: () => number): number[] {
  if (length <= most) return Array.from({ length: length + 1 }, (_, offset) => offset);
  const step = length / most;
  return Array.from({ length: most }, (_, index) => Math.floor((index + random()) * step));
}

/** A cut at every unit. */
export function everyUnit(length: number): number[] {
  return Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1);
}

/** Chunks as a tokenizer might make them: 1 to `longest` units, now and then an empty one. */
export function randomCuts(length: number, random: () => number, longest = 12): number[] {
  const cuts: number[] = [];
  for (let at = 1 + Math.floor(random() * longest); at < length; at += 1 + Math.floor(random() * longest)) {
    cuts.push(at);
    if (random() < 0.1) cuts.push(at);
  }
  return cuts;
}
