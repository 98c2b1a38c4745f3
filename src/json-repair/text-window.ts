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
import { Occurrences } from "./occurrences.ts";

/** No end marker is longer. */
const endMarkerCharsMax = 256;
const fenceMarks = "```";
/** What stands behind the marks that open a fence is no longer. */
const infoCharsMax = 64;
const isOfInfo = (code: number): boolean => code >= 0 && /[\w+#-]/.test(String.fromCharCode(code));

const findLineEnd = (text: string, from: number): number => text.indexOf("\n", from);
const findCommentEnd = (text: string, from: number): number => text.indexOf("*/", from);

function findCloser(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isCloser(text.charCodeAt(at))) at++;
  return at < text.length ? at : -1;
}

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
  // So that a flood of openers does not search for the ends of comments again and again. Few texts have comments.
  #lineEnds: Occurrences | undefined;
  #commentEnds: Occurrences | undefined;
  #closers: Occurrences | undefined;
  // What stands after a comment and all that is skipped with it, for the quotes in a flood of comments.
  #afterComment: Map<number, number> | undefined;

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
    this.#lineEnds = this.#commentEnds = this.#closers = undefined;
    this.#afterComment = undefined;
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
    let examined = 1;
    let comments: number[] | undefined;
    for (;;) {
      if (at >= text.length) {
        this.steps += examined;
        if (!this.ended) return WAIT;
        at = text.length;
        break;
      }
      const code = text.charCodeAt(at);
      if (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB) {
        // Where every value has its line, the next line ends a damaged one.
        const marker = this.#endBegins[code] === 0 ? 0 : this.markerAt(at);
        if (marker === WAIT) return WAIT;
        if (marker !== 0) break;
        at++;
        examined++;
        continue;
      }
      if (code > SPACE && code < 0x80 && code !== SLASH && code !== HASH && code !== BACKSLASH) break;
      const next = this.#skipOdd(at, code, report);
      if (next === WAIT) return WAIT;
      if (next === at) break;
      this.odd = true;
      examined++;
      at = next;
      if (code !== SLASH && code !== HASH) continue;
      const known = report === undefined ? this.#afterComment?.get(at) : undefined;
      if (known !== undefined) {
        at = known;
        break;
      }
      (comments ??= []).push(at);
    }
    this.steps += examined;
    if (comments !== undefined) {
      this.#afterComment ??= new Map();
      for (const comment of comments) this.#afterComment.set(comment, at);
    }
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
    const found = this.#next((this.#lineEnds ??= new Occurrences(findLineEnd)), at);
    if (found < 0 && !this.ended) return WAIT;
    const lineEnd = found < 0 ? this.text.length : found;
    const end = this.shortComments ? this.#nextCloser(at, lineEnd) : lineEnd;
    report?.("comment", at, end);
    return end;
  }

  #nextCloser(from: number, to: number): number {
    const closer = this.#next((this.#closers ??= new Occurrences(findCloser)), from);
    return closer < 0 || closer > to ? to : closer;
  }

  #next(places: Occurrences, at: number): number {
    const before = places.searched;
    const found = places.next(this.text, at);
    this.steps += places.searched - before;
    return found;
  }

  #skipBlockComment(at: number, report: BlankReport | undefined): number {
    const end = this.#next((this.#commentEnds ??= new Occurrences(findCommentEnd)), at + 2);
    if (end < 0 && !this.ended) return WAIT;
    if (end >= 0) {
      report?.("comment", at, end + 2);
      return end + 2;
    }
    report?.("cut-comment", at, this.text.length);
    return this.text.length;
  }

  /** Is there a line end in this stretch of blanks? */
  crossesLine(from: number, to: number): boolean {
    for (let index = from; index < to; index++) if (this.text.charCodeAt(index) === LINE_FEED) return true;
    return false;
  }

  /** First index that holds neither blank, comment nor comma; after so many of them, the next one. */
  skipCommas(index: number, commasMax = Number.POSITIVE_INFINITY): number {
    let at = index;
    for (let count = 0; ; count++) {
      at = this.skipBlanks(at);
      if (at === WAIT || this.at(at) !== COMMA || count >= commasMax) return at;
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
      if (this.text.startsWith(end, index)) {
        const word = end === fenceMarks ? this.#opensFence(index) : false;
        if (word === WAIT) return WAIT;
        if (!word) longest = end.length;
      } else if (!this.ended && this.text.length - index < end.length && end.startsWith(this.text.slice(index)))
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
    const word = this.#opensFence(index);
    return word === WAIT ? WAIT : word ? 0 : 3;
  }

  /** On a line of their own, with a word behind them, marks open a fence. */
  #opensFence(index: number): boolean | typeof WAIT {
    const before = index === 0 ? LINE_FEED : this.at(index - 1);
    if (before !== LINE_FEED && before !== CARRIAGE_RETURN && before !== SPACE) return false;
    const from = index + fenceMarks.length;
    let at = from;
    while (at - from < infoCharsMax && isOfInfo(this.at(at))) at++;
    if (at === from) return this.at(at) === WAIT ? WAIT : false;
    while (this.at(at) === SPACE || this.at(at) === TAB) at++;
    const code = this.at(at);
    return code === WAIT ? WAIT : code === LINE_FEED || code === CARRIAGE_RETURN;
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
