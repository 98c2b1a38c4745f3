import { checkMarkerRules } from "./check-marker-rules.ts";
import { checkUnreachableAlternatives } from "./check-unreachable-alternatives.ts";
import type { GrammarError } from "./grammar-error.ts";
import type { LinkedGrammar } from "./linked-grammar.ts";

/**
 * What a grammar may be refused for although it can be linked. (Undefined, duplicate and unused rules, left recursion
 * and endless repetition are refused while linking: no analysis could work on such a grammar.)
 */
const checks: readonly ((grammar: LinkedGrammar) => GrammarError[])[] = [
  checkUnreachableAlternatives,
  checkMarkerRules,
];

/** Everything the checks have to say, in their order. */
export function checkGrammar(grammar: LinkedGrammar): GrammarError[] {
  return checks.flatMap((check) => check(grammar));
}
