import { fenceMarksMin, mayStandBeforeFence } from "../../machine/fence-containers.ts";

/**
 * A code span, or a string of a value, that thoughts or a pair of tags have left open: their closer may be a word in it. The same marks
 * end it, in its paragraph or on its line, and calls before them stand in it.
 */
export class OpenSpan {
  readonly #marks: string;
  #hasCall = false;
  /** So many of the marks stand in a row. */
  #run = 0;
  /** Nothing but what a fence may stand behind is on the line. */
  #isBlank = false;
  /** The marks, or the end of the paragraph or line, have come. */
  isOver = false;

  constructor(marks: string) {
    this.#marks = marks;
  }

  callFollows(): void {
    this.#endRun();
    this.#hasCall = true;
    this.#isBlank = false;
  }

  /** Where a piece of the text contradicts calls before it; -1: it does not. */
  contradictedAt(piece: string): number {
    for (let at = 0; at < piece.length && !this.isOver; at++) {
      const unit = piece[at];
      if (unit === this.#marks[0]) {
        this.#run++;
        continue;
      }
      if (this.#endRun(unit)) return at;
      if (unit === "\n") {
        this.isOver ||= this.#isBlank || this.#marks[0] !== "`";
        this.#isBlank = true;
      } else if (!mayStandBeforeFence(unit)) this.#isBlank = false;
    }
    return -1;
  }

  /** The end of the text, or a call, follows. */
  get contradictedByEnd(): boolean {
    return this.#endRun();
  }

  /** @param next directly behind the marks: with a word there they begin a fence of their own */
  #endRun(next = ""): boolean {
    const closes = !this.isOver && this.#run === this.#marks.length;
    const beginsFence = this.#isBlank && this.#run >= fenceMarksMin && ofWord.test(next);
    this.#run = 0;
    this.isOver ||= closes;
    return closes && !beginsFence && this.#hasCall;
  }
}

/** Whether it goes on over a text. */
export function goesOnOver(marks: string, text: string): boolean {
  const span = new OpenSpan(marks);
  span.contradictedAt(text);
  span.callFollows();
  return !span.isOver;
}

const ofWord = /\w/;
