import { suggestion } from "../../contract/suggest.ts";
import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import type { LinkedGrammar } from "../parse/linked-grammar.ts";
import { specialNames } from "../parse/special-rules.ts";
import { isMisspeltRole, isMisspeltSpecialRule } from "./check-role-names.ts";

/**
 * A rule or import of the format's own file that nothing uses: it is misspelt, or left over. What families and parts
 * define is for whoever needs it.
 */
export function checkUnusedRules(grammar: LinkedGrammar): GrammarError[] {
  const known = [...[...grammar.rules.values()].map(({ declared }) => declared), ...specialNames];
  return grammar.unused
    .filter((unused) => !isMisspeltRole(unused) && !isMisspeltSpecialRule(unused))
    .map(({ kind, name, location }) =>
      grammarError(grammar.files, location, `the ${kind} "${name}" is never used`, {
        help: `${suggestion(name, known)}Nothing that reading can come to uses it: remove it.`,
      }),
    );
}
