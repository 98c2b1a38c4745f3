import { createHash } from "node:crypto";
import { type CheckValue, checkOptionsOf, isFunction, isOneOf, isText, show } from "../contract/option-values.ts";
import { defineFormat } from "../formats/define-format.ts";
import type { Format } from "../formats/format.ts";
import { checkGrammar as checkLinked, checkSilence } from "./analyse/check-grammar.ts";
import { checkStreaming as checkLinkedStreaming } from "./analyse/check-streaming.ts";
import { checkUnusedRules } from "./analyse/check-unused-rules.ts";
import { rulesReading } from "./emit/rules-that-read.ts";
import { compileLinked, writeModule } from "./emit/write-module.ts";
import { GrammarError, type GrammarFile } from "./parse/grammar-error.ts";
import { type LoadGrammar, linkGrammar } from "./parse/link-grammar.ts";
import { type LinkedGrammar, rulePlaces } from "./parse/linked-grammar.ts";
import { loadShippedGrammar, shippedGrammarFile } from "./parse/shipped-grammars.ts";
import { checkSamples, checkShown } from "./template/check-samples.ts";

/** Where a grammar stands, and who reads the others that it needs. */
export interface CompileGrammarOptions {
  /** Path of the grammar: for messages, and what its imports count from. Default `grammar.peggy`. */
  path?: string | undefined;
  /**
   * Reads another grammar by its path. Default: none but those that ship with the package, which are always there by
   * paths such as `toolpeg/shared/json.peggy`.
   */
  load?: LoadGrammar | undefined;
}

/** The same, for the text of a module. */
export interface CompileModuleOptions extends CompileGrammarOptions {
  output: "module";
  /** Where the module gets `defineFormat` from. Default `toolpeg/core`. */
  runtime?: string | undefined;
}

/** What the options take. */
const grammarValues: Readonly<Record<keyof CompileGrammarOptions, CheckValue>> = {
  path: isText("grammars/bells.peggy"),
  load: isFunction("(path) => string | undefined"),
};
const moduleValues: Readonly<Record<keyof CompileModuleOptions, CheckValue>> = {
  ...grammarValues,
  output: isOneOf("format", "module"),
  runtime: isText("toolpeg/core"),
};

/**
 * Compiles a grammar: to a format that can be used at once (a program is data, nothing is evaluated), or with
 * `output: "module"` to the text of a module that exports it.
 *
 * @throws GrammarError with the place, what was expected there and what to do; `formatGrammarError` writes it out.
 * TypeError for a misspelt option, and for a value that it does not take
 */
export function compileGrammar(text: string, options: CompileModuleOptions): string;
export function compileGrammar(text: string, options?: CompileGrammarOptions & { output?: "format" }): Format;
export function compileGrammar(
  text: string,
  options: CompileGrammarOptions & { output?: "format" | "module"; runtime?: string | undefined } = {},
): Format | string {
  const linked = link("compileGrammar", text, options, moduleValues);
  const data = compileLinked(linked);
  const { output, runtime = "toolpeg/core", path = "grammar.peggy" } = options;
  if (output !== "module") return defineFormat(data);
  return writeModule(data, path, hashOf(linked), runtime, "toolpeg compile");
}

/**
 * Everything a grammar is refused for: what keeps it from being compiled, and what would compile and lose something
 * without a word. What keeps it from being linked is found one at a time, the rest at once.
 *
 * @returns no errors: it compiles, and says all that it leaves out
 */
export function checkGrammar(text: string, options: CompileGrammarOptions = {}): GrammarError[] {
  try {
    const linked = link("checkGrammar", text, options);
    const errors = [...checkLinked(linked), ...checkSilence(linked)];
    return errors.length > 0 ? errors : checkSamples(linked, compileLinked(linked));
  } catch (error) {
    if (error instanceof GrammarError) return [error];
    throw error;
  }
}

/**
 * Where a grammar holds text back until a rule ends, because an older choice might still take it back. That reads
 * right and streams late, so it is no reason to refuse a grammar; often a `Cut` is missing.
 *
 * @throws GrammarError when the grammar cannot be linked
 */
export function checkStreaming(text: string, options: CompileGrammarOptions = {}): GrammarError[] {
  return checkLinkedStreaming(link("checkStreaming", text, options));
}

/**
 * What is no reason to refuse a grammar and worth a look: rules that nothing uses, text that streams late, and calls
 * that the example does not show how to write.
 *
 * @throws GrammarError when the grammar cannot be compiled
 */
export function grammarWarnings(text: string, options: CompileGrammarOptions = {}): GrammarError[] {
  const linked = link("grammarWarnings", text, options);
  return [...checkUnusedRules(linked), ...checkLinkedStreaming(linked), ...checkShown(linked, compileLinked(linked))];
}

/**
 * Which rules of a grammar read a character of a text: those of the innermost role that covers it.
 *
 * @returns `Text (grammars/x.peggy:31)`; empty where no block covers the place
 */
export function readBy(grammar: string, text: string, offset: number, options: CompileGrammarOptions = {}): string[] {
  return rulesReading(link("readBy", grammar, options), text, offset);
}

/**
 * Where the rules of a grammar stand, with those of what it extends and imports.
 *
 * @returns `toolpeg/family/json-in-tags.peggy:30` by the name of a rule, and by the name that messages call it
 */
export function placesOfRules(grammar: string, options: CompileGrammarOptions = {}): ReadonlyMap<string, string> {
  return rulePlaces(link("placesOfRules", grammar, options));
}

/**
 * The files that a grammar is made of: itself, what it extends and what it imports, as far as they can be found from it.
 * A build that watches them compiles anew when one of them changes; one that is missing is named too.
 *
 * @returns paths as `load` gets them; what ships with the package by its place on the disk
 */
export function grammarFiles(text: string, options: CompileGrammarOptions = {}): string[] {
  const { entry, load } = inputOf("grammarFiles", text, options, grammarValues);
  const files = [entry.path];
  const reading: LoadGrammar = (wanted) => {
    files.push(shippedGrammarFile(wanted) ?? wanted);
    return load(wanted);
  };
  try {
    linkGrammar(entry, reading);
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
  }
  return files;
}

function link(caller: string, text: string, options: CompileGrammarOptions, checks = grammarValues): LinkedGrammar {
  const { entry, load } = inputOf(caller, text, options, checks);
  return linkGrammar(entry, load);
}

/** What is linked, when it is known that text and options are what they have to be. */
function inputOf(
  caller: string,
  text: string,
  options: CompileGrammarOptions,
  checks: typeof grammarValues,
): { entry: GrammarFile; load: LoadGrammar } {
  checkOptionsOf(caller, options, checks);
  if (typeof text !== "string") throw new TypeError(`a grammar is a string, not ${typeof text}`);
  const { path = "grammar.peggy", load } = options;
  const reading: LoadGrammar = (wanted) => {
    const found: unknown = loadShippedGrammar(wanted) ?? load?.(wanted) ?? undefined;
    if (found === undefined || typeof found === "string") return found;
    const given = found instanceof Promise ? "a promise" : show(found);
    throw new TypeError(`options.load(${JSON.stringify(wanted)}) must give a string, or undefined, not ${given}`);
  };
  return { entry: { path, text }, load: reading };
}

/** Of the grammar and all it is made of, so that a module says what it was made from. */
export function hashOf(linked: LinkedGrammar): string {
  const hash = createHash("sha256");
  for (const file of linked.files) hash.update(`${file.path}\0${file.text}\0`);
  return hash.digest("hex");
}
