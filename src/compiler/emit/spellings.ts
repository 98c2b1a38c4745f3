import { offeredName } from "../../formats/format-data.ts";
import type { Expression, LinkedGrammar } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";

/** Closers in a grammar: literal markers whose name says so, and what may be left over. */
export const closerName = /(^|_)CLOSE$|[a-z]Close$/;

/** How what a rule repeats is written; nothing, where it has no few spellings. */
function boundSpellings(grammar: LinkedGrammar, slot: string, depth: number): string[] {
  const bind = grammar.rules.get(`Bind${slot}`);
  const texts = bind === undefined ? [] : spellingsOf(grammar, bind.expression, depth);
  if (texts.includes(offeredName)) return [offeredName];
  return texts.length > 0 ? texts : [""];
}

/** More spellings than these are none that anybody writes. */
const spellingsMax = 32;

/** How an expression is written when nothing is written that need not be; what has no one spelling is passed over. */
export function spellingsOf(grammar: LinkedGrammar, expression: Expression, depth = 0): string[] {
  if (depth > 20) return [];
  switch (expression.type) {
    case "literal":
      return [expression.value];
    case "choice":
      return expression.alternatives.flatMap((one) => spellingsOf(grammar, one, depth + 1));
    case "sequence": {
      let texts = [""];
      for (const element of expression.elements) {
        const next = spellingsOf(grammar, element, depth + 1);
        texts = texts.flatMap((text) => next.map((more) => text + more));
        if (texts.length > spellingsMax) return [];
      }
      return texts;
    }
    case "optional":
    case "zero_or_more":
    case "simple_and":
    case "simple_not":
      return [""];
    case "rule_ref": {
      const rule = grammar.rules.get(expression.name);
      const primitive = rule && primitiveOf(rule.declared);
      if (primitive?.kind === "same") return boundSpellings(grammar, primitive.slot, depth + 1);
      const kind = primitive?.kind;
      if (kind === "line-start" || kind === "fence-start" || kind === "tools-known" || kind === "unnamed-offered")
        return [""];
      if (kind === "tool-name") return [offeredName];
      if (rule === undefined || (kind !== undefined && kind !== "bind" && kind !== "cut")) return [];
      return spellingsOf(grammar, rule.expression, depth + 1);
    }
    default:
      return [];
  }
}
