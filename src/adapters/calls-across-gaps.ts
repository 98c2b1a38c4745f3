import type { ParseEvent, Rejection } from "../contract/types.ts";
import { GrowingText } from "../machine/growing-text.ts";
import type { NativeRefusal } from "./native-arguments.ts";

/**
 * Remembers where something that is no text of the model stood between its texts: thoughts that a server has split off, a
 * call that it has read itself. A call that begins before such a place and ends after it was never written as one. Nor is one
 * the model's that ends in the turn of somebody else.
 */
export class CallsAcrossGaps {
  readonly #text: GrowingText;
  readonly #places: number[] = [];
  /** Where the turn of somebody else begins. */
  #turnEnd = Number.POSITIVE_INFINITY;
  /** The calls that were refused here. */
  readonly refused: Rejection[] = [];

  /** @param text Where somebody else adds what was pushed. */
  constructor(text = new GrowingText()) {
    this.#text = text;
  }

  /** The text so far. */
  get text(): string {
    return this.#text.toString();
  }

  get length(): number {
    return this.#text.length;
  }

  add(text: string): void {
    this.#text.add(text);
  }

  /** Something else stands here. */
  mark(): void {
    const { length } = this.#text;
    if (length > 0 && this.#places.at(-1) !== length) this.#places.push(length);
  }

  /** The turn of somebody else begins here. */
  endTurn(): void {
    this.mark();
    this.#turnEnd = Math.min(this.#turnEnd, this.#text.length);
  }

  get turnHasEnded(): boolean {
    return this.#turnEnd !== Number.POSITIVE_INFINITY;
  }

  /** The events with a refusal for each call across a gap, or in the turn of somebody else. */
  check(events: readonly ParseEvent[]): readonly ParseEvent[] {
    if (this.#places.length === 0 && !this.turnHasEnded) return events;
    return events.map((event) => {
      if (event.type !== "call-end") return event;
      const { start, end } = event.call;
      const why = end > this.#turnEnd ? ofAnotherTurn : this.#crossed(start, end) ? acrossGap : undefined;
      if (why === undefined) return event;
      return { type: "call-rejected", index: event.index, rejection: this.#refuse(event.call, why) };
    });
  }

  #crossed(start: number, end: number): boolean {
    return this.#places.some((place) => start < place && place < end);
  }

  #refuse({ name, start, end }: { name: string; start: number; end: number }, why: NativeRefusal): Rejection {
    const rejection: Rejection = { ...why, name, start, end, raw: this.text.slice(start, end) };
    this.refused.push(rejection);
    return rejection;
  }
}

const acrossGap: NativeRefusal = {
  reason: "malformed",
  message:
    "something other than text (thoughts, a refusal, or a call that the server has read) stands inside the call, so its " +
    "text was not written as one; ask for it again",
};

/** Why no call of the turn of somebody else is made. */
export const ofAnotherTurn: NativeRefusal = {
  reason: "after-turn",
  message: "the server says that another role than the assistant's has written it, so it is no call of the model's",
};
