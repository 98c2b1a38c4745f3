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

/** The known word nearest to `word`, case aside; undefined when none is near enough to be what was meant. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  // A third of the letters may be wrong, at least one: beyond that a suggestion misleads more than it helps.
  let nearest = Math.max(1, Math.floor(word.length / 3)) + 1;
  let found: string | undefined;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < nearest) {
      nearest = distance;
      found = candidate;
    }
  }
  return found;
}

/** `did you mean "x"? ` or nothing: the beginning of a help text. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const found = suggest(word, known);
  return found === undefined ? "" : `did you mean "${found}"? `;
}
