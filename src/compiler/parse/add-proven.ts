import type { LinkedGrammar, LinkedRule } from "./linked-grammar.ts";

/**
 * Adds every rule of which something holds, where that depends on the rules in `proven`: the least solution, so a rule that
 * needs itself proves nothing.
 *
 * @param proves whether it holds of a rule; more rules in `proven` never make it false
 */
export function addProven(
  grammar: Pick<LinkedGrammar, "rules">,
  proven: Set<string>,
  proves: (rule: LinkedRule) => boolean,
): void {
  for (let known = -1; known < proven.size; ) {
    known = proven.size;
    for (const rule of grammar.rules.values()) {
      if (!proven.has(rule.name) && proves(rule)) proven.add(rule.name);
    }
  }
}
