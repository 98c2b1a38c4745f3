import type { Colours } from "./terminal.ts";
import { columnsOf } from "./visible-text.ts";

/** A table with a head: the first column to the left, figures to the right. */
export function drawTable(head: readonly string[], body: readonly (readonly string[])[], colours: Colours): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => columnsOf(row[column]))));
  const line = (row: readonly string[]) => {
    const cells = row.map((cell, column) => {
      const room = " ".repeat(widths[column] - columnsOf(cell));
      return column === 0 ? cell + room : room + cell;
    });
    return `  ${cells.join("  ")}`.trimEnd();
  };
  return `${[colours.dim(line(head)), ...body.map(line)].join("\n")}\n`;
}
