import { closerBeginnings } from "../contract/closer-beginnings.ts";
import { plainSigns } from "../contract/plain-signs.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { matchAt } from "../machine/match-at.ts";
import { isNear, nearCharsMin } from "./boundary-pieces.ts";
import {
  type Boundary,
  boundaryOf,
  gapCharsMax,
  letter,
  lineCharsMax,
  ownKey,
  type Source,
} from "./misspelt-boundary-words.ts";
import { type ParameterTag, parameterTagOf } from "./parameter-tag.ts";

/**
 * Whether a raw value holds the opener of a parameter that nothing in it closes: the same one begun anew, or one that is spelt nearly
 * as another whose predecessor has lost its closer. All others are text, and so are pairs, and an opener in quotation marks on its line.
 *
 * @param key the parameter whose value it is
 * @param keys the parameters that may follow
 */
export function leavesParameterOpen(
  tag: ParameterTag | null,
  value: string,
  key: string,
  keys: Iterable<string>,
): boolean {
  if (tag === null || !mayHoldOpener(value, tag)) return false;
  const others = [...keys];
  const { opener, valueOpener, closeTag } = tag;
  if (tag.isClosedByName)
    return [...new Set([key, ...others])].some((one) =>
      isLeftOpen(value, `${opener}${one}>`, `</${one}>`, (at, end) => begins(value, at, end)),
    );
  const isOpener = (at: number, from: number) => {
    const end = valueOpener === "" ? openerEnd(value, from, opener) : from;
    if (end < 0 || isInQuotes(value, at, end)) return false;
    const named = valueOpener === "" ? value.slice(from, end) : value.slice(Math.max(0, at - lineCharsMax), at);
    return names(named, key, others);
  };
  return isLeftOpen(value, openerOf(tag), closeTag, isOpener);
}

/**
 * Where tags are names, the other parameters that a value shows whole at its beginning, or on lines of their own at its end: the
 * opener or the closer of the value may have been moved over them.
 */
export function keysAtEnds(
  tag: ParameterTag | null,
  value: string,
  key: string,
  keys: ReadonlySet<string>,
): readonly string[] {
  if (tag?.isClosedByName !== true || !value.includes("</")) return [];
  const [, first] = tagAtStart.exec(value) ?? [];
  const [, last] = tagAtEnd.exec(value.slice(-lineCharsMax)) ?? [];
  const isOther = (one: string | undefined): one is string => one !== undefined && one !== key && keys.has(one);
  const shown = isOther(first) && value.includes(`</${first}>`) ? [first] : [];
  if (!isOther(last)) return shown;
  const opener = value.lastIndexOf(`<${last}>`);
  const isOnLine = opener >= 0 && /(?:^|[\r\n])[ \t]*$/.test(value.slice(Math.max(0, opener - lineCharsMax), opener));
  return isOnLine ? [...shown, last] : shown;
}

/** Where tags are names, whether one item of a list holds an end or a beginning of items: as many are opened as closed. */
export function holdsItemEnd(tag: ParameterTag | null, value: string, key: string): boolean {
  if (tag?.isClosedByName !== true) return false;
  let depth = 0;
  for (const [text, name] of value.matchAll(nameInTag)) {
    if (name !== key) continue;
    depth += text[1] === "/" ? -1 : 1;
    if (depth < 0) return true;
  }
  return depth > 0;
}

/** Whether a raw value holds the opener of any parameter that nothing in it closes. */
export function leavesAnyOpen({ template }: Source, value: string): boolean {
  const tag = parameterTagOf(template);
  return tag !== null && tag.closeTag !== "" && isLeftOpen(value, openerOf(tag), tag.closeTag, () => true);
}

/** Whether a tag names the parameter anew, or one that is another but for its case or a character. */
function names(tag: string, key: string, others: readonly string[]): boolean {
  const written = tag.match(keyWord()) ?? [];
  return written.some(
    (one) =>
      one === key ||
      others.some(
        (other) =>
          one !== other &&
          (one.toLowerCase() === other.toLowerCase() || (other.length >= nearCharsMin && isNear(one, other))),
      ),
  );
}

