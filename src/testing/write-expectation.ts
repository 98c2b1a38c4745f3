import { marksOf } from "./check-case.ts";
import type { HarnessResult } from "./engine.ts";
import { callsOf } from "./observe.ts";
import { printInput } from "./print-case.ts";
import type { CorpusCase } from "./read-corpus.ts";

/** Whether a case says nothing yet of what is called. */
export function isOpenCase(source: string, example: CorpusCase): boolean {
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

/** JSON on one line with a blank after each comma and colon, as people write it. */
function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`)
    .join(", ")}}`;
}
