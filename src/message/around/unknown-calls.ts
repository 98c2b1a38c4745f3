import { latePattern } from "../../machine/late-pattern.ts";
import { charCodeAt } from "../../machine/string-units.ts";
import type { TextSource } from "../../machine/text-store.ts";
import type { FormatList } from "../readings/format-list.ts";
import { glanceChars } from "../readings/glances.ts";
import { type MessageSets, tagOf } from "../readings/message-sets.ts";
import { opensByTag, startsWithOne } from "../readings/openers.ts";

/** What stands between the tags of no tool on offer, or below a key of a body. */
interface Element {
  readonly closer: string;
  /** How far a key is indented; -1: it is a tag. */
  readonly indent: number;
  /** It is a key, or stands directly after a tag, as parameters do. */
  readonly isPart: boolean;
  /** A part of it is over. */
  hasParts: boolean;
  /** Words stand before it on its line, and a blank behind it, as in `cp <from> <to>`. */
  readonly mayBeWord: boolean;
}

/**
 * Calls of tools that are not on offer, where tags are the names of tools. A call in an element that stands in another one is text
 * of a value, if one of the two is closed, or if that one is a part of the other or not the first one; one directly in an element, alone or
 * beside others, is a call. In bodies keys are elements, too. A tag with a meaning, between words of a line or in code is none; those of pages and of frames
 * around calls have no values. Read piece by piece, each once.
 */
export class UnknownCalls {
  readonly #store: TextSource;
  readonly #sets: MessageSets;
  readonly #names: readonly string[];
  /** Calls of some format have bodies: keys count. */
  readonly #haveBodies: boolean;
  /** How calls of tools on offer begin, as far as a glance goes. */
  #begins: readonly string[] | undefined;
  /** Names of tags that are tools, open blocks or frame text. */
  #known: ReadonlySet<string> | undefined;
  /** Up to where it has been read. */
  #to = 0;
  /** Nothing but blanks stands after the last tag. */
  #isAfterTag = false;
  /** The marks of the fence that is open; empty: none is. */
  #fence = "";
  /** Marks on the line that may begin a code span, and what was open before them. */
  #code: { readonly marks: string; readonly open: Element[] } | undefined;
  /** Those that are open, outermost first. */
  #open: Element[] = [];
  /** Closers of those that were open. */
  #closed: string[] = [];

  constructor(store: TextSource, { sets, alternatives }: FormatList) {
    const [{ validator }] = alternatives;
    this.#store = store;
    this.#sets = sets;
    this.#names = validator.hints.names ?? [];
    this.#haveBodies = alternatives.some((one) => opensByTag(one) && one.format.body !== undefined);
  }

  /** Here text begins that is no part of what stands before it. */
  begin(start: number): void {
    this.#to = start;
    this.#open = [];
    this.#isAfterTag = false;
    this.#fence = "";
    this.#code = undefined;
  }

