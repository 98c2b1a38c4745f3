import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import {
  checkGrammar,
  compileGrammar,
  draftGrammar,
  type Family,
  familyOf,
  shippedFamilies,
} from "../compiler/index.ts";
import { nearestName } from "../contract/suggest.ts";
import { grammarFromTemplate } from "../template/index.ts";
import { draftWire, emptyMarkers, type WireFlags } from "./draft-wire.ts";
import type { CliEngine } from "./engine.ts";
import { exitStatus } from "./exit-status.ts";
import { readTemplate } from "./format-choice.ts";
import { loadGrammar, printGrammarErrors } from "./grammar-files.ts";
import { printStockCorpus } from "./stock-corpus.ts";
import type { Terminal } from "./terminal.ts";
import { orUnwritable, UsageError } from "./usage-error.ts";

const idShape = /^[a-z][a-z0-9_.-]*$/;

interface NewFlags extends WireFlags {
  output: string;
  family: string;
  template?: string;
}

/** `toolpeg new ID`: a grammar to begin with, and a corpus that says what it reads. */
export function newCommand(engine: CliEngine, terminal: Terminal, finish: (status: number) => void): Command {
  return new Command("new")
    .description("begin a grammar of your own, with a corpus beside it")
    .argument("<id>", "the id of the format")
    .option("-o, --output <dir>", "the folder of the grammars", "grammars")
    .option("--family <name>", "what calls look like; the families are below", "json-in-tags")
    .option("--open <text>", "what opens a call, or the block of calls")
    .option("--close <text>", "what closes it")
    .option(
      "--define <rule=text>",
      "another marker of the family, or a rule as an expression; may be given again",
      collect,
      [],
    )
    .option("--rule <name=expression>", "a rule of your own for it, or an import; may be given again", collect, [])
    .option("--keys <keys>", "what the payload calls name and arguments: `name = tool; arguments = input`")
    .option("--example <file>", "a file with two calls as the model writes them, to be shown in the header")
    .option("--template <file>", "make them from a model's chat template: a file or folder as `toolpeg detect` takes")
    .addHelpText("after", help)
    .action(async (id: string, flags: NewFlags) => {
      checkId(id, engine);
      const { output } = flags;
      const grammarPath = join(output, `${id}.peggy`);
      const corpusPath = join(output, `${id}.corpus.txt`);
      for (const path of [grammarPath, corpusPath]) {
        if (existsSync(path)) throw new UsageError(`${path} is there already`, "choose another id, or remove the file");
      }
      const write = (path: string, text: string, remark = "") => {
        orUnwritable(path, () => {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        });
        terminal.out(`wrote: ${path}${remark}\n`);
      };
      if (flags.template !== undefined) {
        const made = await fromTemplate(flags.template, id, terminal);
        if (made === undefined) return finish(exitStatus.refused);
        write(grammarPath, made.grammar);
        write(corpusPath, made.corpus);
        terminal.out(`next: read both, then  toolpeg check ${grammarPath}\n`);
        return finish(exitStatus.calls);
      }
      const family = familyNamed(flags.family);
      const grammar = draftGrammar(draftWire(id, family, flags, readExample(flags.example)));
      const options = { path: grammarPath, load: loadGrammar };
      const errors = checkGrammar(grammar, options);
      const empty = errors.length === 0 ? [] : emptyMarkers(family, flags);
      if (empty.length > 0) {
        throw new UsageError(
          `the family ${family.name} does not do without ${empty.join(", ")}`,
          "give it a text, choose another family, or write the format out: docs/grammar-guide.md",
        );
      }
      if (errors.length > 0 && /^[\]}",:]/.test(flags.close ?? "")) {
        throw new UsageError(
          `the family ${family.name} does not take the closer ${flags.close}: behind a value, JSON may go on so`,
          "choose another family, or write the format out: docs/grammar-guide.md",
        );
      }
      write(grammarPath, grammar);
      if (errors.length > 0) {
        printGrammarErrors(errors, terminal);
        terminal.out(`next: mend that, then  toolpeg check ${grammarPath} --write  writes cases beside it\n`);
        return finish(exitStatus.refused);
      }
      const corpus = printStockCorpus(compileGrammar(grammar, options), grammarPath, engine, terminal);
      write(corpusPath, corpus.text, ` (${corpus.size} cases)`);
      terminal.out(`next: compare both with what the model writes, then  toolpeg check ${grammarPath}\n`);
      finish(exitStatus.calls);
    });
}

const collect = (text: string, before: string[]) => [...before, text];

const familyLines = () =>
  shippedFamilies()
    .map(({ name, title, example }) => `  ${name.padEnd(20)} ${title}\n${example.replace(/^/gm, " ".repeat(25))}`)
    .join("\n");

const help = () => `
Examples:
  toolpeg new my_model --open "<tool>" --close "</tool>" && toolpeg check grammars/my_model.peggy
  toolpeg new my_model --family key-value-tags --open "<tool>" --close "</tool>" --define keyOpen="<key>"
  toolpeg new my_model --family name-in-tag --define 'OPEN=<act ' --define 'head=OPEN by Name ">"' --rule 'by = "do="'
  toolpeg new my_model --template models/my-model

Families:
${familyLines()}

Exit status:
  0  both files are written
  2  the command is not as it should be; a message says what to do
  3  no grammar could be made from the template, or the one that is written is refused; messages say why`;

/** Grammar and corpus of a template. Undefined: none could be made, and the notes are printed. */
async function fromTemplate(path: string, id: string, { err, errColours }: Terminal) {
  const source = await readTemplate(path);
  const made = await grammarFromTemplate(source, { id }).catch((error: Error) => {
    throw new UsageError(`${path}: ${error.message}`);
  });
  for (const note of made.notes) err(`${errColours.yellow("note")}: ${note}\n`);
  return "grammar" in made ? made : undefined;
}

function readExample(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (!existsSync(path)) throw new UsageError(`there is no ${path}`, "name a file that holds two calls of the model");
  return readFileSync(path, "utf8").replace(/\r\n/g, "\n").replace(/\n+$/, "");
}

function familyNamed(name: string): Family {
  const plain = name.replace(/^toolpeg\//, "").replace(/^family\//, "");
  const family = familyOf(plain);
  if (family !== undefined) return family;
  const names = shippedFamilies().map((known) => known.name);
  const near = nearestName(plain, names);
  throw new UsageError(
    `there is no family ${JSON.stringify(plain)}`,
    near === undefined ? `the families are ${names.join(", ")}` : `did you mean ${near}? toolpeg new --help shows all`,
  );
}

function checkId(id: string, engine: CliEngine): void {
  if (!idShape.test(id)) {
    throw new UsageError(`${JSON.stringify(id)} cannot be an id`, "one lower-case word such as my_model");
  }
  let known: string | undefined;
  try {
    known = engine.formats.get(id).id;
  } catch {
    return;
  }
  throw new UsageError(`the format ${known} ships with toolpeg and goes by that name`, "choose another id");
}
