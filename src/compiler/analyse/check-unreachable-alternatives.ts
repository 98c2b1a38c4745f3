import { addProven } from "../parse/add-proven.ts";
import { type GrammarError, grammarError, grammarNote } from "../parse/grammar-error.ts";
import { type ChoiceExpression, type Expression, type LinkedGrammar, walkExpression } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { type CharSet, classSet, emptySet, fullSet, intersection, setOf, sizeOf, union } from "./char-set.ts";
import { type LiteralTexts, readLiteralTexts } from "./literal-texts.ts";

/** A choice takes the first alternative that matches: one that stands after a shorter or wider one is never tried. */
export function checkUnreachableAlternatives(grammar: LinkedGrammar): GrammarError[] {
  const succeeds = findAlwaysSucceeding(grammar);
  const texts = readLiteralTexts(grammar);
  const errors: GrammarError[] = [];
  for (const rule of grammar.rules.values()) {
    if (rule.origin === "header") continue;
    walkExpression(rule.expression, (expression) => {
      if (expression.type !== "choice") return;
      const found = findUnreachable(grammar, expression, succeeds, texts);
      if (found === undefined) return;
      const { hidden, hiding, always } = found;
      const why = always ? "the one before it always matches" : "one before it matches wherever this one could";
      errors.push(
        grammarError(grammar.files, hidden.location, `an alternative of "${rule.name}" is never reached: ${why}`, {
          help: always ? "put it last, or let it consume something" : "put the longer or narrower one first",
          notes: [grammarNote(grammar.files, hiding.location, "this one comes first")],
        }),
      );
    });
  }
  return errors;
}

interface Unreachable {
  hidden: Expression;
  hiding: Expression;
  always: boolean;
}

function findUnreachable(
  grammar: LinkedGrammar,
  choice: ChoiceExpression,
  succeeds: (expression: Expression) => boolean,
  texts: LiteralTexts,
): Unreachable | undefined {
  const earlierTexts: { text: string; from: Expression }[] = [];
  const earlierUnits: { set: CharSet; from: Expression }[] = [];
  for (const [index, hidden] of choice.alternatives.entries()) {
    const before = choice.alternatives[index - 1];
    if (before !== undefined && succeeds(before)) return { hidden, hiding: before, always: true };
    const units = earlierUnits.reduce((sum, { set }) => union(sum, set), emptySet);
    const hiddenUnits = leadingUnits(grammar, texts, hidden);
    if (hiddenUnits !== undefined && isSubset(hiddenUnits, units)) {
      const hiding = earlierUnits.find(({ set }) => sizeOf(intersection(set, hiddenUnits)) > 0) ?? earlierUnits[0];
      return { hidden, hiding: hiding.from, always: false };
    }
    const leading = texts.leading(hidden);
    const hiders = leading?.map((text) => earlierTexts.find((earlier) => text.startsWith(earlier.text)));
    if (hiders?.[0] !== undefined && hiders.every((hider) => hider !== undefined)) {
      return { hidden, hiding: hiders[0].from, always: false };
    }
    for (const text of texts.whole(hidden) ?? []) earlierTexts.push({ text, from: hidden });
    const own = wholeUnits(grammar, texts, hidden);
    if (own !== undefined) earlierUnits.push({ set: own, from: hidden });
  }
  return undefined;
}

const isSubset = (inner: CharSet, outer: CharSet): boolean =>
  sizeOf(inner) > 0 && sizeOf(intersection(inner, outer)) === sizeOf(inner);

/** The units an expression matches, where it succeeds on each of them whatever follows. */
function wholeUnits(grammar: LinkedGrammar, texts: LiteralTexts, expression: Expression): CharSet | undefined {
  if (expression.type === "any") return fullSet;
  if (expression.type === "class") return classSet(expression);
  const single = texts.whole(expression)?.filter((text) => text.length === 1);
  if (single !== undefined && single.length > 0) {
    return single.map((text) => setOf(text.charCodeAt(0))).reduce(union, emptySet);
  }
  const body = plainBody(grammar, expression);
  return body === undefined ? undefined : wholeUnits(grammar, texts, body);
}

/** The units every match of an expression begins with, where a class or a literal says so. */
function leadingUnits(grammar: LinkedGrammar, texts: LiteralTexts, expression: Expression): CharSet | undefined {
  if (expression.type === "any") return fullSet;
  if (expression.type === "class") return classSet(expression);
  if (expression.type === "one_or_more") return leadingUnits(grammar, texts, expression.expression);
  if (expression.type === "sequence") {
    const first = expression.elements.find((element) => !/^simple_/.test(element.type));
    return first === undefined ? undefined : leadingUnits(grammar, texts, first);
  }
  const leading = texts.leading(expression);
  if (leading !== undefined && !leading.includes("")) {
    return leading.map((text) => setOf(text.charCodeAt(0))).reduce(union, emptySet);
  }
  const body = plainBody(grammar, expression);
  return body === undefined ? undefined : leadingUnits(grammar, texts, body);
}

/** The body of a rule that is one class, through other such rules. Left recursion has been refused, so this ends. */
function plainBody(grammar: LinkedGrammar, expression: Expression): Expression | undefined {
  if (expression.type !== "rule_ref") return undefined;
  const rule = grammar.rules.get(expression.name);
  if (rule === undefined || rule.origin === "header" || primitiveOf(rule.declared) !== undefined) return undefined;
  return ["any", "class", "rule_ref"].includes(rule.expression.type) ? rule.expression : undefined;
}

/** Which expressions succeed on every text. A primitive may fail, whatever its stand-in body says; the cut may not. */
function findAlwaysSucceeding(grammar: LinkedGrammar): (expression: Expression) => boolean {
  const rules = new Set<string>();
  const succeeds = (expression: Expression): boolean => {
    switch (expression.type) {
      case "literal":
        return expression.value === "";
      case "optional":
      case "zero_or_more":
        return true;
      case "one_or_more":
      case "simple_and":
        return succeeds(expression.expression);
      case "sequence":
        return expression.elements.every(succeeds);
      case "choice":
        return expression.alternatives.some(succeeds);
      case "rule_ref":
        return rules.has(expression.name);
      default:
        return false;
    }
  };
  addProven(grammar, rules, ({ declared, origin, expression }) => {
    const kind = primitiveOf(declared)?.kind;
    const isOpaque = kind !== undefined && kind !== "cut" && kind !== "bind";
    return !isOpaque && origin !== "header" && succeeds(expression);
  });
  return succeeds;
}
