import { roleCodes } from "../../machine/roles.ts";
import { addProven } from "../parse/add-proven.ts";
import { type GrammarError, grammarError, rangeAt } from "../parse/grammar-error.ts";
import {
  type Expression,
  isNever,
  type LinkedGrammar,
  type LinkedRule,
  type SequenceExpression,
} from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { roleCodeOf } from "./role-of.ts";

/** What says which tool a call means; the last three refuse it. */
const namingRoles: readonly number[] = [
  roleCodes.Payload,
  roleCodes.Name,
  roleCodes.Malformed,
  roleCodes.Ambiguous,
  roleCodes.Computed,
];
/** What holds arguments. */
const valueRoles: readonly number[] = [
  ...[roleCodes.Arguments, roleCodes.OnlyText, roleCodes.Body, roleCodes.Text, roleCodes.Verbatim, roleCodes.JsonText],
  ...[roleCodes.StringText, roleCodes.Markup, roleCodes.Object, roleCodes.Array, roleCodes.String, roleCodes.Number],
  ...[roleCodes.PythonNumber, roleCodes.True, roleCodes.False, roleCodes.Null],
];

/**
 * A format reads calls, and each call has what makes it one: on every way through it a `Payload`, or a `Name`, or text for
 * an `unnamed` tool. Otherwise what a model wrote would vanish without a word.
 */
export function checkCallParts(grammar: LinkedGrammar): GrammarError[] {
  const rules = [...grammar.rules.values()];
  const calls = rules.filter(({ declared }) => roleCodeOf(declared) === roleCodes.Call);
  const [own] = grammar.files;
  if (grammar.header.format === undefined) return [];
  if (calls.length === 0) {
    return [
      grammarError(grammar.files, rangeAt(own, 0, 0), "no rule of this grammar is a call", {
        help: "name the rule that reads one call `Call`; docs/grammar-guide.md says what stands in it",
      }),
    ];
  }
  const naming = [...namingRoles, ...(grammar.header.unnamed === undefined ? [] : [roleCodes.OnlyText])];
  const isNamed = alwaysHolds(grammar, naming);
  const errors = calls
    .filter(({ expression }) => !isNamed(expression))
    .map((call) =>
      grammarError(grammar.files, call.location, `a way through "${call.declared}" names no tool`, {
        help: "give every alternative a `Payload`, or a `Name` with its arguments; a call without either is lost silently",
      }),
    );
  const hasValue = rules.some(({ declared }) => isOf(declared, [...valueRoles, roleCodes.Payload]));
  if (errors.length > 0 || hasValue) return errors;
  return [
    grammarError(grammar.files, (calls[0] as LinkedRule).location, "no call of this grammar holds arguments", {
      help: "name what holds them for a role: `Arguments`, or `Key` with `Text`, `Verbatim` or `JsonText`",
    }),
  ];
}

function isOf(declared: string, roles: readonly number[]): boolean {
  const code = roleCodeOf(declared);
  return code !== undefined && roles.includes(code);
}

/** `!. X` and `!""` never match: after a cut they are damage, and the call is refused. */
function endsInDamage(element: Expression, at: number, { elements }: SequenceExpression): boolean {
  const isEnd = element.type === "simple_not" && element.expression.type === "any";
  return isNever(element) || (isEnd && at < elements.length - 1);
}

/** Whether every match of an expression holds one of the roles: the least that is true, so recursion proves nothing. */
function alwaysHolds(grammar: LinkedGrammar, roles: readonly number[]): (expression: Expression) => boolean {
  const proven = new Set<string>();
  const holds = (expression: Expression): boolean => {
    switch (expression.type) {
      case "rule_ref":
        return proven.has(expression.name);
      case "choice":
        return expression.alternatives.every(holds);
      case "sequence":
        return expression.elements.some((element, at) => holds(element) || endsInDamage(element, at, expression));
      case "one_or_more":
        return holds(expression.expression);
      default:
        return false;
    }
  };
  addProven(grammar, proven, ({ declared, expression }) => {
    const primitive = primitiveOf(declared);
    return (primitive === undefined || primitive.kind === "bind") && (isOf(declared, roles) || holds(expression));
  });
  return holds;
}
