import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Command } from "commander";
import {
  checkGrammar,
  compileGrammar,
  grammarFiles,
  grammarWarnings,
  placesOfRules,
  readBy,
} from "../compiler/index.ts";
import type { Format } from "../formats/format.ts";
import { CaseFailure, checkCase, runOf } from "../testing/check-case.ts";
import { CorpusError } from "../testing/corpus-error.ts";
import { type CorpusCase, readCorpus } from "../testing/read-corpus.ts";
import { checkStanding, type StandingFailure } from "../testing/standing-properties.ts";
import { fillOpenCases } from "../testing/write-expectation.ts";
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
import { printStockCorpus, toolSetPaths, toolSetsBeside } from "./stock-corpus.ts";
import type { Terminal } from "./terminal.ts";
import { printUsageError, UsageError } from "./usage-error.ts";
import { watchFiles } from "./watch-files.ts";

const help = `
A warning names a rule that nothing uses, text that a stream holds back until it ends, because no Cut says earlier
what it is, or calls that the example does not show how to write.

A corpus beside a grammar (NAME.corpus.txt for NAME.peggy) is run too: whole and in chunks, every case must hold. Tool
sets that its cases name come from tools.json in the same folder or in shared/, or ship with toolpeg ("dials").

Then the standing properties are tried: cuts, cut replies, quotations, calls in strings of other calls, damage, bad
neighbours, streaming, writing, lists of formats, hostile texts. A counter-example is shown as small as it could be made.

Examples:
  toolpeg check grammars/*.peggy
  toolpeg check grammars/mine.peggy --write      # fills in what open cases expect; read it before you keep it
  toolpeg check grammars/mine.peggy --watch
${grammarExitStatusHelp}`;

interface CheckFlags {
  write?: boolean;
  watch?: boolean;
  properties: boolean;
  time: string;
}

/** `toolpeg check FILE...`: whether grammars compile, read what their corpus says, and keep what every format keeps. */
export function checkCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("check")
    .description("check grammars of your own: the grammar, its corpus, and what holds for every format")
    .argument("<file...>", "grammars")
    .option("--write", "fill in the expectations of cases that have none; begin a corpus where there is none")
    .option("--watch", "check again whenever a grammar, what it is made of, or its corpus changes")
    .option("--no-properties", "leave out the standing properties")
    .option("--time <seconds>", "how long the properties of one grammar may take, of the processor's time", "15")
    .addHelpText("after", help)
    .action(async (files: string[], flags: CheckFlags) => {
      if (!(Number(flags.time) > 0)) {
        throw new UsageError(`--time ${flags.time} is no number of seconds`, "write --time 15");
      }
      const check = () => {
        let status: number = grammarExitStatus.fine;
        for (const grammar of readGrammars(files)) {
          if (!checkOne(grammar, flags, engine, terminal)) status = grammarExitStatus.refused;
        }
        return status;
      };
      if (!flags.watch) return finish(check());
      watchFiles(() => {
        try {
          check();
        } catch (error) {
          // A file that is saved just now may be gone for a moment, or be no JSON yet: the next change is waited for.
          if (!(error instanceof UsageError)) throw error;
          printUsageError(error, terminal);
        }
        terminal.out("\n");
        return files.flatMap(filesAbout);
      });
      await new Promise(() => {});
    });
}

/** What a check of a grammar depends on: it, what it extends and imports, its corpus, and sets of tools. */
function filesAbout(path: string): string[] {
  const text = loadGrammar(path);
  const grammars = text === undefined ? [path] : grammarFiles(text, { path, load: loadGrammar });
  return [...grammars, corpusOf(path), ...toolSetPaths(path)];
}

const corpusOf = (path: string) => path.replace(/\.peggy$/, ".corpus.txt");

/** What is checked, and what has been found of it so far. */
interface Check {
  grammar: GrammarText;
  format: Format;
  flags: CheckFlags;
  engine: CliEngine;
  terminal: Terminal;
  said: string[];
}

function checkOne(grammar: GrammarText, flags: CheckFlags, engine: CliEngine, terminal: Terminal): boolean {
  const { path, text } = grammar;
  const options = { path, load: loadGrammar };
  const errors = checkGrammar(text, options);
  printGrammarErrors(errors, terminal);
  if (errors.length > 0) return false;
  printGrammarWarnings(grammarWarnings(text, options), terminal);
  const format = compileGrammar(text, options);
  const stale = staleModule(grammar, format.id);
  if (stale !== undefined) {
    terminal.err(`${terminal.errColours.yellow("warning")}: ${stale} was made from another text of this grammar\n`);
    terminal.err("help: run `npm run generate` or `toolpeg compile`; what is checked here is the grammar itself\n\n");
  }
  const check: Check = { grammar, format, flags, engine, terminal, said: [`${path}: compiles`] };
  const cases = readCases(check);
  if (cases === undefined) return false;
  const failed = runCases(cases, check);
  const isKept = !flags.properties || runProperties(cases, check);
  terminal.out(`${check.said.join("; ")}\n`);
  return failed === 0 && isKept;
}

