/**
 * Fences by lines: marks that a line begins with, after what a fence may stand in. What surrounds them is not looked at.
 * This is the coarser recogniser beside the grammar's (`grammars/message/fences-and-code-spans.peggy`), used where only a
 * doubt is raised: a fence that it finds may refuse a call, and lets none through.
 */
import type { TextSource } from "../machine/text-store.ts";

export const fenceMarksMin = 3;
const fenceLine = /^[ \t>*+\-.)\d]*(`{3,}|~{3,})(.*)$/;

export const lineBreak = /\r\n?|\n/;

/** The marks of the fence that is open after a line; undefined: none is. `inLine`: one may begin within the line. */
export function fenceAfter(open: string | undefined, line: string, inLine = true): string | undefined {
  if (!line.includes("```") && !line.includes("~~~")) return open;
  const [, marks, rest] = fenceLine.exec(line) ?? [];
  if (open !== undefined) return marks?.startsWith(open) && rest.trim() === "" ? undefined : open;
  if (marks !== undefined) return marks[0] === "`" && rest.includes("`") ? undefined : marks;
  return inLine && line.split("```").length === 2 ? fenceInLine.exec(line)?.[1] : undefined;
}

/** It begins within a line: nothing follows but one word and its settings. */
const fenceInLine = /(`{3,})[ \t]*[\w.+#-]*(?:[ \t][^`]*[={][^`]*)?[ \t]*$/;

/** The mark of the fence that a text leaves open; undefined: none. */
export function openFenceIn(text: string): string | undefined {
  let open: string | undefined;
  if (!text.includes("```") && !text.includes("~~~")) return undefined;
  for (const line of text.split(lineBreak)) open = fenceAfter(open, line);
  return open?.[0];
}

/** What a line is that ends the block quote or list item which a fence stands in; undefined: the fence stands in none. */
function leavingOf(line: string): ((line: string) => boolean) | undefined {
  const [before] = line.split(/[`~]/, 1);
  if (before.includes(">")) return (next) => !next.trimStart().startsWith(">");
  return /[-*+.)]/.test(before) && !/\w/.test(before.replace(/\d+[.)]/, "")) ? (next) => /^\S/.test(next) : undefined;
}

/** The fences of a text from a place on, read as far as they are asked about. */
export class CountedFences {
  readonly #store: TextSource;
  readonly #closers: readonly string[];
  #to: number;
  #line = "";
  #open: string | undefined;
  /** Whether a line stands outside of what the fence stands in; undefined: nothing surrounds it. */
  #leaves: ((line: string) => boolean) | undefined;
  /** One of the closers stands in a fence. */
  hasCloser = false;

  /** @param closers those of what the text stands in */
  constructor(store: TextSource, from: number, closers: readonly string[]) {
    this.#store = store;
    this.#to = from;
    this.#closers = closers;
  }

  /** The marks of the fence that is open at a place; undefined: none is. */
  openAt(at: number): string | undefined {
    this.readTo(at);
    return fenceAfter(this.#open, this.#line);
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    const lines = (this.#line + this.#store.slice(this.#to, end)).split(lineBreak);
    this.#to = end;
    this.#line = lines.pop() as string;
    for (const line of lines) {
      if (this.#leaves?.(line)) this.#open = this.#leaves = undefined;
      const before = this.#open;
      this.#open = fenceAfter(before, line);
      if (before === undefined && this.#open !== undefined) this.#leaves = leavingOf(line);
      this.hasCloser ||= this.#open !== undefined && this.#closers.some((closer) => line.includes(closer));
    }
  }
}
