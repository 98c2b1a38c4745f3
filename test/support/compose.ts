import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { linkGrammar } from "../../src/compiler/parse/link-grammar.ts";
import type { Expression, LinkedGrammar, LinkedRule } from "../../src/compiler/parse/linked-grammar.ts";
import { primitiveOf } from "../../src/compiler/parse/primitives.ts";
import type { FormatData } from "../../src/formats/format-data.ts";
import { messageModes } from "../../src/machine/message-modes.ts";
import { literalSetMark } from "../../src/machine/program.ts";
import { messageSets } from "../../src/message/readings/message-sets.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export const readGrammar = (path: string): string | undefined =>
  existsSync(root + path) ? readFileSync(root + path, "utf8") : undefined;

/** The grammar of the text around blocks, as it is. */
export function loadMessage(): LinkedGrammar {
  const path = "grammars/message.peggy";
  const entries = Object.fromEntries(messageModes.map((mode) => [mode, mode]));
  const options = { format: false, root: "grammars", start: "prose", entries };
  return linkGrammar({ path, text: readGrammar(path) as string }, readGrammar, options);
}

/** Rules of the message get this prefix, so that a format may have rules of the same name. */
const prefix = "message.";

/**
 * A format and the message around its blocks as one grammar: the sets are what the headers say, and where the reader of
 * the message would ask the format, its rule stands.
 */
export function compose(
  format: LinkedGrammar,
  data: FormatData,
  message: LinkedGrammar,
  names: readonly string[],
): LinkedGrammar {
  const { strings, literals } = messageSets([data], undefined, [], names).program;
  const sets = new Map(
    strings.flatMap((text, at) => {
      const all = literals.get(at)?.all;
      return all === undefined ? [] : [[text.slice(literalSetMark.length), all] as const];
    }),
  );
  const rules = new Map(format.rules);
  for (const rule of message.rules.values()) {
    const composed = composedRule(rule, sets, format);
    rules.set(composed.name, composed);
  }
  return { ...format, start: `${prefix}prose`, entries: {}, rules };
}

const groupSize = 12;

function composedRule(
  rule: LinkedRule,
  sets: ReadonlyMap<string, readonly string[]>,
  format: LinkedGrammar,
): LinkedRule {
  const { location, declared } = rule;
  const name = prefix + rule.name;
  const refer = (to: string): Expression => ({ type: "rule_ref", name: to, location });
  const sequence = (...elements: Expression[]): Expression => ({ type: "sequence", elements, location });
  const ahead = (expression: Expression): Expression => ({ type: "simple_and", expression, location });
  const empty: Expression = { type: "literal", value: "", ignoreCase: false, location };
  const never: Expression = { type: "simple_not", expression: empty, location };
  const primitive = primitiveOf(declared);
  if (primitive?.kind === "halt") return { ...rule, name, declared: "halted", expression: empty };
  if (primitive?.kind === "one-of" || primitive?.kind === "cut-of") {
    const texts = sets.get(primitive.slot) ?? [];
    const literal = (value: string): Expression => ({ type: "literal", value, ignoreCase: false, location });
    const optional = (expression: Expression): Expression => ({ type: "optional", expression, location });
    // Of a literal that is cut three characters are there, then as many as there are.
    const cut = (text: string): Expression =>
      [...text.slice(3, -1)].reduceRight<Expression>(
        (rest, character) => optional(sequence(literal(character), rest)),
        empty,
      );
    const end: Expression = { type: "simple_not", expression: { type: "any", location }, location };
    const alternatives =
      primitive.kind === "one-of"
        ? texts.map(literal)
        : texts.filter((text) => text.length > 3).map((text) => sequence(literal(text.slice(0, 3)), cut(text), end));
    const choice = (list: readonly Expression[]): Expression =>
      list.length < 2 ? (list[0] ?? never) : { type: "choice", alternatives: [...list], location };
    // Peggy writes each alternative inside the one before, and indents it: a choice of hundreds takes seconds.
    const groups: Expression[] = [];
    for (let at = 0; at < alternatives.length; at += groupSize)
      groups.push(choice(alternatives.slice(at, at + groupSize)));
    return { ...rule, name, declared: `${primitive.kind}${primitive.slot}`, expression: choice(groups) };
  }
  // An opener that opens no block may open an empty one; else it is text, as `unopened` says.
  if (rule.name === "Opener") {
    const block = sequence(ahead(refer(`${prefix}primitives.oneOfOpen`)), refer(format.start));
    return { ...rule, name, expression: { type: "choice", alternatives: [block, refer(`${prefix}Empty`)], location } };
  }
  const { start } = format.entries;
  if (rule.name === "Lead" && start !== undefined) {
    const lead = prefixed(rule.expression) as Extract<Expression, { type: "sequence" }>;
    return {
      ...rule,
      name,
      expression: sequence(ahead({ ...lead, elements: lead.elements.slice(0, -1) }), refer(start)),
    };
  }
  return { ...rule, name, expression: prefixed(rule.expression) };
}

/** The expression with its references in the names of the composed grammar. */
function prefixed(expression: Expression): Expression {
  switch (expression.type) {
    case "rule_ref":
      return { ...expression, name: prefix + expression.name };
    case "sequence":
      return { ...expression, elements: expression.elements.map(prefixed) };
    case "choice":
      return { ...expression, alternatives: expression.alternatives.map(prefixed) };
    case "optional":
    case "zero_or_more":
    case "one_or_more":
    case "simple_and":
    case "simple_not":
      return { ...expression, expression: prefixed(expression.expression) };
    default:
      return { ...expression };
  }
}
