import { describe, expect, test } from "vitest";
import { printCase } from "../src/testing/print-case.ts";
import { readCorpus } from "../src/testing/read-corpus.ts";

const toolSets = { dials: [{ name: "read_dial" }] };
const read = (...lines: string[]) => readCorpus(lines.join("\n"), "x.corpus.txt", { toolSets });
const mistake = (...lines: string[]): string => {
  try {
    read(...lines);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("read without a complaint");
};

describe("a corpus", () => {
  test("gives cases with their options, text and expectations", () => {
    const [first, second] = read(
      "=== prose, then a call",
      "from:  written here",
      "tools: dials",
      'prefill: "<think>\\n"',
      "intent: true",
      'policy: {"schema": "off"}',
      "finish: length",
      "|Reading it.",
      "|{}",
      "|",
      'content: "Reading it.\\n"',
      'reasoning: "why"',
      'call: {"name": "read_dial", "arguments": {"dial": "north"}, "id": "a"}',
      "",
      "=== nothing",
      "from: written here",
      "|",
      "calls: none",
    );
    expect(first).toMatchObject({
      title: "prose, then a call",
      line: 1,
      lastLine: 13,
      tools: toolSets.dials,
      prefill: "<think>\n",
      intent: true,
      policy: { schema: "off" },
      finishReason: "length",
      text: "Reading it.\n{}\n",
      content: "Reading it.\n",
      reasoning: "why",
      calls: [{ name: "read_dial", arguments: { dial: "north" }, id: "a" }],
    });
    expect(second).toMatchObject({ text: "", calls: [], content: "", tools: undefined });
  });

  test("counts carets in characters, not units, and escapes of a JSON line as the units they make", () => {
    const [example] = read(
      "=== wide",
      "from: written here",
      "|\u{1f600}'a'",
      "^ ^^^ repair quote-style",
      '"\\u0000\\n,x"',
      "^        ^ repair extra-comma",
      "calls: none",
    );
    expect(example.text).toBe("\u{1f600}'a'\n\0\n,x");
    expect(example.marks.map(({ start, end }) => example.text.slice(start, end))).toEqual(["'a'", ","]);
  });

  test("joins the first and the last line of a long span, and lets a caret stand for the LF", () => {
    const [example] = read(
      "=== long",
      "from: written here",
      "|ab[",
      "^  ^",
      "|12",
      "|]c",
      "^^ rejected malformed",
      "^ ^^ rejected truncated",
      "|",
      "calls: none",
    );
    expect(example.marks.map(({ what, start, end }) => [what, example.text.slice(start, end)])).toEqual([
      ["rejected", "[\n12\n]"],
      ["rejected", "c\n"],
    ]);
  });

  test("is printed as it was written", () => {
    const lines = [
      "|a[",
      "^ ^",
      "|]'b' \u{1f600}!",
      "^^ rejected malformed",
      "^ ^^^ repair quote-style",
      '"\\t,"',
      "^  ^ repair extra-comma",
    ];
    const [example] = read("=== print", "from: written here", ...lines, "calls: none");
    expect(printCase(example).split("\n")).toEqual(lines);
  });
});

describe("a mistake in a corpus says where it is and what to do", () => {
  test.each([
    ["an unknown key", ["=== a", "from: x", "tool: dials", "|x", "calls: none"]],
    ["an unknown tool set", ["=== a", "from: x", "tools: dial", "|x", "calls: none"]],
    ["an unknown repair", ["=== a", "from: x", "|x", "^^ repair quote-styl", "calls: none"]],
    ["an unknown reason", ["=== a", "from: x", "|x", "^^ rejected because", "calls: none"]],
    ["carets past the line", ["=== a", "from: x", "|xy", "^   ^^ repair fence", "calls: none"]],
    ["an open span", ["=== a", "from: x", "|xy", "^^", "calls: none"]],
    ["a repeated title", ["=== a", "from: x", "|x", "calls: none", "=== a"]],
    ["no calls named", ["=== a", "from: x", "|x"]],
    ["no origin", ["=== a", "|x", "calls: none"]],
    ["no input", ["=== a", "from: x"]],
    ["an option after the input", ["=== a", "from: x", "|x", "tools: dials"]],
    ["not JSON", ["=== a", "from: x", "|x", "call: {name}"]],
    ["text before the first case", ["hello"]],
    ["a CR", ["=== a", "from: x", "|x\r"]],
  ])("%s", (_, lines) => {
    expect(mistake(...lines)).toMatchSnapshot();
  });
});
