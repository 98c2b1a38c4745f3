import { jsonStringEnd } from "../../machine/json-object.ts";
import { spacedJson } from "../../rendering/write-calls.ts";
import { markerAt } from "../markers.ts";

/** A JSON value in a text. */
export interface FoundJson {
  value: unknown;
  start: number;
  end: number;
}

/** The next object or list in a text that is JSON; what only looks like one, as `[TOOL_CALLS]` does, is passed over. */
export function findJson(text: string, from = 0): FoundJson | undefined {
  for (let start = from; start < text.length; start++) {
    if (text[start] !== "{" && text[start] !== "[") continue;
    const end = endOfJson(text, start);
    if (end === undefined) continue;
    try {
      return { value: JSON.parse(text.slice(start, end)), start, end };
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/** A text whose objects and lists are on one line, with a blank after each comma and colon. */
export function withPlainJson(text: string): string {
  let plain = "";
  let at = 0;
  for (let found = findJson(text); found !== undefined; found = findJson(text, at)) {
    plain += text.slice(at, found.start) + spacedJson(found.value);
    at = found.end;
  }
  return plain + text.slice(at);
}

function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = jsonStringEnd(text, at) - 1;
    else if (sign === "{" || sign === "[") depth++;
    else if ((sign === "}" || sign === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The markers round one call, and those round all of them. */
export interface Nesting {
  outerOpen: string;
  innerOpen: string;
  innerClose: string;
  outerClose: string;
  /** What parts two calls beside their markers. */
  separator: string;
}

/**
 * Tells the markers of each call from those of the group, by what stands between two calls.
 *
 * @param before What stands before the first call.
 * @param between What stands between two; undefined: there is only one.
 * @param after What stands after the last.
 */
export function nestingOf(before: string, between: string | undefined, after: string): Nesting {
  const open = before.trim();
  const close = after.trim();
  if (between === undefined)
    return { outerOpen: "", innerOpen: open, innerClose: close, outerClose: "", separator: "" };
  const middle = between.trim();
  let shared = 0;
  while (shared < open.length && middle.endsWith(open.slice(open.length - shared - 1))) shared++;
  // Half a marker belongs to neither side.
  while (shared > 0 && shared < open.length && !isBoundary(open, open.length - shared)) shared--;
  const innerOpen = open.slice(open.length - shared).trim();
  const rest = middle.slice(0, middle.length - shared).trim();
  let closed = rest.length;
  while (closed > 0 && !(close.startsWith(rest.slice(0, closed)) && isBoundary(close, closed))) closed--;
  return {
    outerOpen: open.slice(0, open.length - shared).trim(),
    innerOpen,
    innerClose: rest.slice(0, closed).trim(),
    outerClose: close.slice(closed).trim(),
    separator: rest.slice(closed).trim(),
  };
}

/** Does no marker reach over this place? */
const isBoundary = (text: string, at: number) => markerAt(text, at).start === at;

/** A text without the fence that it ends with, and whether there was one. */
export function withoutFenceOpen(before: string): { text: string; fenced: boolean } {
  const found = /^([\s\S]*?)```[a-zA-Z]*\s*$/.exec(before);
  return found === null ? { text: before, fenced: false } : { text: found[1], fenced: true };
}

/** A text without the fence that it begins with. */
export function withoutFenceClose(after: string): string {
  return after.replace(/^\s*```/, "");
}
