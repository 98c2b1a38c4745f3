/** So many characters are encoded at once: fewer calls than one per record, and no text that lives long. */
const pieceChars = 1 << 13;

/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const bytesPerUnitMax = 3;

const encoder = new TextEncoder();

/** Records as bytes. They are encoded as they come: text that is kept to the end of a block costs the garbage collector. */
export class RecordBytes {
  #bytes = new Uint8Array(1 << 19);
  #length = 0;
  #pending = "";

  add(record: string): void {
    this.#pending += record;
    if (this.#pending.length >= pieceChars) this.#encode();
  }

  /** What was added, in a buffer of its own; nothing of it stays here. */
  take(): Uint8Array {
    this.#encode();
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  #encode(): void {
    const needed = this.#length + bytesPerUnitMax * this.#pending.length;
    if (needed > this.#bytes.length) {
      const bigger = new Uint8Array(2 * needed);
      bigger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = bigger;
    }
    this.#length += encoder.encodeInto(this.#pending, this.#bytes.subarray(this.#length)).written;
    this.#pending = "";
  }
}
