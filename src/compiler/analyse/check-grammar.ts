import type { GrammarError } from "../parse/grammar-error.ts";
import type { LinkedGrammar } from "../parse/linked-grammar.ts";
import { checkCallParts } from "./check-call-parts.ts";
import { checkHeaderUse } from "./check-header-use.ts";
import { checkMarkerRules } from "./check-marker-rules.ts";
import { checkOpeners } from "./check-openers.ts";
import { checkOverrides } from "./check-overrides.ts";
import { checkRoleNames } from "./check-role-names.ts";
import { checkUncoveredText } from "./check-uncovered-text.ts";
import { checkUnreachableAlternatives } from "./check-unreachable-alternatives.ts";

type Check = (grammar: LinkedGrammar) => GrammarError[];

/**
 * What a grammar may be refused for although it can be linked. (Undefined and duplicate rules, left recursion and endless
 * repetition are refused while linking: no analysis could work on such a grammar.)
 */
const checks: readonly Check[] = [checkMarkerRules, checkUnreachableAlternatives];

/** What would read, and lose something without a word. */
const silenceChecks: readonly Check[] = [
  checkOpeners,
  checkCallParts,
  checkRoleNames,
  checkUncoveredText,
  checkOverrides,
  checkHeaderUse,
];

/** Everything the checks have to say, in their order. */
export function checkGrammar(grammar: LinkedGrammar): GrammarError[] {
  return checks.flatMap((check) => check(grammar));
}

/** The same for what is lost in silence: a grammar that is refused here can be compiled, and should not be used. */
export function checkSilence(grammar: LinkedGrammar): GrammarError[] {
  return silenceChecks.flatMap((check) => check(grammar));
}
