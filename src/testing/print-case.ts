import { type CorpusLine, columnOf } from "./corpus-line.ts";
import type { CorpusCase } from "./read-corpus.ts";

/** A mark as it is printed: what, code, and a span of the joined text. */
export interface PrintedMark {
  what: string;
  code: string;
  start: number;
  end: number;
}

/** The input of a case as it stands in the corpus, with its carets. */
export function printCase(example: CorpusCase): string {
  return printInput(example.lines, example.marks).join("\n");
}

/** Input lines with carets under every mark. */
export function printInput(lines: readonly CorpusLine[], marks: readonly PrintedMark[]): string[] {
  const printed: string[] = [];
  let start = 0;
  lines.forEach((line, index) => {
    const end = start + line.text.length;
    const isLast = index === lines.length - 1;
    printed.push(line.source);
    for (const mark of marks) {
      // A mark stands where it starts and where it ends; an empty one, and one of the LF, where it starts.
      const lastUnit = Math.max(mark.start, mark.end - 1);
      const starts = mark.start >= start && (mark.start <= end || isLast);
      const ends = lastUnit >= start && (lastUnit <= end || isLast);
      if (!starts && !ends) continue;
      const from = starts ? columnOf(line, mark.start - start) : 1;
      const to = ends
        ? lastColumn(line, Math.max(mark.start + 1, mark.end) - start)
        : Math.max(from, line.units.length - 1);
      const carets = `^${" ".repeat(from - 1)}${"^".repeat(Math.max(1, to - from + 1))}`;
      printed.push(ends ? `${carets} ${mark.what} ${mark.code}` : carets);
    }
    start = end + 1;
  });
  return printed;
}

/** The column (from 1) of the last unit before `offset`. */
function lastColumn(line: CorpusLine, offset: number): number {
  if (offset > line.text.length) return line.units.length;
  return Math.max(1, columnOf(line, offset) - 1);
}
