import type { FormatData } from "../../formats/format-data.ts";

/**
 * How far disambiguation may read what others may have to read again: as far as any sensible message needs, and in all so
 * often the length of the text. Else a text of nothing but openers would be read as often as it holds some.
 */
const readTwiceMin = 65_536;
const readTwicePerChar = 8;
const allowedAt = (end: number) => readTwiceMin + readTwicePerChar * end;

/** After so many the rest of the message is read without. */
const vainFramesMax = 8;
/** So many blocks of a message are read again to know more of the next. */
const proofsMax = 4;

/** So many calls that no marker opens may be read to their end, however long they are. */
const longPlacesMax = 4;

/** Bounds the work of one message: what is read twice, and what is tried in vain. */
export class LookaheadBudget {
  /** How much text has been read in disambiguation and then again, because it was not theirs. */
  #readTwice = 0;
  /** How much of it by which format, where it had begun nothing. */
  readonly #inVain = new Map<FormatData, number>();
  /** How often it was looked whether formats read a frame alike. */
  #proofs = 0;
  #longPlaces = 0;
  /** How often a frame has been tried in vain. */
  #vainFrames = 0;
  /** Where reading stopped last: a measure of how much has been read, whatever the chunks. */
  halted = 0;

  spend(chars: number): void {
    this.#readTwice += chars;
  }

  /** What is left where so much of the text has been read. */
  leftAt(end: number): number {
    return allowedAt(end) - this.#readTwice;
  }

  get mayReadTwice(): boolean {
    return this.leftAt(this.halted) > 0;
  }

  /** Whether one more place may be read further than that, as far as the message goes. */
  takeLongPlace(): boolean {
    return this.#longPlaces++ < longPlacesMax;
  }

  /** A format has read so far on from an opener that was none. */
  readInVain(format: FormatData, chars: number): void {
    this.#inVain.set(format, (this.#inVain.get(format) ?? 0) + chars);
  }

  /** Whether a format may read from one more opener: where nothing else says early that it is one, each costs the rest of the text. */
  mayRead(format: FormatData, end: number): boolean {
    return (this.#inVain.get(format) ?? 0) <= allowedAt(end);
  }

  frameInVain(): void {
    this.#vainFrames++;
  }

  get mayTryFrames(): boolean {
    return this.#vainFrames < vainFramesMax;
  }

  /** Whether one more block may be read again to know more of the next. */
  takeProof(): boolean {
    return this.#proofs++ < proofsMax;
  }
}
