import type { TextSource } from "../../machine/text-store.ts";

/** A text that is read up to a place, whatever of it is there. */
export class LimitedText implements TextSource {
  readonly #store: TextSource;
  limit = Number.POSITIVE_INFINITY;

  constructor(store: TextSource) {
    this.#store = store;
  }

  get end(): number {
    return Math.min(this.limit, this.#store.end);
  }

  slice(start: number, end: number): string {
    return this.#store.slice(start, Math.min(end, this.limit));
  }
}
