import type { ast } from "peggy";
import {
  type GrammarError,
  type GrammarErrorDetails,
  type GrammarFile,
  grammarError,
  type SourceRange,
} from "./grammar-error.ts";
import type { ChoiceExpression, ClassExpression, Expression, SequenceExpression } from "./linked-grammar.ts";

/** A counted repetition is written out; more copies than this make a program that is of no use. */
const copiesMax = 256;

/** Finds the qualified name of a rule; `library` is the name of an `import * as`. Throws where there is none. */
export type ResolveReference = (name: string, library: string | undefined, location: SourceRange) => string;

interface Context {
  file: GrammarFile;
  resolve: ResolveReference;
}

/**
 * Rewrites a Peggy expression into the portable subset (see {@link Expression}).
 *
 * @param file where it stands
 * @param expression Peggy's tree; it is left as it is
 * @param resolve called for each reference, in order
 * @throws GrammarError for what the subset does not have
 */
export function portableExpression(
  file: GrammarFile,
  expression: ast.Expression | ast.Named,
  resolve: ResolveReference,
): Expression {
  return convert(expression, { file, resolve });
}

type PeggyExpression = ast.Expression | ast.Named;

function convert(node: PeggyExpression, context: Context): Expression {
  const location = node.location as SourceRange;
  switch (node.type) {
    case "named":
    case "group":
      return convert(node.expression, context);
    case "any":
      return { type: "any", location };
    case "literal":
      return convertLiteral(node, context);
    case "class":
      return convertClass(node, context);
    case "rule_ref":
      return { type: "rule_ref", name: context.resolve(node.name, undefined, location), location };
    case "library_ref":
      return { type: "rule_ref", name: context.resolve(node.name as string, node.library, location), location };
    case "sequence":
      return sequenceOf(
        node.elements.map((element) => convert(element, context)),
        location,
      );
    case "choice":
      return choiceOf(
        node.alternatives.map((alternative) => convert(alternative, context)),
        location,
      );
    case "optional":
    case "zero_or_more":
    case "one_or_more":
    case "simple_and":
    case "simple_not":
      return { type: node.type, expression: convert(node.expression, context), location };
    case "repeated":
      return writeOut(node, context);
    case "action":
      throw refuse(context, node.codeLocation, "actions are not allowed", {
        help: "grammars hold no JavaScript: the name of a rule says what it means, see the table of roles",
      });
    case "semantic_and":
    case "semantic_not":
      throw refuse(context, location, "predicates in braces are not allowed", {
        help: "grammars hold no JavaScript: say it with `&` and `!`, or with a primitive of the compiler",
      });
    case "text":
      throw refuse(context, location, "`$` is not allowed", {
        help: "every node is a slice of the text already: remove the `$`",
      });
    case "labeled":
      if (node.pick === true) {
        throw refuse(context, node.labelLocation, "`@` is not allowed", {
          help: "the names of the rules in it say what is taken from a rule: remove the `@`",
        });
      }
      throw refuse(context, node.labelLocation, `the label "${node.label}" is not allowed`, {
        help: "labels serve actions, and grammars have none: give that part a rule of its own name instead",
      });
  }
}

function refuse(context: Context, range: unknown, message: string, details: GrammarErrorDetails): GrammarError {
  return grammarError([context.file], range as SourceRange, message, details);
}

/** A sequence without sequences in it; one element is that element. */
function sequenceOf(elements: Expression[], location: SourceRange): Expression {
  const flat = elements.flatMap((element) => (element.type === "sequence" ? element.elements : [element]));
  return flat.length === 1 ? flat[0] : ({ type: "sequence", elements: flat, location } satisfies SequenceExpression);
}

/** A choice without choices in it; one alternative is that alternative. */
export function choiceOf(alternatives: Expression[], location: SourceRange): Expression {
  const flat = alternatives.flatMap((item) => (item.type === "choice" ? item.alternatives : [item]));
  return flat.length === 1 ? flat[0] : ({ type: "choice", alternatives: flat, location } satisfies ChoiceExpression);
}

function convertLiteral(node: ast.Literal, context: Context): Expression {
  const location = node.location as SourceRange;
  if (!node.ignoreCase) return { type: "literal", value: node.value, ignoreCase: false, location };
  checkCaseRange(node.value, location, context);
  // Tools differ in what `i` makes of letters beyond ASCII (to Peggy, the Kelvin sign is a "k"): classes say it alike.
  const elements: Expression[] = [];
  for (const unit of node.value) {
    const [upper, lower] = [unit.toUpperCase(), unit.toLowerCase()];
    if (upper !== lower) elements.push(classOf([lower, upper], false, location));
    else elements.push({ type: "literal", value: unit, ignoreCase: false, location });
  }
  if (elements.length === 0) return { type: "literal", value: "", ignoreCase: false, location };
  return sequenceOf(elements, location);
}

