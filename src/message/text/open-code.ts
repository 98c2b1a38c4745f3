import type { TextSource } from "../../machine/text-store.ts";
import { isSentence } from "./sentence.ts";

/**
 * Code that is open in visible text: brackets that a name, an assignment or the end of a line says to be code's, strings and
 * comments that go on over lines, what an operator or a backslash continues, the bodies of compound statements of Python and of
 * a shell, what a decorator stands before, and here-documents. A line in them is an argument or text of what has begun before it, and no call. Read piece by piece, each
 * once.
 */
export class OpenCode {
  readonly #store: TextSource;
  /** Up to where it has been read. */
  #to = 0;
  /** Brackets that are open. */
  #depth = 0;
  /** Those that are open on this line, of code or of prose. */
  #lineDepth = 0;
  /** What closes the string, the code span or the comment that is open; empty: none is. */
  #closer = "";
  /** The string goes on over the end of the line. */
  #spansLines = false;
  #isEscaped = false;
  /** A string has just ended. */
  #hasClosed = false;
  #previous = "";
  /** The last of the line that is not blank. */
  #last = "";
  /** So many of the same stand in a row. */
  #run = 0;
  /** Nothing else stands on the line. */
  #isFirst = true;
  /** What stands directly before {@link #last}. */
  #beforeLast = "";
  /** What has no blank in it and ends there, as far as it may be an operator. */
  #token = "";
  /** Nothing but operators and blanks stands on the line. */
  #isRule = true;
  /** The line is one of a table. */
  #isRow = false;
  #isAssignment = false;
  /** The line before ends in what needs another. */
  #isContinued = false;
  /** The line before begins a body. */
  #opensBody = false;
  /** How far the statement is indented whose body is open; -1: none is. */
  #bodyOf = -1;
  /** Blocks of a shell that are open. */
  #blocks = 0;
  /** What the statement begins with, where that is on a line before. */
  #head = "";
  /** What the line begins with, and the word that stands last on it. */
  #lead = "";
  #word = "";
  /** The word that ends the here-document; empty: none is open. */
  #documentEnd = "";
  /** Of the line: in a here-document its beginning, elsewhere what follows two angle brackets. */
  #held: string | undefined;

  constructor(store: TextSource) {
    this.#store = store;
  }

  /** Here text begins that is no part of what stands before it. */
  begin(start: number): void {
    this.#to = start;
    this.#depth = this.#blocks = 0;
    this.#isEscaped = this.#hasClosed = this.#isContinued = this.#opensBody = false;
    this.#bodyOf = -1;
    this.#closer = this.#previous = this.#documentEnd = this.#head = "";
    this.#beginLine();
  }

