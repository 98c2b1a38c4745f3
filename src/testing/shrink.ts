/**
 * A shorter text that still shows the same: pieces are left out, long ones first.
 *
 * @param triesMax how many texts are tried
 */
export function shrinkText(
  text: string,
  shows: (text: string) => boolean,
  triesMax = Number.POSITIVE_INFINITY,
): string {
  let best = text;
  let tries = 0;
  for (let size = best.length >> 1; size > 0; size = size > 1 ? size >> 1 : 0) {
    for (let at = 0; at < best.length; ) {
      const part = best.slice(0, at) + best.slice(at + size);
      if (part.length < best.length && tries++ < triesMax && shows(part)) best = part;
      else at += size;
    }
  }
  return best;
}
