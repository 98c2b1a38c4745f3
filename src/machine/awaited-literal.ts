/** A literal inside which the text has ended: until it is whole, or is none, nothing is known. */
export class AwaitedLiteral {
  #literal = "";
  #came = 0;

  /** @param came how much of it is there */
  begin(literal: string, came: number): void {
    this.#literal = literal;
    this.#came = came;
  }

  /** Nothing is awaited any more. */
  end(): void {
    this.#literal = "";
  }

  get isOpen(): boolean {
    return this.#literal.length > 0;
  }

  /** What has come of it after so many units. */
  after(units: number): string {
    return this.#literal.slice(units, this.#came);
  }

  /** Whether a chunk only goes on with it, and not to its end. */
  keeps(chunk: string): boolean {
    const came = this.#came + chunk.length;
    if (came >= this.#literal.length || !this.#literal.startsWith(chunk, this.#came)) return false;
    this.#came = came;
    return true;
  }
}