function checkCaseRange(characters: string, location: SourceRange, context: Context): void {
  for (const unit of characters) {
    if (unit <= "\u007f") continue;
    throw refuse(context, location, `\`i\` with "${unit}" is not allowed`, {
      help: "case beyond ASCII differs from tool to tool: write both spellings, without the `i`",
    });
  }
}

function classOf(parts: ClassExpression["parts"], inverted: boolean, location: SourceRange): ClassExpression {
  return { type: "class", parts, inverted, ignoreCase: false, unicode: false, location };
}

function convertClass(node: ast.CharacterClass, context: Context): Expression {
  const location = node.location as SourceRange;
  // Peggy sets `u` by itself for a character above U+FFFF and for a property.
  if (node.unicode) {
    throw refuse(context, location, "a class that holds more than UTF-16 units is not allowed", {
      help: "offsets count UTF-16 units, and so does the machine: a character above U+FFFF belongs into a literal",
    });
  }
  const refuseEscape = (name: string) =>
    refuse(context, location, `"\\${name}" is not allowed in a class`, {
      help: "classes have no names for sets of characters: write the characters or ranges that are meant, as in [0-9]",
    });
  // In other languages a set of characters, in Peggy the letter itself: few who write it mean that.
  const written = context.file.text.slice(location.start.offset, location.end.offset);
  const [, shorthand] = /^(?:[^\\]|\\[^dDsSwW])*\\([dDsSwW])/.exec(written) ?? [];
  if (shorthand !== undefined) throw refuseEscape(shorthand);
  const parts: ClassExpression["parts"] = [];
  for (const part of node.parts) {
    if (typeof part !== "string" && !Array.isArray(part)) throw refuseEscape(part.value);
    if (node.ignoreCase) checkCaseRange(typeof part === "string" ? part : part.join(""), location, context);
    if (typeof part === "string") parts.push(part);
    else parts.push([part[0], part[1]]);
  }
  if (parts.length === 0 && node.inverted) return { type: "any", location };
  return classOf(node.ignoreCase ? withBothCases(parts) : parts, node.inverted, location);
}

/** The parts and, for the ASCII letters among them, the same in the other case. */
function withBothCases(parts: ClassExpression["parts"]): ClassExpression["parts"] {
  const result = [...parts];
  for (const part of parts) {
    const [first, last] = typeof part === "string" ? [part, part] : part;
    for (const [from, to, otherCase] of ["azA", "AZa"]) {
      const low = Math.max(first.charCodeAt(0), from.charCodeAt(0));
      const high = Math.min(last.charCodeAt(0), to.charCodeAt(0));
      if (low > high) continue;
      const shift = otherCase.charCodeAt(0) - from.charCodeAt(0);
      result.push([String.fromCharCode(low + shift), String.fromCharCode(high + shift)]);
    }
  }
  return result.map((part) => (part[0] === part[1] ? part[0] : part));
}

/** `x|n..m, d|` as `x d x (d x (...)?)?`, or with `*` at its end where there is no upper bound. */
function writeOut(node: ast.Repeated, context: Context): Expression {
  const location = node.location as SourceRange;
  // The types leave it out, but a missing upper bound is a constant `null`.
  const bounds = [node.min ?? node.max, node.max].map((bound) => {
    if (bound.type === "constant") return bound.value as number | null;
    throw refuse(context, bound.location, "a repetition can only be counted by numbers", {
      help: "labels and code are not allowed in grammars: write the numbers, or `*` with a predicate",
    });
  });
  const least = bounds[0] ?? 0;
  const most = bounds[1];
  if (Math.max(least, most ?? 0) > copiesMax) {
    throw refuse(context, location, `a repetition of more than ${copiesMax} is not allowed`, {
      help: "counted repetitions are written out: use `*` or `+`, and leave the limit to the policy",
    });
  }
  const item = (): Expression => convert(node.expression, context);
  const { delimiter } = node;
  if (most === null && delimiter === null && least < 2) {
    return { type: least === 0 ? "zero_or_more" : "one_or_more", expression: item(), location };
  }
  const next = (): Expression =>
    delimiter === null ? item() : sequenceOf([convert(delimiter, context), item()], location);

  let rest: Expression | undefined;
  if (most === null) rest = { type: "zero_or_more", expression: next(), location };
  else {
    for (let copy = Math.max(least, 1); copy < most; copy++) {
      const inner: Expression[] = rest === undefined ? [next()] : [next(), rest];
      rest = { type: "optional", expression: sequenceOf(inner, location), location };
    }
  }
  const elements = [item()];
  for (let copy = 1; copy < least; copy++) elements.push(next());
  if (rest !== undefined) elements.push(rest);
  const written = sequenceOf(elements, location);
  return least > 0 ? written : { type: "optional", expression: written, location };
}
