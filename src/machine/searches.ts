interface Search {
  /** From here on it is in vain. */
  vainFrom: number;
  /** Between these it has found something: at the second. */
  foundFrom: number;
  foundAt: number;
}

/**
 * What searches of a grammar have found in the text: `vainX`, `foundX` and `searchedX` of grammars/shared/searches.peggy. Many damaged
 * calls would search the same text, each to its end.
 */
export class Searches {
  #known: Map<string, Search> | undefined;
  #begun = 0;

  isVain(search: number, key: string | undefined, at: number): boolean {
    const known = this.#known?.get(nameOf(search, key));
    return known !== undefined && at >= known.vainFrom;
  }

  /** False: a search begins. */
  isFound(search: number, key: string | undefined, at: number): boolean {
    this.#begun = at;
    const known = this.#known?.get(nameOf(search, key));
    return known !== undefined && at >= known.foundFrom && at <= known.foundAt;
  }

  /** The search that has begun last ends: where it began, it was in vain. */
  end(search: number, key: string | undefined, at: number): void {
    this.#known ??= new Map();
    const name = nameOf(search, key);
    const known = this.#known.get(name) ?? { vainFrom: Number.POSITIVE_INFINITY, foundFrom: 0, foundAt: -1 };
    if (at === this.#begun) known.vainFrom = Math.min(known.vainFrom, at);
    else {
      known.foundFrom = this.#begun;
      known.foundAt = at;
    }
    this.#known.set(name, known);
  }

  /** Another text follows. */
  forget(): void {
    this.#known = undefined;
  }
}

const nameOf = (search: number, key = "") => `${search} ${key}`;
