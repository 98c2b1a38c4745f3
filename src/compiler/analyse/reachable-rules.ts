import { type LinkedGrammar, walkExpression } from "../parse/linked-grammar.ts";

/** The rules from which one of the given rules can be reached, those themselves included. */
export function rulesThatReach(grammar: Pick<LinkedGrammar, "rules">, targets: Iterable<string>): Set<string> {
  const users = new Map<string, string[]>();
  for (const rule of grammar.rules.values()) {
    walkExpression(rule.expression, (expression) => {
      if (expression.type !== "rule_ref") return;
      users.set(expression.name, [...(users.get(expression.name) ?? []), rule.name]);
    });
  }
  const reaching = new Set(targets);
  // A Set hands out what is added while it is walked.
  for (const name of reaching) for (const user of users.get(name) ?? []) reaching.add(user);
  return reaching;
}

/** The rules that can be reached from themselves. */
export function recursiveRules({ rules }: Pick<LinkedGrammar, "rules">): Set<string> {
  const references = new Map<string, Set<string>>();
  for (const rule of rules.values()) {
    const names = new Set<string>();
    walkExpression(rule.expression, (expression) => {
      if (expression.type === "rule_ref") names.add(expression.name);
    });
    references.set(rule.name, names);
  }
  const recursive = new Set<string>();
  for (const name of rules.keys()) {
    const reached = new Set(references.get(name));
    for (const one of reached) for (const next of references.get(one) ?? []) reached.add(next);
    if (reached.has(name)) recursive.add(name);
  }
  return recursive;
}
