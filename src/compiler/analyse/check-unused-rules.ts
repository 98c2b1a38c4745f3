import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import type { LinkedGrammar } from "../parse/linked-grammar.ts";
import { didYouMean } from "../parse/suggest.ts";

/**
 * A rule or import of the format's own file that nothing uses: it is misspelt, or left over. What families and parts
 * define is for whoever needs it.
 */
export function checkUnusedRules(grammar: LinkedGrammar): GrammarError[] {
  const known = [...grammar.rules.values()].map(({ declared }) => declared);
  return grammar.unused.map(({ kind, name, location }) =>
    grammarError(grammar.files, location, `the ${kind} "${name}" is never used`, {
      help: `${didYouMean(name, known)}Nothing that reading can come to uses it: remove it.`,
    }),
  );
}
