import { isInQuotes } from "../../blocks/parameter-debris.ts";
import { parameterTagOf } from "../../blocks/parameter-tag.ts";
import { marksStrings } from "../../blocks/string-marks.ts";
import { slot } from "../../contract/render-template.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { latePattern } from "../../machine/late-pattern.ts";
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
 * Whether the last that a text opens is a value of calls, and nothing is closed behind it: no tag, nor a fence, in which it would stand.
 * What may be a tag of a page, or lacks its key, opens one where it begins its line, and the value follows at once.
 */
export function holdsOpenOf(before: string, format: FormatData, isKey: (key: string) => boolean): boolean {
  const text = before.slice(-textCharsMax);
  const isClosedBehind = (at: number, closer: string) =>
    [closer, "</", "```", "~~~"].some((one) => text.includes(one, at));
  const mark = stringMarkOf(format);
  if (mark !== undefined) {
    const at = text.lastIndexOf(mark);
    if (countOf(text, mark) % 2 === 0 || isClosedBehind(at + mark.length, mark)) return false;
    const key = keyBeforeMark.exec(text.slice(0, at))?.[1];
    return key !== undefined && isKey(key);
  }
  const tag = format.rawValues === undefined ? null : parameterTagOf(format.template);
  if (tag === null) return false;
  const { opener, afterKey, closeTag, isClosedByName, valueOpener } = tag;
  const at = text.lastIndexOf(valueOpener || opener);
  if (at < 0 || isClosedBehind(at, closeTag || "</")) return false;
  const opened = valueOpener === "" ? at : text.lastIndexOf(opener, at);
  const from = opened + opener.length;
  const keyEnd = text.indexOf(afterKey, from);
  const hasKey = opened >= 0 && keyEnd >= 0 && isKey(text.slice(from, keyEnd).trim());
  const end = valueOpener === "" ? keyEnd + afterKey.length : at + valueOpener.length;
  if (!hasKey || isClosedByName || (valueOpener !== "" && !betweenTags.test(text.slice(keyEnd, at))))
    return (hasKey || valueOpener !== "") && beginsLine.test(text.slice(0, at)) && beginsValue.test(text.charAt(end));
  return !isInQuotes(text, opened, end);
}

/** What stands on both sides of a text in calls of a format whose values need such marks. */
const stringMarkOf = (format: FormatData): string | undefined =>
  marksStrings(format) ? format.template?.style?.string[0] : undefined;

/**
 * Whether a text holds the head of a call of a format, of whatever opener, and behind it what opens a value and is open at its end: what
 * follows may be text of that call.
 */
export function holdsOpenCall(
  before: string,
  format: FormatData,
  names: readonly string[] | undefined,
  isKey: (key: string) => boolean,
): boolean {
  const stringMark = stringMarkOf(format);
  const isOpen = (text: string) =>
    stringMark === undefined ? holdsOpenOf(text, format, isKey) : countOf(text, stringMark) % 2 === 1;
  // Of most formats nothing is open, and no more is asked.
  if (stringMark === undefined && !isOpen(before)) return false;
  const { call = [] } = format.template ?? {};
  const behindName = call[call.findIndex((piece) => piece === slot.name || piece === slot.quotedName) + 1];
  const opener = stringMark === undefined ? (parameterTagOf(format.template)?.opener ?? "") : "";
  const head = typeof behindName === "string" ? behindName : "";
  const mark = (head.endsWith(opener) ? head.slice(0, head.length - opener.length) : head).trim();
  return (names ?? []).some((name) => {
    const at = before.lastIndexOf(name + mark);
    const behind = at < 0 ? "" : before.slice(at + name.length + mark.length).trimStart();
    return at >= 0 && behind.startsWith(opener) && isOpen(behind);
  });
}

/**
 * Whether a text, on its last line, begins a call of a tool as programs write it, with the name of a parameter, and does not close its
 * parentheses: what stands there may be one of its strings. Marks of code say that it is shown.
 */
export function opensProgramCall(
  before: string,
  names: readonly string[] | undefined,
  isKey: (key: string) => boolean,
): boolean {
  const line = before.slice(1 + Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"))).slice(-textCharsMax);
  for (const { 1: name, 2: key, index } of line.matchAll(programCall())) {
    if (!names?.includes(name) || !isKey(key)) continue;
    const rest = line.slice(index);
    return !rest.includes("`") && countOf(rest, "(") > countOf(rest, ")");
  }
  return false;
}

const programCall = latePattern(
  "([\\p{L}_][\\p{L}\\p{N}_.-]{0,127})\\(\\s*([\\p{L}_][\\p{L}\\p{N}_]{0,127})\\s*=",
  "gu",
);

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
  haveLines(format) || (format.rawValues !== undefined && parameterTagOf(format.template) !== null);

/** Whether a parameter, of whatever name, begins directly behind a call of a format. */
export function parameterFollows(text: string, format: FormatData): boolean {
  const opener = format.rawValues && parameterTagOf(format.template)?.opener;
  return opener ? text.trimStart().startsWith(opener) : haveLines(format) && lineAtStart.test(text);
}

/** More of it is not looked at. */
export const besideCharsMax = 512;
/** What has been read before a call is looked at as far back. */
export const textCharsMax = 4096;
const keyBeforeMark = /([\w.-]+)\s*:\s*$/;
/** From what closes a key to what opens its value: tags, and what stands in them. */
const betweenTags = /^(?:<?[^<>]*>)?(?:\s*<[^<>]*>[^<>\n]*<\/[^<>]*>)*\s*$/;
/** Tags aside. */
const beginsLine = /(?:^|[\r\n]|<[^<>\r\n]{1,128}>)[ \t]*$/;
/** No blank, nor what stands behind a word that is spoken of. */
const beginsValue = /[^\s:,;)|`"'*=]/;
const nameAtEnd = /([\w.:/-]+)[ \t]*$/;
const keyAtStart = /^\s*([^<>\s]+)/;
const closerAtEnd = /<\/([^<>/\s"'=]+)>\s*$/;
/** A key at the beginning of a line, with what stands after it and, deeper, below it. */
const lineAtEnd = /(?:^|[\r\n])([A-Za-z_$][\w$-]*):(?:[ \t][^\r\n]*)?(?:[\r\n]+[ \t][^\r\n]*)*\s*$/;
export const lineAtStart = /^\s*([A-Za-z_$][\w$-]*):\s/;
