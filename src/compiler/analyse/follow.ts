import type { Expression, LinkedGrammar } from "../parse/linked-grammar.ts";

/** What is asked of FOLLOW: sets of characters, or of literals. */
export interface FollowFacts<Facts> {
  union(left: Facts, right: Facts): Facts;
  isSame(left: Facts, right: Facts): boolean;
  first(expression: Expression): Facts;
  /** FIRST of an expression after which something stands. */
  firstThen(expression: Expression, follow: Facts): Facts;
  /** What may follow in a predicate. Absent: that is not asked. */
  readonly inPredicate?: Facts;
}

/**
 * FOLLOW of all rules: what may follow each, wherever it is used. The least solution.
 *
 * @param follows what is known of rules from elsewhere; the solution is added to it
 */
export function spreadFollow<Facts>(
  { rules }: Pick<LinkedGrammar, "rules">,
  follows: Map<string, Facts>,
  none: Facts,
  facts: FollowFacts<Facts>,
): void {
  let changed = true;
  const followOf = (rule: string) => follows.get(rule) ?? none;
  const spread = (expression: Expression, follow: Facts): void => {
    switch (expression.type) {
      case "rule_ref": {
        const grown = facts.union(followOf(expression.name), follow);
        if (facts.isSame(followOf(expression.name), grown)) break;
        follows.set(expression.name, grown);
        changed = true;
        break;
      }
      case "sequence": {
        let after = follow;
        for (const element of [...expression.elements].reverse()) {
          spread(element, after);
          after = facts.firstThen(element, after);
        }
        break;
      }
      case "choice":
        for (const alternative of expression.alternatives) spread(alternative, follow);
        break;
      case "optional":
        spread(expression.expression, follow);
        break;
      case "zero_or_more":
      case "one_or_more":
        spread(expression.expression, facts.union(follow, facts.first(expression.expression)));
        break;
      case "simple_and":
      case "simple_not":
        if (facts.inPredicate !== undefined) spread(expression.expression, facts.inPredicate);
        break;
    }
  };
  while (changed) {
    changed = false;
    for (const rule of rules.values()) spread(rule.expression, followOf(rule.name));
  }
}
