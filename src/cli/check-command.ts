import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { checkGrammar, checkStreaming, compileGrammar } from "../compiler/index.ts";
import { CaseFailure, checkCase } from "../testing/check-case.ts";
import { CorpusError } from "../testing/corpus-error.ts";
import { type CorpusCase, readCorpus } from "../testing/read-corpus.ts";
import type { CliEngine } from "./engine.ts";
import {
  type GrammarText,
  grammarExitStatus,
  grammarExitStatusHelp,
  loadGrammar,
  printGrammarErrors,
  printGrammarWarnings,
  readGrammars,
} from "./grammar-files.ts";
import type { Terminal } from "./terminal.ts";

const help = `
A warning names text that a stream holds back until it ends, because no Commit says earlier what it is.

A corpus beside a grammar (NAME.corpus.txt for NAME.peggy) is run too: whole and in chunks, every case must hold. Tool
sets that its cases name come from tools.json in the same folder or in part/.

Examples:
  toolpeg check grammars/*.peggy
${grammarExitStatusHelp}`;

/** `toolpeg check FILE...`: whether grammars compile, and whether they read what their corpus says. */
export function checkCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("check")
    .description("check grammars of your own, and run the corpus beside each")
    .argument("<file...>", "grammars")
    .addHelpText("after", help)
    .action((files: string[]) => {
      let status: number = grammarExitStatus.fine;
      for (const grammar of readGrammars(files)) {
        const options = { path: grammar.path, load: loadGrammar };
        const errors = checkGrammar(grammar.text, options);
        printGrammarErrors(errors, terminal);
        if (errors.length === 0) printGrammarWarnings(checkStreaming(grammar.text, options), terminal);
        const failures = errors.length === 0 ? runCorpus(grammar, engine, terminal) : undefined;
        if (failures !== 0) status = grammarExitStatus.refused;
      }
      finish(status);
    });
}

/** Runs the corpus beside a grammar; returns how many cases fail. */
function runCorpus({ path, text }: GrammarText, engine: CliEngine, { out, err, errColours }: Terminal): number {
  const corpus = path.replace(/\.peggy$/, ".corpus.txt");
  if (corpus === path || !existsSync(corpus)) {
    out(`${path}: compiles; there is no corpus beside it\n`);
    return 0;
  }
  let cases: CorpusCase[];
  try {
    cases = readCorpus(readFileSync(corpus, "utf8"), corpus, { toolSets: toolSetsBeside(path) });
  } catch (error) {
    if (!(error instanceof CorpusError)) throw error;
    err(`${errColours.red("error")}: ${error.message}\n\n`);
    return 1;
  }
  const format = compileGrammar(text, { path, load: loadGrammar });
  let failures = 0;
  for (const example of cases) {
    try {
      checkCase(example, engine, { format });
    } catch (error) {
      if (!(error instanceof CaseFailure)) throw error;
      failures++;
      err(`${errColours.red("fails")}: ${error.message}\n\n`);
    }
  }
  out(`${path}: compiles; ${cases.length - failures} of ${cases.length} cases hold\n`);
  return failures;
}

function toolSetsBeside(path: string): Record<string, unknown> {
  for (const name of ["tools.json", "part/tools.json"]) {
    const file = join(dirname(path), name);
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  }
  return {};
}
