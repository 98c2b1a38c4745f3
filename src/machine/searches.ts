interface Search {
  /** From here on it is in vain. */
  vainFrom: number;
  /** Between these it has found something: at the second. */
  foundFrom: number;
  foundAt: number;
}

/**
 * What searches of a grammar have found in the text: `vainX`, `foundX` and `searchedX` of grammars/shared/primitives.peggy. Many damaged
 * calls would search the same text, each to its end.
 */
export class Searches {
  #known: Map<string, Search> | undefined;
  #begun = 0;

  isVain(search: number, key: string, at: number): boolean {
    const known = this.#known?.get(`${search} ${key}`);
    return known !== undefined && at >= known.vainFrom;
  }

  /** False: a search begins. */
  isFound(search: number, key: string, at: number): boolean {
    this.#begun = at;
    const known = this.#known?.get(`${search} ${key}`);
    return known !== undefined && at >= known.foundFrom && at <= known.foundAt;
  }

  /** The search that has begun last ends: where it began, it was in vain. */
  end(search: number, key: string, at: number): void {
    this.#known ??= new Map();
    const name = `${search} ${key}`;
    let known = this.#known.get(name);
    if (known === undefined)
      this.#known.set(name, (known = { vainFrom: Number.POSITIVE_INFINITY, foundFrom: 0, foundAt: -1 }));
    if (at === this.#begun) known.vainFrom = Math.min(known.vainFrom, at);
    else {
      known.foundFrom = this.#begun;
      known.foundAt = at;
    }
  }

  /** Another text follows. */
  forget(): void {
    this.#known = undefined;
  }
}
