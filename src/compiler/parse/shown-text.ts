import type { ast } from "peggy";
import { GrammarError } from "./grammar-error.ts";
import { parseGrammarText } from "./parse-grammar-text.ts";

/**
 * A text that an expression matches: its first alternatives, and nothing that may be left out. For examples of a wire whose
 * rules are given one by one.
 *
 * @param body what stands after the `=` of a rule
 * @param textOf the text of a rule that it refers to; undefined: none is known
 * @returns undefined where a character may be one of many, and for what is no expression
 */
export function shownText(body: string, textOf: (rule: string) => string | undefined): string | undefined {
  try {
    const { rules } = parseGrammarText({ path: "rule", text: `shown = ${body}\n` });
    return rules.length === 1 ? textIn(rules[0].expression, textOf) : undefined;
  } catch (error) {
    if (error instanceof GrammarError) return undefined;
    throw error;
  }
}

type Body = ast.Rule["expression"] | ast.Expression;

function textIn(expression: Body, textOf: (rule: string) => string | undefined): string | undefined {
  switch (expression.type) {
    case "literal":
      return expression.value;
    case "rule_ref":
      return textOf(expression.name);
    case "choice":
      return textIn(expression.alternatives[0], textOf);
    case "sequence": {
      const texts = expression.elements.map((element) => textIn(element, textOf));
      return texts.includes(undefined) ? undefined : texts.join("");
    }
    case "optional":
    case "zero_or_more":
    case "simple_and":
    case "simple_not":
      return "";
    case "one_or_more":
    case "group":
    case "named":
      return textIn(expression.expression, textOf);
    default:
      return undefined;
  }
}
