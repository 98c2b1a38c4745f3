import { isHighSurrogate } from "../machine/string-units.ts";
import type { ReaderOwner } from "./reader-owner.ts";

const notBlank = /\S/;

/** The text that runs stand in, and who gets them. */
interface RunSource {
  readonly owner: ReaderOwner;
  readonly prefillEnd: number;
  slice(start: number, end: number): string;
  span(start: number, end: number): { start: number; end: number };
}

/** Content or reasoning on its way to the owner: neighbouring pieces of one kind make one run. */
export class TextRun {
  readonly #source: RunSource;
  #kind: "content" | "reasoning" | undefined;
  #start = 0;
  #end = 0;
  /** Up to where the owner has it. */
  #sent = 0;
  #isBlank = true;

  constructor(source: RunSource) {
    this.#source = source;
  }

  /** White space alone is framing, so the blanks that begin a run are held until something else comes. */
  add(kind: "content" | "reasoning", from: number, end: number): void {
    const start = Math.max(from, this.#source.prefillEnd);
    if (start >= end) return;
    if (kind !== this.#kind || start !== this.#end) {
      this.end();
      this.#kind = kind;
      this.#start = this.#sent = start;
      this.#isBlank = true;
    }
    this.#end = end;
    if (this.#isBlank && notBlank.test(this.#source.slice(start, end))) this.#isBlank = false;
    if (this.#isBlank) return;
    let piece = this.#source.slice(this.#sent, end);
    // Half a surrogate pair waits for its partner.
    if (isHighSurrogate(piece.charCodeAt(piece.length - 1))) piece = piece.slice(0, -1);
    this.#sent += piece.length;
    if (piece !== "") this.#source.owner.text(kind, piece, this.#sent - piece.length - this.#source.prefillEnd);
  }

  /** The run ends here; blanks alone were none. */
  end(): void {
    const kind = this.#kind;
    this.#kind = undefined;
    if (kind === undefined || this.#isBlank) return;
    if (this.#sent < this.#end) {
      this.#source.owner.text(kind, this.#source.slice(this.#sent, this.#end), this.#sent - this.#source.prefillEnd);
    }
    const { start, end } = this.#source.span(this.#start, this.#end);
    this.#source.owner.textEnd(kind, start, end);
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
