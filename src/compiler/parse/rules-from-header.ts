import { allTurnTokens, endOfTurnTokens, turnBoundaries, turnOpeners, turnTokens } from "../../contract/turn-tokens.ts";
import type { SourceRange } from "./grammar-error.ts";
import type { HeaderKey } from "./header-keys.ts";
import type { Expression, LinkedRule } from "./linked-grammar.ts";
import { choiceOf } from "./portable-expression.ts";
import type { GrammarHeader } from "./read-header.ts";

/**
 * The rules a header makes. A grammar may use them without defining them; one it defines itself wins.
 *
 * - `THINK_OPEN`, `THINK_CLOSE`: the markers of `reasoning`, never matching where it is `none`.
 * - `STOP`: one of the `stop` tokens, or of those that end a turn in most templates, by opening the next one too.
 * - `ANY_STOP`: the same, those of few templates too: for grammars that read text around calls.
 * - `TURN_ALONE`: what begins another turn by itself, one of `turns` too; `TURN`: what does after a token that ends one.
 * - `FRAMING`: one of the `framing` markers.
 * - `computes`: empty, so an expression refuses its call alone; a format whose values other tools repair says `!""`.
 * - `callsEnd`: never matching; a format whose Python calls a marker closes says which.
 *
 * @param header the header with what it takes over
 * @param fallback the place for rules whose key is not in any header
 */
export function headerRules(header: GrammarHeader, fallback: SourceRange): LinkedRule[] {
  const opens = header.reasoning.map((pair) => pair.open);
  const closes = header.reasoning.map((pair) => pair.close);
  return [
    rule("THINK_OPEN", "reasoning", (location) => oneOfLiterals(opens, location)),
    rule("THINK_CLOSE", "reasoning", (location) => oneOfLiterals(closes, location)),
    rule("STOP", "stop", (location) => oneOfLiterals([...header.stop, ...endOfTurnTokens, ...turnTokens], location)),
    rule("ANY_STOP", "stop", (location) => oneOfLiterals([...header.stop, ...everyStop], location)),
    rule("TURN", "turns", (location) => oneOfLiterals(turnOpeners, location)),
    rule("TURN_ALONE", "turns", (location) => oneOfLiterals([...(header.turns ?? []), ...allTurnTokens()], location)),
    rule("FRAMING", "framing", (location) => oneOfLiterals(header.framing, location)),
    rule("computes", "format", (location) => emptyIf(true, location)),
    rule("callsEnd", "format", (location) => emptyIf(false, location)),
  ];

  function rule(name: string, key: HeaderKey, makeBody: (location: SourceRange) => Expression): LinkedRule {
    const location = header.spans[key] ?? fallback;
    const expression = makeBody(location);
    return { name, declared: name, expression, file: location.source, location, origin: "header" };
  }
}

const everyStop = turnBoundaries();

function oneOfLiterals(texts: readonly string[], location: SourceRange): Expression {
  // Longest first: a marker comes before those that it begins with.
  const distinct = [...new Set(texts)].sort((left, right) => right.length - left.length);
  if (distinct.length === 0) return emptyIf(false, location);
  const alternatives = factored(distinct, location);
  return alternatives.length === 1 ? alternatives[0] : choiceOf(alternatives, location);
}

/** Tokens of one family share so much at least, such as `<|`. */
const sharedCharsMin = 2;

/** Literals that begin alike are read to where they differ once, not once each. */
function factored(texts: readonly string[], location: SourceRange): Expression[] {
  const literal = (value: string): Expression => ({ type: "literal", value, ignoreCase: false, location });
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const head = text.slice(0, sharedCharsMin);
    groups.set(head, [...(groups.get(head) ?? []), text]);
  }
  return [...groups.values()].flatMap((group) => {
    const shared = commonPrefix(group);
    // A literal that the others begin with comes last, as it did in the list.
    if (group.length < 3 || shared.length < sharedCharsMin || group.includes(shared)) return group.map(literal);
    const rest = choiceOf(
      group.map((text) => literal(text.slice(shared.length))),
      location,
    );
    return [{ type: "sequence" as const, elements: [literal(shared), rest], location }];
  });
}

function commonPrefix(texts: readonly string[]): string {
  let length = 0;
  while (texts.every((text) => length < text.length && text[length] === texts[0][length])) length++;
  return texts[0].slice(0, length);
}

function emptyIf(matches: boolean, location: SourceRange): Expression {
  const empty: Expression = { type: "literal", value: "", ignoreCase: false, location };
  return matches ? empty : { type: "simple_not", expression: empty, location };
}
