import type { Node } from "../contract/types.ts";
import type { Colours } from "./terminal.ts";
import { columnsOf, visible } from "./visible-text.ts";

/** One sign per kind of node, so that the drawing can be read without colours. */
const signs = { content: ".", reasoning: "~", framing: "-", call: "=", rejected: "x" } as const;

/** Much longer lines are cut in the middle of what matters; so many columns are shown. */
const columnsMax = 110;
/** More lines of one node are left out, but for the first and the last. */
const linesOfNodeMax = 4;

/**
 * The text with the nodes under it, line by line:
 *
 *     1 | Reading it now.
 *       | ................ content
 *     2 | <tool_call>{"name": "read_dial", "arguments": {}}</tool_call>
 *       | ============================================================= call 0
 */
export function drawNodes(text: string, nodes: readonly Node[], colours: Colours): string[] {
  const paint = {
    content: (line: string) => line,
    reasoning: colours.blue,
    framing: colours.dim,
    call: colours.green,
    rejected: colours.red,
  };
  const lines = text.split("\n");
  const width = String(lines.length).length;
  const starts = startsOf(lines);
  const out: string[] = [];
  let start = 0;
  let at = 0;
  let skipped = 0;
  for (const [number, line] of lines.entries()) {
    const end = start + line.length + 1;
    while (at < nodes.length && nodes[at].end <= start) at++;
    const here: Node[] = [];
    for (let next = at; next < nodes.length && nodes[next].start < end; next++) here.push(nodes[next]);
    // In the middle of a long node nothing happens.
    const inside = here.length === 1 && isInside(here[0], number, starts);
    if (inside) skipped++;
    else {
      if (skipped > 0)
        out.push(colours.dim(`${" ".repeat(width)} : ${skipped} more ${skipped === 1 ? "line" : "lines"}`));
      skipped = 0;
      const shown = visible(line);
      out.push(`${String(number + 1).padStart(width)} | ${clipped(shown)}`);
      let marks = "";
      let columns = 0;
      for (const node of here) {
        const part = text.slice(Math.max(node.start, start), Math.min(node.end, end)).replace("\n", " ");
        const length = Math.min(Math.max(1, columnsOf(visible(part))), columnsMax - columns);
        if (length <= 0) break;
        columns += length;
        marks += paint[node.type](signs[node.type].repeat(length));
      }
      const labels = here.filter((node) => node.end <= end || end > text.length).map(labelOf);
      if (here.length > 0) out.push(`${" ".repeat(width)} | ${marks} ${colours.dim(labels.join(", "))}`.trimEnd());
    }
    start = end;
  }
  return out;
}

/** Where each line begins, and where the text has ended. */
function startsOf(lines: readonly string[]): readonly number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) as number) + line.length + 1);
  return starts;
}

/** Lines enough of the node stand before a line and behind it. */
function isInside({ start, end }: Node, line: number, starts: readonly number[]): boolean {
  const half = linesOfNodeMax / 2;
  const before = starts[line - half];
  const after = starts[line + half];
  return before !== undefined && after !== undefined && start < starts[line - half + 1] && end >= after;
}

function clipped(line: string): string {
  return line.length > columnsMax ? `${line.slice(0, columnsMax - 3)}...` : line;
}

function labelOf(node: Node): string {
  if (node.type === "call") return `call ${node.index}`;
  return node.type === "rejected" ? `rejected: ${node.reason}` : node.type;
}
