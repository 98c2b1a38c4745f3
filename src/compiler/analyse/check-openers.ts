import { type GrammarError, grammarError, grammarNote, rangeAt } from "../parse/grammar-error.ts";
import type { LinkedGrammar, LinkedRule } from "../parse/linked-grammar.ts";
import { Analysis } from "./analyse.ts";
import { overlaps } from "./char-set.ts";

/**
 * Reading comes to a block where `OPEN` stands, or by `Start` at the beginning of a message. A format that has neither, or
 * whose blocks begin with something else than its opener, would never read a call.
 */
export function checkOpeners(grammar: LinkedGrammar): GrammarError[] {
  const { entries, files, header, rules } = grammar;
  if (header.format === undefined) return [];
  const [own] = files;
  if (entries.opener === undefined && entries.start === undefined) {
    return [
      grammarError(files, rangeAt(own, 0, 0), "nothing says where a block begins", {
        help: 'define `OPEN`, the literal that may open a call: OPEN = "<call>"',
      }),
    ];
  }
  if (entries.opener === undefined) return [];
  const analysis = new Analysis(grammar);
  const opener = rules.get(entries.opener) as LinkedRule;
  const block = rules.get(grammar.start) as LinkedRule;
  const [first, after] = [opener, block].map((rule) => analysis.firstOfRule(rule.name));
  if (first.nullable || after.nullable || first.set.length === 0 || overlaps(first.set, after.set)) return [];
  return [
    grammarError(files, opener.location, "no block begins with what `OPEN` says", {
      help: "a block is read where `OPEN` stands, and reads it again: let `Block` begin with the same literal",
      notes: [grammarNote(files, block.location, "blocks are this rule")],
    }),
  ];
}
