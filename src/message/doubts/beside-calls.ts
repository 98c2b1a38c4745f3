import { isInQuotes } from "../../blocks/parameter-debris.ts";
import { parameterTagOf } from "../../blocks/parameter-tag.ts";
import { marksStrings } from "../../blocks/string-marks.ts";
import { slot } from "../../contract/render-template.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { countOf } from "../../values/escaped-quotes.ts";

/** Whether the closer of a parameter bears its name. */
export const isClosedByName = ({ template }: FormatData): boolean => parameterTagOf(template)?.isClosedByName === true;

/** Arguments stand on lines, each after its key. */
export const haveLines = ({ body }: FormatData): boolean => body === "yaml";

/**
 * The parameter that ends directly before a call, in a text that ends there: the opener of the call may have been moved over it.
 *
 * @returns its name, whatever the tool declares
 */
export function parameterBefore(text: string, format: FormatData): string | undefined {
  const end = text.slice(-besideCharsMax);
  if (isClosedByName(format)) return closerAtEnd.exec(end)?.[1];
  if (haveLines(format)) return end.includes(":") ? lineAtEnd.exec(end)?.[1] : undefined;
  const tag = format.rawValues === undefined ? null : parameterTagOf(format.template);
  if (tag === null || tag.closeTag === "" || !end.trimEnd().endsWith(tag.closeTag)) return undefined;
  // Without the marks of quotation round its key it is one as well.
  const [opener, before] = [tag.opener, text.slice(-textCharsMax)].map((piece) => piece.replace(/["']/g, ""));
  const at = before.lastIndexOf(opener);
  return at < 0 ? undefined : keyAtStart.exec(before.slice(at + opener.length))?.[1];
}

/**
 * Whether the last that a text opens is a parameter of calls that are not closed by name, and nothing is closed behind it: no tag,
 * nor a fence, in which it would stand. Where strings bear marks, the last of these may open one.
 */
export function holdsOpenOf(before: string, format: FormatData, isKey: (key: string) => boolean): boolean {
  const { rawValues, template } = format;
  const mark = marksStrings(format) ? template?.style?.string[0] : undefined;
  if (mark !== undefined) return countOf(before.slice(-textCharsMax), mark) % 2 === 1;
  const tag = rawValues === undefined ? null : parameterTagOf(template);
  if (tag === null || tag.closeTag === "") return false;
  const { opener, afterKey, closeTag } = tag;
  const text = before.slice(-textCharsMax);
  const at = text.lastIndexOf(opener);
  if (at < 0 || [closeTag, "</", "```", "~~~"].some((one) => text.includes(one, at))) return false;
  const from = at + opener.length;
  const end = text.indexOf(afterKey, from);
  return end >= 0 && isKey(text.slice(from, end).trim()) && !isInQuotes(text, at, end + afterKey.length);
}

/**
 * Whether a text, in its last paragraph, begins a call of a tool as programs write it, and does not close its parentheses: what stands
 * there may be one of its strings.
 */
export function opensProgramCall(before: string, names: readonly string[] | undefined): boolean {
  const paragraph = before.slice(-textCharsMax).split(emptyLine).at(-1) as string;
  const isCall: boolean[] = [];
  for (const { 0: unit, index } of paragraph.matchAll(parenthesis)) {
    if (unit === ")") isCall.pop();
    else
      isCall.push(
        names?.includes(nameBefore.exec(paragraph.slice(Math.max(0, index - nameCharsMax), index))?.[0] ?? "") === true,
      );
  }
  return isCall.includes(true);
}

const emptyLine = /\n[ \t]*\n/;
const parenthesis = /[()]/g;
const nameBefore = /[\p{L}_][\p{L}\p{N}_.-]*$/u;
const nameCharsMax = 128;

/** Calls bear their name in a header, too, before what opens them. */
export const haveHeader = ({ template }: FormatData): boolean =>
  template?.call.includes(slot.name) === true && template.call.includes(slot.quotedName);

/** The name that the text directly before a call of such formats gives it; undefined: none of a tool. */
export function headerName(
  before: string,
  formats: readonly FormatData[],
  names: readonly string[] | undefined,
): string | undefined {
  const name = formats.some(haveHeader) ? nameAtEnd.exec(before.slice(-besideCharsMax))?.[1] : undefined;
  return name !== undefined && names?.includes(name) ? name : undefined;
}

/** The end of a text that comes in pieces. */
export class TextBefore {
  #pieces: string[] = [];
  #length = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > 2 * textCharsMax) this.add(this.take());
  }

  /** Blanks aside. */
  beginsWith(text: string): boolean {
    return this.#pieces.join("").trimStart().startsWith(text);
  }

  take(): string {
    const text = this.#pieces.join("").slice(-textCharsMax);
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}

/** Whether what stands beside calls may hold parameters of theirs. */
export const mayStandBeside = (format: FormatData): boolean =>
  haveLines(format) ||
  marksStrings(format) ||
  (format.rawValues !== undefined && parameterTagOf(format.template) !== null);

/** Whether a parameter, of whatever name, begins directly behind a call of a format. */
export function parameterFollows(text: string, format: FormatData): boolean {
  const opener = format.rawValues && parameterTagOf(format.template)?.opener;
  return opener ? text.trimStart().startsWith(opener) : haveLines(format) && lineAtStart.test(text);
}

/** More of it is not looked at. */
export const besideCharsMax = 512;
/** What has been read before a call is looked at as far back. */
export const textCharsMax = 4096;
const nameAtEnd = /([\w.:/-]+)[ \t]*$/;
const keyAtStart = /^\s*([^<>\s]+)/;
const closerAtEnd = /<\/([^<>/\s"'=]+)>\s*$/;
/** A key at the beginning of a line, with what stands after it and, deeper, below it. */
const lineAtEnd = /(?:^|[\r\n])([A-Za-z_$][\w$-]*):(?:[ \t][^\r\n]*)?(?:[\r\n]+[ \t][^\r\n]*)*\s*$/;
export const lineAtStart = /^\s*([A-Za-z_$][\w$-]*):\s/;
