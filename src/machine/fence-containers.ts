import { isLineBreak, lineBeginIn } from "./indent.ts";
import { matchAt } from "./match-at.ts";

/**
 * Where a fence or a code span stands: the block quotes and list items round it, outermost first, and how far a fence may be
 * indented in them. A list item is known by how many columns its content is indented (CommonMark 0.31, 5.1 and 5.2).
 */
export interface FencePlace {
  readonly containers: readonly ("quote" | number)[];
  readonly indentMax: number;
  /** What the line is: no code span goes on from a heading, or from one row of a table to the next. */
  readonly line: "heading" | "row" | "text";
}

/** What stands in nothing. */
export const plainPlace: FencePlace = { containers: [], indentMax: 3, line: "text" };

/** More of a line is not looked at for what a code span stands in. */
export const lineUnitsMax = 512;
/** So many marks begin a fence. */
export const fenceMarksMin = 3;
/** A fence that is indented further is none. */
export const fenceIndentMax = 60;
const fenceIndentUnits = " \t>-*+.)0123456789";
/** The containers of CommonMark (0.31, 5.1 and 5.2): block quotes and list items. */
const fenceIndent = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/;

/** Whether a unit may stand before a fence on its line, as far as one unit can tell. */
export const mayStandBeforeFence = (unit: string): boolean => fenceIndentUnits.includes(unit);

/** Whether a fence may begin after what stands before it on its line. */
export const mayBeginFence = (before: string | undefined): boolean => before !== undefined && fenceIndent.test(before);

/** Where lines begin: after a line break, where the message begins, and where reading was entered. */
export class LineBegins {
  /** Where the prefill ends, if the message begins a line there; else -1. */
  readonly replyBegin: number;
  /** What framing ends begins a line. */
  entered = -1;

  constructor(replyBegin: number) {
    this.replyBegin = replyBegin;
  }

  /** @param before the unit before the offset */
  isAt(offset: number, before: string | undefined): boolean {
    return offset === 0 || offset === this.replyBegin || offset === this.entered || isLineBreak(before);
  }

  /** Of the text before an offset what stands on its line, if it is nothing but what may stand before a fence. */
  beforeFence(text: string, end: number): string | undefined {
    const start = end - text.length;
    for (let at = text.length; ; at--) {
      if (this.isAt(start + at, text[at - 1])) return text.slice(at);
      if (at === 0 || text.length - at === fenceIndentMax || !mayStandBeforeFence(text[at - 1])) return undefined;
    }
  }

  /** Of the text before an offset what stands on its line; empty where that is too much. */
  lineTo(text: string, end: number): string {
    const start = end - text.length;
    let from = lineBeginIn(text);
    for (const edge of [this.replyBegin, this.entered]) if (edge > start + from && edge <= end) from = edge - start;
    return from === 0 && start > 0 ? "" : text.slice(from);
  }
}

/** CommonMark 0.31, 4.2; GitHub Flavored Markdown 0.29, 4.10. */
const lineKind = (text: string) => (/^#{1,6}[ \t]/.test(text) ? "heading" : text[0] === "|" ? "row" : "text");

const listMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;
/** A text that ends in one, or before it. */
const cutListMark = /^(?:[-*+]|\d{0,9}[.)]?)$/;
/** More blanks after the mark of a list item belong to its content. */
const gapMax = 4;
const tabColumns = 4;

/** Reads the beginning of a line; tabs count as the columns that they reach over. */
class LineStart {
  readonly #text: string;
  at: number;
  #column = 0;
  /** Columns of a tab that have not been taken. */
  #spare = 0;

  constructor(text: string, from: number) {
    this.#text = text;
    this.at = from;
  }

  get unit(): string | undefined {
    return this.#text[this.at];
  }

  get isWhole(): boolean {
    return this.#spare === 0;
  }

  take(length: number): void {
    this.at += length;
    this.#column += length;
  }

