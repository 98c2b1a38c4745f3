import { type GrammarError, grammarError } from "./grammar-error.ts";
import { type LinkedGrammar, walkExpression } from "./linked-grammar.ts";
import { findNullable } from "./nullable.ts";

/** `*` or `+` round something that may match nothing would never end. */
export function checkNullableRepetition(grammar: LinkedGrammar): GrammarError[] {
  const nullable = findNullable(grammar);
  const errors: GrammarError[] = [];
  for (const rule of grammar.rules.values()) {
    walkExpression(rule.expression, (expression) => {
      if (expression.type !== "zero_or_more" && expression.type !== "one_or_more") return;
      if (!nullable(expression.expression)) return;
      errors.push(
        grammarError(
          grammar.files,
          expression.location,
          `endless repetition in "${rule.name}": what is repeated may match nothing`,
          { help: "let every alternative inside consume at least one character, `!X .` rather than `!X` alone" },
        ),
      );
    });
  }
  return errors;
}
