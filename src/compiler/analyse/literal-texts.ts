import type { Expression, LinkedGrammar } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";

/** More texts than this are not distinguished: what has so many is no marker. */
const textsMax = 64;

/** What the literals of a grammar say about its expressions. */
export interface LiteralTexts {
  /** The texts of an expression that succeeds exactly where one of them stands; undefined for any other. */
  whole(expression: Expression): string[] | undefined;
  /** Texts one of which every match begins with; undefined where that is not known. */
  leading(expression: Expression): string[] | undefined;
}

/**
 * Reads the literals of a grammar. Rules that differ from format to format without the grammar saying so (made from
 * the header, or standing for a primitive) have no known texts.
 */
export function readLiteralTexts(grammar: Pick<LinkedGrammar, "rules" | "header">): LiteralTexts {
  const open = new Set<string>();

  const inRule = (name: string, read: (body: Expression) => string[] | undefined): string[] | undefined => {
    const rule = grammar.rules.get(name);
    if (rule === undefined || rule.origin === "header" || open.has(name)) return undefined;
    if (grammar.header.marker === "configurable" && rule.declared === "MARKER") return undefined;
    const primitive = primitiveOf(rule.declared);
    if (primitive !== undefined && primitive.kind !== "cut" && primitive.kind !== "bind") return undefined;
    open.add(name);
    const texts = read(rule.expression);
    open.delete(name);
    return texts;
  };

  const whole = (expression: Expression): string[] | undefined => {
    switch (expression.type) {
      case "literal":
        return [expression.value];
      case "choice":
        return all(expression.alternatives.map(whole));
      case "sequence": {
        // Only single texts: in "a" / "ab" followed by "c", the second text is out of reach.
        const parts = expression.elements.map(whole);
        return parts.every((part) => part?.length === 1) ? [parts.flat().join("")] : undefined;
      }
      case "rule_ref":
        return inRule(expression.name, whole);
      default:
        return undefined;
    }
  };

  const leading = (expression: Expression): string[] | undefined => {
    switch (expression.type) {
      case "choice":
        return all(expression.alternatives.map(leading));
      case "sequence":
        return leadingOfSequence(expression.elements);
      case "one_or_more":
        return leading(expression.expression);
      case "rule_ref":
        return inRule(expression.name, leading);
      default:
        return whole(expression);
    }
  };

  const leadingOfSequence = (elements: readonly Expression[]): string[] | undefined => {
    let texts = [""];
    for (const element of elements) {
      if (element.type === "simple_and" || element.type === "simple_not") continue;
      const next = whole(element);
      const last = next === undefined ? leading(element) : next;
      if (last === undefined || last.length * texts.length > textsMax) break;
      texts = texts.flatMap((text) => last.map((more) => text + more));
      if (next === undefined) break;
    }
    return texts.includes("") ? undefined : texts;
  };

  return { whole, leading };
}

function all(lists: (string[] | undefined)[]): string[] | undefined {
  const texts = lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  return texts !== undefined && texts.length <= textsMax ? (texts as string[]) : undefined;
}
