import { expect, test } from "vitest";
import { checkStreaming } from "../src/compiler/analyse/check-streaming.ts";
import { linkGrammar } from "../src/compiler/parse/link-grammar.ts";
import type { LinkedGrammar } from "../src/compiler/parse/linked-grammar.ts";
import { loadMessage } from "./support/compose.ts";
import { grammarIds, loadGrammar } from "./support/reference-parsers.ts";

/** Rules of shipped grammars that hold text back until they end, and why that is so. */
const known: Readonly<Record<string, string>> = {
  "prose.Reasoning": "ernie45, hyperclovax_14b: several blocks in a row may begin the message",
  Content_between: "white space or noise between the calls of a section; the next call decides",
  Content_lead: "kimi_k2: text between a section and its first call; the call decides",
  Payload: "granite3: a list that is the whole message decides at its end",
  Verbatim: "lfm2: one of two spellings of a value, decided at its end",
  "python.Verbatim_inParentheses": "Python: a comma behind a string in parentheses makes a tuple of it",
  Content_answered: "react: the final answer is distinguished from a thought by what follows",
  Content_called: "react: what stands before an action is distinguished from an answer by what follows",
  Text: "seed_oss: a budget remark inside a value",
  Reasoning: "ui_tars: only a message that ends with its actions has any",
  "python.Verbatim": "ui_tars: the same",
  "python.Verbatim_item": "ui_tars: the same",
};

/** The rules that hold text back. */
const held = (grammar: LinkedGrammar) =>
  checkStreaming(grammar).map(({ message }) => /^the rule "([^"]+)"/.exec(message)?.[1]);

test("the text around blocks goes out as it comes", () => {
  // They are read to their end before they are known: text struck out, and a message that is one JSON string, or one JSON value
  // where messages begin in thoughts.
  expect([...new Set(held(loadMessage()))]).toEqual(["Content_struck", "Quoted_string", "Quoted_answer"]);
});

test.each(grammarIds)("%s sends what it reads, but for what is known", (id) => {
  expect(held(loadGrammar(id)).filter((rule) => rule === undefined || !Object.hasOwn(known, rule))).toEqual([]);
});

const link = (body: string) => {
  const text = `// Test\n//\n// format: test\n// mode: primary\n// reasoning: none\n\n${body}\n`;
  return linkGrammar({ path: "grammars/test.peggy", text }, () => undefined);
};

const commit = 'Cut = ""';

test("text that a choice can still take back is reported with its place", () => {
  const rules = `Block = "#" Cut (Reasoning "." / Content)* "!"\nReasoning = [a-z]+\nContent = [a-z.]\n${commit}`;
  const [error] = checkStreaming(link(rules));
  expect(error.message).toBe('the rule "Reasoning" is read while this choice is undecided');
  expect(error.file).toBe("grammars/test.peggy");
  expect(error.line).toBe(7);
});

test("before its first commit a block may be none", () => {
  const [error] = checkStreaming(link('Block = "#" Content "!"\nContent = [a-z]+'));
  expect(error.message).toBe('the rule "Content" is read while this block is undecided');
});

test("one character that decides, or a commit, is enough", () => {
  const rules = 'Reasoning = "<" [a-z]+\nContent = [a-z]';
  expect(checkStreaming(link(`Block = "#" Cut (Reasoning / Content)* "!"\n${rules}\n${commit}`))).toEqual([]);
  const committed = 'Block = ("<" Cut Reasoning "." / "<" Content)* "!"\nReasoning = [a-z]+\nContent = [a-z]';
  expect(checkStreaming(link(`${committed}\n${commit}`))).toEqual([]);
});
