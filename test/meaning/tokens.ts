import { tokensOf as tokensIn } from "../../src/testing/tokens.ts";
import type { Call } from "./question.ts";
import type { Subject } from "./subjects.ts";

/** A text as tokens: markers of the format, words, blanks, single characters. */
export const tokensOf = ({ format }: Subject, text: string): string[] => tokensIn(format, text);

const isWritten = (token: string) => !isBlank(token);
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

/**
 * A call whose closers stand where they end it too early, in addition or instead, and one of which a stretch before its first
 * value is written twice.
 */
export function* boundsOf(subject: Subject, text: string): Generator<[title: string, text: string]> {
  const { format } = subject;
  const tokens = tokensOf(subject, text);
  const first = tokens.findIndex((token) => values.has(token));
  for (const closer of new Set([...(format.closers ?? []), ...(format.framing ?? [])])) {
    const last = text.lastIndexOf(closer);
    if (last < 0) continue;
    const without = text.slice(0, last) + text.slice(last + closer.length);
    for (let at = 1, start = 0; at < tokens.length; at++) {
      start += tokens[at - 1].length;
      if (start >= last) break;
      // At the border of a value it is part of it.
      const [left, right] = [tokens.slice(0, at).findLast(isWritten), tokens.slice(at).find(isWritten)];
      if (values.has(left ?? "") || values.has(right ?? "")) continue;
      yield [`${closer} at ${start} as well`, text.slice(0, start) + closer + text.slice(start)];
      yield [`${closer} at ${start} instead`, without.slice(0, start) + closer + without.slice(start)];
    }
  }
  for (let from = 0; from < first; from++) {
    for (let to = from + 2; to < Math.min(first, from + 7); to++) {
      const stretch = tokens.slice(from, to).join("");
      if (stretch.trim() !== "" && !values.has(tokens.slice(to).find(isWritten) ?? ""))
        yield [`${JSON.stringify(stretch)} twice`, tokens.toSpliced(to, 0, stretch).join("")];
    }
  }
}

/** A call in which the tags between its first two values are spelt wrong, the same way on both sides. */
export function* misspellingsOf(text: string): Generator<[title: string, text: string]> {
  const [, before, boundary, after] = /^([\s\S]*south)([\s\S]*)(hillside[\s\S]*)$/.exec(text) ?? [];
  if (!boundary?.includes("</")) return;
  const keeping = (change: (piece: string) => string) =>
    boundary
      .split(/(?<![a-z])(tag|text)(?![a-z])/)
      .map((piece) => (piece === "tag" || piece === "text" ? piece : change(piece)))
      .join("");
  const made = (title: string, spelt: string): [string, string] => [
    `${title} between the values`,
    before + spelt + after,
  ];
  const changes: [string, (piece: string) => string][] = [
    ["capitals", (piece) => piece.toUpperCase()],
    ["plurals", (piece) => piece.replace(/[a-z]{3,}/g, "$&s")],
    ["cut words", (piece) => piece.replace(/([a-z]{2,})[a-z]/g, "$1")],
    ["blanks", (piece) => piece.replace(/<\/?/g, "$& ")],
    ["no bars", (piece) => piece.replace(/[|\uff5c]/g, "")],
    ["other bars", (piece) => piece.replace(/\uff5c/g, "|")],
  ];
  for (const [title, change] of changes) if (keeping(change) !== boundary) yield made(title, keeping(change));
  // A mark lost in the closer, and a letter of the opener lost, doubled or swapped.
  const at = boundary.lastIndexOf("<");
  const letters = /(?<!\/)\b(?!tag|text)([a-z])([a-z])(?=[a-z_]{2})/;
  for (const [title, spelling] of Object.entries({ lost: "$1", doubled: "$1$1$2", swapped: "$2$1" })) {
    const opener = boundary.slice(at).replace(letters, spelling);
    if (opener !== boundary.slice(at))
      yield made(`a letter ${title}, and a mark`, boundary.slice(0, at).replace("<", "") + opener);
  }
}

