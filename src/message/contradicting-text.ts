import { mayStandBeforeFence } from "../machine/fence-containers.ts";
import { fenceAfter, fenceMarksMin, lineBreak } from "./fence-lines.ts";

/** What the text after a call may say against it: that the call has not ended where it seemed to. */
export interface Doubt {
  /** Why the call is refused then. */
  readonly message: string;
  /** Where the next piece of the text says so, or of thoughts; -1: nowhere. */
  contradictedAt(text: string, inThoughts: boolean): number;
  /** Another call follows that may have ended too early. */
  callFollows?(): void;
  /** The end of the text says so. */
  readonly contradictedByEnd?: boolean;
}

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
  readonly #holdsCloser: (line: string) => boolean;
  #line = "";
  #fence: string | undefined;
  #inThoughts = false;
  #hasCloser = false;

  /** @param holdsCloser whether a line holds a closer of the calls */
  constructor(holdsCloser: (line: string) => boolean) {
    this.#holdsCloser = holdsCloser;
  }

  contradictedAt(text: string, inThoughts: boolean): number {
    if (this.#inThoughts && !inThoughts) this.#hasCloser = false;
    this.#inThoughts = inThoughts;
    const [first, ...lines] = text.split(lineBreak);
    this.#line += first;
    for (const line of lines) {
      this.#endLine();
      this.#line = line;
    }
    return -1;
  }

  get contradictedByEnd(): boolean {
    return this.#hasCloserIn(fenceAfter(this.#fence, this.#line, false));
  }

  #endLine(): void {
    // One that begins within a line is none if nothing closes it.
    this.#fence = fenceAfter(this.#fence, this.#line, false);
    this.#hasCloser = this.#hasCloserIn(this.#fence);
  }

  /** @param fence what is open after the line */
  #hasCloserIn(fence: string | undefined): boolean {
    const isQuoted = fence !== undefined || this.#inThoughts;
    return isQuoted && (this.#hasCloser || this.#holdsCloser(this.#line));
  }
}

export const closersLeftOver =
  "closing tags are left over after the call, so its text may have ended too early; ask for the call again";

/** The first of some places that have been looked for; -1: none has been found. */
export function firstOf(places: readonly number[]): number {
  const found = places.filter((place) => place >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}
