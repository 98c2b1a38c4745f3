/** What has been found, by what it was asked for: so much is kept, and then it begins anew. */
export class Kept<Key, Found> extends Map<Key, Found> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  keep(key: Key, found: Found): Found {
    if (this.size >= this.#most) this.clear();
    this.set(key, found);
    return found;
  }
}
