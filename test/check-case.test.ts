import { describe, expect, test } from "vitest";
import { checkCase } from "../src/testing/check-case.ts";
import { checkConservation, checkIsolation, checkPrefixes, checkQuoting } from "../src/testing/properties.ts";
import { readCorpus } from "../src/testing/read-corpus.ts";
import { sameValue } from "../src/testing/same-value.ts";
import { writeExpectation } from "../src/testing/write-expectation.ts";
import { echoEngine, type Fault } from "./support/echo-engine.ts";

const facts = { format: "echo" };
const cases = readCorpus(
  [
    "=== a call between two lines",
    "from: written here",
    'tools: [{"name": "read"}]',
    "|Now.",
    '|!read {"dial": "north"}',
    "|lost",
    "|",
    'content: "Now.\\nlost\\n"',
    'call: {"name": "read", "arguments": {"dial": "north"}}',
    "",
    "=== a call that is no object is refused",
    "from: written here",
    'tools: [{"name": "read"}]',
    "|!read {nothing}",
    "^^^^^^^^^^^^^^^^ rejected malformed",
    "calls: none",
  ].join("\n"),
  "echo.corpus.txt",
);
const [good, bad] = cases;
const thrownBy = (run: () => void): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing";
};

test("an engine that is right in every split passes", () => {
  for (const example of cases) checkCase(example, echoEngine(), facts);
  checkPrefixes(good, echoEngine(), facts);
  checkQuoting(good, echoEngine(), facts);
  expect(checkIsolation(good, bad, echoEngine(), facts)).toBe(true);
});

describe("the harness sees", () => {
  const faulty = (fault: Fault) => thrownBy(() => checkCase(good, echoEngine(fault), facts));

  test("a split that disagrees, and prints the smallest", () => {
    const message = faulty("forgets-at-chunk-border");
    expect(message).toContain('chunks ["Now.\\n!","read {\\"dial\\": \\"north\\"}\\nlost\\n"]');
    expect(message).toContain("echo.corpus.txt:1: a call between two lines");
  });

  test("an exception in one split only, with the cuts it takes", () => {
    expect(faulty("throws")).toMatch(/\(cut at 1\) disagree with the whole text in threw RangeError: one unit/);
  });

  test("text that no node covers", () => {
    expect(faulty("loses-text")).toContain("nodes do not tile the text");
    expect(thrownBy(() => checkConservation(good, "lost\nx", echoEngine("loses-text"), facts))).toContain("tile");
  });

  test("a call made of a quoted one", () => {
    expect(thrownBy(() => checkQuoting(good, echoEngine("calls-in-fence"), facts))).toContain(
      "quoted in a fence was made",
    );
  });

  test("a cut call that runs", () => {
    expect(thrownBy(() => checkPrefixes(good, echoEngine("completes-cut-call"), facts))).toContain("gave other calls");
  });

  test.each([
    ["other arguments", { calls: [{ name: "read", arguments: { dial: "south" } }] }, "calls"],
    ["a call too many", { calls: [] }, "calls"],
    ["other content", { content: "Now.\n" }, "content"],
    ["other reasoning", { reasoning: "why" }, "reasoning"],
    [
      "a mark too few",
      { marks: [{ what: "rejected", code: "schema", start: 0, end: 1, line: 4 }] },
      "rejected schema 0-1",
    ],
  ] as const)("a case that expects %s", (_, changed, word) => {
    expect(thrownBy(() => checkCase({ ...good, ...changed } as typeof good, echoEngine(), facts))).toContain(word);
  });

  test("an unexpected mark", () => {
    expect(thrownBy(() => checkCase({ ...bad, marks: [] }, echoEngine(), facts))).toContain(
      "got      rejected malformed 0-15",
    );
  });
});

test("values are compared by own keys, however deep", () => {
  const deep = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  expect(sameValue(deep(100_000), deep(100_000))).toBe(true);
  expect(sameValue(deep(100_000), deep(100_001))).toBe(false);
  expect(sameValue(JSON.parse('{"__proto__": 1}'), {})).toBe(false);
  expect(sameValue({ a: undefined, f() {} }, {})).toBe(true);
  expect(sameValue([], {})).toBe(false);
});

test("an expectation that is filled in holds, and only its case changes", () => {
  const source = [
    "=== one",
    "from: written here",
    'tools: [{"name": "read"}]',
    "|!read {nothing}",
    '|!read {"dial": ["north"]}',
    "|```",
    "",
    "=== two",
    "from: written here",
    "|",
    "calls: none",
  ].join("\n");
  const [example] = readCorpus(source, "echo.corpus.txt", { unfinished: true });
  const filled = writeExpectation(source, example, echoEngine().parse(example.text, {}));
  expect(filled.split("\n").slice(3)).toEqual([
    "|!read {nothing}",
    "^^^^^^^^^^^^^^^^^ rejected malformed",
    '|!read {"dial": ["north"]}',
    "|```",
    'content: "```"',
    'call: {"name": "read", "arguments": {"dial": ["north"]}}',
    "",
    "=== two",
    "from: written here",
    "|",
    "calls: none",
  ]);
  checkCase(readCorpus(filled, "echo.corpus.txt")[0], echoEngine(), facts);
});