  /** What stands here is a block. */
  skip(start: number, end: number): void {
    this.readTo(start);
    if (end > this.#to) this.#isAfterTag = true;
    this.#to = Math.max(this.#to, end);
  }

  /** Whether what opens here may be a call of such a format, by as much of its name as is there for certain. */
  opensTool(start: number): boolean {
    const text = this.#store.slice(start, start + glanceChars);
    this.#begins ??= this.#names.map((name) => `<${name}`.slice(0, glanceChars));
    return startsWithOne(text, this.#begins);
  }

  /** Some element is open, as far as it has been read. */
  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Closers of those in which an offset stands; none where what stands there is no part of a value. */
  openAt(at: number): readonly string[] {
    this.readTo(at, true);
    const indent = this.#haveBodies
      ? lineIndent.exec(this.#store.slice(Math.max(0, at - blanksMax), at))?.[1]
      : undefined;
    if (indent !== undefined) this.#endKeys(indent.length);
    return this.#open.length > 1 ? this.#open.map(({ closer }) => closer) : [];
  }

  /** Closers that stand before an offset, and after where this was asked last; at the end of the message those of values that are cut, too. */
  closedTo(at: number, isEnd: boolean): readonly string[] {
    this.readTo(at, isEnd);
    if (isEnd && !this.#open[0]?.mayBeWord)
      this.#closeFrom(this.#open.findIndex(({ isPart }, at) => at > 0 && (isPart || this.#open[at - 1].hasParts)));
    const closed = this.#closed;
    this.#closed = [];
    return closed;
  }

  /** No value is open that those which stand before here could have closed. */
  forgetClosed(): void {
    this.#closed = [];
  }

  /** Text up to here is about to be let go. @param isEnd what follows is no text of it */
  readTo(end: number, isEnd = false): void {
    if (end <= this.#to) return;
    const text = this.#store.slice(this.#to, end);
    const known = isEnd ? text.length : knownTo(text);
    const mayHoldFence = text.includes("```") || text.includes("~~~");
    // Most text between calls holds neither.
    if (this.#open.length === 0 && !mayHoldFence && !(text.includes("<") && mayOpen(text)))
      return this.#pass(text, known);
    let last = 0;
    for (const found of text.matchAll(tagsAndLines())) {
      if (found.index >= known) break;
      const [written] = found;
      const { slash, name = "", rest = "", marks, isAlone, code, line, indent, key, first = "" } = found.groups ?? {};
      if (line !== undefined) this.#code = undefined;
      if (marks !== undefined) this.#meetMarks(this.#to + found.index, marks, isAlone !== undefined);
      else if (this.#fence !== "") continue;
      else if (code !== undefined) this.#meetCode(code);
      else if (line !== undefined) {
        if (this.#haveBodies && indent !== undefined) this.#readLine(indent, key, first);
      } else {
        const isPart = this.#isAfterTag && isBlank(text.slice(last, found.index));
        this.#isAfterTag = true;
        last = found.index + written.length;
        if (slash !== "") this.#close(written);
        else if (/^(?:$|\s)/.test(rest) && !rest.endsWith("/") && this.#isElement(name))
          this.#openTag(name, isPart, this.#before(this.#to + found.index), text.slice(last, last + blanksMax));
      }
    }
    this.#isAfterTag &&= isBlank(text.slice(last, known));
    this.#to += known;
  }

  /** Text that opens nothing: only a code span of its last line may go on behind it. */
  #pass(text: string, known: number): void {
    const passed = text.slice(0, known);
    const line = passed.slice(passed.lastIndexOf("\n") + 1);
    const rest = line.slice(line.lastIndexOf("\r") + 1);
    if (rest.length < known) this.#code = undefined;
    for (const [marks] of rest.matchAll(codeMarks)) this.#meetCode(marks);
    this.#isAfterTag &&= isBlank(passed);
    this.#to += known;
  }

  /** A line of a body ends what stands below keys that are indented as far. */
  #readLine(indent: string, key: string | undefined, first: string): void {
    this.#endKeys(first === "-" ? indent.length + 1 : indent.length);
    if (key !== undefined && this.#open.length > 0)
      this.#push({ closer: `\n${indent}`, indent: indent.length, isPart: true, hasParts: false, mayBeWord: false });
  }

  #close(written: string): void {
    if (this.#open.length === 0) return;
    const tag = tagOf(written);
    this.#closeFrom(this.#open.findLastIndex(({ closer }) => closer === tag));
  }

  #endKeys(indent: number): void {
    this.#closeFrom(this.#open.findIndex((one) => one.indent >= indent));
  }

  /** What stands in a code span opens nothing. */
  #meetCode(marks: string): void {
    if (this.#code === undefined) this.#code = { marks, open: [...this.#open] };
    else if (this.#code.marks === marks) {
      this.#open = this.#code.open;
      this.#code = undefined;
    }
  }

  /** A tag stands here, between what its line holds before and behind it. */
  #openTag(name: string, isPart: boolean, before: string, after: string): void {
    const isBehindWord = /[^\s>][ \t]*$/.test(before);
    // As in `vector<int>`, or between words of a line.
    if (/\w$/.test(before) || (isBehindWord && !/^[ \t]*(?:[\r\n<]|$)/.test(after))) return;
    const mayBeWord = isBehindWord && /^[ \t]/.test(after);
    this.#push({ closer: tagOf(`</${name}>`), indent: -1, isPart, hasParts: false, mayBeWord });
  }

  #push(element: Element): void {
    this.#open.push(element);
    if (this.#open.length > openMax) this.#open.splice(1, 1);
  }

  #closeFrom(at: number): void {
    if (at < 0) return;
    const closed = this.#open.splice(at);
    const outer = this.#open.at(-1);
    if (outer !== undefined && closed[0]?.isPart) outer.hasParts = true;
    this.#closed.push(...closed.map(({ closer }) => closer));
  }

  #before(start: number): string {
    return this.#store.slice(Math.max(0, start - blanksMax), start);
  }

  /** Marks that may begin or end a fence: a line begins with them, and those that end one stand alone. */
  #meetMarks(start: number, marks: string, isAlone: boolean): void {
    if (!/(?:^|[\r\n])[ \t>]*$/.test(this.#before(start))) return;
    if (this.#fence === "") this.#fence = marks;
    else if (isAlone && marks.startsWith(this.#fence)) this.#fence = "";
  }

  /** A tag has no other meaning: it is no tool, opens no thoughts, quotation or block, and frames no text and no calls. */
  #isElement(name: string): boolean {
    if (callFrames.test(name) || (this.#open.length === 0 && pageTags.test(name))) return false;
    const { thinkClosers, quoteClosers, openers, framing } = this.#sets;
    this.#known ??= new Set([
      ...this.#names,
      ...[...openers, ...framing].flatMap((text) => wholeName.exec(text)?.[1] ?? []),
    ]);
    const tag = tagOf(`<${name}>`);
    return !this.#known.has(name) && !thinkClosers.has(tag) && !quoteClosers.has(tag);
  }
}

/** So many may be open: of more the outermost and the innermost. */
const openMax = 32;

/** Tags, marks of code, and line breaks: of a line that is not blank how it begins, its indentation, a key or its first character. */
const tagsAndLines = latePattern(
  "(?<marks>`{3,}|~{3,})(?<isAlone>[ \\t]*(?=[\\r\\n]|$))?|(?<code>`{1,2})|<(?<slash>\\/?)(?<name>[A-Za-z_][\\w.:-]{0,63})(?<rest>[^<>]{0,255})>|(?<line>\\n(?<indent>[ \\t]{0,63})(?:[\"']?(?<key>[A-Za-z_][\\w.-]{0,63})[\"']?:(?=\\s)|(?=(?<first>\\S)))|[\\r\\n])",
  "g",
);
const lineIndent = /\n([ \t]*)$/;
/** Of a literal that is the beginning of a tag. */
const wholeName = /^<([^\s<>/]+)(?:[> ]|$)/;
/** Pairs of tags around calls, as models of many formats write them. */
const callFrames = /^(?:(?:tool|function|action)?[-_]?(?:calls?|uses?|invoke)|tools?|functions?|actions?)$/i;
/** Elements of HTML that group text or stand alone. */
const pageTags =
  /^(?:a|article|aside|b|blockquote|body|br|center|dd|details|div|dl|dt|em|figure|footer|h[1-6]|head|header|hr|html|i|img|input|li|link|main|meta|nav|ol|p|section|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)$/i;
/** What may be a tag, marks of code or the beginning of a line, of which more has to come. */
const undecided = /(?:<[^<>]{0,320}(?:>[ \t]{0,127})?|[`~]{1,127}[ \t]{0,127}|\n[ \t]{0,63}["']?[\w.-]{0,65}["']?:?)$/;
const undecidedMax = 512;
const codeMarks = /`+/g;
/** Blanks between a tag and what stands beside it on its line. */
const blanksMax = 127;

/** Up to where a text says what its tags are. */
function knownTo(text: string): number {
  const from = Math.max(0, text.length - undecidedMax);
  const found = text.slice(from).search(undecided);
  return found < 0 ? text.length : from + found;
}

/** Whether a tag may open in a text that is no word of a line, or be the last thing there, by what stands beside what may be one. */
function mayOpen(text: string): boolean {
  let end = 0;
  for (let at = text.indexOf("<"); at >= 0 && end >= 0; at = text.indexOf("<", at + 1)) {
    if (!mayBeginName(charCodeAt.call(text, at + 1))) continue;
    if (end < at) end = text.indexOf(">", at);
    if (end >= 0 && (mayEndWord(unitBeside(text, at - 1, -1)) || mayEndWord(unitBeside(text, end + 1, 1)))) return true;
  }
  return isBlank(text.slice(text.lastIndexOf(">") + 1));
}

/** What stands on its line there, blanks aside; not a number: nothing, or only far away. */
function unitBeside(text: string, from: number, step: number): number {
  let at = from;
  while (charCodeAt.call(text, at) === 0x20 || charCodeAt.call(text, at) === 0x09) at += step;
  return Math.abs(at - from) < blanksMax ? charCodeAt.call(text, at) : Number.NaN;
}

/** A letter, or a mark that follows them in ASCII: what begins no name of a tag is not looked at. */
const mayBeginName = (unit: number) => unit > 0x40 && unit < 0x7f;

/** No unit of ASCII but a blank or that of a tag. */
const mayEndWord = (unit: number) => !(unit > 0x20 && unit < 0x7f) || unit === 0x3c || unit === 0x3e;

const isBlank = (text: string): boolean => text.trim() === "";