  /** Takes so many columns of blanks, or as many as there are. */
  blanks(most: number): number {
    for (let count = 0; count < most; count++) {
      if (this.#spare > 0) this.#spare--;
      else if (this.unit === "\t") {
        this.#spare = tabColumns - (this.#column % tabColumns) - 1;
        this.#column += this.#spare + 1;
        this.at++;
      } else if (this.unit === " ") this.take(1);
      else return count;
    }
    return most;
  }
}

/** @param prefix what stands before it on its line */
export function fencePlace(prefix: string): FencePlace {
  const line = new LineStart(prefix, 0);
  const containers: ("quote" | number)[] = [];
  let indent = line.blanks(prefix.length * tabColumns);
  while (line.at < prefix.length) {
    if (line.unit === ">") {
      line.take(1);
      line.blanks(1);
      containers.push("quote");
      indent = line.blanks(prefix.length * tabColumns);
      continue;
    }
    const mark = matchAt(listMark, prefix, line.at);
    if (mark === undefined) break;
    line.take(mark[0].length);
    const gap = line.blanks(prefix.length * tabColumns);
    const width = gap > gapMax ? 1 : gap;
    containers.push(indent + mark[0].length + width);
    indent = gap - width;
  }
  return {
    containers,
    indentMax: indent > plainPlace.indentMax ? Number.POSITIVE_INFINITY : plainPlace.indentMax,
    line: lineKind(prefix.slice(line.at)),
  };
}

/**
 * Whether a code span ends before the line that begins at an offset, for what it stands in: a line may leave out the marks of
 * what a paragraph stands in, but not add a block quote (CommonMark 0.31, 5.1).
 *
 * @param final no more text will come
 * @returns undefined where more text is needed
 */
export function endsCodeBefore(
  { containers, line: kind }: FencePlace,
  text: string,
  from: number,
  final: boolean,
): boolean | undefined {
  if (kind === "heading") return true;
  const line = new LineStart(text, from);
  line.blanks(plainPlace.indentMax);
  if (line.unit === undefined && !final) return undefined;
  if ((kind === "row" && line.unit === "|") || (!containers.includes("quote") && line.unit === ">")) return true;
  if (!containers.some((container) => container !== "quote")) return false;
  while (takesQuote(line));
  if (!final && cutListMark.test(text.slice(line.at))) return undefined;
  // In a list any number begins the next item; a list that interrupts a paragraph begins with 1.
  return matchAt(listMark, text, line.at) !== undefined;
}

/**
 * Whether the line that begins at an offset stands outside of what a fence stands in, and so ends it.
 *
 * @param final no more text will come
 * @returns undefined where more text is needed
 */
export function leavesPlace(
  { containers }: FencePlace,
  text: string,
  from: number,
  final: boolean,
): boolean | undefined {
  const line = new LineStart(text, from);
  for (const [index, container] of containers.entries()) {
    const isIn = container === "quote" ? takesQuote(line) : line.blanks(container) === container;
    if (line.unit === undefined) return final ? false : undefined;
    if (isIn) continue;
    // An empty line ends no list item, but every quotation.
    const isEmpty = line.unit === "\n" || line.unit === "\r";
    return !isEmpty || containers.includes("quote", index);
  }
  return false;
}

/** Whether what stands on a line before an offset is what stands before a mark that closes the fence. */
export function isInPlace({ containers, indentMax }: FencePlace, before: string): boolean {
  const line = new LineStart(before, 0);
  for (const container of containers) {
    if (!(container === "quote" ? takesQuote(line) : line.blanks(container) === container)) return false;
  }
  line.blanks(indentMax === Number.POSITIVE_INFINITY ? before.length * tabColumns : indentMax);
  return line.at === before.length && line.isWhole;
}

function takesQuote(line: LineStart): boolean {
  line.blanks(plainPlace.indentMax);
  if (line.unit !== ">") return false;
  line.take(1);
  line.blanks(1);
  return true;
}

const fenceMark = /`{3,}|~{3,}/g;

/** Whether a fence that begins in a text is open at its end. Of what surrounds it nothing is known. */
export function leavesFenceOpen(text: string): boolean {
  let open: { mark: string; lineStart: number } | undefined;
  let lineStart = 0;
  /** Up to where the text has been read. */
  let to = 0;
  for (const { 0: mark, index } of text.matchAll(fenceMark)) {
    const begin = lineBeginIn(text, index, to);
    // Marks before it on its line may not stand before it.
    const isFirst = to === 0 || begin > to;
    if (isFirst) lineStart = begin;
    to = index + mark.length;
    if (open === undefined) {
      open = { mark, lineStart };
      continue;
    }
    const mayClose = lineStart === open.lineStart || (isFirst && mayStandBefore.test(text.slice(lineStart, index)));
    if (mayClose && mark[0] === open.mark[0] && mark.length >= open.mark.length) open = undefined;
  }
  return open !== undefined;
}

/** What may stand before the marks that close a fence: blanks, and the marks of block quotes and list items. */
const mayStandBefore = /^[\s>*+\-\d.)]*$/;
