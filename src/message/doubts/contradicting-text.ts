import { fenceMarksMin, mayStandBeforeFence } from "../../machine/fence-containers.ts";
import { countOf } from "../../values/escaped-quotes.ts";
import { fenceAfter, lineBreak, type OpenMarks, opensLine } from "../text/fence-lines.ts";
import { type Doubt, type Following, textAndThoughts } from "./doubt.ts";

/**
 * What follows a call in which raw text has left a fence open: marks on a line of their own may close that one, so that the
 * call ended in a document that shows how calls end.
 */
export class OpenFence implements Doubt {
  readonly message =
    "its text has opened a fence that is closed after the call, so it may have ended too early; ask for the call again";
  readonly #mark: string;
  /** Marks that the line begins with, after what a fence may stand in; undefined: it begins with something else. */
  #marks: number | undefined = 0;

  constructor(mark: string) {
    this.#mark = mark;
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      if (unit === "\n" || unit === "\r") this.#marks = 0;
      else if (this.#marks === undefined) continue;
      else if (unit !== this.#mark) this.#marks = this.#marks === 0 && mayStandBeforeFence(unit) ? 0 : undefined;
      else if (++this.#marks === fenceMarksMin) return at;
    }
    return -1;
  }
}

/**
 * Closers that are left over in a fence or in thoughts which nothing has closed: the text that began there may be that of the
 * call, so they may be its own.
 */
export class UnclosedQuotation implements Doubt {
  readonly message = closersLeftOver;
  readonly looksAt = textAndThoughts;
  readonly #openers: ReadonlyMap<string, string>;
  #line = "";
  #fence: OpenMarks | undefined;
  #inThoughts = false;
  /** What is open in the quotation, by its closer; undefined: a closer is left over. */
  #open: OpenParts | undefined = nothingOpen;

  /** @param openers what opens what the closers of the calls close */
  constructor(openers: ReadonlyMap<string, string>) {
    this.#openers = openers;
  }

  contradictedAt(text: string, what: Following): number {
    const inThoughts = what === "thoughts";
    if (this.#inThoughts && !inThoughts) this.#open = nothingOpen;
    this.#inThoughts = inThoughts;
    const [first, ...lines] = text.split(lineBreak);
    this.#line += first;
    for (const line of lines) this.#beginLine(line);
    return -1;
  }

  /** What follows a call begins a line. */
  callFollows(): void {
    this.#beginLine("");
  }

  #beginLine(line: string): void {
    this.#open = this.#openAfterLine;
    this.#fence = this.#fenceAfterLine;
    this.#line = line;
  }

  get contradictedByEnd(): boolean {
    const open = this.#openAfterLine;
    if (open === nothingOpen) return false;
    return open === undefined || [...open].some(([closer, count]) => count > 0 && this.#openers.get(closer) === closer);
  }

  /** One that begins within a line is none if nothing closes it. */
  get #fenceAfterLine(): OpenMarks | undefined {
    return fenceAfter(this.#fence, this.#line, opensLine);
  }

  get #openAfterLine(): OpenParts | undefined {
    const isQuoted = this.#fenceAfterLine !== undefined || this.#inThoughts;
    return isQuoted ? this.#open && openAfter(this.#open, this.#line, this.#openers) : nothingOpen;
  }
}

type OpenParts = ReadonlyMap<string, number>;

export const nothingOpen: OpenParts = new Map();

/** What is open after a line, by its closer; undefined: a closer is left over. */
export function openAfter(
  before: OpenParts,
  line: string,
  openers: ReadonlyMap<string, string>,
): OpenParts | undefined {
  let open = before;
  for (const [closer, opener] of openers) {
    let count = before.get(closer) ?? 0;
    const [first, ...rest] = line.split(closer);
    if (opener === closer) count = (count + rest.length) % 2;
    else {
      count += countOf(first, opener);
      for (const part of rest) {
        if (--count < 0) return undefined;
        count += countOf(part, opener);
      }
    }
    if (count !== (before.get(closer) ?? 0)) open = new Map([...open, [closer, count]]);
  }
  return open;
}

export const closersLeftOver =
  "closing tags are left over after the call, so its text may have ended too early; ask for the call again";
