import type { Repair } from "../contract/repairs.ts";
import {
  APOSTROPHE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  closersOf,
  isBlank,
  isDigit,
  isLetter,
  isOddBlank,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
} from "./characters.ts";

/** Where a string stands: what may follow its closing quote depends on it. */
export type StringPlace = "key" | "member" | "item" | "top";

/** How the backslashes of one string are to be read, where an earlier reading of the text has found out. */
export type EscapePlan = "literal" | "escaped";

/** The string that is being read, and what its content has shown so far. */
export interface OpenString {
  place: StringPlace;
  /** The character that opened it, and those that may close it. */
  opener: number;
  closers: readonly number[];
  /** How many quotes in a row open and close it: 1, 2 where all quotes are doubled, 3. */
  width: number;
  /** A Python raw string: backslashes are data. */
  raw: boolean;
  /** Absolute offset of the opening quote. */
  start: number;
  /** A smart string holds straight quotes: if a straight one ends it, the smart one may be one too many. */
  straightQuotes: boolean;
  /** What says that its quotes are none of JSON's: a guess, once another quote in it may be the one that closes it. */
  style: Repair | undefined;
  /** Quotes of its own kind that were taken as content. */
  innerQuotes: number;
  /** Of those, how many look like openers that still wait for their partner. */
  openInner: number;
  /** Braces and brackets open in the content: code or JSON, whose commas and closers are not ours. */
  depth: number;
  /** It holds an escaped backslash or quote: its writer escapes. */
  evidentlyEscaped: boolean;
  /** It holds an escaped quote: another one does not end it. */
  escapedQuote: boolean;
  /** It holds a backslash that escapes nothing, and no evidence of escaping: all its backslashes are data. */
  literal: boolean;
  /** An apostrophe that nothing escapes: nobody who writes it so escapes others by habit. */
  bareApostrophe: boolean;
  /** Apostrophes that are escaped: a guess, once one of them is not. */
  escapedApostrophe: Repair | undefined;
  /** Begins like a Windows path. */
  pathLike: boolean;
  /** An escape was decoded; a control letter was kept as written. Either may turn out to be wrong. */
  decoded: boolean;
  kept: boolean;
}

export function openString(place: StringPlace, opener: number, width: number, start: number): OpenString {
  return {
    place,
    opener,
    closers: closersOf(opener),
    width,
    raw: false,
    start,
    style: undefined,
    innerQuotes: 0,
    straightQuotes: false,
    openInner: 0,
    depth: 0,
    evidentlyEscaped: false,
    escapedQuote: false,
    literal: false,
    bareApostrophe: false,
    escapedApostrophe: undefined,
    pathLike: false,
    decoded: false,
    kept: false,
  };
}

function isWordCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f || (code > 0x7f && !isOddBlank(code));
}

/**
 * Takes note of a quote that is content. A quote after a blank or an opener and before text opens an inner quotation,
 * the next other one ends it; an inch mark or an apostrophe inside a word does neither.
 */
export function noteInnerQuote(string: OpenString, quote: number, before: number, after: number): void {
  if (quote === APOSTROPHE && isWordCharacter(before) && isWordCharacter(after)) return;
  const opens =
    (isBlank(before) ||
      before === OPEN_PAREN ||
      before === OPEN_BRACKET ||
      before === OPEN_BRACE ||
      before === string.opener ||
      before === 0x3d ||
      before === 0x3a ||
      before === 0x2c ||
      before === 0x3e) &&
    after >= 0 &&
    !isBlank(after);
  if (opens && !(before === string.opener && string.openInner > 0)) string.openInner++;
  else if (string.openInner > 0) string.openInner--;
}

/** Whether a text opens more braces and brackets than it closes. */
export function leavesOpen(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (depth > 0 && (code === CLOSE_BRACE || code === CLOSE_BRACKET)) depth--;
  }
  return depth > 0;
}

/** Whether closing here would leave code or JSON of the content half open. */
export function leavesContentOpen(string: OpenString): boolean {
  return string.depth > 0 && string.innerQuotes > 0;
}
