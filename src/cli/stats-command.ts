import { Command, Option } from "commander";
import { drawTable } from "./draw-table.ts";
import type { CliEngine } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import { linesOf, openInputs } from "./read-replies.ts";
import { addToStats, emptyTally, readRecord, type TelemetryStats, type TelemetryTally } from "./telemetry-tally.ts";
import type { Terminal } from "./terminal.ts";
import { jsonFrom, UsageError } from "./usage-error.ts";
import { visible } from "./visible-text.ts";

const examples = `
Each line of a file is one telemetry record, as \`onTelemetry\` or \`result.telemetry.record()\` gives it, or a line of
\`toolpeg parse --jsonl\`. A \`model\` field, added by the host, gives a table by model.

Examples:
  toolpeg stats telemetry.jsonl
  toolpeg parse replies.jsonl --format auto --tools tools.json --jsonl | toolpeg stats
  toolpeg stats --html out/*.jsonl.gz > stats.html
  toolpeg stats --json monday.jsonl tuesday.jsonl > stats.json`;

/** `toolpeg stats FILE...`: telemetry records in, the table an evaluation needs out. */
export function statsCommand(_engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("stats")
    .description("count what became of many replies, from their telemetry records")
    .argument("[file...]", "JSON-lines of records; `-` or nothing reads standard input")
    .addOption(new Option("--json", "print JSON").conflicts("html"))
    .option("--html", "print a page with plots")
    .addHelpText("after", examples)
    .action(async (files: string[], flags: { json?: boolean; html?: boolean }) => {
      const stats: TelemetryStats = { all: emptyTally(), byFormat: new Map(), byModel: new Map() };
      for (const input of await openInputs(files, true)) {
        for await (const [line, source] of linesOf(input, terminal)) addToStats(stats, recordOf(line, source));
      }
      if (flags.html) {
        // Only this needs the library that writes pages.
        const { statsPage } = await import("./html-reports.tsx");
        terminal.out(statsPage(stats));
      } else terminal.out(flags.json ? `${JSON.stringify(dataOf(stats), null, 2)}\n` : report(stats, terminal));
      finish(stats.all.messages === 0 ? exitStatus.none : exitStatus.calls);
    });
}

function recordOf(line: string, source: string) {
  const record = readRecord(jsonFrom(line, source, "each line is one telemetry record"));
  if (record !== undefined) return record;
  throw new UsageError(
    `${source} is no telemetry record: it has no parse_mode`,
    "write what onTelemetry gives, one JSON object per line; `toolpeg parse --jsonl` needs --tools to have it, and no --compact",
  );
}

/** What `--json` prints. */
function dataOf({ all, byFormat, byModel }: TelemetryStats): Record<string, unknown> {
  return { ...all, byFormat: Object.fromEntries(byFormat), byModel: Object.fromEntries(byModel) };
}

function report({ all, byFormat, byModel }: TelemetryStats, terminal: Terminal): string {
  if (all.messages === 0) return "no records\n";
  const { colours } = terminal;
  const rows: [string, string][] = [
    ["messages", `${all.messages}`],
    ["with calls", share(all.withCalls, all.messages)],
    ["calls", `${all.calls} of ${all.candidates} candidates`],
    ["truncated", share(all.truncated, all.messages)],
    ["parse mode", counts(all.parseModes)],
    ["fallback", `${share(all.fallback, all.withCandidates)} of the messages with candidates`],
    ["schema", schemaLine(all)],
    ["rejections", counts(all.rejections)],
    ["repairs", counts(all.repairs)],
    ["results", counts(all.toolResults)],
    ...(Object.keys(all.agreement).length > 0 ? [["agreement", counts(all.agreement)] as [string, string]] : []),
  ];
  const lines = rows.map(([label, value]) => `  ${colours.cyan(label.padEnd(11))} ${value}`);
  const tables = [table("format", byFormat, terminal), byModel.size > 0 ? table("model", byModel, terminal) : ""];
  return `${[`${lines.join("\n")}\n`, ...tables.filter((text) => text !== "")].join("\n")}`;
}

function schemaLine(tally: TelemetryTally): string {
  const failures = Object.keys(tally.schemaFailures).length > 0 ? ` (${counts(tally.schemaFailures)})` : "";
  return `${tally.schemaPass} pass, ${tally.schemaFail} fail${failures}`;
}

/** `unknown-tool 3, malformed 1`, most first. */
function counts(by: Record<string, number>): string {
  const sorted = Object.entries(by).sort(([left, many], [right, more]) => more - many || (left < right ? -1 : 1));
  return sorted.length === 0 ? "none" : sorted.map(([key, number]) => `${visible(key)} ${number}`).join(", ");
}

function share(part: number, whole: number): string {
  return whole === 0 ? `${part}` : `${part} (${((100 * part) / whole).toFixed(1)}%)`;
}

function table(title: string, tallies: ReadonlyMap<string, TelemetryTally>, { colours }: Terminal): string {
  const head = [title, "messages", "with calls", "calls", "fallback", "schema fail", "rejected", "truncated"];
  const body = [...tallies]
    .sort(([left, few], [right, many]) => many.messages - few.messages || (left < right ? -1 : 1))
    .map(([key, tally]) => [
      visible(key).replaceAll("\n", " "),
      `${tally.messages}`,
      share(tally.withCalls, tally.messages),
      `${tally.calls}`,
      share(tally.fallback, tally.withCandidates),
      `${tally.schemaFail}`,
      `${Object.values(tally.rejections).reduce((sum, number) => sum + number, 0)}`,
      `${tally.truncated}`,
    ]);
  return drawTable(head, body, colours);
}
