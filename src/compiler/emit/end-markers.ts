import { sharedEnds } from "../../machine/program.ts";
import { isRecoverable } from "../../machine/role-properties.ts";
import type { Analysis } from "../analyse/analyse.ts";
import { spreadFollow } from "../analyse/follow.ts";
import { roleCodeOf } from "../analyse/role-of.ts";
import type { Expression, LinkedGrammar, LinkedRule } from "../parse/linked-grammar.ts";
import { closerName, spellingsOf } from "./spellings.ts";

/** End markers shorter than this would be found inside values. */
const endMarkerCharsMin = 3;

/** Literals that may stand after a payload: recovery takes none of them into the value. */
export function endMarkers(grammar: LinkedGrammar, analysis: Analysis): string[] {
  const follows = new Map<string, ReadonlySet<string>>();
  const union = (left: ReadonlySet<string>, right: ReadonlySet<string>) => new Set([...left, ...right]);
  const known = new Map<Expression, ReadonlySet<string>>();
  const first = (expression: Expression) => {
    const texts = known.get(expression) ?? leading(grammar, analysis, expression);
    known.set(expression, texts);
    return texts;
  };
  spreadFollow(grammar, follows, new Set(), {
    union,
    isSame: (left, right) => left.size === right.size,
    first,
    firstThen(expression, follow) {
      const isPassed = analysis.first(expression).nullable || expression.type === "simple_and";
      return isPassed ? union(first(expression), follow) : first(expression);
    },
  });
  const { stop, reasoning, framing } = grammar.header;
  const found = new Set<string>([...stop, ...framing]);
  for (const { open, close } of reasoning) found.add(open).add(close);
  const opener = grammar.rules.get("OPEN");
  const around = opener === undefined ? [] : first(opener.expression);
  for (const text of around) if (text.length >= endMarkerCharsMin) found.add(text);
  for (const rule of grammar.rules.values()) {
    if (!isRecoverable(roleCodeOf(rule.declared) ?? 0)) continue;
    for (const text of follows.get(rule.name) ?? []) if (text.length >= endMarkerCharsMin) found.add(text);
  }
  const shared = sharedEnds();
  return [...found].filter((text) => !shared.includes(text));
}

/** The literals an expression may begin with; alternatives that begin otherwise are passed over. */
function leading(
  grammar: LinkedGrammar,
  analysis: Analysis,
  expression: Expression,
  seen = new Set<string>(),
): Set<string> {
  const inside = (inner: Expression) => leading(grammar, analysis, inner, seen);
  switch (expression.type) {
    case "literal":
      return new Set(expression.value === "" ? [] : [expression.value]);
    case "choice":
      return new Set(expression.alternatives.flatMap((one) => [...inside(one)]));
    case "sequence": {
      const out = new Set<string>();
      for (const element of expression.elements) {
        if (element.type === "simple_not") continue;
        for (const text of inside(element)) out.add(text);
        if (!analysis.first(element).nullable && element.type !== "simple_and") break;
      }
      return out;
    }
    case "rule_ref": {
      if (seen.has(expression.name)) return new Set();
      seen.add(expression.name);
      const rule = grammar.rules.get(expression.name) as LinkedRule;
      const texts = inside(rule.expression);
      const isShort = [...texts].every((text) => text.length < endMarkerCharsMin);
      // Where a prefix is bound, what begins with it is known from how the closer is written as a whole.
      return isShort && closerName.test(rule.declared) ? new Set(spellingsOf(grammar, rule.expression)) : texts;
    }
    case "optional":
    case "zero_or_more":
    case "one_or_more":
    case "simple_and":
      return inside(expression.expression);
    default:
      return new Set();
  }
}
