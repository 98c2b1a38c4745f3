import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  END,
  EQUALS,
  isBlank,
  isCloser,
  isDigit,
  isKeyCharacter,
  isLetter,
  isOpener,
  isQuote,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  SEMICOLON,
} from "./characters.ts";
import { type Answer, closerGapsMax, LookAhead } from "./look-ahead.ts";
import {
  beginsContainerOrNumber,
  findMemberStart,
  isStringInTurn,
  isWholeKey,
  type KeyEvidence,
  type MemberStart,
} from "./member-start.ts";
import type { OpenContainers } from "./open-containers.ts";
import { leavesContentOpen, type OpenString } from "./open-string.ts";
import type { TextWindow } from "./text-window.ts";

/** The quote ends the first of two strings that are one value; the next one begins at `nextOpening`. */
export interface Joined {
  nextOpening: number;
}

/** What a quote in a string is. `half-open`: content, but only because code or JSON in the string would have stayed half open. */
type Verdict = "yes" | "no" | "half-open" | Joined;

/** The same, or that more text is needed to say it. */
export type Closing = Verdict | "more";

/** What else ends a string. */
export interface ClosingOptions {
  ignoreContent?: boolean;
  generous?: boolean;
}

/** How far a comma is looked for before a quote. */
const commaDistanceMax = 32;

/**
 * Where strings end: a quote closes its string only if what follows fits the place the string stands in. Pure
 * look-ahead over a bounded distance; nothing here changes the state of the reading.
 */
export class ClosingPlaces {
  readonly #ahead: LookAhead;
  readonly #open: OpenContainers;
  /** Take places that leave content half open nevertheless: the second attempt on a whole text. */
  readonly #ignoreContent: boolean;
  /** Take places where something else went wrong as well. */
  readonly #generous: boolean;

  constructor(window: TextWindow, open: OpenContainers, { ignoreContent, generous }: ClosingOptions) {
    this.#ahead = new LookAhead(window);
    this.#open = open;
    this.#ignoreContent = ignoreContent === true;
    this.#generous = generous === true;
  }

  /** All quotes of the document are doubled. */
  get doubled(): boolean {
    return this.#ahead.doubled;
  }

  set doubled(doubled: boolean) {
    this.#ahead.doubled = doubled;
  }

  // ----- Questions: `more` where the answer lies in text that has not come -----

  /** Does the quote that ends just before `after` close `string`? */
  closes(string: OpenString, after: number): Closing {
    return this.#ask(() => this.#closes(string, after));
  }

  /** What is known of the key of a member that begins at `at`, in which of the open containers; -1: in any. */
  memberStart(at: number, level: number): KeyEvidence | "more" {
    return this.#ask(() => this.#memberStart(at, level).evidence);
  }

  /** The value at `at` is an array item or a member: `"key":` inside an array says that its closer is missing. */
  isMemberOfParent(at: number): Answer {
    const level = this.#open.stack.length - 1;
    return this.#answer(() => this.#isObjectBelow(level) && isWholeKey(this.#memberStart(at, level - 1)));
  }

  /** A key of bounded length and a colon: members without braces around them. */
  beginsMember(at: number): Answer {
    return this.#answer(() => isWholeKey(this.#memberStart(at, -1)));
  }

  /** A word without quotes at `at` that belongs to nothing, and then a member. */
  isStrayWord(at: number): Answer {
    return this.#answer(() => this.#generous && this.#isStrayWord(at));
  }

  /** Whether a number, a literal or an array of them follows the colon, and then the closer that is due. */
  endsWithScalar(colon: number): Answer {
    return this.#answer(() => this.#endsWithScalar(colon));
  }

  /**
   * Does the quote that begins a member start at `at` show that the closing quote before the comma is missing? Only
   * where no inner quotes were seen, or where the schema has the key.
   */
  closingQuoteMissing(string: OpenString, at: number): Answer {
    return this.#answer(() => this.#closingQuoteMissing(string, at));
  }

  /** Does `\"` end the string, its backslash being data? Asked only while nothing speaks for escaping. */
  swallowed(string: OpenString, after: number): Closing {
    return this.#ask(() => this.#swallowed(string, after));
  }

