import { compileGrammar, formatGrammarError, GrammarError } from "../compiler/index.ts";
import type { Format } from "../formats/format.ts";
import { formatOfTemplate, readTemplateFile, type TokenizerConfig } from "../template/index.ts";
import { type GrammarText, loadGrammar, readGrammars } from "./grammar-files.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const prefix = "template:";
const grammarEnding = ".peggy";

/** For the help of `--format`. */
export const formatChoiceHelp =
  "ids or aliases, separated by commas, or `auto`; a grammar of your own by its path (mine.peggy); " +
  "`template:PATH` for a model's own chat template";

/** What a command line names as the format. Plain data but for the values. */
export interface FormatChoice {
  /** Ids, separated by commas, or `auto`. */
  label: string;
  /** The same as the library takes it: with values where an id of the label is none of the registry. */
  format: string | Format | (string | Format)[];
  /** The grammars of these values. */
  grammars: GrammarText[];
  /** What the template's prompt opens. Absent: nothing. */
  prefill?: string;
}

/**
 * The formats of `--format`. A grammar is compiled from its file as it is now, whatever modules were made of it before. What
 * is peculiar about a template is written to standard error.
 *
 * @throws UsageError for a path without a template or a grammar, for a grammar that is refused, and for a template whose
 *   calls no format reads
 */
export async function formatChoice(value: string, terminal: Terminal): Promise<FormatChoice> {
  if (value.startsWith(prefix)) return templateChoice(value.slice(prefix.length), terminal);
  const names = value.split(",").map((name) => name.trim());
  const grammars = readGrammars(names.filter((name) => name.endsWith(grammarEnding)));
  const made = new Map(grammars.map((grammar) => [grammar.path, compiledGrammar(grammar)]));
  const formats = names.map((name) => made.get(name) ?? name);
  const label = formats.map((format) => (typeof format === "string" ? format : format.id)).join(",");
  return { label, format: formats.length === 1 ? formats[0] : formats, grammars };
}

/** @throws UsageError for a grammar that is refused: its message is the one of `toolpeg check`. */
export function compiledGrammar({ path, text }: GrammarText): Format {
  try {
    return compileGrammar(text, { path, load: loadGrammar });
  } catch (error) {
    if (error instanceof GrammarError) throw new UsageError(formatGrammarError(error));
    throw error;
  }
}

async function templateChoice(path: string, terminal: Terminal): Promise<FormatChoice> {
  const source = await readTemplate(path);
  const found = await formatOfTemplate(source).catch((error: Error) => {
    throw new UsageError(`${path}: ${error.message}`, `toolpeg detect ${path} shows what the template writes`);
  });
  const { format, prefill, grammar } = found;
  const name = grammar === undefined ? format.id : "what no format reads: it is read with a format made from it";
  terminal.err(terminal.errColours.dim(`${path} writes ${name}\n`));
  return {
    label: format.id,
    format,
    grammars: grammar === undefined ? [] : [{ path, text: grammar }],
    ...(prefill === undefined ? {} : { prefill }),
  };
}

/** Reads the template of a file or folder. */
export async function readTemplate(path: string): Promise<TokenizerConfig> {
  try {
    return await readTemplateFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? `there is no ${path}` : message;
    throw new UsageError(what, "name a *.jinja file, a tokenizer_config.json, a *.gguf file, or the folder of a model");
  }
}
