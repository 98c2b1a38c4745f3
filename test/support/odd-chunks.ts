/** Chunks of 1, 2, 3, 5, 8, ... units, over and over: no cut falls anywhere sensible. */
export function oddChunks(text: string): string[] {
  const sizes = [1, 2, 3, 5, 8, 13];
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length];
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}
