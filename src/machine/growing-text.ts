/** A run of small pieces is made one string at this length: fewer parts stay alive, and none of them for long. */
const tailCharsMax = 2048;

/** A text that grows by pieces and is read at its end. */
export class GrowingText {
  #text = "";
  #tail = "";

  add(piece: string): void {
    this.#tail += piece;
    if (this.#tail.length < tailCharsMax) return;
    this.#tail.charCodeAt(0); // flattens the rope
    this.#text += this.#tail;
    this.#tail = "";
  }

  get length(): number {
    return this.#text.length + this.#tail.length;
  }

  toString(): string {
    return this.#text + this.#tail;
  }
}
