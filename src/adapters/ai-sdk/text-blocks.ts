/**
 * The text of a stream in the order of a whole result: its blocks as they began, each to its end. One that begins before
 * another has ended waits for it, so that their pieces never mix.
 */
export class TextBlocks {
  /** The blocks that are open, and what waits of them; the first is the one that is read. */
  readonly #open = new Map<unknown, { waiting: string; hasEnded: boolean }>();

  start(id: unknown): void {
    if (!this.#open.has(id)) this.#open.set(id, { waiting: "", hasEnded: false });
  }

  /** @returns what is read now: the piece, or nothing while it waits */
  add(id: unknown, piece: string): string {
    this.start(id);
    const [[first]] = this.#open;
    if (first === id) return piece;
    (this.#open.get(id) as { waiting: string }).waiting += piece;
    return "";
  }

  /** @returns what has waited for the end of the block */
  end(id: unknown): string {
    const ending = this.#open.get(id);
    if (ending !== undefined) ending.hasEnded = true;
    let text = "";
    for (const [key, block] of this.#open) {
      text += block.waiting;
      block.waiting = "";
      if (!block.hasEnded) break;
      this.#open.delete(key);
    }
    return text;
  }

  /** The stream has ended. @returns what still waits */
  endAll(): string {
    return [...this.#open.keys()].map((id) => this.end(id)).join("");
  }
}
