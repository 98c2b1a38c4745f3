/** Where the values of arguments stand in the text: what the playground and `explain --html` mark. */
import { formats, parse } from "toolpeg";
import { describe, expect, test } from "vitest";
import { argumentPlaces } from "../src/views/argument-places.ts";
import { blocksOf } from "../src/views/reading-blocks.ts";

const tools = [
  {
    name: "open_vent",
    parameters: {
      type: "object",
      properties: {
        vent: { type: "string" },
        percent: { type: "integer" },
        sure: { type: "boolean" },
        note: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        more: { type: "object" },
      },
    },
  },
];
const full = {
  ...{ vent: "west", percent: 40, sure: true, note: 'She said: "it is <b>\n  warm" & left' },
  ...{ tags: ["a", "b]"], more: { x: 1, y: "{" } },
};
const plain = { vent: "west", percent: 40, sure: true };
const writable = [...formats].flatMap((format) => {
  for (const given of [full, plain]) {
    try {
      return [{ format, text: format.renderCalls([{ name: "open_vent", arguments: given }]) }];
    } catch {
      // Not every format carries every value.
    }
  }
  return [];
});

/** What was found, as text by key; before the call its words stand as prose, where the format reads prose. */
function found({ format, text }: (typeof writable)[number]): Record<string, string> {
  const read = [`Said before: vent is west, percent is 40.\n${text}`, text].flatMap((whole) =>
    parse(whole, { format, tools, intent: true }).calls.map((call) => ({ whole, call })),
  );
  const [{ whole, call }] = read;
  return Object.fromEntries(argumentPlaces(whole, call).map(({ key, start, end }) => [key, whole.slice(start, end)]));
}

describe("every format", () => {
  test("writes calls at all", () => expect(writable.length).toBeGreaterThan(70));

  test.each(writable.map((one) => [one.format.id, one] as const))("%s", (_id, one) => {
    const { vent, percent, sure, tags, more } = found(one);
    expect([vent, percent, sure?.toLowerCase()]).toEqual(["west", "40", "true"]);
    if (tags !== undefined) expect(tags).toMatch(/^\[.*a.*b\].*\]$/s);
    if (more !== undefined) expect(more).toMatch(/^\{.*x.*1.*y.*\{.*\}$/s);
  });
});

describe("what must not be marked", () => {
  const hermes = (payload: string) => `<tool_call>\n${payload}\n</tool_call>`;
  const at = (text: string, call: object) =>
    argumentPlaces(text, { start: 0, end: text.length, ...call } as never).map(({ start, end }) =>
      text.slice(start, end),
    );

  test("the name of the envelope is no argument, nor is a key within a value", () => {
    const text = hermes('{"name": "x", "arguments": {"note": "name: y", "name": "y"}}');
    expect(at(text, { arguments: { note: "name: y", name: "y" } })).toEqual(["name: y", "y"]);
    expect(text.indexOf('"y"') + 1).toBe(
      argumentPlaces(text, { arguments: { note: "name: y", name: "y" }, start: 0, end: text.length })[1].start,
    );
  });

  test("a value that is not there, a part of a number or of a word, and an empty text have no place", () => {
    expect(at('{"a": 401}', { arguments: { a: 40 } })).toEqual([]);
    expect(at('{"data": 4}', { arguments: { a: 4 } })).toEqual([]);
    expect(at('{"a": "x"}', { arguments: { a: "y" } })).toEqual([]);
    expect(at('{"a": ""}', { arguments: { a: "" } })).toEqual([]);
    expect(at('{"a": 5, "b": 4}', { arguments: { a: 4 } })).toEqual([]);
    expect(at('{"a": [1, 2}', { arguments: { a: [1, 2] } })).toEqual([]);
  });

  test("containers end where what they hold has ended", () => {
    const nested = { a: { list: [[], {}, ["x]", ""]], "": 1 } };
    expect(at(`{"a": ${JSON.stringify(nested.a)}, "b": 1}`, { arguments: nested })).toEqual([JSON.stringify(nested.a)]);
    expect(at(`{"a": []}`, { arguments: { a: [] } })).toEqual(["[]"]);
    expect(at(`{"a": [""]}`, { arguments: { a: [""] } })).toEqual(['[""]']);
  });

  test("what was coerced is found as it was written", () => {
    const text = hermes('{"name": "open_vent", "arguments": {"percent": "40"}}');
    const policy = { schema: "coerce" } as const;
    const [call] = parse(text, { format: "hermes", tools, policy }).calls;
    expect(argumentPlaces(text, call).map(({ start, end }) => text.slice(start, end))).toEqual(["40"]);
  });
});

test("blank lines between two calls are no part of the reply by themselves", () => {
  const call = '<tool_call>{"name": "open_vent", "arguments": {"vent": "west"}}</tool_call>';
  const text = `I open it.\n${call}\n\n${call}\n`;
  const blocks = blocksOf(text, parse(text, { format: "hermes", tools }));
  expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual(["I open it.\n", `${call}\n\n`, `${call}\n`]);
  expect(blocks[1].pieces.filter(({ argument }) => argument !== undefined)).toMatchObject([
    { argument: { key: "vent", number: 1 } },
  ]);
});
