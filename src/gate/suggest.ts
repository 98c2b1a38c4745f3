/** Names longer than this are not compared: a suggestion is for typing slips. */
const comparedCharsMax = 64;

/**
 * The known name closest to an unknown one, as the end of a sentence: ` (did you mean "reject"?)`, or nothing when no
 * name is near.
 */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  let best: string | undefined;
  // Two letters swapped are two edits; a name of which nothing is left is not near.
  let bestDistance = Math.min(unknown.length, Math.max(3, Math.floor(unknown.length / 3) + 1));
  if (unknown.length <= comparedCharsMax) {
    for (const name of known) {
      if (name.length > comparedCharsMax) continue;
      const distance = editDistance(unknown.toLowerCase(), name.toLowerCase());
      if (distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
  }
  return best === undefined ? "" : ` (did you mean ${JSON.stringify(best)}?)`;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] as number) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] as number) + 1, (current[column - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[right.length] as number;
}
