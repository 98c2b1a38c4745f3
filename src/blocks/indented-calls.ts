import type { Candidate } from "../values/candidate.ts";

/** Behind a list item further lines bear blanks; behind the others what the first one bears. A blank alone is left by tokenizers. */
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/;
const others = /^(?:[ \t]{2,}|\t|[ \t]*(?:>[ \t]*)+|[ \t]*(?:[+|#]|\/\/)[ \t]*)$/;
/** So much of a line is looked at. */
const indentCharsMax = 64;

/** What stands before a place on its line, if it may stand before each line of what follows; empty: nothing does. */
export function indentBefore(source: Pick<string, "slice">, at: number): string {
  const text = source.slice(Math.max(0, at - indentCharsMax), at);
  const indent = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  // Most blocks begin a line.
  return indent !== "" && (listItem.test(indent) || others.test(indent)) ? indent : "";
}

/** Whether all lines of a call stand behind what stands before its first: then that may be none of its values, which hold it. */
export function bearsIndent({ indent, placed: { raw }, writer }: Candidate): boolean {
  if (indent === "" || !raw.includes("\n") || !writer.jsonText.includes("\\n")) return false;
  const before = listItem.test(indent) ? " ".repeat(indent.length) : indent;
  return raw
    .split("\n")
    .slice(1)
    .every((line) => line.startsWith(before) || line.trim() === "");
}
