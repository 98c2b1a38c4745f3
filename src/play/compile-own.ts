import { checkGrammar, checkStreaming, compileGrammar } from "../compiler/compile-grammar.ts";
import type { GrammarError } from "../compiler/parse/grammar-error.ts";
import { linkGrammar } from "../compiler/parse/link-grammar.ts";
import type { LinkedRule } from "../compiler/parse/linked-grammar.ts";
import type { Format } from "../index.ts";
import { loadBeside, loadShippedGrammar } from "./shipped.ts";

/** The edited grammar, checked. */
export interface Compiled {
  format?: Format;
  errors: GrammarError[];
  warnings: GrammarError[];
  /** The rules that can be reached, as they are linked. */
  rules: LinkedRule[];
}

/** Where the edited grammar stands: among the shipped ones, so that it imports as they do. */
export const ownPath = "grammars/own.peggy";

/** Compiles the text of the editor. */
export function compileOwn(text: string): Compiled {
  const options = { path: ownPath, load: loadBeside };
  const errors = checkGrammar(text, options);
  if (errors.length > 0) return { errors, warnings: [], rules: [] };
  const linked = linkGrammar({ path: ownPath, text }, (path) => loadShippedGrammar(path) ?? loadBeside(path));
  return {
    format: compileGrammar(text, options),
    errors,
    warnings: checkStreaming(text, options),
    rules: [...linked.rules.values()],
  };
}
