import type { FormatData } from "../../formats/format-data.ts";
import type { Alternative } from "../readings/alternative.ts";
import { type TextSlices, type Turn, turnAt } from "../readings/turns.ts";

/** For which formats of a list the turn goes on: what begins another to some is text, or a block, to those that document it. */
export class OpenTurn {
  readonly #turns: readonly Turn[];
  readonly #text: TextSlices;
  /** Undefined: for all. */
  #owners: readonly FormatData[] | undefined;

  constructor(turns: readonly Turn[], text: TextSlices) {
    this.#turns = turns;
    this.#text = text;
  }

  /** A literal stands here, which may begin a turn to some of them. */
  note(start: number, end: number): void {
    if (this.#turns.length === 0) return;
    const owners = turnAt(this.#turns, this.#text.slice(start, end), this.#text, start)?.owners;
    if (owners) this.#owners = this.#owners?.filter((format) => owners.includes(format)) ?? owners;
  }

  /** An answer begins here for the formats that an opener belongs to: it is text, and none of their calls follows. */
  noteAnswer(begun: readonly Alternative[], all: readonly Alternative[]): void {
    this.#owners = this.of(all).flatMap((one) => (begun.some(({ format }) => format === one.format) ? [] : one.format));
  }

  /** Those of some formats for which it goes on. */
  of(alternatives: readonly Alternative[]): readonly Alternative[] {
    const owners = this.#owners;
    return owners === undefined ? alternatives : alternatives.filter(({ format }) => owners.includes(format));
  }
}
