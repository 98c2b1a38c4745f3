import { columnsOf, visible } from "./visible-text.ts";

export interface Place {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
}

/** Line and column of an offset. */
export function placeOf(text: string, offset: number): Place {
  let line = 1;
  let start = 0;
  for (let feed = text.indexOf("\n"); feed >= 0 && feed < offset; feed = text.indexOf("\n", start)) {
    line++;
    start = feed + 1;
  }
  return { line, column: offset - start + 1 };
}

/** How much of one line of model text is shown: it can be megabytes long, and arguments can hold secrets. */
const excerptUnitsMax = 88;
/** How much of it stands before the span. */
const leadUnitsMax = 48;

/**
 * One line of the text with carets under a span; a span over several lines is marked on its first.
 *
 * @returns lines: a gutter, the quoted line, the carets
 */
export function excerpt(text: string, start: number, end: number, paint: (carets: string) => string): string[] {
  const { line } = placeOf(text, start);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const feed = text.indexOf("\n", start);
  const lineEnd = feed < 0 ? text.length : feed;
  const from = start - lineStart > leadUnitsMax ? start - leadUnitsMax : lineStart;
  const to = Math.min(lineEnd, from + excerptUnitsMax);
  const before = `${from > lineStart ? "..." : ""}${visible(text.slice(from, start))}`;
  const marked = visible(text.slice(start, Math.min(Math.max(end, start), to)));
  const after = `${visible(text.slice(Math.min(Math.max(end, start), to), to))}${to < lineEnd ? "..." : ""}`;
  const number = String(line);
  const gutter = " ".repeat(number.length);
  return [
    `${gutter} |`,
    `${number} | ${before}${marked}${after}`,
    `${gutter} | ${" ".repeat(columnsOf(before))}${paint("^".repeat(Math.max(1, columnsOf(marked))))}`,
  ];
}
