import { countText } from "../contract/count-text.ts";
import type { Rejection, ToolCall } from "../contract/types.ts";
import { excerpt, placeOf } from "./excerpt.ts";
import { printRejection } from "./print-rejection.ts";
import type { Reading } from "./reading.ts";
import type { Colours, Terminal } from "./terminal.ts";
import { clip, columnsOf, visible } from "./visible-text.ts";

/** Repairs shown with their line; more of the same call are only counted. */
const repairsShownMax = 6;
/** A string in the arguments is shown up to here; `--json` has all of it. */
const stringCharsMax = 480;
const labelColumns = 10;

interface Item {
  at: number;
  lines: string[];
}

/** A whole reading for a person: what was said, called, repaired and refused, in the order of the text. */
export function printReply(reading: Reading, terminal: Pick<Terminal, "colours" | "columns">): string {
  const { colours } = terminal;
  const items: Item[] = [];
  for (const node of reading.result.nodes) {
    const text = reading.text.slice(node.start, node.end);
    if (node.type === "content") items.push({ at: node.start, lines: block(colours.bold("says"), 4, prose(text)) });
    if (node.type === "reasoning") {
      items.push({ at: node.start, lines: block(colours.dim("thinks"), 6, prose(text).map(colours.dim)) });
    }
  }
  for (const call of reading.calls) items.push({ at: call.start, lines: callLines(call, reading, terminal) });
  for (const rejection of reading.result.rejected) {
    items.push({ at: rejection.start, lines: rejectionLines(rejection, reading, colours) });
  }
  // Sorting is stable: a rejection that points into prose comes after the prose.
  items.sort((left, right) => left.at - right.at);
  const empty = items.length === 0 ? [colours.dim("  (an empty reply)")] : [];
  return [heading(reading, colours), ...empty, ...items.flatMap((item) => item.lines), ""].join("\n");
}

/** `examples/replies/a.txt  hermes  2 calls, 1 repair, 1 refused`. */
function heading(reading: Reading, colours: Colours): string {
  const repairs = reading.calls.reduce((sum, call) => sum + call.repairs.length, 0);
  const refused = reading.result.rejected.length;
  const calls = reading.calls.length;
  const noun = reading.validated ? "call" : "candidate";
  const counts = [
    calls > 0 ? colours.green(countText(calls, noun)) : colours.dim(`no ${noun}`),
    ...(repairs > 0 ? [colours.yellow(countText(repairs, "repair"))] : []),
    ...(refused > 0 ? [colours.red(`${refused} refused`)] : []),
    ...(reading.result.truncated ? [colours.red("cut short")] : []),
  ];
  const title = `${colours.bold(visible(reading.source))}  ${colours.cyan(reading.formatLabel)}  ${counts.join(", ")}`;
  if (reading.validated) return `${title}\n`;
  return `${title}\n${colours.yellow("not validated")}: no tools were given, so nothing here was checked, and nothing may be run\n`;
}

function callLines(
  call: ToolCall,
  reading: Reading,
  { colours, columns }: Pick<Terminal, "colours" | "columns">,
): string[] {
  const paint = reading.validated ? colours.green : colours.yellow;
  const label = paint(colours.bold(reading.validated ? "calls" : "would call"));
  const name = paint(visible(call.name));
  const short = shortJson(call.arguments);
  const fits = columnsOf(short) + columnsOf(call.name) + labelColumns + 3 <= columns;
  const shown = fits ? [`${name} ${short}`] : [name, ...prettyJson(call.arguments)];
  const repairs = call.repairs.slice(0, repairsShownMax).flatMap((repair) => {
    const { line, column } = placeOf(reading.text, repair.start);
    return [
      `${colours.yellow(`repaired ${repair.kind}`)} ${colours.dim(`(${repair.level}) at ${line}:${column}`)}`,
      ...excerpt(reading.text, repair.start, repair.end, colours.yellow),
    ];
  });
  const more = call.repairs.length - repairsShownMax;
  const rest = more > 0 ? [colours.yellow(`and ${countText(more, "more repair")}; --json lists all`)] : [];
  return block(label, reading.validated ? 5 : 10, [...shown, ...repairs, ...rest]);
}

function rejectionLines(rejection: Rejection, reading: Reading, colours: Colours): string[] {
  const lines = printRejection(rejection, reading.text, reading.source, reading.format, colours);
  return block(colours.red("refused"), 7, lines);
}

/** Lines with a label before the first, and a blank line after the last. */
function block(label: string, labelWidth: number, lines: readonly string[]): string[] {
  const gap = " ".repeat(Math.max(1, labelColumns - labelWidth));
  const indent = " ".repeat(2 + Math.max(labelColumns, labelWidth + 1));
  return [...lines.map((line, index) => (index === 0 ? `  ${label}${gap}${line}` : `${indent}${line}`.trimEnd())), ""];
}

/** The lines of a text without blank ones at its ends. */
function prose(text: string): string[] {
  return visible(text.replace(/^\s*\n|\s+$/g, "")).split("\n");
}

function shortJson(value: unknown): string {
  return visible(
    JSON.stringify(value, clipStrings, 1)
      .replace(/\n */g, " ")
      .replace(/^(\{|\[) | (\}|\])$/g, "$1$2"),
  );
}

function prettyJson(value: unknown): string[] {
  return visible(JSON.stringify(value, clipStrings, 2)).split("\n");
}

function clipStrings(_key: string, value: unknown): unknown {
  return typeof value === "string" ? clip(value, stringCharsMax) : value;
}
