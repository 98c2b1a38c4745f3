import { type ParameterTag, parameterTagOf } from "../blocks/parameter-tag.ts";
import type { RepairKind } from "../contract/repairs.ts";
import type { FormatData } from "../formats/format-data.ts";
import { mayStandBeforeFence } from "../machine/fence-containers.ts";
import { latePattern } from "../machine/late-pattern.ts";
import type { Candidate } from "../values/candidate.ts";
import { fenceAfter, fenceMarksMin, lineBreak } from "./fence-lines.ts";
import { openerCharsMin } from "./openers.ts";

/** What the text after a call may say against it: that the call has not ended where it seemed to. */
export interface Doubt {
  /** Why the call is refused then. */
  readonly message: string;
  /** Where the next piece of the text says so, or of thoughts; -1: nowhere. */
  contradictedAt(text: string, inThoughts: boolean): number;
  /** Another call follows that may have ended too early. */
  callFollows?(): void;
  /** The end of the text says so. */
  readonly contradictedByEnd?: boolean;
}

/** Repairs that say where a call ends: what follows may say that it ended elsewhere. */
const movesEnd: ReadonlySet<RepairKind> = new Set<RepairKind>([
  "inner-quote",
  "missing-closer",
  "missing-envelope-closer",
  "missing-close-marker",
  "missing-last-closer",
]);

/** Those that put in braces which may stand further on. */
const closes: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-closer", "missing-envelope-closer"]);

/** Whether it is a repair that says where the call ends. */
export function endIsRepaired({ repairs }: Candidate): boolean {
  return repairs.some(({ kind }) => movesEnd.has(kind));
}

/** What a format writes last of a call: empty where that is its value, undefined where it is not known. */
export function tailOf({ template }: FormatData): string | undefined {
  const piece = template?.call.at(-1);
  return template && (typeof piece === "string" ? piece.trim() : "");
}

/** The same of thoughts: only where nothing closes them may they be the rest of a call. */
export class RestInThoughts implements Doubt {
  readonly message: string;
  readonly #begin: () => Doubt;
  #rest: Doubt | undefined;
  #isFound = false;

  /** @param begin makes what looks at the text of thoughts */
  constructor(begin: () => Doubt) {
    this.#begin = begin;
    this.message = restLeftOver;
  }

  contradictedAt(text: string, inThoughts: boolean): number {
    if (!inThoughts) {
      this.#rest = undefined;
      this.#isFound = false;
      return -1;
    }
    this.#rest ??= this.#begin();
    this.#isFound ||= this.#rest.contradictedAt(text, inThoughts) >= 0;
    return -1;
  }

  get contradictedByEnd(): boolean {
    return this.#isFound || this.#rest?.contradictedByEnd === true;
  }
}

/** Whether a text has more quotes that begin strings than such that end them, or the other way round. */
export const hasOddQuotes = (text: string): boolean => (text.replace(/\\./gs, "").split('"').length - 1) % 2 === 1;

/**
 * What the strings of a call say of its end, where a quote may have lost its backslash, or got one too many: `none` holds an
 * escaped quote; all those in one are `paired`; one has no partner, or an opener of the format stands in one, so it is `open`.
 */
export function stringsOf(raw: string, formats: readonly FormatData[]): "none" | "paired" | "open" {
  if (holdsOpener(raw, formats)) return "open";
  const counts = escapedQuotes.map((quote) => countOf(raw, quote));
  if (counts.some((count) => count % 2 === 1)) return "open";
  return counts.some((count) => count > 0) ? "paired" : "none";
}

/** Whether they say anything of it. */
export const stringsSay = (raw: string, formats: readonly FormatData[]): boolean =>
  escapedQuotes.some((quote) => raw.includes(quote)) || holdsOpener(raw, formats);

const escapedQuotes = ['\\"', "\\'"];

/** Whether an opener stands in a call, which may begin with one. */
function holdsOpener(raw: string, formats: readonly FormatData[]): boolean {
  const isHeld = (opener: string) =>
    opener.length >= openerCharsMin && raw.indexOf(opener, raw.startsWith(opener) ? 1 : 0) >= 0;
  return formats.some(({ triggers }) => triggers.some(isHeld));
}

