import type { Format } from "../formats/format.ts";
import { formatOfTemplate, readTemplateFile, type TokenizerConfig } from "../template/index.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const prefix = "template:";

/** For the help of `--format`. */
export const templateFormatHelp = "or `template:PATH` for a model's own chat template";

/** A format that a command line names by a template. */
export interface TemplateFormatChoice {
  format: Format;
  /** The text of its grammar, where it was made from the template. */
  grammar?: string;
  /** What the template's prompt opens. Absent: nothing. */
  prefill?: string;
}

/**
 * The format of `--format template:PATH`; undefined where the value is an id, a list or `auto`. What is peculiar about the
 * template is told on standard error.
 *
 * @throws UsageError for a path without a template, and for a template whose calls nobody reads
 */
export async function templateFormat(value: string, terminal: Terminal): Promise<TemplateFormatChoice | undefined> {
  if (!value.startsWith(prefix)) return undefined;
  const path = value.slice(prefix.length);
  const source = await readTemplate(path);
  const found = await formatOfTemplate(source).catch((error: Error) => {
    throw new UsageError(`${path}: ${error.message}`, `toolpeg detect ${path} shows what the template writes`);
  });
  const { format, prefill, grammar } = found;
  const name = grammar === undefined ? format.id : "what no format reads: it is read with a format made from it";
  terminal.err(terminal.errColours.dim(`${path} writes ${name}\n`));
  return { format, ...(grammar === undefined ? {} : { grammar }), ...(prefill === undefined ? {} : { prefill }) };
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
