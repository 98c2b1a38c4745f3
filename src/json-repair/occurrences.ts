/** Where a text holds something: every stretch is searched once, in whatever order the questions come. */
export class Occurrences {
  /** Characters searched so far. */
  searched = 0;
  readonly #find: (text: string, from: number) => number;
  /** In their order, all between {@link #from} and {@link #to}. */
  #places: number[] = [];
  #from = -1;
  #to = -1;

  /** `find` answers where it stands at or after an index, or -1. */
  constructor(find: (text: string, from: number) => number) {
    this.#find = find;
  }

  /** The first place at or after `at`; -1 if there is none. */
  next(text: string, at: number): number {
    if (this.#from < 0 || at < this.#from) {
      // Who has looked ahead comes back, and never before the beginning.
      this.#from = this.#from < 0 ? at : 0;
      this.#to = this.#from;
      this.#places = [];
    }
    const places = this.#places;
    const before = this.#to;
    while (this.#to < text.length && (places.length === 0 || places[places.length - 1] < at)) {
      const found = this.#find(text, this.#to);
      if (found >= 0) places.push(found);
      this.#to = found < 0 ? text.length : found + 1;
    }
    this.searched += this.#to - before;
    return placeFrom(places, at);
  }
}

function placeFrom(places: readonly number[], at: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low < places.length ? places[low] : -1;
}
