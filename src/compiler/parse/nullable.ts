import { addProven } from "./add-proven.ts";
import type { Expression, LinkedGrammar } from "./linked-grammar.ts";

/** What an expression may do without any input being consumed. */
export interface Nullability {
  /** May succeed without consuming. */
  nullable(expression: Expression): boolean;
  /** The same for a rule. */
  nullableRule(name: string): boolean;
}

/**
 * Finds which expressions may match the empty text: the least solution, so a rule that needs itself is not nullable
 * for that alone. A primitive counts by its stand-in body, which is nullable exactly when the primitive is.
 */
export function findNullable(grammar: Pick<LinkedGrammar, "rules">): Nullability {
  const nullableRules = new Set<string>();
  const nullable = (expression: Expression): boolean => {
    switch (expression.type) {
      case "any":
      case "class":
        return false;
      case "literal":
        return expression.value === "";
      case "sequence":
        return expression.elements.every(nullable);
      case "choice":
        return expression.alternatives.some(nullable);
      case "one_or_more":
        return nullable(expression.expression);
      case "rule_ref":
        return nullableRules.has(expression.name);
      case "simple_not":
        // `!""` never matches: how a grammar says that it has no such thing.
        return !(expression.expression.type === "literal" && expression.expression.value === "");
      default:
        return true;
    }
  };
  addProven(grammar, nullableRules, ({ expression }) => nullable(expression));
  return { nullable, nullableRule: (name) => nullableRules.has(name) };
}
