import type { GrammarFile, SourceRange } from "./grammar-error.ts";
import type { GrammarHeader } from "./read-header.ts";

/**
 * The portable part of Peggy's syntax tree: the node shapes are Peggy's, the kinds are fewer. Counted repetitions are
 * written out, `i` is resolved into classes, groups are gone, a sequence holds no sequence and a choice no choice, and
 * every node is an object of its own, so that an analysis may key a Map by node.
 */
export type Expression =
  | AnyExpression
  | ClassExpression
  | LiteralExpression
  | SequenceExpression
  | ChoiceExpression
  | RepeatedExpression
  | PredicateExpression
  | RuleReference;

/** `.`: one code unit. */
export interface AnyExpression {
  type: "any";
  location: SourceRange;
}

/** `[...]`: one code unit. A part is one unit or a range of two. Without parts and not inverted it never matches. */
export interface ClassExpression {
  type: "class";
  parts: (string | [string, string])[];
  inverted: boolean;
  ignoreCase: false;
  unicode: false;
  location: SourceRange;
}

/** `"..."`; may be empty, then it always matches. */
export interface LiteralExpression {
  type: "literal";
  value: string;
  ignoreCase: false;
  location: SourceRange;
}

/** Two elements or more. */
export interface SequenceExpression {
  type: "sequence";
  elements: Expression[];
  location: SourceRange;
}

/** Two alternatives or more, the first that matches wins. */
export interface ChoiceExpression {
  type: "choice";
  alternatives: Expression[];
  location: SourceRange;
}

/** `?`, `*`, `+`: greedy and never given back. */
export interface RepeatedExpression {
  type: "optional" | "zero_or_more" | "one_or_more";
  expression: Expression;
  location: SourceRange;
}

/** `&x`, `!x`: match without consuming. */
export interface PredicateExpression {
  type: "simple_and" | "simple_not";
  expression: Expression;
  location: SourceRange;
}

/** A rule, by its qualified name. */
export interface RuleReference {
  type: "rule_ref";
  name: string;
  location: SourceRange;
}

/** Entries of a format, where something may stand or not: when it does not, the text is another's. */
export const triedEntries: readonly string[] = ["block", "start", "line", "opener", "begun"];

/** One rule of a linked grammar. */
export interface LinkedRule {
  /** `Call` in the format's own scope, `json.Json` in that of the imported file json.peggy. */
  name: string;
  /** The name it was declared with; a role goes by this name. */
  declared: string;
  /** The name for "expected ..." messages, where the grammar gives one. */
  display?: string;
  expression: Expression;
  /** The path of the file that defines it; for a rule made from the header, the file the header key stands in. */
  file: string;
  /** The place of its name. */
  location: SourceRange;
  /** Where the rule comes from: written in a grammar, or made from a header key. */
  origin: "grammar" | "header";
}

/** Where a rule stands: `grammars/x.peggy:31`. */
export const placeOf = ({ file, location }: LinkedRule): string => `${file}:${location.start.line}`;

/** Where rules stand, by what messages call them, and by their own names; of two rules of one name, the one met first. */
export function rulePlaces({ rules }: LinkedGrammar): Map<string, string> {
  const places = new Map<string, string>();
  for (const rule of rules.values()) {
    for (const name of [rule.declared, rule.display ?? rule.declared]) {
      if (!places.has(name)) places.set(name, placeOf(rule));
    }
  }
  return places;
}

/** A rule or import that no reference leads to. */
export interface UnusedName {
  kind: "rule" | "import";
  name: string;
  location: SourceRange;
}

/** A rule that is written again in a file that extends the one which defines it. */
export interface ReplacedRule {
  name: string;
  location: SourceRange;
  /** The rule that it takes the place of. */
  inherited: SourceRange;
  /** Whether the header of its file says so: `overrides`. */
  declared: boolean;
}

/** A format with all it extends and imports, as one grammar: every reference is resolved. */
export interface LinkedGrammar {
  header: GrammarHeader;
  /** The files it was made from, the format's own first, then in the order they were met. */
  files: GrammarFile[];
  /** The qualified name of the start rule. */
  start: string;
  /** Where reading may begin, by the name of the entry: the qualified name of a rule. */
  entries: Readonly<Record<string, string>>;
  /** The rules that can be reached from the start rule, in the order they are met from there. */
  rules: Map<string, LinkedRule>;
  /** Names of the format's own file that nothing uses. */
  unused: UnusedName[];
  /** Inherited rules that the format, or a family that it extends, writes anew. */
  replaced: ReplacedRule[];
}

/** `!""`, which never matches: how a grammar says that it has no such thing. */
export function isNever(expression: Expression): boolean {
  const inner = expression.type === "simple_not" ? expression.expression : undefined;
  return inner?.type === "literal" && inner.value === "";
}

/** The expressions directly inside an expression. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case "sequence":
      return expression.elements;
    case "choice":
      return expression.alternatives;
    case "optional":
    case "zero_or_more":
    case "one_or_more":
    case "simple_and":
    case "simple_not":
      return [expression.expression];
    default:
      return [];
  }
}

/** Calls `visit` for an expression and everything inside it, outermost first, without following references. */
export function walkExpression(expression: Expression, visit: (inner: Expression) => void): void {
  visit(expression);
  for (const child of childrenOf(expression)) walkExpression(child, visit);
}
