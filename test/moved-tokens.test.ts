/**
 * One token of a call stands elsewhere in it: the call is what it was, or none, and no call that its text shows runs.
 */
import { describe, expect, test } from "vitest";
import { type Format, formats, parse } from "../src/index.ts";
import { isAsked } from "./support/shares.ts";

const string = { type: "string" };
const tool = (name: string, properties: object) => ({
  name,
  parameters: { type: "object", properties, additionalProperties: false },
});
const tools = [
  tool("write_note", { path: string, text: string, mode: string }),
  tool("remove_note", { folder: string, path: string }),
];

/** Tags, the control strings of some formats with a name, words, blanks, marks. */
const tokensOf = (text: string) => text.match(/<\|[a-z]+\|>(?:[a-z]+<\|[a-z]+\|>)?|<[^<>\s]*>|\w+|\s+|[^\w\s]/g) ?? [];

/** `TOOLPEG_DEEP=1`: every place, every format. */
const deep = process.env.TOOLPEG_DEEP !== undefined;

/** A text with each of its tags, or markers, at other places, but not in a word: three of five, which are others for the next tag. */
function* movedTags(text: string): Generator<string> {
  const tokens = tokensOf(text);
  for (const [at, token] of tokens.entries()) {
    if (!/^<.+>$/.test(token)) continue;
    const rest = tokens.toSpliced(at, 1);
    for (let to = 0; to <= rest.length; to++)
      if (deep || (at + 2 * to) % 5 < 3) yield rest.toSpliced(to, 0, token).join("");
  }
}

interface Given {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const write = (text: string, more: object = {}): Given => ({
  name: "write_note",
  arguments: { path: "alpha", text, ...more },
});
const sign = ({ name, arguments: given }: Given) => `${name} ${Object.keys(given).sort().join(" ")}`;

/** What the text is read as, where that is another call. */
function otherCalls(format: Format, text: string, calls: readonly Given[]): string[] {
  const expected = calls.map(sign);
  const wrong: string[] = [];
  for (const moved of new Set(movedTags(text))) {
    const found = parse(moved, { format, tools }).calls;
    const others = found.filter((call) => !expected.includes(sign(call)));
    if (others.length > 0) wrong.push(`${JSON.stringify(moved)} -> ${others.map(sign).join(", ")}`);
  }
  return wrong;
}

const ids = ["cline_xml", "morph_xml", "minicpm5", "yaml_xml", "kimi_k3"];
const tried = [...formats].filter(({ id }) => ids.includes(id));

describe.each(tried.map((format): [string, Format] => [format.id, format]))("%s", (_, format) => {
  test("a tag of the call that is moved over its parameters", () => {
    const calls = [write("bravo charlie", { mode: "golf" })];
    expect(otherCalls(format, format.renderCalls(calls), calls)).toEqual([]);
  });

  test("a tag of one of two calls that is moved over parameters", () => {
    const calls = [write("bravo charlie"), { name: "remove_note", arguments: { folder: "echo", path: "golf" } }];
    expect(otherCalls(format, format.renderCalls(calls), calls)).toEqual([]);
  });

  test("a tag of a call that shows another one", () => {
    const shown = format.renderCall({ name: "remove_note", arguments: { path: "secret" } }).trim();
    const calls = [write("see\nSHOWN\nend")];
    const text = format.renderCalls(calls).replace("SHOWN", () => shown);
    // In a body of YAML a text of several lines is not written so.
    if (format.id === "yaml_xml") return;
    expect(parse(text, { format, tools }).calls.map(sign)).toEqual(calls.map(sign));
    expect(otherCalls(format, text, calls)).toEqual([]);
  });
});

test("what stands beside a call and is none of its parameters says nothing of it", () => {
  const format = "cline_xml";
  const [tag] = ["<write_note>\n<path>alpha</path>\n<text>bravo</text>\n</write_note>"];
  for (const text of [
    `<b>Now</b>\n${tag}`,
    `${tag}\n<b>Done</b>`,
    `<path>beta</path>\n${tag}`,
    `${tag}\n<mode> is unset`,
  ])
    expect(parse(text, { format, tools }).calls.length, text).toBe(text.includes("unset") ? 0 : 1);
  const body = "<write_note>\npath: alpha\ntext: bravo\n</write_note>";
  for (const text of [`Note: done\n${body}`, `${body}\nMode: unset`, `path: beta\n${body}`, `the mode: ${body}`])
    expect(parse(text, { format: "yaml_xml", tools }).calls.length, text).toBe(1);
});

/** Markers of a format, each moved into the middle of a value that the format writes. */
function* markersInValue(format: Format, text: string): Generator<string> {
  const markers = [...format.triggers, ...(format.closers ?? [])].filter((one) => one.length > 2 && /\W/.test(one));
  for (const marker of new Set(markers)) {
    for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
      const rest = text.slice(0, at) + text.slice(at + marker.length);
      for (const place of ["bravo", " charlie"]) yield rest.replace(place, () => marker + place);
    }
  }
}

