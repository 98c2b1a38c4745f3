const slots = 256;

/**
 * Keys that were read before. The same few keys come again and again in a long document; giving out one string for
 * each spares the engine from looking up every copy when it becomes a property name.
 */
export class KeyCache {
  readonly #keys: (string | undefined)[] = new Array<string | undefined>(slots).fill(undefined);

  /** The same as `text.slice(from, to)`; `to` is greater than `from`. */
  slice(text: string, from: number, to: number): string {
    const slot = ((to - from) * 31 + text.charCodeAt(from) * 7 + text.charCodeAt(to - 1)) & (slots - 1);
    const known = this.#keys[slot];
    if (known !== undefined && known.length === to - from && text.startsWith(known, from)) return known;
    const key = text.slice(from, to);
    this.#keys[slot] = key;
    return key;
  }
}
