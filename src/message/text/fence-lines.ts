/**
 * Fences by lines: marks that a line begins with, after what a fence may stand in. What surrounds them is not looked at.
 * This is the coarser recogniser beside the grammar's (`grammars/message/fences-and-code-spans.peggy`), used where only a
 * doubt is raised: a fence that it finds may refuse a call, and lets none through.
 */

import { fencePlace, isInPlace, leavesPlace } from "../../machine/fence-containers.ts";
import type { TextSource } from "../../machine/text-store.ts";
import { mayHoldFences } from "./fence-info.ts";
import { OpenSpan } from "./open-span.ts";

const fenceLine = /^([ \t>*+\-.)\d]*)(`{3,}|~{3,})(.*)$/;
/** Framing may stand after the marks that close a fence. */
const framing = /^[ \t]*[<[]/;

export const lineBreak = /\r\n?|\n/;

/** Marks of a fence that is open. */
export interface OpenMarks {
  readonly marks: string;
  /** What stands before them on their line: the fence stands in that, and so do the marks that close it; undefined: it begins within the line. */
  readonly before: string | undefined;
}

interface FenceMarks extends OpenMarks {
  /** What stands after them on their line. */
  readonly rest: string;
}

const mayHaveMarks = (text: string): boolean => text.includes("```") || text.includes("~~~");

/** The marks of a line that may open or close a fence; undefined: it holds none. */
function marksOf(line: string): FenceMarks | undefined {
  if (!mayHaveMarks(line)) return undefined;
  const [, before, marks, rest] = fenceLine.exec(line) ?? [];
  if (marks !== undefined) return { marks, rest: framing.test(rest) ? "" : rest, before };
  const [, within, word] = (line.split("```").length === 2 && fenceInLine.exec(line)) || [];
  return within === undefined ? undefined : { marks: within, rest: word, before: undefined };
}

/** As CommonMark has it, as far as what the fence stands in is known. */
const closes = ({ marks, rest, before }: FenceMarks, open: OpenMarks): boolean =>
  before !== undefined &&
  marks.startsWith(open.marks) &&
  rest.trim() === "" &&
  (open.before === undefined || isInPlace(fencePlace(open.before), before));

const opens = ({ marks, rest }: FenceMarks): boolean => marks[0] !== "`" || !rest.includes("`");

/** To CommonMark they stand at the beginning of their line. */
export const opensLine = (found: FenceMarks): boolean => opens(found) && found.before !== undefined;

/** To a reader what stands behind them may hold code spans. */
const opensToReader = ({ marks, rest }: FenceMarks): boolean => !rest.includes(marks);

/** The fence that is open after a line; undefined: none is. @param mayOpen which marks begin one; absent: also those within a line */
export function fenceAfter(open: OpenMarks | undefined, line: string, mayOpen = opens): OpenMarks | undefined {
  const found = marksOf(line);
  if (found === undefined) return open;
  if (open !== undefined) return closes(found, open) ? undefined : open;
  return mayOpen(found) ? found : undefined;
}

/**
 * It begins within a line: nothing follows but one word and its settings. No unit may belong to two parts of it, or each way to
 * part them would be tried.
 */
const fenceInLine = /(`{3,})([ \t]*(?:[\w.+#-]*[\w+#-][ \t]*)?|(?:[\w.+#-]*[\w+#-])?[ \t][^`={]*[={][^`]*)$/;

/** The mark of the fence that a text leaves open; undefined: none. */
export function openFenceIn(text: string): string | undefined {
  let open: OpenMarks | undefined;
  if (!mayHaveMarks(text)) return undefined;
  for (const line of text.split(lineBreak)) open = fenceAfter(open, line);
  return open?.marks[0];
}

/** The fences of a text from a place on, read as far as they are asked about. */
export class CountedFences {
  readonly #store: TextSource;
  readonly #closers: readonly string[];
  #to: number;
  #line = "";
  /** What was left out of it holds a closer. */
  #hasCloserInLine = false;
  /** What is open to each of {@link readings}. */
  #open: readonly (OpenMarks | undefined)[] = readings.map(() => undefined);
  /** One of the closers stands in a fence. */
  hasCloser = false;

  /** @param closers those of what the text stands in */
  constructor(store: TextSource, from: number, closers: readonly string[]) {
    this.#store = store;
    this.#to = from;
    this.#closers = closers;
  }

  /** The marks of the fence that is open at a place; undefined: none is. */
  openAt(at: number): string | undefined {
    this.readTo(at);
    return this.#openAfterLine.find((open) => open !== undefined)?.marks;
  }

  /** Marks before a place, on its line, close a fence. */
  closeAt(at: number): boolean {
    return this.openAt(at) === undefined && this.#open.some((open) => open !== undefined);
  }

  get #openAfterLine(): readonly (OpenMarks | undefined)[] {
    const line = endsOf(this.#line);
    return this.#open.map((open, at) => fenceAfter(open, line, readings[at]));
  }

  readTo(end: number): void {
    if (end <= this.#to) return;
    const lines = (this.#line + this.#store.slice(this.#to, end)).split(lineBreak);
    this.#to = end;
    const last = lines.pop() as string;
    for (const line of lines) {
      this.#line = line;
      this.#open = this.#open.map((open) => (open && leaves(open, line) ? undefined : open));
      this.#open = this.#openAfterLine;
      this.hasCloser ||= this.#open.some((open) => open !== undefined) && this.#lineHasCloser(line);
      this.#hasCloserInLine = false;
    }
    // It may be looked at for each closer in it.
    if (last.length > lineCharsMax * 3) this.#hasCloserInLine = this.#lineHasCloser(last);
    this.#line = last.length > lineCharsMax * 3 ? endsOf(last) : last;
  }

  #lineHasCloser(line: string): boolean {
    return this.#hasCloserInLine || this.#closers.some((closer) => line.includes(closer));
  }
}

/** Which marks begin a fence to CommonMark, but within lines, and to a reader. */
const readings = [opens, opensToReader];

/** A line stands outside of what a fence stands in. */
const leaves = ({ before }: OpenMarks, line: string): boolean =>
  before !== undefined && leavesPlace(fencePlace(before), line, 0, true) === true;

/** Both ends of a line say whether it holds marks of a fence. */
const endsOf = (line: string): string =>
  line.length <= lineCharsMax * 2 ? line : line.slice(0, lineCharsMax) + line.slice(-lineCharsMax);

/** The fence that is open to one reading of a text; undefined: none is. */
type OpenFence =
  | (OpenMarks & {
      /** It begins within a line, where CommonMark has none. */
      readonly isInLine: boolean;
      /** Its word says that it is a document with marks of its own. */
      readonly isDocument: boolean;
      /** A fence in it: it is open, or was. */
      readonly inner: "open" | "closed" | undefined;
      /** One of those has a word: that closes nothing. */
      readonly holdsWord: boolean;
      /** A call stands in it. */
      readonly hasCall: boolean;
    })
  | undefined;

/**
 * How else the fences of a text may be read than CommonMark has them. Models show documents in a fence that hold fences with as many
 * marks: to CommonMark the first that stand alone close the document, to whoever wrote it they close, or open, one in it. And
 * what has been closed may have left a fence open. Calls that stand in a fence of such a reading are quoted there, once marks
 * close it, or where the document holds a fence with a word, which only its own end would close.
 */
export class FenceReadings {
  readonly message =
    "what stands before the call may have opened a fence, a code span or a string that is closed after it, so it may be quoted; ask for the call again";
  readonly enclosureMessage =
    "what stands before the call is quoted in a fence only if CommonMark is followed, and may open thoughts, a quotation or another turn; ask for the call again";
  /** As CommonMark has it. */
  #plain: OpenFence;
  #others: readonly OpenFence[] = [];
  /** What has been closed may have left it open. */
  #span: OpenSpan | undefined;
  #line = "";
  /** The block of HTML that the line stands in, if no fence was open where it begins. */
  #block: HtmlBlock | undefined;
  /** What stands in a fence to CommonMark and outside of all to another reading, and what has followed it since. */
  #outside = "";
  #isEnclosed = false;
  readonly #opensSomething: (text: string) => boolean;

  /** @param opensSomething whether a text outside of fences opens thoughts, a pair of quoting tags or a turn, and does not end it */
  constructor(opensSomething: (text: string) => boolean) {
    this.#opensSomething = opensSomething;
  }

  /** To another reading what follows stands in thoughts, in a pair of tags, or in another turn, which CommonMark has in a fence. */
  get areInEnclosure(): boolean {
    if (this.#outside !== "") this.#readOutside();
    return this.#isEnclosed;
  }

  /** What is open there once stays so: nobody reads on from there. */
  #readOutside(): void {
    this.#isEnclosed = this.#opensSomething(this.#outside);
    this.#outside = "";
  }

  /** A reading has a fence, a code span or a string open where CommonMark may have none. */
  get areInDoubt(): boolean {
    return this.#span?.isOver === false || this.#others.some((open) => open !== undefined);
  }

  /** Reads a piece of a text without calls. */
  readAll(piece: string): void {
    let rest = piece;
    for (let at = this.read(rest); at >= 0; at = this.read(rest)) rest = rest.slice(at);
  }

  /** @returns up to where a piece of the text has been read when it contradicts calls before it; -1: it does not, and is read */
  read(piece: string): number {
    const at = this.#span?.contradictedAt(piece) ?? -1;
    const isContradictedAt = this.#readLines(at < 0 ? piece : piece.slice(0, at));
    return isContradictedAt < 0 ? at : isContradictedAt;
  }

  #readLines(piece: string): number {
    if (!/[\r\n]/.test(piece)) {
      if (this.#line.length < lineCharsMax) this.#line += piece;
      this.#noteOutside(piece);
      return -1;
    }
    const text = this.#line + piece;
    if (!mayHaveMarks(text) && this.#block === undefined && !text.includes("<")) {
      this.#noteOutside(piece);
      this.#line = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
      return -1;
    }
    for (let from = 0; ; ) {
      const length = piece.slice(from).search(/[\r\n]/);
      const end = length < 0 ? piece.length : from + length;
      this.#line += piece.slice(from, end);
      this.#noteOutside(piece, from, end + 1);
      if (length < 0) return -1;
      if (this.endLine()) return from + length;
      from += length + 1;
    }
  }

  #noteOutside(piece: string, from = 0, to = piece.length): void {
    const isOutside = this.#plain === undefined ? this.#outside !== "" : this.#others.includes(undefined);
    if (!isOutside || this.#isEnclosed) return;
    this.#outside += piece.slice(from, to);
    if (this.#outside.length > outsideCharsMax) this.#readOutside();
  }

  /** What ends here begins a line with what follows. @returns whether that contradicts calls before it */
  endLine(): boolean {
    const line = this.#line;
    this.#line = "";
    const isContradicted = this.#readMarks(line);
    this.#readHtml(line);
    return isContradicted;
  }

  /** Marks in a block of HTML begin no fence to CommonMark, and one to a reader: where the block ends before the fence, both may be so. */
  #readHtml(line: string): void {
    if (this.#block === undefined) {
      if (this.#plain === undefined) this.#block = htmlBlockOf(line);
      return;
    }
    const isClosed = holdsCloser(line, this.#block.closer);
    if (isClosed && this.#plain !== undefined) this.#others = distinct([...this.#others, undefined]);
    if (isClosed || (this.#block.endsWithParagraph && line.trim() === "")) this.#block = undefined;
  }

  #readMarks(line: string): boolean {
    const found = marksOf(line);
    if (found === undefined) return false;
    const [plain, ...nested] = readingsAfter(this.#plain, found);
    const others = this.#others.map((open) => ({ open, after: readingsAfter(open, found) }));
    const isContradicted = others.some(({ open, after }) => open?.hasCall && after.includes(undefined));
    const all = [...nested, ...others.flatMap(({ after }) => after)];
    this.#plain = plain;
    this.#others = few(distinct(isContradicted ? all.map(withoutCall) : all).filter((open) => !isSame(open, plain)));
    return isContradicted;
  }

  /** The end of the text contradicts calls: they stand in a document that holds a fence for certain, and that nothing closes. */
  get contradictedByEnd(): boolean {
    if (this.#span?.contradictedByEnd) return true;
    return this.#others.some((open) => open?.hasCall && open.isDocument && open.holdsWord);
  }

  /** A call follows, which is none of a quotation. */
  callFollows(): void {
    this.#span?.callFollows();
    this.#plain = this.#block = undefined;
    this.#others = distinct(this.#others.map((open) => open && { ...open, hasCall: true }));
  }

  /** The text has ended. @returns the marks of the fence that is open in it, as CommonMark has it; undefined: none is */
  end(): string | undefined {
    this.endLine();
    const marks = this.#plain?.marks;
    this.#plain = undefined;
    return marks;
  }

  /** What has been closed has left a code span, or a string, open. */
  leaveSpanOpen(marks: string): void {
    this.#span = new OpenSpan(marks);
  }

  /** What has been closed has left a fence open. @returns whether that contradicts calls before it */
  leaveOpen(marks: string): boolean {
    const isContradicted = this.endLine();
    this.#others = [...this.#others, openFence({ marks, before: undefined }, false)];
    return isContradicted;
  }
}

interface HtmlBlock {
  readonly closer: string;
  /** An empty line ends it, if its closer has not. */
  readonly endsWithParagraph: boolean;
}

/** The block of HTML that a line begins and does not close (CommonMark 0.31, 4.6); undefined: it begins none. */
function htmlBlockOf(line: string): HtmlBlock | undefined {
  if (line.length >= lineCharsMax) return undefined;
  const [begin, raw, name = raw] = htmlBegin.exec(line) ?? [];
  if (begin === undefined) return undefined;
  const closer = name === undefined ? "?>" : `</${name.toLowerCase()}`;
  return holdsCloser(line, closer) ? undefined : { closer, endsWithParagraph: name !== raw };
}

const holdsCloser = (line: string, closer: string): boolean =>
  line.slice(0, lineCharsMax).toLowerCase().includes(closer);

/** A tag with text behind it is taken for a word of prose. */
const htmlBegin =
  /^ {0,3}<(?:(script|style|textarea|pre)(?=[ \t>]|$)|([a-z][a-z0-9-]{0,63})(?:[ \t][^<>]*)?>[ \t]*$|\?)/i;

/** What a fence may be after a line with marks; first what it is to CommonMark, if it holds no other. */
function readingsAfter(open: OpenFence, found: FenceMarks): readonly OpenFence[] {
  const { marks, rest, before } = found;
  const beginLine = before !== undefined;
  const next = opens(found) ? openFence(found, mayHoldFences(rest), !beginLine) : undefined;
  if (open === undefined) return next || !opensToReader(found) ? [next] : [next, openFence(found, false)];
  if (!marks.startsWith(open.marks)) return [open];
  const isBare = rest.trim() === "";
  const mayClose = isBare || (open.holdsWord && textAfter.test(rest));
  if (open.inner === "open") {
    const over: OpenFence = { ...open, inner: "closed" };
    return closes(found, open) ? [over] : mayClose ? [open, over] : [open];
  }
  const nested: OpenFence = { ...open, inner: "open", holdsWord: open.holdsWord || !isBare };
  if (closes(found, open)) return open.isDocument || open.inner === "closed" ? [undefined, nested] : [undefined];
  const mayOpen = beginLine && next !== undefined;
  // Marks with text behind them close a fence within the line, and to CommonMark open the first; a word by itself is that of a fence.
  if (open.isInLine && mayOpen && marks === open.marks && !isBare && textAfter.test(rest))
    return fenceInLine.test(marks + rest) ? [next, undefined, nested] : [undefined, next, nested];
  if (open.inner === undefined) return mayOpen && !isBare ? [open, nested] : [open];
  return [beginLine ? nested : open, ...(mayClose ? [undefined] : [])];
}

const openFence = ({ marks, before }: OpenMarks, isDocument: boolean, isInLine = false): NonNullable<OpenFence> => ({
  marks,
  before,
  isInLine,
  isDocument,
  inner: undefined,
  holdsWord: false,
  hasCall: false,
});

/** What stands behind marks that close a fence, where more than CommonMark allows does: see `grammars/message/fences-and-code-spans.peggy`. */
const textAfter = /^(?:[ \t]+[^`]|[.,;:!?)\]}"'|*_<\\])/;

/** More of a line says nothing of fences. */
const lineCharsMax = 512;

/** Of so much it is asked at once what it leaves open. */
const outsideCharsMax = 16_384;

/** More readings are taken for fences that any marks close. */
const readingsMax = 16;

function few(readings: readonly OpenFence[]): readonly OpenFence[] {
  if (readings.length <= readingsMax) return readings;
  const hasCall = readings.some((open) => open?.hasCall);
  return ["```", "~~~"].map((marks) => ({
    ...openFence({ marks, before: undefined }, false),
    inner: "closed",
    hasCall,
  }));
}

const withoutCall = (open: OpenFence): OpenFence => open && { ...open, hasCall: false };

const isSame = (one: OpenFence, other: OpenFence): boolean =>
  one?.marks === other?.marks &&
  one?.before === other?.before &&
  one?.isInLine === other?.isInLine &&
  one?.isDocument === other?.isDocument &&
  one?.inner === other?.inner &&
  one?.holdsWord === other?.holdsWord &&
  one?.hasCall === other?.hasCall;

const distinct = (readings: readonly OpenFence[]): readonly OpenFence[] =>
  readings.filter((open, at) => readings.findIndex((other) => isSame(open, other)) === at);
