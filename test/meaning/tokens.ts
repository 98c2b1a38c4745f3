import { tokensOf as tokensIn } from "../../src/testing/tokens.ts";
import type { Call } from "./question.ts";
import type { Subject } from "./subjects.ts";

/** A text as tokens: markers of the format, words, blanks, single characters. */
export const tokensOf = ({ format }: Subject, text: string): string[] => tokensIn(format, text);

const isBlank = (token: string) => token.trim() === "";

/** A text with one of its tokens deleted, doubled, moved or swapped with the next. Words of values stay. */
export function* damagesOf(subject: Subject, text: string): Generator<[title: string, text: string]> {
  const tokens = tokensOf(subject, text);
  const isValue = (token: string) => values.has(token);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (isValue(token)) continue;
    const [left, right] = [tokens.slice(0, at), tokens.slice(at + 1)];
    const made = (title: string, parts: string[]): [string, string] => [
      `${JSON.stringify(token)} at ${left.join("").length} ${title}`,
      parts.join(""),
    ];
    yield made("deleted", [...left, ...right]);
    yield made("doubled", [...left, token, token, ...right]);
    if (isBlank(token)) continue;
    const next = right[0];
    if (next !== undefined && next !== token && !isValue(next))
      yield made("swapped", [...left, next, token, ...right.slice(1)]);
    if (at > 0) yield made("moved to the start", [token, ...left, ...right]);
    if (right.length > 0) yield made("moved to the end", [...left, ...right, token]);
    if (right.length > 5) yield made("moved on by four", [...left, ...right.slice(0, 4), token, ...right.slice(4)]);
  }
}

const values = new Set(["south", "hillside", "north7", "4127"]);

const words = (value: unknown): unknown =>
  typeof value === "string"
    ? value.replace(/[^A-Za-z0-9]/g, "")
    : value instanceof Object && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, words(member)]))
      : value;

/** A character at the border of a raw value belongs to it: the words stay, each under its key. */
export const isWordsOf = (call: Call) => {
  const wanted = JSON.stringify([call.name, words(call.arguments)]);
  return (found: Call) => JSON.stringify([found.name, words(found.arguments)]) === wanted;
};
