/**
 * Longest run of small chunks that is kept as a rope before it is copied flat. A slice of a rope copies all of it, so it is not long.
 */
const pieceChars = 1024;
/** What is asked for and longer than this is joined for good: whoever asks for all that is left asks again from a place after it. */
const joinedChars = 4 * pieceChars;

/** A text that is there up to an offset. */
export interface TextSource {
  /** Offset after the last character. */
  readonly end: number;
  /** The text from `start` to `end`. */
  slice(start: number, end: number): string;
}

/**
 * The part of the text that may still be asked for. Appending a chunk costs the chunk; a slice costs its length plus,
 * at most, one short piece at either end. Offsets are absolute.
 */
export class TextStore implements TextSource {
  #pieces: string[] = [];
  #starts: number[] = [];
  #tail = "";
  #tailStart = 0;
  #first = 0;
  /** The newest chunk: what is asked for stands in it more often than not, and to cut it copies nothing else. */
  #last = "";
  #lastStart = 0;
  /** What was asked for last of the text before that chunk: where something begins, several look at the same. */
  #asked = "";
  #askedStart = -1;
  #askedEnd = 0;

  /** Offset after the last character. */
  get end(): number {
    return this.#tailStart + this.#tail.length;
  }

  append(chunk: string): void {
    this.#last = chunk;
    this.#lastStart = this.end;
    this.#askedStart = -1;
    this.#tail += chunk;
    if (this.#tail.length >= pieceChars) {
      this.#tail.charCodeAt(0); // flattens the rope
      this.#pieces.push(this.#tail);
      this.#starts.push(this.#tailStart);
      this.#tailStart += this.#tail.length;
      this.#tail = "";
    }
  }

  /** The text from `start` to `end`, none where that is not after `start`; what has been released is gone. */
  slice(start: number, end: number): string {
    if (end <= start) return "";
    if (start >= this.#lastStart) return this.#last.slice(start - this.#lastStart, end - this.#lastStart);
    if (start === this.#askedStart && end === this.#askedEnd) return this.#asked;
    if (start >= this.#tailStart) {
      this.#askedStart = start;
      this.#askedEnd = end;
      this.#asked = this.#tail.slice(start - this.#tailStart, end - this.#tailStart);
      return this.#asked;
    }
    let at = this.#find(start);
    if (end - start > joinedChars && end > this.#starts[at] + this.#pieces[at].length) this.#join(at++, start);
    let out = this.#pieces[at].slice(start - this.#starts[at], end - this.#starts[at]);
    for (at++; at < this.#pieces.length && this.#starts[at] < end; at++) {
      out +=
        end - this.#starts[at] < this.#pieces[at].length
          ? this.#pieces[at].slice(0, end - this.#starts[at])
          : this.#pieces[at];
    }
    if (end > this.#tailStart) out += this.#tail.slice(0, end - this.#tailStart);
    return out;
  }

  /** Makes one piece of all from a place in a piece on; what stands before it may be let go by itself. */
  #join(at: number, start: number): void {
    const [first, ...others] = this.#pieces.splice(at);
    const before = start - this.#starts[at];
    this.#pieces.push(first.slice(0, before), [first.slice(before), ...others, this.#tail].join(""));
    this.#starts.length = at + 1;
    this.#starts.push(start);
    this.#tailStart = this.end;
    this.#tail = "";
  }

  /** Forgets what stands before an offset, in whole pieces. */
  release(upTo: number): void {
    while (this.#first < this.#pieces.length && this.#starts[this.#first] + this.#pieces[this.#first].length <= upTo) {
      this.#pieces[this.#first++] = "";
    }
    if (this.#first > 64 && this.#first * 2 > this.#pieces.length) {
      this.#pieces.splice(0, this.#first);
      this.#starts.splice(0, this.#first);
      this.#first = 0;
    }
  }

  #find(offset: number): number {
    let low = this.#first;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
