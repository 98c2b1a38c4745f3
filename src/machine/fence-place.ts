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

/** CommonMark 0.31, 4.2; GitHub Flavored Markdown 0.29, 4.10. */
const lineKind = (text: string) => (/^#{1,6}[ \t]/.test(text) ? "heading" : text[0] === "|" ? "row" : "text");

const listMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;
/** More blanks behind the mark of a list item belong to its content. */
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
    listMark.lastIndex = line.at;
    const mark = listMark.exec(prefix);
    if (mark === null) break;
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
 * @returns undefined where more text is needed to tell
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
  return (kind === "row" && line.unit === "|") || (!containers.includes("quote") && line.unit === ">");
}

/**
 * Whether the line that begins at an offset stands outside of what a fence stands in, and so ends it.
 *
 * @param final no more text will come
 * @returns undefined where more text is needed to tell
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
