import type { ParseEvent, Rejection } from "../contract/types.ts";
import { GrowingText } from "../machine/growing-text.ts";

/**
 * Remembers where something that is no text of the model stood between its texts: thoughts that a server has split off, a
 * call that it has read itself. A call that begins before such a place and ends after it was never written as one.
 */
export class CallsAcrossGaps {
  readonly #text: GrowingText;
  readonly #places: number[] = [];
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

  get isEmpty(): boolean {
    return this.#text.length === 0;
  }

  add(text: string): void {
    this.#text.add(text);
  }

  /** Something else stands here. */
  mark(): void {
    const { length } = this.#text;
    if (length > 0 && this.#places.at(-1) !== length) this.#places.push(length);
  }

  /** The events with a refusal for each call across a gap. */
  check(events: readonly ParseEvent[]): readonly ParseEvent[] {
    if (this.#places.length === 0) return events;
    return events.map((event) => {
      if (event.type !== "call-end" || !this.#crossed(event.call.start, event.call.end)) return event;
      return { type: "call-rejected", index: event.index, rejection: this.#refuse(event.call) };
    });
  }

  #crossed(start: number, end: number): boolean {
    return this.#places.some((place) => start < place && place < end);
  }

  #refuse({ name, start, end }: { name: string; start: number; end: number }): Rejection {
    const message =
      "something other than text (thoughts, a refusal, or a call that the server has read) stands inside the call, so its " +
      "text was not written as one; ask for it again";
    const raw = this.text.slice(start, end);
    const rejection: Rejection = { reason: "malformed", message, name, start, end, raw };
    this.refused.push(rejection);
    return rejection;
  }
}