  #answer(question: () => boolean): Answer {
    return this.#ask(() => (question() ? "yes" : "no"));
  }

  #ask<Found>(question: () => Found): Found | "more" {
    this.#ahead.needsMore = false;
    const found = question();
    return this.#ahead.needsMore ? "more" : found;
  }

  // ----- The end of a string, by its place -----

  #closes(string: OpenString, after: number): Verdict {
    const ahead = this.#ahead;
    const at = ahead.skipBlanks(after);
    const code = ahead.at(at);
    if (code === END || ahead.isMarker(at)) return "yes";
    switch (string.place) {
      case "key":
        return this.#closesKey(string, at, code) ? "yes" : "no";
      case "member":
        return this.#closesMember(string, after, at, code);
      case "item":
        return this.#closesItem(string, after, at, code);
      case "top":
        return code === PLUS ? this.#joins(string, at, code) : "no";
    }
  }

  #closesKey(string: OpenString, at: number, code: number): boolean {
    if (code === COLON || code === EQUALS) return true;
    if (isLetter(code)) return this.#ahead.isLiteral(at);
    if (string.innerQuotes > 0) return false;
    if (code === COMMA || code === CLOSE_BRACE || beginsContainerOrNumber(code)) return true;
    return isQuote(code) && this.#isValueWithoutColon(at);
  }

  /** `"key" "text"`, and after it what follows a member. */
  #isValueWithoutColon(at: number): boolean {
    const ahead = this.#ahead;
    const end = ahead.endOfString(at);
    if (typeof end !== "number") return false;
    const follows = ahead.at(ahead.skipBlanks(end));
    return follows === COMMA || follows === CLOSE_BRACE || follows === END;
  }

  #closesMember(string: OpenString, after: number, at: number, code: number): Verdict {
    const ahead = this.#ahead;
    const level = this.#open.stack.length - 1;
    if (code === COMMA || code === SEMICOLON) {
      const next = ahead.skipCommas(at + 1);
      const follows = ahead.at(next);
      if (follows === END) return "yes";
      if (isCloser(follows)) return this.#plausibleEnd(string, next);
      if (ahead.isMarker(next) || ahead.isEllipsis(next)) return "yes";
      if (this.#generous && string.innerQuotes === 0 && this.#isStrayWord(next)) return "yes";
      return this.#acceptMember(string, this.#memberStart(next, level), level);
    }
    if (isCloser(code)) return this.#plausibleEnd(string, at);
    if (ahead.isEllipsis(at)) return "yes";
    const start = this.#memberStart(at, level);
    if (start.evidence !== "none" && start.evidence !== "damaged") {
      return this.#endsWithoutComma(string, after, at, start, level);
    }
    // Two quotes without a blank between them are an empty string in code, or marks in the text.
    return at === after && code !== PLUS ? "no" : this.#joins(string, at, code);
  }

  /** The comma before a member is missing. On one line an inner quote is as likely, unless nothing else speaks for one. */
  #endsWithoutComma(string: OpenString, after: number, at: number, start: MemberStart, level: number): Verdict {
    const newLine = this.#ahead.window.crossesLine(after, at);
    const mayBeBare = this.#generous && string.innerQuotes === 0;
    const expectsBare = newLine && (start.evidence === "declared" || this.#open.stack[level].bareKeys || mayBeBare);
    if (start.bare && !expectsBare) return "no";
    if (start.evidence === "partial" && !newLine) return "no";
    return newLine || string.innerQuotes === 0 ? this.#acceptMember(string, start, level) : "no";
  }

  #closesItem(string: OpenString, after: number, at: number, code: number): Verdict {
    const ahead = this.#ahead;
    const level = this.#open.stack.length - 1;
    if (code === COMMA || code === SEMICOLON) {
      const next = ahead.skipCommas(at + 1);
      const follows = ahead.at(next);
      if (follows === END) return "yes";
      return isCloser(follows) ? this.#plausibleEnd(string, next) : this.#valueStart(string, next, level);
    }
    if (isCloser(code)) return this.#plausibleEnd(string, at);
    if (code === PLUS) return this.#joins(string, at, code);
    if (ahead.isEllipsis(at)) return "yes";
    const newLine = ahead.window.crossesLine(after, at);
    if (string.innerQuotes > 0 && !newLine) return "no";
    if (isQuote(code)) return this.#endsBeforeString(string, after, at, newLine) ? "yes" : "no";
    if (isLetter(code)) return this.#endsBeforeWord(string, at);
    return isOpener(code) || isDigit(code) || code === MINUS ? this.#valueStart(string, at, level) : "no";
  }

  /** Two strings, no comma: the second item closing in its turn is the evidence. */
  #endsBeforeString(string: OpenString, after: number, at: number, newLine: boolean): boolean {
    const ahead = this.#ahead;
    if (at === after && ahead.at(at) === string.opener && this.#lastOfRunCloses(string, at)) return false;
    const end = ahead.endOfString(at);
    if (end === "cut") return newLine;
    if (end === "long") return false;
    const next = ahead.skipBlanks(end);
    const follows = ahead.at(next);
    return ahead.endsValue(next) || isQuote(follows) || isDigit(follows) || isOpener(follows);
  }

  /** `["a" b]`: a word without quotes, and brackets that may end here. */
  #endsBeforeWord(string: OpenString, at: number): Verdict {
    if (!this.#generous || string.innerQuotes > 0) return "no";
    const end = this.#ahead.endOfBareText(at);
    return end >= 0 && isCloser(this.#ahead.at(end)) ? this.#plausibleEnd(string, end) : "no";
  }

  /** Of a run of quotes before a closing place the last one closes. Does the run that goes on at `at` stand before one? */
  #lastOfRunCloses(string: OpenString, at: number): boolean {
    const ahead = this.#ahead;
    const end = ahead.endOfQuotes(at, string.opener);
    const next = ahead.skipBlanks(end);
    const code = ahead.at(next);
    return (code === COMMA || isCloser(code)) && this.#closesItem(string, end, next, code) !== "no";
  }

  /** `"a" "b"` and `"a" + "b"`: one string in two pieces, if the second closes in its turn. */
  #joins(string: OpenString, at: number, code: number): Verdict {
    if (string.innerQuotes > 0 || string.width > 1) return "no";
    const ahead = this.#ahead;
    const opening = code === PLUS ? ahead.skipBlanks(at + 1) : at;
    if (ahead.at(opening) !== string.opener) return "no";
    const end = ahead.endOfString(opening);
    if (typeof end !== "number") return "no";
    const next = ahead.skipBlanks(end);
    const follows = ahead.at(next);
    const ends = follows === END ? string.place === "top" : ahead.endsValue(next);
    return ends || follows === PLUS || follows === string.opener ? { nextOpening: opening } : "no";
  }

  /**
   * Can a run of closers that begins at `at` end here? It must fit the open containers, and after it must come the end
   * of the text, an end marker, or what the container that is still open goes on with.
   */
  #plausibleEnd(string: OpenString, from: number): Verdict {
    const ahead = this.#ahead;
    let level = this.#open.stack.length - 1;
    let fits = true;
    let gaps = 0;
    let at = from;
    for (;;) {
      const code = ahead.at(at);
      if (isCloser(code)) {
        if (level >= 0) {
          const closed = this.#open.nearest(level, code);
          fits &&= closed >= 0;
          level = (closed < 0 ? level : closed) - 1;
        }
        const next = ahead.skipBlanks(at + 1);
        if (next > at + 1 && ++gaps > closerGapsMax) return "no";
        at = next;
        continue;
      }
      if (code === END || ahead.isMarker(at)) return this.#unlessHalfOpen(string);
      if (!fits && string.innerQuotes > 0) return "no";
      if (code !== COMMA && code !== SEMICOLON) return this.#endsBefore(string, at, level, fits);
      at = ahead.skipCommas(at + 1);
      const next = ahead.at(at);
      if (next === END) return this.#unlessHalfOpen(string);
      if (!isCloser(next)) return this.#endsBeforeNext(string, at, level);
    }
  }

  /** After closers and a comma: does the container that is still open go on at `at`? */
  #endsBeforeNext(string: OpenString, at: number, level: number): Verdict {
    if (level >= 0) return this.#goesOn(string, at, level);
    if (string.innerQuotes > 0) return "no";
    if (!isQuote(this.#ahead.at(at))) return "yes";
    const { evidence } = this.#memberStart(at, -1);
    if (evidence === "damaged") return this.#generous ? "yes" : "no";
    return evidence === "none" ? "no" : "yes";
  }

  /** After closers, without a comma: does the container that is still open go on, or has the value ended? */
  #endsBefore(string: OpenString, at: number, level: number, fits: boolean): Verdict {
    const ahead = this.#ahead;
    const code = ahead.at(at);
    if (level >= 0) {
      const mayGoOn = isQuote(code) || isOpener(code) || this.#open.stack[level].bareKeys;
      if (mayGoOn) return this.#goesOn(string, at, level);
      return ahead.isEllipsis(at) ? "yes" : "no";
    }
    // The value is balanced and prose follows, or the end of a fence.
    if (ahead.isFence(at)) return this.#unlessHalfOpen(string);
    return !isQuote(code) && string.openInner === 0 && fits ? this.#unlessHalfOpen(string) : "no";
  }

  #goesOn(string: OpenString, at: number, level: number): Verdict {
    if (!this.#open.stack[level].isObject) return this.#valueStart(string, at, level);
    if (this.#ahead.isEllipsis(at)) return "yes";
    if (this.#isJoinedArray(string, at, level)) return "yes";
    return this.#acceptMember(string, this.#memberStart(at, level), level);
  }

  /** `"key": ["a"], ["b"]`: the array goes on after a bracket that came too early. */
  #isJoinedArray(string: OpenString, at: number, level: number): boolean {
    if (!this.#generous || string.innerQuotes > 0 || this.#ahead.at(at) !== OPEN_BRACKET) return false;
    return this.#open.stack[level + 1]?.isObject === false;
  }

  #unlessHalfOpen(string: OpenString): Verdict {
    return this.#ignoreContent || !leavesContentOpen(string) ? "yes" : "half-open";
  }

  // ----- What a member is evidence of -----

  #memberStart(at: number, level: number): MemberStart {
    return findMemberStart(this.#ahead, this.#open, at, level);
  }

  /** Is the member that begins after `string` good enough to end it? */
  #acceptMember(string: OpenString, start: MemberStart, level: number): Verdict {
    const hasQuotes = string.innerQuotes > 0;
    switch (start.evidence) {
      case "none":
        return "no";
      case "damaged":
        return hasQuotes ? "no" : "yes";
      case "partial":
        return (start.bare ? hasQuotes : string.openInner > 0) ? "no" : this.#unlessHalfOpen(string);
      case "undeclared":
        return this.#acceptOddKey(string, start);
      case "declared":
        return start.seen ? this.#acceptOddKey(string, start) : this.#unlessHalfOpen(string);
      case "unknown":
        return this.#acceptUnknownKey(string, start, level);
    }
  }

  /** A key that the object should not have, or has already. */
  #acceptOddKey(string: OpenString, start: MemberStart): Verdict {
    return string.innerQuotes === 0 && (start.long || this.#isWellFormed(start)) ? "yes" : "no";
  }

  #acceptUnknownKey(string: OpenString, start: MemberStart, level: number): Verdict {
    const hasQuotes = string.innerQuotes > 0;
    const expectsBare = this.#open.stack[level].bareKeys;
    if (start.bare && !expectsBare && hasQuotes) return "no";
    const isOdd = start.bare && (!expectsBare || hasQuotes);
    if ((isOdd || string.openInner > 0) && !this.#isWellFormed(start)) {
      return start.bare && !hasQuotes && this.#isBareMember(start, level) ? "yes" : "no";
    }
    return this.#unlessHalfOpen(string);
  }

  /**
   * Whether what follows the colon looks like a value that ends where a value may end. Where the key is longer than the
   * look-ahead no colon was seen, and nothing speaks for one.
   */
  #isWellFormed({ colon, long }: MemberStart): boolean {
    if (long) return false;
    const ahead = this.#ahead;
    const at = ahead.skipBlanks(colon + 1);
    const code = ahead.at(at);
    if (code === END || code === OPEN_BRACE || code === OPEN_BRACKET) return true;
    if (!isQuote(code)) return ahead.isScalar(at, true);
    const end = ahead.endOfString(at);
    return typeof end !== "number" || ahead.endsValue(ahead.skipBlanks(end)) || this.#isAfterComma(end - 2);
  }

  /** Whether words without quotes follow the colon, and then another member or the end. */
  #isBareMember({ colon }: MemberStart, level: number): boolean {
    const ahead = this.#ahead;
    const end = ahead.endOfBareText(ahead.skipBlanks(colon + 1));
    if (end < 0) return false;
    const code = ahead.at(end);
    if (code !== COMMA) return code === END || ahead.closersEnd(end);
    const next = ahead.skipCommas(end + 1);
    const follows = ahead.at(next);
    if (follows === END || isCloser(follows)) return true;
    const { evidence } = this.#memberStart(next, level);
    return evidence === "declared" || evidence === "unknown";
  }

  /** A comma and blanks before `index`, within a short distance: the closing quote of that value is missing as well. */
  #isAfterComma(index: number): boolean {
    const { text } = this.#ahead.window;
    let at = index;
    for (let count = 0; count < commaDistanceMax && at >= 0 && isBlank(text.charCodeAt(at)); count++) at--;
    return at >= 0 && text.charCodeAt(at) === COMMA;
  }

  #isStrayWord(at: number): boolean {
    const ahead = this.#ahead;
    if (!isLetter(ahead.at(at))) return false;
    const end = ahead.endOfRun(at, isKeyCharacter);
    const next = end < 0 ? end : ahead.skipBlanks(end);
    return next > end && isQuote(ahead.at(next)) && isWholeKey(this.#memberStart(next, -1));
  }

  // ----- What an item is evidence of -----

  /** A value start inside an array, the item closing in turn. */
  #valueStart(string: OpenString, at: number, level: number): Verdict {
    const ahead = this.#ahead;
    const code = ahead.at(at);
    if (code === END || ahead.isMarker(at) || ahead.isEllipsis(at)) return "yes";
    if (!this.#ignoreContent && leavesContentOpen(string)) return "half-open";
    return this.#isItem(string, at, level) ? "yes" : "no";
  }

  #isItem(string: OpenString, at: number, level: number): boolean {
    const ahead = this.#ahead;
    const quote = ahead.openingQuote(at);
    if (quote >= 0) return this.#isStringItem(string, at, quote, level);
    if (isOpener(ahead.at(at))) return string.openInner === 0;
    return ahead.isScalar(at, false) || (string.innerQuotes === 0 && ahead.endOfBareText(at) >= 0);
  }

  /** A string whose opening quote stands at `quote`, after a prefix that begins at `at`. */
  #isStringItem(string: OpenString, at: number, quote: number, level: number): boolean {
    const ahead = this.#ahead;
    const end = ahead.endOfString(quote);
    if (end === "cut") return true;
    if (end === "long") return string.openInner === 0;
    const next = ahead.skipBlanks(end);
    const follows = ahead.at(next);
    if (follows === COMMA || follows === END) return true;
    // The parenthesis of a call in the content closes nothing of ours.
    if (isCloser(follows)) return string.innerQuotes === 0 || this.#open.nearest(level, follows) >= 0;
    if (quote > at) return false;
    if (follows === COLON) return string.innerQuotes === 0 && this.#isObjectBelow(level);
    return ahead.isMarker(next) || string.openInner === 0;
  }

  #isObjectBelow(level: number): boolean {
    return this.#open.stack[level - 1]?.isObject === true;
  }

  // ----- Quotes that are missing or hidden -----

  #endsWithScalar(colon: number): boolean {
    const ahead = this.#ahead;
    let at = ahead.skipBlanks(colon + 1);
    let brackets = 0;
    for (; ahead.at(at) === OPEN_BRACKET; brackets++) at = ahead.skipBlanks(at + 1);
    for (;;) {
      if (!ahead.isScalar(at, true)) return false;
      while (!ahead.endsValue(at)) at++;
      if (brackets === 0 || ahead.at(at) !== COMMA) break;
      at = ahead.skipBlanks(at + 1);
    }
    for (; brackets > 0; brackets--) {
      if (ahead.at(at) !== CLOSE_BRACKET) return false;
      at = ahead.skipBlanks(at + 1);
    }
    return ahead.at(at) === this.#open.stack[this.#open.stack.length - 1].closer;
  }

  #closingQuoteMissing(string: OpenString, at: number): boolean {
    if (string.place === "item") return string.innerQuotes === 0 && isStringInTurn(this.#ahead, at);
    const start = this.#memberStart(at, this.#open.stack.length - 1);
    if (start.evidence === "declared" && !start.seen) return !leavesContentOpen(string);
    return start.evidence === "unknown" && string.innerQuotes === 0 && this.#isWellFormed(start);
  }

  #swallowed(string: OpenString, after: number): Verdict {
    if (string.place === "key" || string.place === "top") return "no";
    const ahead = this.#ahead;
    const at = ahead.skipBlanks(after);
    const code = ahead.at(at);
    if (string.place === "item" || isCloser(code)) {
      const evidence = string.literal || string.pathLike;
      if (!evidence || code === END) return "no";
      const verdict = this.#closes(string, after);
      return typeof verdict === "object" ? "no" : verdict;
    }
    if (code !== COMMA) return "no";
    const next = ahead.skipCommas(at + 1);
    if (!isQuote(ahead.at(next))) return "no";
    const { evidence, long } = this.#memberStart(next, this.#open.stack.length - 1);
    if (evidence === "declared") return "yes";
    const letter = ahead.at(next + 1);
    const looksLikeKey = isLetter(letter) || isDigit(letter) || letter === 0x5f || letter === 0x24 || letter > 0x7f;
    return evidence === "unknown" && !long && looksLikeKey ? "yes" : "no";
  }
}