/** Whether a text holds more openers than closers behind them. */
function isLeftOpen(
  value: string,
  opener: string,
  closer: string,
  isOpener: (at: number, end: number) => boolean,
): boolean {
  let depth = 0;
  let open = value.indexOf(opener);
  if (open < 0) return false;
  for (let close = value.indexOf(closer, open); ; open = value.indexOf(opener, open + 1)) {
    for (; close >= 0 && (open < 0 || close < open); close = value.indexOf(closer, close + closer.length))
      if (depth > 0) depth--;
    if (open < 0) return depth > 0;
    if (isOpener(open, open + opener.length)) depth++;
  }
}

/** How the tag before a value begins, up to the blank or the key in it. */
const openerOf = ({ opener, valueOpener }: ParameterTag): string => valueOpener || opener.replace(fromAttribute, "");

/** Whether a text may hold one. */
export const mayHoldOpener = (text: string, tag: ParameterTag): boolean => text.includes(openerOf(tag));

/** Where the opener of a parameter ends of which the beginning stands before an offset; -1: it is none. */
function openerEnd(value: string, at: number, opener: string): number {
  const [rest] = matchAt(restOfOpener, value, at) ?? [];
  if (rest === undefined || rest.endsWith("/>")) return -1;
  const [attribute = ""] = fromAttribute.exec(opener) ?? [];
  const said = rest.replace(/\s*=\s*/g, "=");
  // With what it was to hold in the tag itself it is another language's.
  const isOther = /\svalue=/.test(said) || !said.includes(attribute.replace(/["']/g, "").trimStart());
  return isOther || (attribute !== "" && !/^\s/.test(rest)) ? -1 : at + rest.length;
}

/**
 * Where tags are names, one in angle brackets may stand for something in text: it counts only where it begins a line, or
 * directly between words.
 */
function begins(value: string, at: number, end: number): boolean {
  const before = value.slice(Math.max(0, at - lineCharsMax), at);
  return /[\r\n][ \t]*$/.test(before) || (letter().test(before.slice(-1)) && letter().test(value[end] ?? ""));
}

/** Whether what stands between two offsets is a string or a span of code of its line. */
export function isInQuotes(value: string, start: number, end: number): boolean {
  const before = value.slice(Math.max(0, start - lineCharsMax), start);
  const after = value.slice(end, end + lineCharsMax);
  if (before.endsWith("'") && after.startsWith("'")) return true;
  const [left, right] = [before.slice(before.search(lastLine)), after.split(/[\r\n]/, 1)[0]];
  return ['"', "`"].some((mark) => isOdd(left, mark) && isOdd(right, mark));
}

const isOdd = (text: string, mark: string): boolean => text.split(mark).length % 2 === 0;

/**
 * Whether a value ends, blanks aside, in words and marks that its closer begins with, or in all of it with blanks behind its first mark or
 * before its last.
 */
export function endsInCloser(format: Source, value: string, key: string): boolean {
  const boundary = boundaryOf(format);
  if (boundary === null) return false;
  const { closer, closeTag } = boundary;
  const due = (closer.join("") || closeTag.toLowerCase()).replace(ownKey, () => key.toLowerCase());
  const tail = value.slice(-gapCharsMax).replace(blanksAtEnd, "").toLowerCase();
  // A pair that the value shows is text.
  if (tail.replace(blanksInCloser, "").endsWith(due))
    return !value.includes(boundary.isClosedByName ? `<${key}` : openerOf(boundary));
  return closerBeginnings(due).some((beginning) => tail.endsWith(beginning));
}

const blanksAtEnd = /[ \t\r\n]+$/;
const blanksInCloser = /(?<=<\/)[ \t\r\n]+|[ \t\r\n]+(?=>$)/g;

/** Whether a value whose closer is missing ends in what is left of it: its words, with other marks or none. */
export function endsAsCloser(value: string, { closer, closeTag, isClosedByName }: Boundary, key: string): boolean {
  const tag = isClosedByName ? `</${key}>` : closer.join(" ") || closeTag;
  const words = tag.toLowerCase().match(word()) ?? [];
  const tail = marksOf(value.slice(-lineCharsMax)).trimEnd();
  const line = tail.slice(tail.search(lastLine)).trimStart().toLowerCase();
  // Of a closing tag the prefix or the suffix may be lost as well.
  const rests = /^<\s*\//.test(tag) ? [words, words.slice(-1), words.slice(0, 1)] : [words];
  return rests.some(([first = "", ...others]) => {
    const at = first === "" ? -1 : line.lastIndexOf(first);
    if (at < 0 || wordsOf(line.slice(at)) !== first + others.join("")) return false;
    // No word of prose is made so.
    if (!isClosedByName && (others.length > 0 || first.includes("_"))) return true;
    const before = line.slice(0, at);
    const [after] = marksAfter().exec(line)!;
    if (wordsOf(before) === "") return line.length < tail.length || before + after !== "";
    const [marks] = marksAfter().exec(before)!;
    return tag.includes("/") ? /[/\\]/.test(marks) : marks !== "" && after !== "";
  });
}

/** Whether a value whose opener is missing begins with what is left of it. */
export function beginsAsOpener(value: string, { valueOpener }: ParameterTag): boolean {
  if (valueOpener === "") return false;
  const text = marksOf(value.slice(0, lineCharsMax)).trimStart();
  const due = wordsOf(valueOpener);
  if (due !== "") return wordsOf(text).startsWith(due);
  const [, marks] = marksFirst().exec(text)!;
  return marks.length > 1 && [...marks].slice(0, 2).every((mark) => valueOpener.includes(mark));
}

/** A text with the marks that look-alikes, references, escapes and addresses have in their place. */
const marksOf = (text: string): string =>
  plainSigns(text)
    .replace(/&(?:amp;)*(?:lt|#0*60|#x0*3c)(?:;|(?![a-z0-9]))|%(?:25)*3c|\\(?:u\{?0{0,4}3c\}?|x3c|0?74)/gi, "<")
    .replace(/&(?:amp;)*(?:gt|#0*62|#x0*3e)(?:;|(?![a-z0-9]))|%(?:25)*3e|\\(?:u\{?0{0,4}3e\}?|x3e|0?76)/gi, ">")
    .replace(/&(?:amp;)*(?:quot|#0*34|#x0*22)(?:;|(?![a-z0-9]))|%(?:25)*22|\\(?:u\{?0{0,4}22\}?|x22|0?42)/gi, '"')
    .replace(/&(?:amp;)*(?:sol|#0*47|#x0*2f)(?:;|(?![a-z0-9]))|%(?:25)*2f|\\(?:u\{?0{0,4}2f\}?|x2f|0?57)/gi, "/");

/** What a text is without its marks and blanks. */
const wordsOf = (text: string): string => (text.toLowerCase().match(word()) ?? []).join("");

const word = latePattern("[\\p{L}\\p{N}_]+", "gu");
const keyWord = latePattern("[\\p{L}\\p{N}_.$-]+", "gu");
const restOfOpener = /[^<>\r\n]+>/y;
/** The attribute that gives the key. */
const fromAttribute = /\s+[^\s=]+=["']?$/;
/** Where the last line of a text begins. */
const lastLine = /[^\r\n]*$/;
/** The marks that a text begins with, behind a bracket that may stand for one. */
const marksFirst = latePattern("^[[({]?([^\\p{L}\\p{N}_\\s]*)");
/** The marks that it ends with. */
const marksAfter = latePattern("[^\\p{L}\\p{N}_\\s]*$");
const tagAtStart = /^\s*<([^<>/\s"'=]+)>/;
const tagAtEnd = /<\/([^<>/\s"'=]+)>\s*$/;
const nameInTag = /<\/?([^<>/\s"'=]+)>/g;