describe("a marker that is missing and stands in a value", () => {
  const asked = [...formats].filter(({ id }) => isAsked(id, 0));
  test.each(asked.map((format): [string, Format] => [format.id, format]))("%s", (_, format) => {
    const calls = [write("bravo charlie")];
    const wrong: string[] = [];
    let text: string;
    try {
      text = format.renderCalls(calls);
    } catch {
      return;
    }
    for (const moved of new Set(markersInValue(format, text))) {
      for (const { arguments: given, repairs = [] } of parse(moved, { format, tools }).calls) {
        const isRepaired = repairs.some(({ kind }) => kind.startsWith("missing-"));
        if (isRepaired && given.text !== "bravo charlie") wrong.push(`${JSON.stringify(moved)} -> ${given.text}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test.each(["hermes", "qwen3_coder", "glm47", "kimi_k2", "harmony", "deepseek_v3", "dsml"])(
  "markers in values are text of a whole call that gives all its parameters: %s",
  (format) => {
    const tools = [tool("write_note", { path: string, text: string })];
    const one = [...formats].find(({ id }) => id === format) as Format;
    const shown = [...one.triggers, ...(one.closers ?? [])].filter((marker) => marker.length > 2);
    for (const marker of shown) {
      let text: string;
      try {
        text = one.renderCalls([write(`see ${marker} there`)]);
      } catch {
        continue;
      }
      for (const chunked of [text, `Now.\n${text}`])
        expect(parse(chunked, { format, tools }).calls.map(({ arguments: given }) => given.text)).toEqual([
          `see ${marker} there`,
        ]);
    }
  },
);

test("a quote that is moved over the next argument, or to the quote of another string", () => {
  const numbered = [tool("write_note", { path: string, text: string, limit: { type: "integer" } })];
  const python = (given: string) =>
    parse(`[write_note(${given})]`, { format: "pythonic", tools: numbered }).calls.length;
  expect(python('path="alpha, limit=7", text="b"')).toBe(0);
  expect(python('path="alpha"", text=b", limit=7')).toBe(0);
  expect(python('path="alpha, text=""b", limit=7')).toBe(0);
  // The argument is given, or its value goes on as text does.
  expect(python('path="alpha, limit=7", text="b", limit=8')).toBe(1);
  expect(python('path="f(alpha, limit=7)", text="b"')).toBe(1);
  expect(python('path="alpha, size=7", text="b"')).toBe(1);
  expect(python('path="alpha" "beta", text="b"')).toBe(1);
  const gemma = '<|tool_call>call:write_note{path:<|"|>alpha,limit:7<|"|>,text:<|"|>b<|"|>}<tool_call|>';
  expect(parse(gemma, { format: "gemma4", tools: numbered }).calls).toEqual([]);
  expect(parse(gemma.replace("limit:7", "limit"), { format: "gemma4", tools: numbered }).calls.length).toBe(1);
});

test("a brace behind the second of two calls, whose end is a repair, belongs to it", () => {
  const text =
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write_note<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁begin｜>remove_note<｜tool▁sep｜>' +
    '{"path": "b"<｜tool▁call▁end｜>, "folder": "c"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>';
  expect(parse(text, { format: "deepseek", tools }).calls.filter(({ name }) => name === "remove_note")).toEqual([]);
});

describe("the closer of a section that stands elsewhere", () => {
  const calls = [write("bravo charlie"), { name: "remove_note", arguments: { folder: "echo", path: "golf" } }];

  /** Blanks, and the closer itself in a string, are what the text says. */
  const signed = (call: Given, closer: string) => {
    const values = Object.entries(call.arguments).map(
      ([key, value]) => `${key} ${String(value).replaceAll(closer, "").replace(/\s+/g, " ").trim()}`,
    );
    return `${call.name} ${values.sort().join(" ")}`;
  };

  const written = [...formats].flatMap((format): [string, Format, string][] => {
    // Two hold one call, and in YAML what stands before a quotation mark makes that a part of the text.
    if (["bracket", "strict_json", "yaml_xml"].includes(format.id) || !isAsked(format.id, 1)) return [];
    const text = format.renderCalls(calls);
    const closer = /(<[^<>\s]+>|\[\/[A-Z_]+\])\s*$/.exec(text)?.[1];
    return closer !== undefined && text.split(closer).length === 2 ? [[format.id, format, text]] : [];
  });

  test.each(written)("%s", (_, format, text) => {
    const closer = (/(<[^<>\s]+>|\[\/[A-Z_]+\])\s*$/.exec(text) as RegExpExecArray)[1];
    const expected = calls.map((call) => signed(call, closer));
    const rest = tokensOf(text.replace(closer, "\0")).filter((token) => token !== "\0");
    const wrong = rest.flatMap((_, to) => {
      const moved = rest.toSpliced(to, 0, closer).join("");
      const others = parse(moved, { format, tools }).calls.filter((call) => !expected.includes(signed(call, closer)));
      return others.map((call) => `${JSON.stringify(moved)} -> ${JSON.stringify(call.arguments)}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("of two tokens near each other that are lost or doubled between two calls none makes the text of one the other", () => {
  const calls = [write("bravo", { path: "alpha" }), { name: "remove_note", arguments: { path: "golf" } }];

  /** A text in which two tokens between two words are lost, or one is and the other stands twice. */
  function* damaged(text: string, from: string, to: string): Generator<string> {
    const tokens: string[] = text.match(/\w+|\s+|<\/?|[^\s\w]/g) ?? [];
    for (let at = tokens.indexOf(from) + 1; at < tokens.indexOf(to); at++)
      for (let next = at + 1; next <= at + 6 && next < tokens.indexOf(to); next++) {
        const twice = (one: number) => tokens.with(one, tokens[one] + tokens[one]);
        yield tokens.with(at, "").with(next, "").join("");
        yield twice(next).with(at, "").join("");
        yield twice(at).with(next, "").join("");
      }
  }

  const written = [...formats].flatMap((format): [string, Format, string][] => {
    if (["bracket", "strict_json"].includes(format.id) || !isAsked(format.id, 0, 3)) return [];
    const text = format.renderCalls(calls);
    // In JSON the strings are whole.
    return /"text":/.test(text) ? [] : [[format.id, format, text]];
  });

  test.each(written)("%s", (_, format, text) => {
    const holdsBoth = ({ arguments: given }: Given) =>
      Object.values(given).some((value) => /bravo[\s\S]*golf/.test(String(value)));
    const wrong = [...damaged(text, "bravo", "golf")].filter((one) =>
      parse(one, { format, tools }).calls.some(holdsBoth),
    );
    expect(wrong).toEqual([]);
  });
});
