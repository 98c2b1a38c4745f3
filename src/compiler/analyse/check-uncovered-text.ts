import { type GrammarError, grammarError } from "../parse/grammar-error.ts";
import type { Expression, LinkedGrammar } from "../parse/linked-grammar.ts";
import { childrenOf } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { type CharSet, classSet, overlaps, setOf } from "./char-set.ts";
import { roleOf } from "./role-of.ts";

/**
 * What a block reads outside of its calls: a sentence there must have a role, or it would vanish; and a repair recorded
 * there belongs to no call, so it would never be reported.
 */
export function checkUncoveredText(grammar: LinkedGrammar): GrammarError[] {
  const errors: GrammarError[] = [];
  const seen = new Set<string>();
  const visit = (expression: Expression, repeated: boolean): void => {
    switch (expression.type) {
      case "simple_and":
      case "simple_not":
        return;
      case "rule_ref":
        return visitRule(expression.name, repeated);
      case "any":
      case "class":
        if (repeated && holdsSentences(expression)) {
          errors.push(
            grammarError(grammar.files, expression.location, "text that is read here has no role, so it vanishes", {
              help:
                "outside of a call, put it into a rule named `Content` or `Content_...` if a person should see it, " +
                "or `Ignored_...` if it is meant to be left out",
            }),
          );
        }
        return;
      default: {
        const repeats = expression.type === "zero_or_more" || expression.type === "one_or_more";
        for (const child of childrenOf(expression)) visit(child, repeated || repeats);
      }
    }
  };
  const visitRule = (name: string, repeated: boolean): void => {
    const rule = grammar.rules.get(name);
    if (rule === undefined || rule.origin === "header") return;
    const primitive = primitiveOf(rule.declared);
    if (primitive !== undefined && primitive.kind !== "bind") return;
    const role = roleOf(rule.declared);
    if (role !== undefined && "repair" in role) {
      if (seen.has(rule.name)) return;
      seen.add(rule.name);
      errors.push(
        grammarError(grammar.files, rule.location, `the repair "${rule.declared}" is recorded outside of a call`, {
          help: "a repair belongs to the call that it stands in: move it into `Call`, or leave the rule out",
        }),
      );
      return;
    }
    const key = `${repeated} ${name}`;
    if (role !== undefined || seen.has(key)) return;
    seen.add(key);
    visit(rule.expression, repeated);
  };
  for (const name of new Set([grammar.start, ...(grammar.entries.start ? [grammar.entries.start] : [])])) {
    visitRule(name, false);
  }
  return errors;
}

const [letter, blank]: CharSet[] = [setOf(0x61), setOf(0x20)];

/** Letters and blanks make sentences; a word, digits or white space alone are framing. */
function holdsSentences(expression: Expression): boolean {
  if (expression.type === "any") return true;
  if (expression.type !== "class") return false;
  const set = classSet(expression);
  return overlaps(set, letter) && overlaps(set, blank);
}
