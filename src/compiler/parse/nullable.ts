import { addProven } from "./add-proven.ts";
import { type Expression, isNever, type LinkedGrammar } from "./linked-grammar.ts";

/**
 * Finds which expressions may match the empty text: the least solution, so a rule that needs itself is not nullable
 * for that alone. A primitive counts by its stand-in body, which is nullable exactly when the primitive is.
 *
 * @returns whether an expression may succeed without consuming
 */
export function findNullable(grammar: Pick<LinkedGrammar, "rules">): (expression: Expression) => boolean {
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
        return !isNever(expression);
      default:
        return true;
    }
  };
  addProven(grammar, nullableRules, ({ expression }) => nullable(expression));
  return nullable;
}
