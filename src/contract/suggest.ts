/** Names longer than this are not compared: a suggestion is for typing slips. */
const comparedCharsMax = 64;

/** The known name nearest to an unknown one, case aside; undefined when none is near enough to be what was meant. */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > comparedCharsMax) return undefined;
  // One edit of a short name, two, or a quarter of a long one; a name of which nothing is left is not near.
  const edits = unknown.length < 6 ? 1 : Math.max(2, Math.floor(unknown.length / 4));
  let farthest = Math.min(unknown.length - 1, edits);
  let nearest: string | undefined;
  for (const name of known) {
    if (Math.abs(name.length - unknown.length) > farthest) continue;
    const distance = editDistance(unknown.toLowerCase(), name.toLowerCase());
    if (distance > farthest) continue;
    nearest = name;
    farthest = distance - 1;
  }
  return nearest;
}

/** The same as the end of a sentence: ` (did you mean "reject"?)`, or nothing. */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  const nearest = nearestName(unknown, known);
  return nearest === undefined ? "" : ` (did you mean ${JSON.stringify(nearest)}?)`;
}

/** The same as the beginning of a help text: `did you mean "x"? `, or nothing. */
export function suggestion(unknown: string, known: Iterable<string>): string {
  const nearest = nearestName(unknown, known);
  return nearest === undefined ? "" : `did you mean "${nearest}"? `;
}

/** How many edits (insert, delete, replace, swap of neighbours) lead from one word to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, beforeLast[column - 2] + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length];
}
