import { Command, Option } from "commander";
import { type Constraint, type ConstraintOptions, exportConstraint } from "../export/index.ts";
import type { Format } from "../formats/format.ts";
import type { CliEngine } from "./engine.ts";
import { formatChoice } from "./format-choice.ts";
import { readTools } from "./read-tools.ts";
import type { Terminal } from "./terminal.ts";
import { orMisuse } from "./usage-error.ts";
import { visible } from "./visible-text.ts";

interface ExportFlags {
  format: string;
  tools: string;
  as: "structural-tag" | "gbnf" | "lark";
  toolChoice: string;
  parallel: boolean;
  order?: "any" | "declared";
  reasoning?: "closed" | "prefilled" | "may";
  prose?: "any" | "no-code";
  guard?: "markers" | "closer";
  lazy?: boolean;
  json?: boolean;
}

const examples = `
Notes on what the constraint cannot say go to standard error.

Examples:
  toolpeg export --format hermes --tools tools.json --as structural-tag > tag.json
  toolpeg export --format qwen3_coder --tools tools.json --as gbnf --tool-choice required > calls.gbnf
  toolpeg export --format hermes --tools tools.json --as gbnf --lazy --json    # with triggers and preserved tokens

Exit status:
  0  the constraint is exact
  1  it is not; the notes say where
  2  the command or an input is not as it should be; a message says what to do`;

/** `toolpeg export`: what a model may write, for an engine that can hold it to that. */
export function exportCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  const choice = (flag: string, text: string, choices: string[]) => new Option(flag, text).choices(choices);
  return new Command("export")
    .description("write a constraint for guided decoding: a model that is held to it writes only what is read")
    .requiredOption("-f, --format <id>", "format id or alias, or the path of a grammar (mine.peggy)")
    .requiredOption("-t, --tools <file>", "JSON file with the offered tools")
    .addOption(
      choice("--as <language>", "what the engine reads", ["structural-tag", "gbnf", "lark"]).default("structural-tag"),
    )
    .option("--tool-choice <choice>", "auto, required, none, or the name of a tool", "auto")
    .option("--no-parallel", "one call in a message")
    .addOption(choice("--order <order>", "of the arguments", ["any", "declared"]))
    .addOption(choice("--reasoning <kind>", "whether the message holds thoughts", ["closed", "prefilled", "may"]))
    .addOption(choice("--prose <kind>", "whether text may hold code", ["any", "no-code"]))
    .addOption(choice("--guard <kind>", "what no value may hold", ["markers", "closer"]))
    .option("--lazy", "with --as gbnf: the grammar from the trigger on")
    .option("--json", "print one JSON value with everything")
    .addHelpText("after", examples)
    .action(async (flags: ExportFlags) => {
      const tools = (await readTools(flags.tools)) as ConstraintOptions["tools"];
      const chosen = await formatChoice(flags.format, terminal);
      const constraint = orMisuse(() => {
        const [own] = [chosen.format].flat();
        const format = typeof own === "object" ? own : (engine.formats.get(flags.format) as unknown as Format);
        return exportConstraint(format, { ...optionsOf(flags), tools });
      });
      for (const { path, code, message } of constraint.notes) {
        terminal.err(`${code}${path === "" ? "" : ` ${visible(path)}`}: ${visible(message)}\n`);
      }
      terminal.out(
        flags.json ? `${JSON.stringify(everything(constraint, flags), null, 2)}\n` : written(constraint, flags),
      );
      finish(constraint.exact ? 0 : 1);
    });
}

function optionsOf({
  toolChoice,
  parallel,
  order,
  reasoning,
  prose,
  guard,
}: ExportFlags): Omit<ConstraintOptions, "tools"> {
  const named = ["auto", "required", "none"].includes(toolChoice) ? (toolChoice as "auto") : { name: toolChoice };
  return { toolChoice: named, parallel, order, reasoning, prose, guard };
}

function written(constraint: Constraint, { as, lazy }: ExportFlags): string {
  if (as === "structural-tag") return `${JSON.stringify(constraint.structuralTag())}\n`;
  if (as === "lark") return constraint.lark();
  const { grammar, lazy: late } = constraint.gbnf();
  return lazy && late !== undefined ? late.grammar : grammar;
}

function everything(constraint: Constraint, { as }: ExportFlags): Record<string, unknown> {
  const { exact, notes, parseOptions } = constraint;
  const made =
    as === "gbnf"
      ? constraint.gbnf()
      : as === "lark"
        ? { grammar: constraint.lark() }
        : { structuralTag: constraint.structuralTag() };
  return { exact, notes, parseOptions, ...made };
}
