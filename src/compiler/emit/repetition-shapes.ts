import type { Analysis } from "../analyse/analyse.ts";
import { type CharSet, classSet, complement, intersection, overlaps } from "../analyse/char-set.ts";
import type { Expression } from "../parse/linked-grammar.ts";

/** `!X [y]` where X begins with none of the units: it is those units. */
export function notBegun(expression: Expression, analysis: Analysis): Expression | undefined {
  const parts = unitUnless(expression, analysis);
  return parts === undefined || overlaps(parts.begins, classSet(parts.unit)) ? undefined : parts.unit;
}

/** `!X [y]`: those of the units that do not begin X, where there are others. A run of them needs no look at X. */
export function certainUnits(expression: Expression, analysis: Analysis): CharSet | undefined {
  const parts = unitUnless(expression, analysis);
  const certain = parts && intersection(classSet(parts.unit), complement(parts.begins));
  return certain?.length === 0 ? undefined : certain;
}

/** `!X [y]`: the class, and what X may begin with. */
function unitUnless(expression: Expression, analysis: Analysis) {
  if (expression.type !== "sequence" || expression.elements.length !== 2) return undefined;
  const [not, unit] = expression.elements;
  if (not.type !== "simple_not" || unit.type !== "class") return undefined;
  const { set, nullable } = analysis.first(not.expression);
  return nullable ? undefined : { unit, begins: set };
}

/** `(A / B / !X .)*`; without X every unit that begins none of the alternatives is consumed. */
export interface Run {
  alternatives: readonly Expression[];
  stop: Expression | undefined;
}

export function runOf(body: Expression): Run | undefined {
  const isUnit = (expression: Expression): Expression | undefined | false => {
    if (expression.type === "any") return undefined;
    if (expression.type !== "sequence" || expression.elements.length !== 2) return false;
    const [not, any] = expression.elements;
    return not.type === "simple_not" && any.type === "any" ? not.expression : false;
  };
  const alone = isUnit(body);
  if (alone !== false) return { alternatives: [], stop: alone };
  if (body.type !== "choice") return undefined;
  const stop = isUnit(body.alternatives[body.alternatives.length - 1]);
  return stop === false ? undefined : { alternatives: body.alternatives.slice(0, -1), stop };
}
