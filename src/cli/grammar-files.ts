import { formatGrammarError, GrammarError } from "../compiler/index.ts";
import { loadGrammarFile } from "../compiler/load-grammar-file.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export interface GrammarText {
  path: string;
  text: string;
}

/** Reads the grammars of a command line. */
export function readGrammars(paths: readonly string[]): GrammarText[] {
  return paths.map((path) => {
    if (!path.endsWith(".peggy")) throw new UsageError(`${path} is no grammar`, "name files that end in .peggy");
    const text = loadGrammarFile(path);
    if (text === undefined)
      throw new UsageError(`there is no grammar ${path}`, "check the path: it counts from this folder");
    return { path, text };
  });
}

/** What a grammar extends and imports, read from the disk. */
export const loadGrammar = loadGrammarFile;

/** Writes errors of grammars where people read them. */
export function printGrammarErrors(errors: readonly GrammarError[], terminal: Terminal): void {
  printEach(errors, terminal.errColours.red("error"), terminal);
}

/** Writes what keeps no grammar from compiling. */
export function printGrammarWarnings(warnings: readonly GrammarError[], terminal: Terminal): void {
  printEach(warnings, terminal.errColours.yellow("warning"), terminal);
}

function printEach(errors: readonly GrammarError[], label: string, { err }: Terminal): void {
  for (const error of errors) {
    const [message, ...rest] = formatGrammarError(error).split("\n");
    err(`${label}: ${message}\n${rest.join("\n")}\n\n`);
  }
}

/** Runs a step that a grammar may be refused in; the error is printed, and nothing comes back. */
export function orGrammarError<Result>(terminal: Terminal, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    printGrammarErrors([error], terminal);
    return undefined;
  }
}

/** What `compile` and `check` end with. */
export const grammarExitStatus = { fine: 0, refused: 1 } as const;

export const grammarExitStatusHelp = `
Exit status:
  0  every grammar is fine
  1  a grammar is refused, a case of its corpus fails, or (with --check) a module is not up to date
  2  the command is not as it should be; a message says what to do`;