/** Whether the arguments of a call are JSON or of Python, also where the format has raw values as well. */
export function hasStrings(raw: string, { template, rawValues }: FormatData): boolean {
  if (rawValues === undefined) return true;
  const brace = raw.indexOf("{");
  const parameter = raw.indexOf(parameterTagOf(template)?.opener ?? "{");
  return brace >= 0 && (parameter < 0 || brace <= parameter);
}

/** Whether a value of a call holds the opener of a parameter that nothing closes in it: then the closer of the call may be another's. */
export const holdsOpenParameter = (raw: string, format: FormatData): boolean => {
  const tag = closedTagOf(format);
  return tag !== null && countOf(raw, tag.opener) > countOf(raw, tag.closeTag);
};

/** Whether the arguments of a call may hold the opener of a parameter. */
export const mayHoldParameter = (json: string, format: FormatData): boolean => {
  const tag = closedTagOf(format);
  return tag !== null && json.includes(tag.openerInJson);
};

/** The tag of its parameters, if they hold text and all are closed alike. */
function closedTagOf({ template, rawValues }: FormatData): ParameterTag | null {
  const tag = rawValues === undefined ? null : parameterTagOf(template);
  return tag?.closeTag ? tag : null;
}

export function countOf(text: string, literal: string): number {
  let count = 0;
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) count++;
  return count;
}

