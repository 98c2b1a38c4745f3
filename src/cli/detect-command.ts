import { Command } from "commander";
import { formatForTemplate, type TemplateMatch } from "../template/index.ts";
import { drawNodes } from "./draw-nodes.ts";
import type { CliEngine } from "./engine.ts";
import { readTemplate } from "./format-choice.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";
import { visible } from "./visible-text.ts";

/** What `detect` ends with. */
const detectStatus = { read: 0, silent: 1, unread: 3 } as const;

const help = `
The template is rendered with known calls, and the text is read back with every format. Nothing is guessed by name.

Examples:
  toolpeg detect models/Qwen3-8B                       # the folder of a model
  toolpeg detect tokenizer_config.json --json
  toolpeg detect model.gguf && toolpeg parse reply.txt --format template:model.gguf

Exit status:
  0  a format reads every plain call that the template writes
  1  the template writes no calls
  2  the command or an input is not as it should be; a message says what to do
  3  the template writes calls that no format reads; \`toolpeg new ID --template FILE\` may make one`;

interface DetectFlags {
  json?: boolean;
}

/** Formats shown; those after the best read the same or less. */
const shownMax = 5;

/** `toolpeg detect`: which format a model writes, from its chat template. */
export function detectCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("detect")
    .description("find the format of a model from its own chat template")
    .argument("<file>", "a *.jinja file, a tokenizer_config.json, a *.gguf file, or the folder of a model")
    .option("--json", "print JSON")
    .addHelpText("after", help)
    .action(async (file: string, { json }: DetectFlags) => {
      const source = await readTemplate(file);
      const match = await formatForTemplate(source).catch((error: Error) => {
        throw new UsageError(`${file}: ${error.message}`);
      });
      terminal.out(json ? `${JSON.stringify(match, null, 2)}\n` : report(file, match, engine, terminal));
      finish(statusOf(match));
    });
}

function statusOf({ format, probes }: TemplateMatch): number {
  if (format !== undefined) return detectStatus.read;
  return probes.length === 0 ? detectStatus.silent : detectStatus.unread;
}

function report(file: string, match: TemplateMatch, engine: CliEngine, { colours }: Terminal): string {
  const { format, formats, prefill, notes, probes } = match;
  const verdict =
    format === undefined
      ? colours.red(probes.length === 0 ? "writes no calls" : "no format reads it")
      : colours.green(format);
  const lines = [`${colours.bold(visible(file))}  ${verdict}`];
  for (const { id, read, of, exact } of formats.slice(0, shownMax)) {
    const same = exact ? "  writes the same bytes" : "";
    lines.push(`  ${id.padEnd(20)} reads ${read} of ${of}${colours.dim(same)}`);
  }
  if (formats.length > shownMax) lines.push(colours.dim(`  and ${formats.length - shownMax} more; --json lists all`));
  if (prefill !== undefined) lines.push(`  ${colours.cyan("prefill")}  ${visible(JSON.stringify(prefill))}`);
  for (const note of notes) lines.push(`  ${colours.yellow("note")}  ${visible(note)}`);
  const shown = probes.find(({ name }) => name === "several calls") ?? probes[0];
  if (shown !== undefined) {
    lines.push(
      "",
      colours.dim(
        `what it writes for "${shown.name}"${shown.prefill === undefined ? "" : `, after ${JSON.stringify(shown.prefill)}`}:`,
      ),
      "",
    );
    const id = formats[0]?.id;
    lines.push(
      ...(id === undefined
        ? shown.text.split("\n").map((line) => `  ${visible(line)}`)
        : drawn(shown, id, engine, colours)),
    );
  }
  return `${lines.join("\n")}\n`;
}

function drawn(
  { text, prefill, calls }: TemplateMatch["probes"][number],
  format: string,
  engine: CliEngine,
  colours: Terminal["colours"],
): string[] {
  const tools = calls.map(({ name }) => ({ name }));
  const result = engine.parse(text, { format, tools, intent: true, ...(prefill === undefined ? {} : { prefill }) });
  return drawNodes(text, result.nodes, colours);
}
