import { columnsOf, visible } from "./visible-text.ts";

export interface Place {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
}

/** A line of a text, up to its newline. */
interface Line {
  readonly text: string;
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The line that was asked for last. The next place is looked for from there: most are asked for in their order. */
let last: Line = { text: "", number: 1, start: 0, end: 0 };

function lineAt(text: string, offset: number): Line {
  const lineFrom = (start: number, number: number): Line => {
    const feed = text.indexOf("\n", start);
    return { text, number, start, end: feed < 0 ? text.length : feed };
  };
  if (last.text !== text) last = lineFrom(0, 1);
  while (offset > last.end && last.end < text.length) last = lineFrom(last.end + 1, last.number + 1);
  while (offset < last.start) {
    const end = last.start - 1;
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    last = { text, number: last.number - 1, start, end };
  }
  return last;
}

/** Line and column of an offset. */
export function placeOf(text: string, offset: number): Place {
  const { number, start } = lineAt(text, offset);
  return { line: number, column: offset - start + 1 };
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
  const { number: line, start: lineStart, end: lineEnd } = lineAt(text, start);
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
