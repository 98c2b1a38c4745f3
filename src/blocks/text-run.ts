import { isHighSurrogate } from "../machine/string-units.ts";
import type { ReaderState } from "./state.ts";

const notBlank = /\S/;

/** Content or reasoning on its way to the owner: neighbouring pieces of one kind make one run. */
export class TextRun {
  readonly #state: ReaderState;
  #kind: "content" | "reasoning" | undefined;
  #start = 0;
  #end = 0;
  /** Up to where the owner has it. */
  #sent = 0;
  #isBlank = true;

  constructor(state: ReaderState) {
    this.#state = state;
  }

  /** White space alone is framing, so the blanks that begin a run are held until something else comes. */
  add(kind: "content" | "reasoning", from: number, end: number): void {
    const start = Math.max(from, this.#state.prefillEnd);
    if (start >= end) return;
    if (kind !== this.#kind || start !== this.#end) {
      this.end();
      this.#kind = kind;
      this.#start = this.#sent = start;
      this.#isBlank = true;
    }
    this.#end = end;
    if (this.#isBlank && notBlank.test(this.#state.slice(start, end))) this.#isBlank = false;
    if (this.#isBlank) return;
    let piece = this.#state.slice(this.#sent, end);
    // Half a surrogate pair waits for its partner.
    if (isHighSurrogate(piece.charCodeAt(piece.length - 1))) piece = piece.slice(0, -1);
    this.#sent += piece.length;
    if (piece !== "") this.#state.owner.text(kind, piece, this.#sent - piece.length - this.#state.prefillEnd);
  }

  /** The run ends here; blanks alone were none. */
  end(): void {
    const kind = this.#kind;
    this.#kind = undefined;
    if (kind === undefined || this.#isBlank) return;
    if (this.#sent < this.#end) {
      this.#state.owner.text(kind, this.#state.slice(this.#sent, this.#end), this.#sent - this.#state.prefillEnd);
    }
    const { start, end } = this.#state.span(this.#start, this.#end);
    this.#state.owner.textEnd(kind, start, end);
  }

  /** Forgets a run that is blank so far, and says where it began. */
  takeBlanks(): number | undefined {
    if (this.#kind === undefined || !this.#isBlank) return undefined;
    this.#kind = undefined;
    return this.#start;
  }

  /** What is open is no run after all. */
  drop(): void {
    this.#kind = undefined;
  }

  /** Text before this offset is no longer asked for. */
  get neededFrom(): number {
    if (this.#kind === undefined) return Number.POSITIVE_INFINITY;
    return this.#isBlank ? this.#start : this.#sent;
  }
}
