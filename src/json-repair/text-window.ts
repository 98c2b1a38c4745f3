import {
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  CARRIAGE_RETURN,
  COMMA,
  DOT,
  ELLIPSIS,
  END,
  HASH,
  isBlank,
  isCloser,
  isOddBlank,
  LINE_FEED,
  SLASH,
  SPACE,
  TAB,
  TILDE,
  WAIT,
} from "./characters.ts";

/** No end marker is longer. */
const endMarkerCharsMax = 256;

/** Told of everything between tokens that strict JSON would not allow there. */
export type BlankReport = (
  kind: "odd-blank" | "escaped-blank" | "comment" | "cut-comment",
  from: number,
  to: number,
) => void;

/**
 * The part of the text that is still of interest: what has come and was not consumed, with one character before it.
 * All indexes are into {@link text}; `offset` turns them into offsets of the whole text. Look-ahead that needs text
 * which has not come answers {@link WAIT}, so an answer never depends on how the text was cut into chunks.
 */
export class TextWindow {
  text = "";
  /** Offset of the first character of {@link text} in the whole text. */
  offset: number;
  /** No more text will come. */
  ended = false;
  /** Characters examined so far, look-ahead included. */
  steps = 0;
  /** Set when {@link skipBlanks} passed something that strict JSON would not allow there. */
  odd = false;
  /** The character of the fence that was opened before the value, or 0: three of them end it. */
  fence = 0;
  /** A comment up to the line end ends before a closing bracket: its line holds the rest of the value. */
  shortComments = false;
  readonly #ends: readonly string[];
  /** Which ASCII characters begin an end marker; all others are asked one by one. */
  readonly #endBegins = new Uint8Array(128);
  // Where the next line end and the next comment end are, so that a flood of openers does not search for them again.
  #lineEndFrom = -1;
  #lineEnd = -1;
  #commentEndFrom = -1;
  #commentEnd = -1;

  constructor(offset: number, ends: readonly string[]) {
    this.offset = offset;
    this.#ends = ends.filter((end) => end.length > 0);
    for (const end of this.#ends) if (end.charCodeAt(0) < 128) this.#endBegins[end.charCodeAt(0)] = 1;
  }

  /** Adds text and forgets what lies more than one character before `consumed`; returns by how much indexes shrink. */
  append(chunk: string, consumed: number): number {
    const drop = Math.max(0, consumed - 1);
    this.text = drop === 0 ? this.text + chunk : this.text.slice(drop) + chunk;
    this.offset += drop;
    this.#lineEndFrom = -1;
    this.#commentEndFrom = -1;
    return drop;
  }

  at(index: number): number {
    return index < this.text.length ? this.text.charCodeAt(index) : this.ended ? END : WAIT;
  }

  /** First index at or after `index` that holds neither white space nor a comment; the text's length at its end. */
  skipBlanks(index: number, report?: BlankReport): number {
    // Mostly there is none.
    const code = this.text.charCodeAt(index);
    if (code > SPACE && code < 0x80 && code !== SLASH && code !== HASH && code !== BACKSLASH) {
      this.steps++;
      return index;
    }
    return this.#skipBlanks(index, report);
  }

  #skipBlanks(index: number, report: BlankReport | undefined): number {
    const text = this.text;
    let at = index;
    for (;;) {
      if (at >= text.length) {
        this.steps += at - index + 1;
        return this.ended ? text.length : WAIT;
      }
      const code = text.charCodeAt(at);
      if (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB) {
        // Where every value has its line, the next line ends a damaged one.
        const marker = this.#endBegins[code] === 0 ? 0 : this.markerAt(at);
        if (marker === WAIT) return WAIT;
        if (marker !== 0) break;
        at++;
        continue;
      }
      if (code > SPACE && code < 0x80 && code !== SLASH && code !== HASH && code !== BACKSLASH) break;
      const next = this.#skipOdd(at, code, report);
      if (next === WAIT) return WAIT;
      if (next === at) break;
      this.odd = true;
      at = next;
    }
    this.steps += at - index + 1;
    return at;
  }

