import { childrenOf, type Expression, type LinkedGrammar } from "../parse/linked-grammar.ts";

/**
 * JSON as RFC 8259 has it, with the roles that its parts must have: rules by declared name, in the order they are met.
 * Where a grammar's rule is exactly this, a machine may have the native parser read a value that stands whole in the text.
 */
const standard = [
  "Json = ((Object / Array / string / Number / True / False / Null) ws)",
  'Object = ("{" ws (member ("," ws member)*)? "}")',
  'member = ("\\"" JsonKey "\\"" ws ":" ws Json)',
  "JsonKey = (plain / Escape)*",
  'plain = [^"\\\\\\u0000-\\u001f]+',
  'Escape = ("\\\\" (["\\\\/bfnrt] / ("u" hex hex hex hex)))',
  "hex = [0-9a-fA-F]",
  "ws = [ \\t\\r\\n]*",
  'Array = ("[" ws (Json ("," ws Json)*)? "]")',
  'string = ("\\"" String "\\"")',
  "String = (plain / Escape)*",
  'Number = ("-"? ("0" / ([1-9] [0-9]*)) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?)',
  'True = "true"',
  'False = "false"',
  'Null = "null"',
];

/** Where a rule is one of {@link standard}: how a whole object goes on after its closing brace. */
export interface StandardJson {
  /** The rule of the white space that belongs to it; undefined: none does. */
  blanks: string | undefined;
}

/** What is known of a rule that is `Json` or `Object` of {@link standard}; undefined for all others. */
export function standardJson(grammar: LinkedGrammar, name: string): StandardJson | undefined {
  const declared = grammar.rules.get(name)?.declared ?? "";
  if (declared !== "Json" && declared !== "Object") return undefined;
  const lines: string[] = [];
  const seen = new Set([name]);
  let blanks: string | undefined;
  const visit = (rule: string): void => {
    const linked = grammar.rules.get(rule);
    if (linked === undefined) return;
    if (linked.declared === "ws") blanks = rule;
    lines.push(`${linked.declared} = ${write(linked.expression, grammar)}`);
    for (const reference of referencesIn(linked.expression)) {
      if (seen.has(reference)) continue;
      seen.add(reference);
      visit(reference);
    }
  };
  visit(name);
  // Two rules of one declared name in different files would make the comparison by name ambiguous.
  const isStandard = new Set(lines).size === standard.length && lines.length === standard.length;
  if (!isStandard || !lines.every((line) => standard.includes(line))) return undefined;
  return { blanks: declared === "Json" ? blanks : undefined };
}

function referencesIn(expression: Expression): string[] {
  return expression.type === "rule_ref" ? [expression.name] : childrenOf(expression).flatMap(referencesIn);
}

const unit = (text: string) => JSON.stringify(text).slice(1, -1);
const classUnit = (text: string) => (text === '"' ? text : unit(text));

function write(expression: Expression, grammar: LinkedGrammar): string {
  switch (expression.type) {
    case "any":
      return ".";
    case "literal":
      return `"${unit(expression.value)}"`;
    case "class": {
      const parts = expression.parts.map((part) =>
        typeof part === "string" ? classUnit(part) : `${classUnit(part[0])}-${classUnit(part[1])}`,
      );
      return `[${expression.inverted ? "^" : ""}${parts.join("")}]`;
    }
    case "sequence":
      return `(${expression.elements.map((element) => write(element, grammar)).join(" ")})`;
    case "choice":
      return `(${expression.alternatives.map((one) => write(one, grammar)).join(" / ")})`;
    case "optional":
    case "zero_or_more":
    case "one_or_more": {
      const inner = write(expression.expression, grammar);
      return inner + { optional: "?", zero_or_more: "*", one_or_more: "+" }[expression.type];
    }
    case "simple_and":
      return `&${write(expression.expression, grammar)}`;
    case "simple_not":
      return `!${write(expression.expression, grammar)}`;
    case "rule_ref":
      return grammar.rules.get(expression.name)?.declared ?? "";
  }
}
