/** Texts of a format as tokens, and what becomes of a text with one of them out of place. */

import { onceFor } from "../contract/once-for.ts";
import type { Format } from "../formats/format.ts";
import { escapedLiteral, literalsOf } from "../machine/program.ts";

const patternOf = onceFor((format: Format) => {
  const around = [format.triggers, format.stop, format.framing ?? [], format.closers ?? []].flat();
  const literals = [...new Set([...literalsOf(format.program), ...around])]
    .filter((literal) => literal.length > 1 && /[^\w\s]/.test(literal))
    .sort((left, right) => right.length - left.length)
    .map(escapedLiteral);
  return new RegExp([...literals, "\\w+", "\\s+", "[^]"].join("|"), "gu");
});

/** A text as tokens: markers of the format, words, blanks, single characters. */
export const tokensOf = (format: Format, text: string): string[] => text.match(patternOf(format)) ?? [];

/** The opener that a call begins with; where it begins with the name of its tool, up to the mark after that. */
export function openerOf(format: Format, text: string, tool: string): string {
  const isNamed = format.needsNames || format.triggers.some((trigger) => trigger.includes("\0"));
  if (isNamed) return text.slice(0, text.indexOf(tool) + tool.length + 1);
  const found = format.triggers.filter((trigger) => text.startsWith(trigger));
  return found.sort((left, right) => right.length - left.length)[0] ?? "";
}

/** A text with one of its tokens out of place. */
export interface TokenDamage {
  /** What happened to which token: `"(" deleted`. */
  title: string;
  text: string;
}

/**
 * A text with each of its tokens deleted, doubled, and swapped with the one after it.
 *
 * @param values words that stay as they are
 */
export function* tokenDamage(format: Format, text: string, values: ReadonlySet<string>): Generator<TokenDamage> {
  const tokens = tokensOf(format, text);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (values.has(token)) continue;
    const [left, right] = [tokens.slice(0, at).join(""), tokens.slice(at + 1)];
    const made = (what: string, ...parts: string[]): TokenDamage => ({
      title: `${JSON.stringify(token)} ${what}`,
      text: left + parts.join(""),
    });
    yield made("deleted", ...right);
    yield made("doubled", token, token, ...right);
    const [next, ...rest] = right;
    if (next !== undefined && next !== token && !values.has(next)) {
      yield made(`swapped with ${JSON.stringify(next)}`, next, token, ...rest);
    }
  }
}
