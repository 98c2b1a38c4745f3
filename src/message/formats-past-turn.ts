import type { FormatData } from "../formats/format-data.ts";
import type { TextSource } from "../machine/text-store.ts";
import type { Alternative } from "./alternative.ts";
import { type MessageSets, turnGapMax } from "./message-sets.ts";

/** What some formats of a list document, and to the others begins another turn: calls of those end there. */
export class FormatsPastTurn {
  readonly #sets: MessageSets;
  readonly #store: TextSource;
  /** A turn has begun for the other formats of the list: these alone read on. */
  #owners: readonly FormatData[] | undefined;

  constructor(sets: MessageSets, store: TextSource) {
    this.#sets = sets;
    this.#store = store;
  }

  /** Whether a literal that stands here begins a turn to some formats of the list. */
  note(start: number, end: number): void {
    if (this.#sets.ownTurns.length === 0) return;
    const text = this.#store.slice(start, end);
    const turn = this.#sets.ownTurns.find(({ token }) => text.startsWith(token) || text.trimStart().startsWith(token));
    if (turn === undefined) return;
    const before = this.#store.slice(Math.max(0, start - turnGapMax), start).trimEnd();
    if (!turn.isAlone && !this.#sets.endsOfTurns.some((token) => before.endsWith(token))) return;
    const { owners } = turn;
    this.#owners = this.#owners?.filter((format) => owners.includes(format)) ?? owners;
  }

  /** An answer begins here for the formats that an opener belongs to: it is text, and none of their calls follows. */
  noteAnswer(begun: readonly Alternative[], all: readonly Alternative[]): void {
    const isOther = ({ format }: Alternative) => !begun.some((one) => one.format === format);
    const others = this.among(all).filter(isOther);
    this.#owners = others.map(({ format }) => format);
  }

  /** Those of some formats to which no turn has ended. */
  among(alternatives: readonly Alternative[]): readonly Alternative[] {
    const owners = this.#owners;
    return owners === undefined ? alternatives : alternatives.filter(({ format }) => owners.includes(format));
  }
}
