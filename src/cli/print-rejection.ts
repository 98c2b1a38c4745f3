import type { Rejection } from "../contract/types.ts";
import { rejectionText } from "../views/rejection-help.ts";
import { excerpt, placeOf } from "./excerpt.ts";
import type { Colours } from "./terminal.ts";
import { visible } from "./visible-text.ts";

/**
 * A rejection as a person reads it: what happened, where, and what to do.
 *
 *     truncated: expected '"', found end of text
 *      --> reply:1:21 (hermes, offset 20)
 *       |
 *     1 | <tool_call>{"name": "read_di
 *       |                     ^^^^^^^^
 *     help: the reply stopped too early, and what is cut is never completed. Raise the token limit, or retry.
 *
 * @param source what the text is called, such as a file name
 * @param format the format that was read, where there is only one
 */
export function printRejection(
  rejection: Rejection,
  text: string,
  source: string,
  format: string | undefined,
  colours: Colours,
): string[] {
  const { reason, start, end } = rejection;
  const { what, help } = rejectionText(rejection);
  const { line, column } = placeOf(text, start);
  const where = [...(format === undefined ? [] : [format]), `offset ${start}`].join(", ");
  const gutter = " ".repeat(String(line).length);
  return [
    `${colours.red(colours.bold(reason))}: ${visible(what)}`,
    colours.dim(`${gutter}--> ${source}:${line}:${column} (${where})`),
    ...excerpt(text, quotedFrom(rejection, text), end, colours.red),
    `${colours.cyan("help")}: ${visible(help)}`,
  ];
}

/**
 * Where the quoted line begins to be marked. Only one line is quoted, so of a span over several it is the most helpful one:
 * where a cut text stops, or where the name of the tool stands.
 */
function quotedFrom({ reason, name, start, end }: Rejection, text: string): number {
  const span = text.slice(start, end);
  const lastLine = span.lastIndexOf("\n") + 1;
  if (lastLine === 0) return start;
  if (reason === "truncated") return lastLine < span.length ? start + lastLine : start;
  const named = name ? span.indexOf(name) : -1;
  return named < 0 ? start : start + span.lastIndexOf("\n", named) + 1;
}