  /** Text up to here is about to be let go. */
  readTo(end: number): void {
    if (end <= this.#to) return;
    for (const unit of this.#store.slice(this.#to, end).split("")) this.#read(unit);
    this.#to = end;
  }

  /** Does a line that begins here stand in it? */
  holds(at: number): boolean {
    this.readTo(at);
    const isOpen = this.#depth > 0 || this.#closer !== "" || this.#isContinued || this.#documentEnd !== "";
    return isOpen || this.#blocks > 0 || this.#opensBody || (this.#bodyOf >= 0 && indentOf(this.#lead) > this.#bodyOf);
  }

  #read(unit: string): void {
    this.#run = unit === this.#previous ? this.#run + 1 : 1;
    if (lineBreaks.includes(unit)) this.#endLine();
    else if (this.#documentEnd !== "") this.#hold(unit);
    else if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#closer !== "") this.#readString(unit);
    else this.#readCode(unit);
    if (this.#documentEnd === "" && this.#closer !== "`") this.#findDocument(unit);
    const previous = this.#previous;
    this.#previous = unit;
    if (!lineBreaks.includes(unit) && this.#lead.length < charsMax) this.#lead += unit;
    if (blanks.includes(unit)) return;
    if (this.#last === "") this.#isRow = unit === "|";
    this.#isRule &&= operators.includes(unit);
    this.#isFirst &&= fenceMarks.includes(unit);
    this.#beforeLast = previous;
    this.#last = unit;
    if (blanks.includes(previous)) this.#token = "";
    if (this.#token.length < 3) this.#token += unit;
    this.#word = !ofWord.test(unit) ? "" : ofWord.test(previous) ? this.#word + unit : unit;
  }

  #readString(unit: string): void {
    const { length } = this.#closer;
    if (unit === "\\") this.#isEscaped = true;
    else if (this.#closer === commentEnd) {
      if (this.#previous + unit === commentEnd) this.#closer = "";
    } else if (unit === this.#closer[0] && (length === 1 || this.#run === length)) {
      this.#closer = "";
      this.#hasClosed = true;
    }
  }

  #readCode(unit: string): void {
    const isAfterString = this.#hasClosed;
    this.#hasClosed = false;
    // The string has not ended there.
    if (isAfterString && this.#depth > 0 && ofWord.test(unit)) this.#depth = neverClosed;
    // A fence is a block of its own.
    else if (this.#isFirst && this.#run >= 3 && fenceMarks.includes(unit)) this.#depth = 0;
    else if (quotes.includes(unit)) this.#readQuote(unit);
    else if (openers.includes(unit)) {
      this.#lineDepth++;
      if (this.#depth > 0 || ofCode.test(this.#previous) || this.#last === "=") this.#depth++;
    } else if (closers.includes(unit)) {
      this.#lineDepth = Math.max(0, this.#lineDepth - 1);
      this.#depth = Math.max(0, this.#depth - 1);
    } else if (
      this.#depth > 0 &&
      (unit === "#" ? this.#isAfterBlank : unit === "/" && this.#run === 2 && blanks.includes(this.#beforeLast))
    )
      this.#closer = "\n";
    else if (unit === "*" && this.#previous === "/" && this.#isRule) this.#open(commentEnd, true);
    else if (unit === "=" && this.#last !== "") this.#isAssignment = true;
  }

  /** Two angle brackets and a word: a here-document begins after the line. */
  #findDocument(unit: string): void {
    if (this.#held !== undefined) this.#hold(unit);
    else if (unit === "<" && this.#run === 2) this.#held = "";
  }

  #hold(unit: string): void {
    const held = this.#held ?? "";
    if (held.length < charsMax) this.#held = held + unit;
  }

  #readQuote(unit: string): void {
    const isCodeMark = unit === "`";
    if (isCodeMark && this.#run >= 3) return;
    if (this.#run === 3) {
      this.#open(unit.repeat(3), true);
      this.#run = 0;
    } else if (this.#depth === 0) {
      if (isCodeMark || this.#isAfterBlank || beforeString.includes(this.#last)) this.#open(unit, false);
    } else if (!isCodeMark && (!ofWord.test(this.#previous) || prefixes.includes(this.#previous)))
      this.#open(unit, true);
    else if (unit === '"') this.#depth = neverClosed;
  }

  #open(closer: string, spansLines: boolean): void {
    this.#closer = closer;
    this.#spansLines = spansLines;
  }

  get #isAfterBlank(): boolean {
    return this.#last === "" || blanks.includes(this.#previous);
  }

  #endLine(): void {
    const isEscaped = this.#isEscaped;
    this.#isEscaped = false;
    if (this.#last === "") this.#lead = "";
    if (this.#last === "") return;
    if (this.#documentEnd !== "") return this.#endDocumentLine();
    // A quote that ends its line begins a text of several, and so does one whose line ends in a backslash.
    if (isEscaped || this.#closer === this.#last) this.#spansLines = true;
    if (this.#closer === "\n" || !this.#spansLines) this.#closer = "";
    // What begins a compound statement, or stands before one, goes on with none, whatever that waits for.
    if (this.#isContinued && (compound.test(this.#lead) || decorator.test(this.#lead))) this.#head = "";
    this.#isContinued = this.#depth === 0 && this.#closer === "" && this.#needsMore;
    this.#documentEnd = hereDocument.exec(this.#held ?? "")?.[2] ?? "";
    if (
      this.#depth === 0 &&
      this.#closer === "" &&
      this.#lineDepth > 0 &&
      goesOn.includes(this.#last) &&
      !emoticon.test(this.#lead)
    )
      this.#depth = this.#lineDepth;
    this.#endStatement();
    this.#beginLine();
  }

  /** A body goes on while its lines are indented further than what it belongs to; the first of Python's may stand as it likes. */
  #endStatement(): void {
    if (this.#head === "") {
      this.#head = this.#lead;
      if (!this.#opensBody && indentOf(this.#head) <= this.#bodyOf) this.#bodyOf = -1;
    }
    this.#opensBody = false;
    if (this.#depth > 0 || this.#closer !== "" || this.#isContinued) return;
    const isHead = compound.test(this.#head) && (this.#last === ":" || commentAfterColon.test(this.#lead));
    this.#opensBody = isHead && !isSentence(this.#head);
    this.#opensBody ||= decorator.test(this.#head);
    if (shellBlock.test(this.#lead)) this.#blocks++;
    else if (this.#blocks > 0 && shellBlockEnd.test(this.#lead)) this.#blocks--;
    const hasBody = this.#opensBody || bodyBelow.test(this.#head);
    if (hasBody && this.#bodyOf < 0) this.#bodyOf = indentOf(this.#head);
    this.#head = "";
  }

  #endDocumentLine(): void {
    if (this.#held?.trim() === this.#documentEnd) this.#documentEnd = "";
    this.#beginLine();
  }

  /** Does the line end in a backslash, or in an operator that is no mark of prose, and is it no sentence? */
  get #needsMore(): boolean {
    const [last, before] = [this.#last, this.#beforeLast];
    if (last === "\\") return true;
    // Commands of a shell go on behind these.
    if (last !== "|" && !doubled.includes(before + last) && isSentence(this.#lead)) return false;
    if (operatorWords.has(this.#word) && (this.#isAssignment || beforeWord.test(this.#lead))) return true;
    if (last === ":") return lambda.test(this.#lead);
    // A line below a title or between paragraphs, a row of a table, a key whose text is indented below it.
    if (this.#isRule || this.#isRow || bodyBelow.test(this.#lead)) return false;
    if (last === "=") return true;
    if (before + last === "=>") return arrow.test(this.#lead);
    if (doubled.includes(before + last)) return true;
    if (spaced.includes(this.#token) || (this.#isAssignment && tight.includes(last) && before !== last)) return true;
    return ofStatements.includes(this.#token) && (this.#isAssignment || beforeOperator.test(this.#lead));
  }

  #beginLine(): void {
    this.#last = this.#beforeLast = this.#lead = this.#word = "";
    this.#isAssignment = this.#isRow = false;
    this.#isRule = true;
    this.#held = undefined;
    this.#lineDepth = this.#run = 0;
    this.#isFirst = true;
  }
}

const lineBreaks = "\r\n";
const blanks = " \t\r\n";
const quotes = "\"'`";
const fenceMarks = "`~";
const openers = "([{";
const closers = ")]}";
const beforeString = "([{,:=";
const ofWord = /\w/;
/** Of Python's strings. */
const prefixes = "bfruBFRU";
/** A quote stands where none may: what follows may be text of a string. */
const neverClosed = Number.POSITIVE_INFINITY;
/** Directly before a bracket: it is a call's, or an item's. */
const ofCode = /[\w)\]\x80-\uffff]/;
const operators = "=+-*/%&|^<_";
/** Operators at the end of a line, after a blank. */
const spaced: readonly string[] = ["+", "*", "/", "%", "&", "|", "^", "<", "<<"];
/** Those with which prose may end a line as well. */
const ofStatements: readonly string[] = ["-", ">", ">>", "//", "**", "@", "~"];
/** A statement, a call or an item that the line begins with, or a number. */
const beforeOperator =
  /^\s*(?:(?:return|yield|assert|await|raise|del|not|if|elif|while)\s|(?:[\w.]+[([].*[)\]]|\d[\d.]*)\s*[^\w\s]+\s*$)/;
/** Those, and others, wherever something is assigned: prose does not write them so. */
const tight = "+-|&^<";
const doubled: readonly string[] = ["&&", "||"];
/** Of a function; behind words it is a mark of prose. */
const arrow = /(?:\)|[=(,]\s*\w+)\s*=>\s*$/;
/** Behind something assigned, alone on a line, or behind what is no sentence. */
const operatorWords: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "in",
  "is",
  "if",
  "else",
  "lambda",
  "return",
  "await",
  "yield",
  "raise",
  "assert",
  "del",
]);
/** Nothing, one operand, a statement, a bracket of code, or a comparison. */
const beforeWord =
  /^\s*(?:\w+\s*$|[\w.]+\s+(?:and|or)\s*$|for\s+\w+(?:,\s*\w+)*\s+in\s*$|(?:return|yield|assert|await|raise|del|not|if|elif|while)\s)|\w[([]|[=!<>]=/;
/** What begins a compound statement of Python, if the line ends in a colon. */
const compound =
  /^\s*(?:async\s+)?(?:(?:if|elif|while|with|except|match|case)(?!\w)|(?:else|try|finally)\s*:|for\s.*(?:\sin(?!\w)|[([])|(?:def|class)\s+\w+\s*[:([])/;
const commentAfterColon = /:\s+#/;
/** What is indented below belongs to it: a condition of C's family, and a key of YAML with a text of several lines. */
const bodyBelow =
  /^\s*(?:(?:\}?\s*else\s+)?(?:if|for|while)\s*\(.*\)|\}?\s*else|(?:-\s+)?["']?[\w.-]+["']?:\s+[|>][+-]?\d?)\s*$/;
const decorator = /^\s*@[A-Za-z_][\w.]*(?:\(.*\))?\s*(?:#.*)?$/;
const lambda = /(?:^|[=(,])\s*lambda(?:\s[\w\s,=*]*)?:$/;
const shellBlock = /^\s*(?:(?:if|while|until|for)\s.*;\s*)?(?:then|do)$/;
const shellBlockEnd = /^\s*(?:fi|done)(?!\w)/;
const indentOf = (line: string): number => line.length - line.trimStart().length;
const commentEnd = "*/";
/** After two angle brackets: the word that ends the text of the lines below. */
const hereDocument = /^[-~]?(["']?)([A-Z_][A-Z0-9_]*)\1(?!\w)/;
const charsMax = 200;
/** A line in brackets that ends in it is not all. */
const goesOn = "([{,=+*/|&\\";
const emoticon = /\s[:;]['^-]?[([{]\s*$/;
