import { TextStore } from "../machine/text-store.ts";

/** A text that is read up to a place, whatever of it is there. */
export class LimitedText extends TextStore {
  readonly #store: TextStore;
  limit = Number.POSITIVE_INFINITY;

  constructor(store: TextStore) {
    super();
    this.#store = store;
  }

  override get end(): number {
    return Math.min(this.limit, this.#store.end);
  }

  override slice(start: number, end: number): string {
    return this.#store.slice(start, Math.min(end, this.limit));
  }
}
