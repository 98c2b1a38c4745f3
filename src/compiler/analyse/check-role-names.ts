import { suggestion } from "../../contract/suggest.ts";
import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import type { LinkedGrammar, UnusedName } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { roleNames, roleOf, structuralNames } from "./role-of.ts";

/**
 * A rule with a capital means something: a role, a repair, or a place with a name of its own. One with a capital that means
 * nothing is a misspelt role, and its text would vanish. What an imported file calls its rules is its own matter.
 */
export function checkRoleNames(grammar: LinkedGrammar): GrammarError[] {
  const used = [...grammar.rules.values()]
    .filter(({ name, origin }) => origin !== "header" && !name.includes("."))
    .map(({ declared, location }) => ({ kind: "rule" as const, name: declared, location }));
  // One that nothing uses may be what reading comes to by its name: `Synk` is no place where reading goes on.
  return [...used, ...grammar.unused].filter(isMisspeltRole).map(({ name, location }) => {
    const word = name.split("_", 1)[0];
    return grammarError(grammar.files, location, `"${name}" begins with a capital, but no role has that name`, {
      help: `${suggestion(word, [...roleNames, ...structuralNames])}A rule that means nothing by itself begins in lower case.`,
    });
  });
}

/** Whether the name of a rule looks like a role, a repair or a place, and is none. */
export function isMisspeltRole({ kind, name }: Pick<UnusedName, "kind" | "name">): boolean {
  if (kind !== "rule" || !/^[A-Z][a-z]/.test(name)) return false;
  const isPlace = structuralNames.includes(name.split("_", 1)[0]);
  return !isPlace && roleOf(name) === undefined && primitiveOf(name) === undefined;
}