/** Whether nothing but brackets of its own ends a call: then a quote that is not escaped may have ended it. */
export const endsWithBrackets = (format: FormatData): boolean =>
  !format.closers?.some((closer) => !format.reasoning.some(({ close }) => close === closer)) &&
  /^["}\])]*$/.test(tailOf(format) ?? "?");

/**
 * What follows a call whose end is a repair: it may be the rest of one of its strings, if it ends a string and a container
 * that it has not begun, or ends a string and names another member. Where braces were put in, a brace alone is what may have been missing.
 */
export class DoubtfulEnd implements Doubt {
  readonly message = restLeftOver;
  readonly #needsQuote: boolean;
  /** Brackets that the text has opened, and whether the last thing in it was a quote. */
  #depth = 0;
  #isAfterQuote = false;
  /** What stands after the last quote, while it may be the next member. */
  #member = "";

  constructor({ repairs }: Pick<Candidate, "repairs">) {
    this.#needsQuote = !repairs.some(({ kind }) => closes.has(kind));
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      if (this.#beginsMember(unit)) return at;
      if (unit === '"' || unit === "'") this.#isAfterQuote = true;
      else if (closing.includes(unit)) {
        if (this.#depth === 0 && (this.#isAfterQuote || !this.#needsQuote)) return at;
        this.#depth = Math.max(0, this.#depth - 1);
      } else if (unit.trim() !== "") {
        if (opening.includes(unit)) this.#depth++;
        this.#isAfterQuote = false;
      }
    }
    return -1;
  }

  #beginsMember(unit: string): boolean {
    if (this.#member === "" && unit !== '"') return false;
    this.#member += unit;
    if (this.#depth === 0 && nextMember.test(this.#member)) return true;
    if (this.#member.length > restCharsMax || !mayGoOn.test(this.#member)) this.#member = unit === '"' ? unit : "";
    return false;
  }
}

/**
 * What follows a call that nothing but brackets ends: it may be the rest of one of its strings, if it ends a string and the
 * call, or ends a string and names another member. A bracket in quotes is a word of the text. Directly after the call the
 * quote that a key begins with may be missing: a bracket may stand in its place.
 */
export class RestOfCall implements Doubt {
  readonly message = restLeftOver;
  /** Brackets that the text has opened. */
  #depth = 0;
  /** What stands after the last quote that may have ended a string. */
  #last = "";
  /** The last quote begins a string of the text, if another one on its line ends it. */
  #isString = false;
  /** What stands last on the line, blanks aside. */
  #before = "";
  /** What stands after the call, while it may be a key without its first quote. */
  #key: string | undefined = beforeKey;

  callFollows(): void {
    this.#key = beforeKey;
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      const before = this.#before;
      if (unit === "\n") this.#before = "";
      else if (unit.trim() !== "") this.#before = before === "\\" ? "" : unit;
      if (this.#endsKey(unit)) return at;
      if (this.#isString && unit !== "\n") {
        this.#readString(unit, before);
        continue;
      }
      this.#isString = false;
      if (this.contradictedByEnd && !ofWords.test(unit)) return at;
      const isRest = this.#last !== "" && mayGoOn.test(this.#last + unit);
      if (unit === '"' && before !== "" && beforeString.includes(before) && !isRest) {
        this.#isString = true;
        this.#last = unit;
        continue;
      }
      const isOpened = this.#count(unit);
      if (this.#last === "" && unit !== '"') continue;
      // What the text has opened and closes after a quote says nothing of the brackets that follow.
      if (isOpened && closing.includes(unit) && mayGoOn.test(this.#last)) continue;
      this.#last += unit;
      if (unit === ":" && this.#depth === 0 && nextMember.test(this.#last)) return at;
      if (isOpened || this.#last.length > restCharsMax || !mayGoOn.test(this.#last))
        this.#last = unit === '"' ? unit : "";
    }
    return -1;
  }

  /** Goes on in a string of the text; until it ends, it may as well be the end of one of the call. */
  #readString(unit: string, before: string): void {
    if (unit === '"' && before !== "\\") {
      this.#isString = false;
      // In brackets of the text one bracket too many may be that of the call.
      this.#last = this.#depth > 0 ? unit : "";
    } else if (this.#last !== "") this.#last = mayGoOn.test(this.#last + unit) ? this.#last + unit : "";
  }

  #endsKey(unit: string): boolean {
    if (this.#key === undefined) return false;
    this.#key += unit;
    if (nextMember.test(this.#key)) return true;
    const isBracket = opening.includes(unit) || closing.includes(unit);
    if (isBracket || this.#key.length > restCharsMax || !mayGoOn.test(this.#key)) this.#key = undefined;
    return false;
  }

  get contradictedByEnd(): boolean {
    return this.#last !== "" && closed.test(this.#last);
  }

  /** Whether it is a bracket of the text itself. */
  #count(unit: string): boolean {
    if (opening.includes(unit)) this.#depth++;
    else if (this.#depth === 0 || !closing.includes(unit)) return false;
    else this.#depth--;
    return true;
  }
}

const restLeftOver =
  "quotes and brackets are left over after the call, so its text may have ended too early; ask for the call again";

const opening = "{[(";
/** A quote after one of these begins a string. */
const beforeString = "{[(,:=";
const closing = "}])";
/** Text without any of these says nothing to {@link RestOfCall}. */
export const mayBeRest = /[}\])]|"\s*:/;
/** A key is no longer. */
const restCharsMax = 128;
const closed = /^"\s*[}\])][}\])\s]*$/;
const nextMember = /^"\s*,\s*"[^"]+"\s*:$/;
/** With this before it, a key without its first quote is the next member. */
const beforeKey = '","';
/** The end of a string and of the call, or the next member, as far as it is there. */
const mayGoOn = /^"\s*(?:[}\])][}\])\s]*|,\s*(?:"[^"]*"?\s*)?)?$/;
/** What follows a bracket that is a word of the text. */
const ofWords = /["'`\p{L}\p{N}}\])]|[^\S\r\n]/u;

/**
 * What follows a call in which raw text has left a fence open: marks on a line of their own may close that one, so that the
 * call ended in a document that shows how calls end.
 */
export class OpenFence implements Doubt {
  readonly message =
    "its text has opened a fence that is closed after the call, so it may have ended too early; ask for the call again";
  readonly #mark: string;
  /** Marks that the line begins with, after what a fence may stand in; undefined: it begins with something else. */
  #marks: number | undefined = 0;

  constructor(mark: string) {
    this.#mark = mark;
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      if (unit === "\n" || unit === "\r") this.#marks = 0;
      else if (this.#marks === undefined) continue;
      else if (unit !== this.#mark) this.#marks = this.#marks === 0 && mayStandBeforeFence(unit) ? 0 : undefined;
      else if (++this.#marks === fenceMarksMin) return at;
    }
    return -1;
  }
}

/**
 * Closers that are left over in a fence or in thoughts which nothing has closed: the text that began there may be that of the
 * call, so they may be its own.
 */
export class UnclosedQuotation implements Doubt {
  readonly message = closersLeftOver;
  readonly #holdsCloser: (line: string) => boolean;
  #line = "";
  #fence: string | undefined;
  #inThoughts = false;
  #hasCloser = false;

  /** @param holdsCloser whether a line holds a closer of the calls */
  constructor(holdsCloser: (line: string) => boolean) {
    this.#holdsCloser = holdsCloser;
  }

  contradictedAt(text: string, inThoughts: boolean): number {
    if (this.#inThoughts && !inThoughts) this.#hasCloser = false;
    this.#inThoughts = inThoughts;
    const [first, ...lines] = text.split(lineBreak);
    this.#line += first;
    for (const line of lines) {
      this.#endLine();
      this.#line = line;
    }
    return -1;
  }

  get contradictedByEnd(): boolean {
    return this.#hasCloserIn(fenceAfter(this.#fence, this.#line, false));
  }

  #endLine(): void {
    // One that begins within a line is none if nothing closes it.
    this.#fence = fenceAfter(this.#fence, this.#line, false);
    this.#hasCloser = this.#hasCloserIn(this.#fence);
  }

  /** @param fence what is open after the line */
  #hasCloserIn(fence: string | undefined): boolean {
    const isQuoted = fence !== undefined || this.#inThoughts;
    return isQuoted && (this.#hasCloser || this.#holdsCloser(this.#line));
  }
}

export const closersLeftOver =
  "closing tags are left over after the call, so its text may have ended too early; ask for the call again";

/**
 * What follows a call that has written no arguments, although its tool takes some: they may have been written after the
 * end of the call. A closer that is left over says so, and so does text that begins as arguments and names one of them.
 */
export class EmptyCall implements Doubt {
  readonly message = "the call has no arguments, and what may be its arguments follows its end; ask for the call again";
  readonly #keys: ReadonlySet<string>;
  #text = "";

  /** @param keys the parameters that the tool declares */
  constructor(keys: ReadonlySet<string>) {
    this.#keys = keys;
  }

  contradictedAt(text: string): number {
    for (let at = 0; at < text.length && this.#text.length < textCharsMax; at++) {
      const unit = text[at];
      if (this.#text === "" && unit.trim() === "") continue;
      this.#text += unit;
      if (follows.test(unit) && this.#namesKey()) return at;
    }
    return -1;
  }

  /** Whether the text so far ends in a key as arguments have it: in quotes, brackets or a tag, or before a sign. */
  #namesKey(): boolean {
    const found = lastWord().exec(this.#text);
    if (found === null) return false;
    const [, before, word, after] = found;
    const bare = word.replace(emphasis, "");
    if (![word, word.toLowerCase(), bare, bare.toLowerCase()].some((one) => this.#keys.has(one))) return false;
    if (sign.test(after) && (beginsItem.test(before) || inBraces.test(before))) return true;
    if (inCell.test(this.#text)) return true;
    return begins.test(before) && (opensKey.test(before) || (isSet.test(before) && sign.test(after)));
  }
}

/**
 * What follows a call with raw values that was refused, or lacks an argument: where the opener of one stands there, the call
 * may have ended too early, and what follows may be its value.
 */
export class LooseParameter implements Doubt {
  readonly message =
    "the opener of an argument follows the end of the call, so it may have ended too early; ask for the call again";
  readonly #tags: readonly ParameterTag[];
  readonly #mayLack: (key: string) => boolean;
  readonly #areValues: boolean;
  #before = "";

  /**
   * @param mayLack whether the call may be without an argument of that name
   * @param areValues the opener of a value says the same
   */
  constructor(tags: readonly ParameterTag[], mayLack: (key: string) => boolean, areValues: boolean) {
    this.#tags = tags;
    this.#mayLack = mayLack;
    this.#areValues = areValues;
  }

  contradictedAt(piece: string): number {
    const text = this.#before + piece;
    const end = firstOf(this.#tags.map((tag) => this.#endIn(text, tag)));
    if (end >= 0) return end - this.#before.length;
    this.#before = text.slice(-2 * keyCharsMax);
    return -1;
  }

  /** Where the key of the first of such openers has ended, or the opener of a value; -1: there is none. */
  #endIn(text: string, { opener, afterKey, valueOpener }: ParameterTag): number {
    const at = this.#areValues && valueOpener !== "" ? text.indexOf(valueOpener) : -1;
    return firstOf([at < 0 ? -1 : at + valueOpener.length - 1, this.#keyEndIn(text, opener, afterKey)]);
  }

  #keyEndIn(text: string, opener: string, afterKey: string): number {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
      const from = at + opener.length;
      const key = text.slice(from, from + keyCharsMax).split(afterKey, 1)[0];
      if (text.startsWith(afterKey, from + key.length) && this.#mayLack(key.trim())) return from + key.length;
    }
    return -1;
  }
}

/** What follows a call whose parameters are closed by name: such a closer that the text has not opened is left over. */
export class LooseNamedCloser implements Doubt {
  readonly message = closersLeftOver;
  readonly #isKey: (name: string) => boolean;
  readonly #opened = new Set<string>();
  #before = "";

  constructor(isKey: (name: string) => boolean) {
    this.#isKey = isKey;
  }

  contradictedAt(piece: string): number {
    const text = this.#before + piece;
    let read = 0;
    for (const found of text.matchAll(namedTag)) {
      const [whole, slash, name] = found;
      read = found.index + whole.length;
      if (slash === "") this.#opened.add(name);
      else if (!this.#opened.has(name) && this.#isKey(name)) return Math.max(0, read - 1 - this.#before.length);
    }
    this.#before = text.slice(Math.max(read, text.length - keyCharsMax));
    return -1;
  }
}

const namedTag = /<(\/?)([^<>/\s"'=]+)[^<>]*>/g;

/** Whether the closer of a parameter bears its name. */
export const isClosedByName = ({ template }: FormatData): boolean => parameterTagOf(template)?.isClosedByName === true;

/** An opener and a key are no longer, each. */
const keyCharsMax = 128;

/** The first of some places that have been looked for; -1: none has been found. */
export function firstOf(places: readonly number[]): number {
  const found = places.filter((place) => place >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Whether a call has written no arguments, so that its object is empty. */
export const isEmpty = ({ writer }: Candidate): boolean => writer.length === emptyChars;

const emptyChars = "{}".length;
/** So much of the text is looked at. */
const textCharsMax = 200;
/** What may stand after a key. */
const follows = /["'`:=><|\s]/;
const lastWord = latePattern(
  "^([\\s\\S]*?)([\\p{L}\\p{N}_.$]+(?:-[\\p{L}\\p{N}_.$]+)*)((?::?\\*\\*|[\"'`])?\\s*[:=>|<]?|:\\*\\*\\s?|[\"'`\\s])$",
);
const sign = /[:=>]$|:\*\*\s?$/;
/** Nothing but marks of a list, of a quotation, of emphasis or of code stands before it on its line. */
const beginsItem = /(?:^|[\r\n])[\s>*+_•→-]*(?:(?:\d+|[a-z])[.)]\s*)?["'`*_]*$/;
const emphasis = /^_{1,2}|_{1,2}$/g;
const inBraces = /[{,]\s*["'`]$/;
/** A cell of a table, an option of a command line, the text of a tag. */
const inCell = /(?:^|[\r\n])\s*(?:\|\s*[^|\s]+\s*\||--[^|\s]+\s|<[\w:.-]+>[^<>\s]+<)$/;
/** With what arguments begin. */
const begins =
  /^[,;]?\s*(?:[-*+]\s|\*\*|(?:["'`]?(?:arguments|args|parameters|params|input|kwargs)["'`]?\s*[:=]\s*)?[{[(<`])/i;
const opensKey = /["'`<{(,=]$/;
/** A key after a blank, a tag or marks of emphasis needs a sign. */
const isSet = /[\s>*]$/;
