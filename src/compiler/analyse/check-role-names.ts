import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import type { LinkedGrammar } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { didYouMean } from "../parse/suggest.ts";
import { roleNames, roleOf, structuralNames } from "./role-of.ts";

/**
 * A rule with a capital means something: a role, a repair, or a place with a name of its own. One with a capital that means
 * nothing is a misspelt role, and its text would vanish. What an imported file calls its rules is its own matter.
 */
export function checkRoleNames(grammar: LinkedGrammar): GrammarError[] {
  const errors: GrammarError[] = [];
  for (const { name, declared, location, origin } of grammar.rules.values()) {
    if (origin === "header" || name.includes(".") || !/^[A-Z][a-z]/.test(declared)) continue;
    const word = declared.split("_", 1)[0];
    if (structuralNames.includes(word) || roleOf(declared) !== undefined || primitiveOf(declared) !== undefined)
      continue;
    errors.push(
      grammarError(grammar.files, location, `"${declared}" begins with a capital, but no role has that name`, {
        help: `${didYouMean(word, [...roleNames, ...structuralNames])}A rule that means nothing by itself begins in lower case.`,
      }),
    );
  }
  return errors;
}