  #skipOdd(at: number, code: number, report: BlankReport | undefined): number {
    if (code === SLASH) {
      const next = this.at(at + 1);
      if (next === WAIT) return WAIT;
      if (next === SLASH) return this.#skipLineComment(at, report);
      if (next === ASTERISK) return this.#skipBlockComment(at, report);
      return next === END ? this.#skipCut(at, report) : at;
    }
    if (code === HASH) {
      // Elsewhere it is a fragment or a colour, not a comment.
      const before = at === 0 ? LINE_FEED : this.text.charCodeAt(at - 1);
      return isBlank(before) || isOddBlank(before) ? this.#skipLineComment(at, report) : at;
    }
    if (code === BACKSLASH) {
      const next = this.at(at + 1);
      if (next === WAIT) return WAIT;
      if (next === END) return this.#skipCut(at, report);
      if (next !== 0x6e && next !== 0x72 && next !== 0x74) return at;
      report?.("escaped-blank", at, at + 2);
      return at + 2;
    }
    if (!isOddBlank(code)) return at;
    report?.("odd-blank", at, at + 1);
    return at + 1;
  }

  /** The first half of a comment or of an escaped line end, and the text is over. */
  #skipCut(at: number, report: BlankReport | undefined): number {
    report?.("cut-comment", at, this.text.length);
    return this.text.length;
  }

  #skipLineComment(at: number, report: BlankReport | undefined): number {
    if (this.#lineEndFrom < 0 || at < this.#lineEndFrom || (this.#lineEnd >= 0 && at > this.#lineEnd)) {
      this.#lineEnd = this.text.indexOf("\n", at);
      this.#lineEndFrom = at;
      this.steps += (this.#lineEnd < 0 ? this.text.length : this.#lineEnd) - at;
    }
    if (this.#lineEnd < 0 && !this.ended) {
      this.#lineEndFrom = -1;
      return WAIT;
    }
    const lineEnd = this.#lineEnd < 0 ? this.text.length : this.#lineEnd;
    const end = this.shortComments ? this.#nextCloser(at, lineEnd) : lineEnd;
    report?.("comment", at, end);
    return end;
  }

  #nextCloser(from: number, to: number): number {
    let at = from;
    while (at < to && !isCloser(this.text.charCodeAt(at))) at++;
    this.steps += at - from;
    return at;
  }

  #skipBlockComment(at: number, report: BlankReport | undefined): number {
    const from = at + 2;
    if (this.#commentEndFrom < 0 || from < this.#commentEndFrom || (this.#commentEnd >= 0 && from > this.#commentEnd)) {
      this.#commentEnd = this.text.indexOf("*/", from);
      this.#commentEndFrom = from;
      this.steps += (this.#commentEnd < 0 ? this.text.length : this.#commentEnd) - at;
    }
    if (this.#commentEnd >= 0) {
      report?.("comment", at, this.#commentEnd + 2);
      return this.#commentEnd + 2;
    }
    if (!this.ended) {
      this.#commentEndFrom = -1;
      return WAIT;
    }
    report?.("cut-comment", at, this.text.length);
    return this.text.length;
  }

  /** Is there a line end in this stretch of blanks? */
  crossesLine(from: number, to: number): boolean {
    for (let index = from; index < to; index++) if (this.text.charCodeAt(index) === LINE_FEED) return true;
    return false;
  }

  /** First index that holds neither blank, comment nor comma. */
  skipCommas(index: number): number {
    let at = index;
    for (;;) {
      at = this.skipBlanks(at);
      if (at === WAIT || this.at(at) !== COMMA) return at;
      at++;
    }
  }

  /** Length of the longest end marker that stands at `index`, 0 if there is none, or {@link WAIT}. */
  markerAt(index: number): number {
    if (this.fence !== 0 && this.at(index) === this.fence) return this.#fenceAt(index);
    const code = this.at(index);
    if (code < 0 || (code < 128 && this.#endBegins[code] === 0)) return 0;
    let longest = 0;
    for (const end of this.#ends) {
      if (end.charCodeAt(0) !== code || end.length <= longest) continue;
      this.steps += 1;
      if (this.text.startsWith(end, index)) longest = end.length;
      else if (!this.ended && this.text.length - index < end.length && end.startsWith(this.text.slice(index)))
        return WAIT;
    }
    return longest;
  }

  /** Is half an end marker all that is left of the text? */
  endsInMarker(index: number): boolean {
    const rest = this.text.slice(index, index + endMarkerCharsMax);
    return this.ended && index + rest.length === this.text.length && this.#ends.some((end) => end.startsWith(rest));
  }

  /** Whether three backticks or tildes stand at `index`: their number, 0, or {@link WAIT}. */
  fenceLength(index: number): number {
    const code = this.at(index);
    if (code !== BACKTICK && code !== TILDE) return 0;
    for (let next = index + 1; next < index + 3; next++) {
      if (this.at(next) !== code) return this.at(next) === WAIT ? WAIT : 0;
    }
    return 3;
  }

  #fenceAt(index: number): number {
    for (let next = index + 1; next < index + 3; next++) {
      const code = this.at(next);
      if (code === END) return next - index; // cut in the fence
      if (code !== this.fence) return code === WAIT ? WAIT : 0;
    }
    return 3;
  }

  /** Length of an ellipsis at `index` (three or more dots, or the character), 0 if there is none, or {@link WAIT}. */
  ellipsisAt(index: number): number {
    if (this.at(index) === ELLIPSIS) return 1;
    let dots = 0;
    while (dots < 3) {
      const code = this.at(index + dots);
      if (code === WAIT) return dots === 0 ? 0 : WAIT;
      if (code !== DOT) return 0;
      dots++;
    }
    return 3;
  }
}