/**
 * A call in which what stands between its first two values, as words and marks, has one of them elsewhere, or two of them
 * missing.
 */
export function* shiftsOf(text: string): Generator<[title: string, text: string]> {
  const [, before, boundary, after] = /^([\s\S]*south)([\s\S]*)(hillside[\s\S]*)$/.exec(text) ?? [];
  // Where no tag or token closes a value, its quotation marks do, and other questions are asked of those.
  if (!boundary?.includes("<")) return;
  const pieces = boundary.match(/[\p{L}\p{N}_]+|\s+|./gsu) as string[];
  const isFixed = (piece: string) => isBlank(piece) || piece === "tag" || piece === "text";
  const made = (title: string, some: string[]): [string, string] => [
    `${title} between the values`,
    before + some.join("") + after,
  ];
  for (const [at, piece] of pieces.entries()) {
    if (isFixed(piece)) continue;
    const others = pieces.toSpliced(at, 1);
    // At the border of a value it would be part of it.
    for (let to = 1; to < others.length; to++) {
      yield made(`${piece} at ${at} moved to ${to}`, others.toSpliced(to, 0, piece));
    }
    for (const [to, other] of others.entries()) {
      if (to < at || isFixed(other)) continue;
      yield made(`${piece} at ${at} and ${other} at ${to + 1} deleted`, others.toSpliced(to, 1));
    }
  }
}

/** A call whose tags have left something in a value: an opener that nothing closes, or what damage has left of a tag. */
export function* debrisOf(text: string): Generator<[title: string, text: string]> {
  const [, before, boundary, after] = /^([\s\S]*south)([\s\S]*)(hillside[\s\S]*)$/.exec(text) ?? [];
  const [closer] = /^\s*<[^<>]*>/.exec(boundary ?? "") ?? [];
  if (boundary === undefined || closer === undefined) return;
  const opener = boundary.slice(closer.length).replace(/^[^<]*/, "");
  const isNamed = !closer.includes("text") && opener.includes("<");
  for (const gap of opener === "" ? [] : ["", "\n"]) {
    const begun = (key: string) => gap + opener.replace(/(?<![a-z])tag(?![a-z])/, key);
    for (const key of isNamed ? ["text", "Tag", "TAG"] : ["text"])
      yield [`${JSON.stringify(begun(key))} in the first value`, `${before}${begun(key)}x${boundary}${after}`];
    yield [`${JSON.stringify(begun("tag"))} in the last value`, `${before}${boundary}hill${begun("tag")}${after}`];
  }
  const last = closer.replace(/(?<![a-z])text(?![a-z])/, "tag").trim();
  const others = spellingsOf(last).flatMap((left) => [left, `\n${left}`]);
  for (const left of last.includes("/") ? [...others, `\n${last.replace(/[^\p{L}_]/gu, "")}`] : []) {
    const end = "hillside".length;
    const rest = after.slice(end).replace(last, "").replace(/^\n/, "");
    yield [`${JSON.stringify(left)} after the last value`, `${before}${boundary}hillside${left}\n${rest}`];
  }
  const [, head, tag] = /^([\s\S]*)(<[^<>=\s"]+>)\s*south$/.exec(before) ?? [];
  if (tag === undefined || /[<|]text>$/.test(tag)) return;
  for (const left of [tag.slice(1, -1), ...spellingsOf(tag)])
    yield [`${JSON.stringify(left)} before the first value`, `${head}${left}south${boundary}${after}`];
}

/** What may be left of a tag that has lost its marks, or has other ones. */
const spellingsOf = (tag: string): string[] => [
  tag.replace(/[<>]/g, ""),
  tag.replace("<", "[").replace(">", "]"),
  tag.replace("<", "(").replace(">", ")"),
  tag.replace("<", "&lt;").replace(">", "&gt;"),
];

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
