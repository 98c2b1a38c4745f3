import { spacedJson } from "../rendering/write-calls.ts";
import { marksOf, runOf } from "./check-case.ts";
import type { Engine, HarnessResult } from "./engine.ts";
import { callsOf } from "./observe.ts";
import { printInput } from "./print-case.ts";
import { type CorpusCase, type CorpusOptions, readCorpus } from "./read-corpus.ts";

/** A case that says what is read, and nothing yet of what is found. */
export interface OpenCase {
  title: string;
  from: string;
  /** The name of a set, or the tools themselves. */
  tools: string | readonly unknown[];
  prefill?: string;
  finish?: string;
  text: string;
}

/** An open case as it stands in a corpus. */
export function openCaseText({ title, from, tools, prefill, finish, text }: OpenCase): string {
  return [
    `=== ${title}`,
    `from:  ${from}`,
    `tools: ${typeof tools === "string" ? tools : JSON.stringify(tools)}`,
    ...(prefill === undefined || prefill === "" ? [] : [`prefill: ${JSON.stringify(prefill)}`]),
    ...(finish === undefined ? [] : [`finish: ${finish}`]),
    ...text.split("\n").map((line) => (/[\0-\x08\x0b-\x1f\x7f]/.test(line) ? JSON.stringify(line) : `|${line}`)),
    "",
  ].join("\n");
}

/**
 * Fills in every case of a corpus that expects nothing yet, from what an engine gives for it.
 *
 * @returns the text of the file, and how many cases were open; throws a CorpusError where it cannot be read
 */
export function fillOpenCases(
  source: string,
  file: string,
  format: unknown,
  engine: Engine,
  options: CorpusOptions = {},
): { text: string; filled: number } {
  const open = readCorpus(source, file, { ...options, unfinished: true }).filter((one) => isOpenCase(source, one));
  let text = source;
  // From the last to the first, so that the lines of those before stay where they are.
  for (const example of [...open].reverse()) {
    text = writeExpectation(text, example, runOf(example, engine, format).whole(example.text));
  }
  return { text, filled: open.length };
}

/** Whether a case says nothing yet of what is called. */
function isOpenCase(source: string, example: CorpusCase): boolean {
  return !source
    .split("\n")
    .slice(example.line - 1, example.lastLine)
    .some((row) => /^calls?:/.test(row));
}

/**
 * Fills in what one case expects, from what an engine gave. The person who asks for it reads the result: an
 * expectation that is written down unread proves nothing.
 *
 * @param source the text of the corpus file that holds the case
 * @returns the text of the file with the carets and expectations of this one case replaced
 */
export function writeExpectation(source: string, example: CorpusCase, result: HarnessResult): string {
  const rows = source.split("\n");
  const head = rows
    .slice(example.line - 1, example.lastLine)
    .filter((row) => row.startsWith("===") || /^(from|tools|prefill|intent|policy|finish|marker|names):/.test(row));
  const calls = callsOf(result).map((call, index) => {
    // Fields that the case compared before stay compared.
    const fields = ["name", "arguments", ...Object.keys(example.calls[index] ?? {})];
    const shown = [...new Set(fields)].map((field) => [field, (call as unknown as Record<string, unknown>)[field]]);
    return `call: ${spacedJson(Object.fromEntries(shown))}`;
  });
  const block = [
    ...head,
    ...printInput(example.lines, marksOf(result)),
    ...(result.content === "" ? [] : [`content: ${JSON.stringify(result.content)}`]),
    ...(result.reasoning === "" ? [] : [`reasoning: ${JSON.stringify(result.reasoning)}`]),
    ...(calls.length === 0 ? ["calls: none"] : calls),
  ];
  rows.splice(example.line - 1, example.lastLine - example.line + 1, ...block);
  return rows.join("\n");
}