/** The module of this grammar, where there is one and it is not of this text. */
function staleModule({ path, text }: GrammarText, id: string): string | undefined {
  const line = /^\/\/ grammar-sha256: .*$/m;
  // The module was made from the folder above: paths are part of what it was made from.
  const above = join(dirname(path), "..");
  const options = { path: relative(above, path), load: (file: string) => loadGrammar(join(above, file)) };
  const fresh = line.exec(compileGrammar(text, { ...options, output: "module" }))?.[0];
  const folder = join(above, "generated");
  for (const ending of ["ts", "js"]) {
    const module = join(folder, `${id}.${ending}`);
    if (!existsSync(module)) continue;
    return line.exec(readFileSync(module, "utf8"))?.[0] === fresh ? undefined : module;
  }
  return undefined;
}

/** The cases beside a grammar; undefined when they cannot be read. With `--write` the open ones are filled in. */
function readCases({ grammar: { path }, format, flags, engine, terminal, said }: Check): CorpusCase[] | undefined {
  const { err, errColours } = terminal;
  const { write } = flags;
  const corpus = corpusOf(path);
  if (write && corpus !== path && !existsSync(corpus)) {
    const { text: cases, size } = printStockCorpus(format, path, engine, terminal);
    writeFileSync(corpus, cases);
    said.push(`wrote ${corpus} with ${size} cases: read them before you keep them`);
  }
  if (corpus === path || !existsSync(corpus)) {
    said.push("there is no corpus beside it (--write begins one)");
    return [];
  }
  const toolSets = toolSetsBeside(path);
  try {
    let source = readFileSync(corpus, "utf8");
    const cases = readCorpus(source, corpus, { toolSets, unfinished: write === true });
    for (const example of cases) refuseOptions(example, format, engine);
    if (write) {
      const { text: filledIn, filled } = fillOpenCases(source, corpus, format, engine, { toolSets });
      source = filledIn;
      if (filled > 0) {
        writeFileSync(corpus, source);
        said.push(`wrote ${filled} expectations: read them before you keep them`);
      }
    }
    return write ? readCorpus(source, corpus, { toolSets }) : cases;
  } catch (error) {
    if (!(error instanceof CorpusError)) throw error;
    err(`${errColours.red("error")}: ${error.message}\n\n`);
    return undefined;
  }
}

/** A case that cannot be read with the tools, the policy or the other options that it names is a mistake of its author. */
function refuseOptions(example: CorpusCase, format: Format, engine: CliEngine): void {
  try {
    runOf(example, engine, format).stream();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const where = { file: example.file, line: example.line, column: 1, width: example.title.length + 4 };
    const help = "compare the lines `tools:`, `policy:` and the like above its input with docs/grammar-guide.md";
    throw new CorpusError(
      { ...where, text: `=== ${example.title}` },
      `this case cannot be run: ${error.message}`,
      help,
    );
  }
}

/** Runs the cases; returns how many fail. */
function runCases(cases: readonly CorpusCase[], { format, engine, terminal, said }: Check): number {
  const { err, errColours } = terminal;
  if (cases.length === 0) return 0;
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
  said.push(`${cases.length - failures} of ${cases.length} cases hold`);
  return failures;
}

/** Tries the standing properties; returns whether all hold. */
function runProperties(
  cases: readonly CorpusCase[],
  { grammar, format, flags, engine, terminal, said }: Check,
): boolean {
  const { err, errColours } = terminal;
  const { path, text } = grammar;
  const from = { path, load: loadGrammar };
  const rulesOf = ({ rule, text: shown, at }: StandingFailure): string[] => {
    if (rule !== undefined) return [`${rule} (${placesOfRules(text, from).get(rule)})`];
    return at === undefined ? [] : readBy(text, shown, at, from);
  };
  const options = { timeMax: 1000 * Number(flags.time), now: processorTime };
  const { tried, failures, cutShort } = checkStanding(format, cases, engine, options);
  for (const failure of failures) {
    err(`${errColours.red("fails")}: ${describe(failure, rulesOf(failure))}\n\n`);
  }
  said.push(`${tried.length - failures.length} of ${tried.length} properties hold`);
  // What was not tried is not known to hold.
  if (cutShort.length > 0) said.push(`too little time to try all of ${cutShort.join(", ")}: give more by --time`);
  return failures.length === 0;
}

/** In milliseconds, of this process: what else the machine has to do shall not decide how much is tried. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function describe({ property, bar, what, text, at, rule }: StandingFailure, rules: readonly string[]): string {
  const shown = JSON.stringify(text);
  const lines = [`${property}: ${bar}`, what, "", `text ${shown}`];
  if (at !== undefined) {
    const before = JSON.stringify(text.slice(0, at)).length - 1;
    lines.push(`     ${" ".repeat(before)}^`);
  }
  if (rules.length > 0) lines.push(`${rule === undefined ? "read by" : "the rule is"} ${rules.join(", ")}`);
  return lines.join("\n");
}
