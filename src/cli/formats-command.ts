import { Command } from "commander";
import type { CliEngine, FormatInfo } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";
import { orMisuse } from "./usage-error.ts";
import { columnsOf, visible } from "./visible-text.ts";

/** `toolpeg formats [ID]`: what can be read, one line each, or all there is to know of one. */
export function formatsCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("formats")
    .description("list the formats, or describe one")
    .argument("[id]", "a format id or alias")
    .option("--json", "print JSON")
    .action((id: string | undefined, flags: { json?: boolean }) => {
      const shown = id === undefined ? [...engine.formats] : [orMisuse(() => engine.formats.get(id))];
      if (flags.json) {
        const data = shown.map(dataOf);
        terminal.out(`${JSON.stringify(id === undefined ? data : data[0], null, 2)}\n`);
      } else {
        terminal.out(id === undefined ? table(shown, terminal) : description(shown[0], terminal));
      }
      finish(exitStatus.calls);
    });
}

function dataOf({ id, aliases, models, mode, triggers, stop }: FormatInfo): FormatInfo {
  return { id, mode, aliases, triggers, stop, models };
}

function table(formats: readonly FormatInfo[], { colours, columns }: Terminal): string {
  const width = Math.max(...formats.map((format) => format.id.length));
  const openers = formats.map(openerOf);
  const openerWidth = Math.max(...openers.map(columnsOf));
  const rows = formats.map((format, index) => {
    const opener = openers[index] + " ".repeat(openerWidth - columnsOf(openers[index]));
    const models = format.models.map((model) => model.split("/").at(-1)).join(", ");
    const room = Math.max(0, columns - width - openerWidth - 6);
    const clipped = models.length > room ? `${models.slice(0, Math.max(0, room - 3))}...` : models;
    return `  ${colours.cyan(format.id.padEnd(width))}  ${opener}  ${colours.dim(room > 8 ? clipped : "")}`.trimEnd();
  });
  return `${rows.join("\n")}\n\n${formats.length} formats; toolpeg formats ID describes one\n`;
}

function openerOf(format: FormatInfo): string {
  return visible(format.triggers[0]?.replaceAll("\n", "\\n") ?? "") || "the whole message";
}

function description(format: FormatInfo, { colours }: Terminal): string {
  const list = (values: readonly string[]) => values.map((value) => visible(value.replaceAll("\n", "\\n"))).join("  ");
  const rows: [string, string][] = [
    ["mode", format.mode],
    ["aliases", list(format.aliases)],
    ["triggers", list(format.triggers)],
    ["stop", list(format.stop)],
    ["models", format.models.join("\n            ")],
  ];
  const shown = rows.filter(([, value]) => value !== "").map(([key, value]) => `  ${key.padEnd(10)}${value}`);
  return `${colours.bold(format.id)}\n${shown.join("\n")}\n`;
}
