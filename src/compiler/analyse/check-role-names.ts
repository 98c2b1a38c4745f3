import { nearestName, suggestion } from "../../contract/suggest.ts";
import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import type { LinkedGrammar, UnusedName } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { specialNames } from "../parse/special-rules.ts";
import { roleNames, roleOf } from "./role-of.ts";

/**
 * A rule with a capital means something: a role, a repair, or a place with a name of its own. One with a capital that means
 * nothing is a misspelt role, and its text would vanish. What an imported file calls its rules is its own matter.
 */
export function checkRoleNames(grammar: LinkedGrammar): GrammarError[] {
  const used = [...grammar.rules.values()]
    .filter(({ name, origin }) => origin !== "header" && !name.includes("."))
    .map(({ declared, location }) => ({ kind: "rule" as const, name: declared, location }));
  // One that nothing uses may be what reading comes to by its name: `Synk` is no place where reading goes on.
  const roles = [...used, ...grammar.unused].filter(isMisspeltRole).map(({ name, location }) => {
    const word = name.split("_", 1)[0];
    return grammarError(grammar.files, location, `"${name}" begins with a capital, but no role has that name`, {
      help: `${suggestion(word, [...roleNames, ...specialNames])}A rule that means nothing by itself begins in lower case.`,
    });
  });
  const special = grammar.unused.filter(isMisspeltSpecialRule).map(({ name, location }) => {
    const meant = nearestName(name, specialNames);
    return grammarError(
      grammar.files,
      location,
      `nothing uses the rule "${name}", and it is spelt almost as "${meant}"`,
      {
        help: `did you mean "${meant}"? Reading comes to that one by its name. Otherwise remove the rule.`,
      },
    );
  });
  return [...roles, ...special];
}

/** Whether a rule that nothing uses is named almost as one that reading comes to by its name. */
export function isMisspeltSpecialRule(unused: Pick<UnusedName, "kind" | "name">): boolean {
  return unused.kind === "rule" && !isMisspeltRole(unused) && nearestName(unused.name, specialNames) !== undefined;
}

/** Whether the name of a rule looks like a role, a repair or a place, and is none. */
export function isMisspeltRole({ kind, name }: Pick<UnusedName, "kind" | "name">): boolean {
  if (kind !== "rule" || !/^[A-Z][a-z]/.test(name)) return false;
  const isPlace = (specialNames as readonly string[]).includes(name.split("_", 1)[0]);
  return !isPlace && roleOf(name) === undefined && primitiveOf(name) === undefined;
}
