/**
 * Two raw texts in one call, and the opener of the second damaged: any stretch of its tokens deleted, a token in other case,
 * two tokens swapped. The call is what it was, or none: a value never takes in its closer and the value after it.
 */
import { expect, test } from "vitest";
import { type Format, formats, parse } from "../src/index.ts";

const tool = {
  name: "send",
  parameters: {
    type: "object",
    properties: { to: { type: "string" }, body: { type: "string" } },
    additionalProperties: false,
  },
};
const call = { name: "send", arguments: { to: "alpha", body: "omega" } };

const rawFormats = [...formats].filter(({ trailingClosers }) => trailingClosers !== undefined);

/** Marks, words, blanks. */
const tokensOf = (text: string) => text.match(/<[|/]*|[|/]*>|\w+|\s+|[^\w\s]/g) ?? [];

function* damagesOf(opener: string): Generator<string> {
  const tokens = tokensOf(opener);
  const before = (at: number) => tokens.slice(0, at).join("");
  const after = (at: number) => tokens.slice(at).join("");
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= tokens.length; to++) yield before(from) + after(to);
    yield before(from) + tokens[from].toUpperCase() + after(from + 1);
    if (from > 0) yield before(from - 1) + tokens[from] + tokens[from - 1] + after(from + 1);
  }
}

/** What stands between two values, up to the end of the closer: it stands after both. */
function closerOf(between: string, rest: string): string {
  let length = 0;
  while (length < between.length && between[length] === rest[length]) length++;
  return between.slice(0, between.lastIndexOf(">", length - 1) + 1);
}

/** Blanks round a value may be its own. */
const wordsOf = (value: unknown) => String(value).trim();

test("formats with raw text are tried", () => expect(rawFormats.length).toBeGreaterThan(20));

test.each(rawFormats.map((format): [string, Format] => [format.id, format]))("%s", (_, format) => {
  const text = format.renderCall(call);
  const [start, end] = [text.indexOf("alpha") + "alpha".length, text.indexOf("omega")];
  const closer = closerOf(text.slice(start, end), text.slice(end + "omega".length));
  // Strings of JSON and YAML have no tags.
  if (closer === "") return;
  const head = text.slice(0, start) + closer;
  const wrong: string[] = [];
  const opener = text.slice(start + closer.length, end);
  const [tag] = opener.match(/\S(?:[\s\S]*\S)?/) ?? [""];
  for (const twice of [tag + tag, `${tag}\n${tag}`, tag + tag + tag]) {
    const doubled = head + opener.replace(tag, () => twice) + text.slice(end);
    const { calls } = parse(doubled, { format, tools: [tool] });
    const other = calls.find(
      ({ arguments: given }) => wordsOf(given.to) !== "alpha" || wordsOf(given.body) !== "omega",
    );
    if (other !== undefined) wrong.push(`${JSON.stringify(doubled)} -> ${other.argumentsText}`);
  }
  for (const opener of new Set(damagesOf(text.slice(start + closer.length, end)))) {
    const damaged = head + opener + text.slice(end);
    const { calls } = parse(damaged, { format, tools: [tool] });
    const other = calls.find(({ arguments: given }) => wordsOf(given.to) !== "alpha");
    if (other !== undefined) wrong.push(`${JSON.stringify(damaged)} -> ${other.argumentsText}`);
  }
  expect(wrong.slice(0, 5).join("\n")).toBe("");
});

test("what may be a closer and an opener, each without a letter, is found in a long value as in a short one", () => {
  const found: string[] = [];
  for (const format of rawFormats) {
    const text = format.renderCall(call);
    const [start, end] = [text.indexOf("alpha"), text.indexOf("omega")];
    const between = text.slice(start + "alpha".length, end).replace(/(?!body)\b([a-z_]\w)\w(?=\w)/g, "$1");
    const reasonWith = (words: number) => {
      const value = `${"alpha ".repeat(words)}${between}${"omega ".repeat(1 + words / 2)}`;
      const [rejection] = parse(text.slice(0, start) + value + text.slice(end), { format, tools: [tool] }).rejected;
      return rejection?.message;
    };
    const message = reasonWith(0);
    if (message?.includes("may be its end") !== true) continue;
    found.push(format.id);
    // Around the units at which a long value is cut for the search.
    for (const words of [5450, 5460, 5462, 5470])
      expect([format.id, words, reasonWith(words)]).toEqual([format.id, words, message]);
  }
  expect(found.length).toBeGreaterThan(5);
});
