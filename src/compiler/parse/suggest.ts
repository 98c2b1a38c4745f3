import { nearestName } from "../../contract/suggest.ts";

/** `did you mean "x"? ` or nothing: the beginning of a help text. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const found = nearestName(word, known);
  return found === undefined ? "" : `did you mean "${found}"? `;
}
