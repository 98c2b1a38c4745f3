import { type GrammarError, type GrammarFile, grammarError, rangeAt } from "./grammar-error.ts";

/**
 * Groups that stand in groups, this deep. Peggy reads a group three times where no `?`, `*` or `+` follows it, and so what
 * stands in ten of them some 59,000 times; the shipped grammars have seven.
 */
const groupsMax = 10;

/** What may hold a bracket that opens nothing, and brackets; also those of code, which are refused later. */
const tokens = /"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'|\[(?:\\.|[^\]\\\r\n])*\]|\/\/.*|\/\*[\s\S]*?\*\/|[(){}]/g;

/** Groups that nest deeper than a parser that recurses can read, before one does; undefined: there are none. */
export function checkNesting(file: GrammarFile): GrammarError | undefined {
  let depth = 0;
  for (const { 0: token, index } of file.text.matchAll(tokens)) {
    if (token === ")" || token === "}") depth = Math.max(0, depth - 1);
    else if (token === "(" || token === "{") depth++;
    if (depth <= groupsMax) continue;
    return grammarError([file], rangeAt(file, index, index + 1), `groups nest deeper than ${groupsMax} levels here`, {
      help: "give what stands in them a rule of its own name, or leave out brackets that change nothing",
    });
  }
  return undefined;
}
