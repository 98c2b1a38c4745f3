import { roleCodes } from "../../machine/roles.ts";
import { roleCodeOf } from "../analyse/role-of.ts";
import { type LinkedGrammar, placeOf } from "../parse/linked-grammar.ts";
import { assemble } from "./assemble.ts";
import { blocksIn, flatten } from "./role-tree.ts";

/**
 * Which rules of a grammar a character may have been read by: those of the innermost role that covers it.
 *
 * @returns `Text (grammars/x.peggy:31)`, one for each rule of the role; empty where no block covers the place
 */
export function rulesReading(grammar: LinkedGrammar, text: string, offset: number): string[] {
  const covering = flatten(blocksIn(assemble(grammar), text)).filter(
    ({ start, end }) => start <= offset && offset < end,
  );
  const innermost = covering.at(-1);
  if (innermost === undefined) return [];
  return [...grammar.rules.values()]
    .filter(({ declared }) => roleCodeOf(declared) === (innermost.code || roleCodes.Call))
    .map((rule) => `${rule.declared} (${placeOf(rule)})`);
}
