import type { Candidate } from "../values/candidate.ts";

/** What stands before a line in a list item, a block quote, a diff or commented-out text. */
const mayIndent = /^[ \t]*(?:(?:[-*+>|#]|\/\/|\d{1,9}[.):])[ \t]*)*$/;
/** So much of a line is looked at. */
export const indentCharsMax = 64;

/** The last line of a text, if it may stand before each line of what follows; empty: nothing does. */
export function indentBefore(text: string): string {
  const indent = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  return mayIndent.test(indent) ? indent : "";
}

/** Whether all lines of a call stand behind what stands before its first: then that may be none of its values, which hold it. */
export function bearsIndent({ indent, placed: { raw }, writer }: Candidate): boolean {
  if (indent === "" || !raw.includes("\n") || !writer.jsonText.includes("\\n")) return false;
  const isBehind = (line: string) => line.startsWith(indent) || line.slice(0, indent.length).trim() === "";
  return raw.split("\n").slice(1).every(isBehind);
}
