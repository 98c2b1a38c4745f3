import { type GrammarError, grammarError, grammarNote } from "./grammar-error.ts";
import type { Expression, LinkedGrammar, RuleReference } from "./linked-grammar.ts";
import { findNullable } from "./nullable.ts";

/** A rule that comes to itself without consuming would never end. */
export function checkLeftRecursion(grammar: LinkedGrammar): GrammarError[] {
  const nullable = findNullable(grammar);
  const done = new Set<string>();
  const path: { rule: string; reference: RuleReference | undefined }[] = [];
  const errors: GrammarError[] = [];

  const visitRule = (name: string, reference: RuleReference | undefined): void => {
    const first = path.findIndex((step) => step.rule === name);
    if (first !== -1 && reference !== undefined) errors.push(report(first, reference));
    if (first !== -1 || done.has(name)) return;
    path.push({ rule: name, reference });
    visit(grammar.rules.get(name)?.expression);
    path.pop();
    done.add(name);
  };

  /** Follows what can be reached before anything is consumed. */
  const visit = (expression: Expression | undefined): void => {
    switch (expression?.type) {
      case "rule_ref":
        visitRule(expression.name, expression);
        return;
      case "sequence":
        for (const element of expression.elements) {
          visit(element);
          if (!nullable(element)) return;
        }
        return;
      case "choice":
        expression.alternatives.forEach(visit);
        return;
      case "optional":
      case "zero_or_more":
      case "one_or_more":
      case "simple_and":
      case "simple_not":
        visit(expression.expression);
        return;
    }
  };

  const report = (first: number, last: RuleReference): GrammarError => {
    const steps = [...path.slice(first), { rule: last.name, reference: last }];
    const notes = steps
      .slice(1)
      .map((step) =>
        grammarNote(grammar.files, (step.reference as RuleReference).location, `"${step.rule}" is reached from here`),
      );
    const rule = grammar.rules.get(last.name);
    const message = `left recursion: ${steps.map((step) => step.rule).join(" -> ")}`;
    const help = "write the repetition as `*` or `+`, or consume something before the rule comes to itself";
    return grammarError(grammar.files, (rule ?? last).location, message, { help, notes });
  };

  for (const name of grammar.rules.keys()) visitRule(name, undefined);
  return errors;
}
