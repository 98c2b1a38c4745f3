import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import { type ClassExpression, type Expression, isNever, type LinkedGrammar } from "../parse/linked-grammar.ts";
import { findNullable } from "../parse/nullable.ts";

const askedOfFormats: readonly string[] = ["OPEN", "FRAMING", "THINK_OPEN", "THINK_CLOSE"];

/**
 * A rule in capitals is a literal marker: triggers, stop words and the renderer are read from such rules. A marker may
 * be a choice of literals, ignore case, or be switched off by `!""`. What the shared prose asks a format for may look
 * like anything.
 */
export function checkMarkerRules(grammar: LinkedGrammar): GrammarError[] {
  const errors: GrammarError[] = [];
  const nullable = findNullable(grammar);
  for (const rule of grammar.rules.values()) {
    if (rule.declared === "OPEN" && nullable(rule.expression)) {
      errors.push(
        grammarError(grammar.files, rule.location, `the opener "${rule.name}" may match nothing`, {
          help: 'a call would begin everywhere: write the text that opens one, or `OPEN = !""` where nothing does',
        }),
      );
    }
    if (rule.origin === "header" || askedOfFormats.includes(rule.declared)) continue;
    if (!/^[A-Z][A-Z0-9_]+$/.test(rule.declared)) continue;
    const culprit = findOther(rule.expression, grammar);
    if (culprit === undefined) continue;
    errors.push(
      grammarError(grammar.files, culprit.location, `the rule "${rule.name}" is in capitals, but this is no literal`, {
        help: "only literal markers are in capitals: write a literal, or give the rule another name",
      }),
    );
  }
  return errors;
}

function findOther(expression: Expression, grammar: LinkedGrammar): Expression | undefined {
  switch (expression.type) {
    case "literal":
      return undefined;
    case "class":
      return isOneLetter(expression) ? undefined : expression;
    case "sequence":
      return expression.elements.find((element) => findOther(element, grammar) !== undefined);
    case "choice":
      return expression.alternatives.find((alternative) => findOther(alternative, grammar) !== undefined);
    case "simple_not":
      return isNever(expression) ? undefined : expression;
    case "rule_ref": {
      const declared = grammar.rules.get(expression.name)?.declared ?? "";
      return /^[A-Z][A-Z0-9_]+$/.test(declared) ? undefined : expression;
    }
    default:
      return expression;
  }
}

/** A letter of a literal that ignores case has become a class of its two cases. */
function isOneLetter({ parts, inverted }: ClassExpression): boolean {
  const [lower, upper] = parts;
  return !inverted && parts.length === 2 && typeof lower === "string" && lower.toUpperCase() === upper;
}
