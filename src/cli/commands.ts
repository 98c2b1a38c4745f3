import type { Command } from "commander";
import { checkCommand } from "./check-command.ts";
import { compileCommand } from "./compile-command.ts";
import { detectCommand } from "./detect-command.ts";
import type { CliEngine } from "./engine.ts";
import { explainCommand } from "./explain-command.ts";
import { exportCommand } from "./export-command.ts";
import { formatsCommand } from "./formats-command.ts";
import { newCommand } from "./new-command.ts";
import { parseCommand } from "./parse-command.ts";
import { playCommand } from "./play-command.ts";
import { proxyCommand } from "./proxy-command.ts";
import { repairCommand } from "./repair-command.ts";
import { statsCommand } from "./stats-command.ts";
import type { Terminal } from "./terminal.ts";

/** Makes a command. It calls `finish` with the exit status, or throws a UsageError. */
export type CommandMaker = (engine: CliEngine, terminal: Terminal, finish: (status: number) => void) => Command;

/** The commands, in the order of the help text. A new one is a file of its own and a line here. */
export const commands: readonly CommandMaker[] = [
  parseCommand,
  explainCommand,
  repairCommand,
  playCommand,
  formatsCommand,
  detectCommand,
  exportCommand,
  statsCommand,
  proxyCommand,
  newCommand,
  checkCommand,
  compileCommand,
];
