/** Quotes that stand in a string for themselves. */
export const escapedQuotes = ['\\"', "\\'"];

/** Whether one of them has no partner: a quote of the string may have lost its backslash, or its end got one. */
export const hasUnpairedEscape = (text: string): boolean =>
  escapedQuotes.some((quote) => countOf(text, quote) % 2 === 1);

export function countOf(text: string, literal: string): number {
  let count = 0;
  for (let at = literal === "" ? -1 : text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length))
    count++;
  return count;
}
