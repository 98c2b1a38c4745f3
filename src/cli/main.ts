import { Command, CommanderError } from "commander";
import { commands } from "./commands.ts";
import type { CliEngine } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";
import { printUsageError, UsageError } from "./usage-error.ts";

/**
 * Runs one command line.
 *
 * @param args what stands after the program's name
 * @returns the exit status; misuse ends in a message on standard error; only a fault of the program is thrown
 */
export async function main(
  args: readonly string[],
  engine: CliEngine,
  terminal: Terminal,
  version: string,
): Promise<number> {
  let status: number = exitStatus.calls;
  const program = new Command("toolpeg")
    .description("Turns a language model's raw text into tool calls.")
    .version(version)
    .option("--no-color", "no colours (NO_COLOR does the same)")
    .showHelpAfterError("(--help shows what there is)")
    .showSuggestionAfterError();
  for (const make of commands) {
    const finish = (reached: number) => {
      status = reached;
    };
    // Every command takes --no-color, since it is hard to remember on which side of its name the flag belongs.
    const command = make(engine, terminal, finish);
    command.option("--no-color", "no colours (NO_COLOR does the same)").copyInheritedSettings(program);
    program.addCommand(command);
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  }
  try {
    if (args.length === 0) {
      program.outputHelp();
      return exitStatus.misuse;
    }
    await program.parseAsync([...args], { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitStatus.misuse;
    if (!(error instanceof UsageError)) throw error;
    printUsageError(error, terminal);
    return exitStatus.misuse;
  }
}
