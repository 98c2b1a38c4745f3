import { isStringPrefix } from "./bare-values.ts";
import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  closersOf,
  DOT,
  END,
  EQUALS,
  isBlank,
  isCloser,
  isDigit,
  isKeyCharacter,
  isLetter,
  isOpener,
  isQuote,
  LINE_FEED,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  SEMICOLON,
  SLASH,
  WAIT,
} from "./characters.ts";
import { type Container, hasKey, type OpenContainers } from "./open-containers.ts";
import { leavesContentOpen, type OpenString } from "./open-string.ts";
import type { TextWindow } from "./text-window.ts";

export const NO = 0;
export const YES = 1;
/** The quote ends one of several adjacent strings; {@link ClosingPlaces.nextOpening} is where the next begins. */
export const JOIN = 2;

// What a member start is, by what is known of its key.
/** The schema declares the key. */
export const DECLARED = 3;
/** There is a schema, and it does not declare the key. */
export const UNDECLARED = 4;
/** Nothing is known of the keys here. */
export const UNKNOWN = 5;
/** The text ended inside it. */
export const PARTIAL = 6;
/** Its colon or the closing quote of its key went wrong: evidence only where nothing speaks against it. */
export const DAMAGED = 7;

/** How far a look-ahead goes for the end of a key or of a short value. With it the whole stays linear. */
const lookAheadMax = 256;
/** Nobody writes more quotes in a row than this; a flood of them is not looked over again for each. */
const quoteRunMax = 8;

/**
 * Where strings end: a quote closes its string only if what follows fits the place the string stands in. Pure
 * look-ahead over a bounded distance; nothing here changes the state of the reading.
 */
export class ClosingPlaces {
  readonly #window: TextWindow;
  readonly #open: OpenContainers;
  /** Where the adjacent string begins, after {@link JOIN}. */
  nextOpening = 0;
  /** A closing place was refused only because code or JSON in the content would have stayed half open. */
  refusedHalfOpen = false;
  /** All quotes of the document are doubled. */
  doubled = false;
  /** Take such places nevertheless: the second attempt on a whole text. */
  readonly #ignoreContent: boolean;
  // About the last member start that was found.
  #bare = false;
  #colon = 0;
  #seen = false;
  #short = false;

  constructor(window: TextWindow, open: OpenContainers, ignoreContent: boolean) {
    this.#window = window;
    this.#open = open;
    this.#ignoreContent = ignoreContent;
  }

  /** Does the quote that ends just before `after` close `string`? */
  closes(string: OpenString, after: number): number {
    const window = this.#window;
    const at = window.skipBlanks(after);
    if (at === WAIT) return WAIT;
    const code = window.at(at);
    if (code === END) return YES;
    const marker = window.markerAt(at);
    if (marker !== 0) return marker === WAIT ? WAIT : YES;
    switch (string.place) {
      case "key":
        return this.#closesKey(string, at, code);
      case "member":
        return this.#closesMember(string, after, at, code);
      case "item":
        return this.#closesItem(string, after, at, code);
      default:
        return code === PLUS ? this.#adjacent(string, at, code) : NO;
    }
  }

  #closesKey(string: OpenString, at: number, code: number): number {
    if (code === COLON || code === EQUALS) return YES;
    if (code === COMMA || code === CLOSE_BRACE) return string.innerQuotes === 0 ? YES : NO;
    if (code === OPEN_BRACE || code === OPEN_BRACKET || code === MINUS || isDigit(code)) {
      return string.innerQuotes === 0 ? YES : NO;
    }
    if (isQuote(code)) {
      const end = this.#shortStringEnd(at);
      if (end === WAIT || end < 0) return end === WAIT ? WAIT : NO;
      const next = this.#window.skipBlanks(end);
      if (next === WAIT) return WAIT;
      const follows = this.#window.at(next);
      return string.innerQuotes === 0 && (follows === COMMA || follows === CLOSE_BRACE || follows === END) ? YES : NO;
    }
    if (isLetter(code)) return this.#shortLiteral(at);
    return NO;
  }

  #closesMember(string: OpenString, after: number, at: number, code: number): number {
    const window = this.#window;
    const level = this.#open.stack.length - 1;
    if (code === COMMA || code === SEMICOLON) {
      const next = window.skipCommas(at + 1);
      if (next === WAIT) return WAIT;
      const follows = window.at(next);
      if (follows === END) return YES;
      if (isCloser(follows)) return this.#plausibleEnd(string, next);
      const marker = window.markerAt(next);
      if (marker !== 0) return marker === WAIT ? WAIT : YES;
      const ellipsis = this.#ellipsisFits(next);
      if (ellipsis !== NO) return ellipsis;
      return this.#acceptMember(string, this.memberStart(next, level), level);
    }
    if (isCloser(code)) return this.#plausibleEnd(string, at);
    const ellipsis = this.#ellipsisFits(at);
    if (ellipsis !== NO) return ellipsis;
    const start = this.memberStart(at, level);
    if (start === WAIT) return WAIT;
    if (start !== NO && start !== DAMAGED) {
      // The comma is missing. On one line an inner quote is as likely, unless nothing else speaks for one.
      const newLine = window.crossesLine(after, at);
      if (this.#bare && !(newLine && (start === DECLARED || this.#open.stack[level].bareKeys))) return NO;
      if (start === PARTIAL && !newLine) return NO;
      if (newLine || string.innerQuotes === 0) return this.#acceptMember(string, start, level);
      return NO;
    }
    // Two quotes without a blank between them are an empty string in code, or marks in the text.
    return at === after && code !== PLUS ? NO : this.#adjacent(string, at, code);
  }

  #closesItem(string: OpenString, after: number, at: number, code: number): number {
    const window = this.#window;
    if (code === COMMA || code === SEMICOLON) {
      const next = window.skipCommas(at + 1);
      if (next === WAIT) return WAIT;
      const follows = window.at(next);
      if (follows === END) return YES;
      if (isCloser(follows)) return this.#plausibleEnd(string, next);
      return this.#valueStart(string, next, this.#open.stack.length - 1);
    }
    if (isCloser(code)) return this.#plausibleEnd(string, at);
    if (code === PLUS) return this.#adjacent(string, at, code);
    const ellipsis = this.#ellipsisFits(at);
    if (ellipsis !== NO) return ellipsis;
    const newLine = window.crossesLine(after, at);
    if (string.innerQuotes > 0 && !newLine) return NO;
    // Two strings, no comma: the item closing in turn is the evidence.
    if (isQuote(code)) {
      if (at === after && code === string.opener) {
        const last = this.#lastOfRunCloses(string, at, code);
        if (last !== NO) return last === WAIT ? WAIT : NO;
      }
      const end = this.#shortStringEnd(at);
      if (end === -1) return newLine ? YES : NO;
      if (end < 0) return end === WAIT ? WAIT : NO;
      const next = window.skipBlanks(end);
      if (next === WAIT) return WAIT;
      const follows = window.at(next);
      const goesOn = follows === COMMA || follows === END || isQuote(follows) || isDigit(follows);
      return goesOn || isCloser(follows) || isOpener(follows) ? YES : NO;
    }
    if (isOpener(code) || isDigit(code) || code === MINUS) {
      return this.#valueStart(string, at, this.#open.stack.length - 1);
    }
    return NO;
  }

  /** Of a run of quotes before a closing place the last one closes. Does the run that goes on at `at` stand before one? */
  #lastOfRunCloses(string: OpenString, at: number, quote: number): number {
    const window = this.#window;
    let end = at + 1;
    while (end - at < quoteRunMax && window.at(end) === quote) end++;
    window.steps += end - at;
    const next = window.skipBlanks(end);
    if (next === WAIT) return WAIT;
    const code = window.at(next);
    return code === COMMA || isCloser(code) ? this.#closesItem(string, end, next, code) : NO;
  }

  /** `"a" "b"` and `"a" + "b"`: one string in two pieces, if the second closes in its turn. */
  #adjacent(string: OpenString, at: number, code: number): number {
    if (string.innerQuotes > 0 || string.width > 1) return NO;
    const window = this.#window;
    const opening = code === PLUS ? window.skipBlanks(at + 1) : at;
    if (opening === WAIT) return WAIT;
    const quote = window.at(opening);
    if (quote === WAIT) return WAIT;
    if (quote !== string.opener) return NO;
    const end = this.#shortStringEnd(opening);
    if (end === WAIT) return WAIT;
    if (end < 0) return NO;
    const next = window.skipBlanks(end);
    if (next === WAIT) return WAIT;
    const follows = window.at(next);
    const ends = follows === COMMA || isCloser(follows) || (follows === END && string.place === "top");
    if (!ends && follows !== PLUS && follows !== quote) return NO;
    this.nextOpening = opening;
    return JOIN;
  }

  /**
   * Can a run of closers that begins at `at` end here? It must fit the open containers, and after it must come the end
   * of the text, an end marker, or what the container that is still open goes on with.
   */
  #plausibleEnd(string: OpenString, at: number): number {
    const window = this.#window;
    let level = this.#open.stack.length - 1;
    let fits = true;
    let index = at;
    for (;;) {
      const code = window.at(index);
      if (code === WAIT) return WAIT;
      if (isCloser(code)) {
        if (level >= 0) {
          const closed = this.#open.nearest(level, code);
          if (closed < 0) {
            fits = false;
            level--;
          } else level = closed - 1;
        }
        index = window.skipBlanks(index + 1);
        if (index === WAIT) return WAIT;
        continue;
      }
      if (code === END) return this.#unlessHalfOpen(string);
      const marker = window.markerAt(index);
      if (marker !== 0) return marker === WAIT ? WAIT : this.#unlessHalfOpen(string);
      if (!fits && string.innerQuotes > 0) return NO;
      if (code === COMMA || code === SEMICOLON) {
        index = window.skipCommas(index + 1);
        if (index === WAIT) return WAIT;
        const next = window.at(index);
        if (next === END) return this.#unlessHalfOpen(string);
        if (isCloser(next)) continue;
        if (level >= 0) return this.#goesOn(string, index, level);
        if (string.innerQuotes > 0 || !isQuote(next)) return string.innerQuotes > 0 ? NO : YES;
        const start = this.memberStart(index, -1);
        return start === WAIT ? WAIT : start === NO || start === DAMAGED ? NO : YES;
      }
      if (level >= 0) {
        if (!isQuote(code) && !isOpener(code) && !this.#open.stack[level].bareKeys) {
          return this.#ellipsisFits(index);
        }
        return this.#goesOn(string, index, level);
      }
      // The value is balanced and prose follows, or the end of a fence.
      const fence = window.fenceLength(index);
      if (fence !== 0) return fence === WAIT ? WAIT : this.#unlessHalfOpen(string);
      if (isQuote(code)) return NO;
      return string.openInner === 0 && fits ? this.#unlessHalfOpen(string) : NO;
    }
  }

  #goesOn(string: OpenString, at: number, level: number): number {
    if (!this.#open.stack[level].isObject) return this.#valueStart(string, at, level);
    const ellipsis = this.#ellipsisFits(at);
    return ellipsis !== NO ? ellipsis : this.#acceptMember(string, this.memberStart(at, level), level);
  }

  #unlessHalfOpen(string: OpenString): number {
    if (this.#ignoreContent || !leavesContentOpen(string)) return YES;
    this.refusedHalfOpen = true;
    return NO;
  }

  /** Is the member start that was just found good enough to end `string`? */
  #acceptMember(string: OpenString, start: number, level: number): number {
    if (start === WAIT || start === NO) return start;
    if (start === DAMAGED) return string.innerQuotes === 0 ? YES : NO;
    if (start === PARTIAL) {
      const plausible = this.#bare ? string.innerQuotes === 0 : string.openInner === 0;
      return plausible ? this.#unlessHalfOpen(string) : NO;
    }
    if (start === UNDECLARED || (start === DECLARED && this.#seen)) {
      if (string.innerQuotes > 0) return NO;
      return this.#short ? this.wellFormedMember() : YES;
    }
    if (start === DECLARED) return this.#unlessHalfOpen(string);
    if (this.#bare && !this.#open.stack[level].bareKeys && string.innerQuotes > 0) return NO;
    if ((this.#bare && !(this.#open.stack[level].bareKeys && string.innerQuotes === 0)) || string.openInner > 0) {
      const whole = this.wellFormedMember();
      if (whole === NO && this.#bare && string.innerQuotes === 0) return this.#bareMember(level);
      if (whole !== YES) return whole;
    }
    return this.#unlessHalfOpen(string);
  }

  /**
   * A member start: a key of bounded length with or without quotes, then a colon. `level` says in which of the open
   * containers it would stand; -1 asks for the shape only.
   */
  memberStart(at: number, level: number): number {
    const window = this.#window;
    const first = window.at(at);
    if (first === WAIT) return WAIT;
    this.#bare = false;
    if (first === END) return PARTIAL;
    this.#short = true;
    let keyStart = at;
    let keyEnd: number;
    let after: number;
    if (isQuote(first)) {
      const end = this.#shortStringEnd(at);
      if (end === WAIT) return WAIT;
      if (end === -1) return PARTIAL;
      if (end < 0) {
        // Longer than any look-ahead: as written.
        this.#short = false;
        this.#seen = false;
        return level >= 0 && this.#open.allowedAt(level) !== undefined ? UNDECLARED : UNKNOWN;
      }
      const width = this.doubled && window.at(at + 1) === first ? 2 : 1;
      keyStart = at + width;
      keyEnd = end - width;
      after = end;
    } else {
      if (!isKeyCharacter(first)) return NO;
      this.#bare = true;
      let index = at;
      let code = first;
      while (code >= 0 && isKeyCharacter(code)) {
        index++;
        if (index - at > lookAheadMax) return NO;
        code = window.at(index);
      }
      window.steps += index - at + 1;
      if (code === WAIT) return WAIT;
      keyEnd = index;
      after = index;
      if (code >= 0 && isQuote(code)) after = index + 1; // the opening quote of the key is missing
    }
    const colon = window.skipBlanks(after);
    if (colon === WAIT) return WAIT;
    const code = window.at(colon);
    if (code === END) return this.#bare && colon > after ? NO : PARTIAL;
    if (code !== COLON) return this.#bare ? NO : this.#damagedMember(keyStart, colon, code);
    if (this.#bare) {
      const next = window.at(colon + 1);
      if (next === WAIT) return WAIT;
      if (next === SLASH) return NO; // the scheme of a URL
    }
    this.#colon = colon;
    this.#seen = false;
    if (level < 0) return UNKNOWN;
    const container = this.#open.stack[level];
    const allowed = this.#open.allowedAt(level);
    if (allowed === undefined) return UNKNOWN;
    const key = decodeKey(window.text.slice(keyStart, keyEnd));
    if (!allowed.has(key)) return UNDECLARED;
    this.#seen = hasKey(container, key) || container.key === key;
    return DECLARED;
  }

  /** `"key" = 1`, `"key" {` and `"key: 1`: a member whose colon or quote is damaged, if a value follows. */
  #damagedMember(keyStart: number, after: number, code: number): number {
    if (isQuote(code)) return this.#stringInTurn(after);
    if (code === EQUALS || code === OPEN_BRACE || code === OPEN_BRACKET || code === MINUS || isDigit(code))
      return DAMAGED;
    const window = this.#window;
    let at = keyStart;
    while (at < after && isKeyCharacter(window.at(at))) at++;
    window.steps += at - keyStart;
    if (at === keyStart || window.at(at) !== COLON) return NO;
    const value = window.skipBlanks(at + 1);
    if (value === WAIT) return WAIT;
    const first = window.at(value);
    if (isQuote(first) || first === OPEN_BRACE || first === OPEN_BRACKET || first === MINUS || isDigit(first))
      return DAMAGED;
    const literal = isLetter(first) ? this.#shortLiteral(value) : NO;
    return literal === YES ? DAMAGED : literal;
  }

  /** `"key" "text"`: a member whose colon is missing, if the text closes in its turn. */
  #stringInTurn(at: number): number {
    const end = this.#shortStringEnd(at);
    if (end < 0) return end === WAIT ? WAIT : NO;
    const next = this.#window.skipBlanks(end);
    if (next === WAIT) return WAIT;
    const follows = this.#window.at(next);
    return follows === COMMA || isCloser(follows) ? DAMAGED : NO;
  }

  /**
   * Whether what follows the colon of the last member start looks like a value that ends where a value may end. Where
   * the key is longer than the look-ahead no colon was seen, and nothing speaks for one.
   */
  wellFormedMember(): number {
    if (!this.#short) return NO;
    const window = this.#window;
    const at = window.skipBlanks(this.#colon + 1);
    if (at === WAIT) return WAIT;
    const code = window.at(at);
    if (code === END || code === OPEN_BRACE || code === OPEN_BRACKET) return YES;
    if (isQuote(code)) {
      const end = this.#shortStringEnd(at);
      if (end === WAIT) return WAIT;
      if (end < 0) return YES;
      const next = window.skipBlanks(end);
      if (next === WAIT) return WAIT;
      const follows = window.at(next);
      if (follows === COMMA || follows === END || isCloser(follows)) return YES;
      return this.#afterComma(end - 2) ? YES : NO;
    }
    return this.#shortScalar(at, true);
  }

  /** Whether a number, a literal or an array of them follows the colon, and then the closer that is due. */
  endsWithScalar(colon: number): number {
    const window = this.#window;
    let at = window.skipBlanks(colon + 1);
    if (at === WAIT) return WAIT;
    let brackets = 0;
    while (window.at(at) === OPEN_BRACKET) {
      brackets++;
      at = window.skipBlanks(at + 1);
      if (at === WAIT) return WAIT;
    }
    let scalar = this.#shortScalar(at, true);
    while (scalar === YES) {
      while (!isCloser(window.at(at)) && window.at(at) !== COMMA && window.at(at) !== END) at++;
      if (brackets === 0 || window.at(at) !== COMMA) break;
      at = window.skipBlanks(at + 1);
      if (at === WAIT) return WAIT;
      scalar = this.#shortScalar(at, true);
    }
    if (scalar !== YES) return scalar;
    for (; brackets > 0; brackets--) {
      if (window.at(at) !== CLOSE_BRACKET) return NO;
      at = window.skipBlanks(at + 1);
      if (at === WAIT) return WAIT;
    }
    return window.at(at) === this.#open.stack[this.#open.stack.length - 1].closer ? YES : NO;
  }

  /** A comma and blanks before `index`, within a short distance: the closing quote of that value is missing as well. */
  #afterComma(index: number): boolean {
    const text = this.#window.text;
    let at = index;
    for (let count = 0; count < 32 && at >= 0 && isBlank(text.charCodeAt(at)); count++) at--;
    return at >= 0 && text.charCodeAt(at) === COMMA;
  }

  /** A value start inside an array, the item closing in its turn. */
  #valueStart(string: OpenString, at: number, level: number): number {
    const window = this.#window;
    const code = window.at(at);
    if (code === WAIT) return WAIT;
    if (code === END) return YES;
    const marker = window.markerAt(at);
    if (marker !== 0) return marker === WAIT ? WAIT : YES;
    const ellipsis = this.#ellipsisFits(at);
    if (ellipsis !== NO) return ellipsis;
    if (!this.#ignoreContent && leavesContentOpen(string)) {
      this.refusedHalfOpen = true;
      return NO;
    }
    const quote = this.#quoteAfterPrefix(at, code);
    if (quote === WAIT) return WAIT;
    if (quote >= 0) {
      const end = this.#shortStringEnd(quote);
      if (end === WAIT) return WAIT;
      if (end === -1) return YES;
      if (end < 0) return string.openInner === 0 ? YES : NO;
      const next = window.skipBlanks(end);
      if (next === WAIT) return WAIT;
      const follows = window.at(next);
      if (follows === COMMA || follows === END) return YES;
      // The parenthesis of a call in the content closes nothing of ours.
      if (isCloser(follows)) return string.innerQuotes === 0 || this.#open.nearest(level, follows) >= 0 ? YES : NO;
      if (quote > at) return NO;
      if (follows === COLON) return string.innerQuotes === 0 && this.#objectBelow(level) ? YES : NO;
      const close = window.markerAt(next);
      if (close !== 0) return close === WAIT ? WAIT : YES;
      return string.openInner === 0 ? YES : NO;
    }
    if (isOpener(code)) return string.openInner === 0 ? YES : NO;
    const scalar = this.#shortScalar(at, false);
    if (scalar !== NO || string.innerQuotes > 0) return scalar;
    return this.#shortBareItem(at);
  }

  /** Index of the quote that begins a string at `at`, behind a Python prefix if there is one; -1 if none begins. */
  #quoteAfterPrefix(at: number, code: number): number {
    if (isQuote(code)) return at;
    let index = at;
    while (index < at + 3 && isLetter(this.#window.at(index))) index++;
    const next = this.#window.at(index);
    if (next === WAIT) return WAIT;
    const quote = next === QUOTE || next === APOSTROPHE;
    return quote && isStringPrefix(this.#window.text.slice(at, index)) ? index : -1;
  }

  #objectBelow(level: number): boolean {
    const below: Container | undefined = this.#open.stack[level - 1];
    return below?.isObject === true;
  }

  /** A number or literal that ends at a comma, a closer or the end of the text. */
  #shortScalar(at: number, inObject: boolean): number {
    const window = this.#window;
    let index = at;
    let code = window.at(index);
    if (!isDigit(code) && code !== MINUS && code !== PLUS && code !== DOT) return this.#shortLiteral(at);
    while (isDigit(code) || code === MINUS || code === PLUS || code === DOT || code === 0x65 || code === 0x45) {
      index++;
      if (index - at > lookAheadMax) return NO;
      code = window.at(index);
    }
    window.steps += index - at + 1;
    if (code === WAIT) return WAIT;
    const last = window.text.charCodeAt(index - 1);
    return isDigit(last) || last === DOT ? this.#scalarEnds(index, inObject) : NO;
  }

  #shortLiteral(at: number): number {
    const window = this.#window;
    let index = at;
    let code = window.at(index);
    while (isLetter(code)) {
      index++;
      if (index - at > 9) return NO;
      code = window.at(index);
    }
    window.steps += index - at + 1;
    if (code === WAIT) return WAIT;
    const word = window.text.slice(at, index).toLowerCase();
    const known =
      word === "true" ||
      word === "false" ||
      word === "null" ||
      word === "none" ||
      word === "undefined" ||
      word === "nan";
    return known ? this.#scalarEnds(index, true) : NO;
  }

  #scalarEnds(index: number, inObject: boolean): number {
    const window = this.#window;
    let at = window.skipBlanks(index);
    if (at === WAIT) return WAIT;
    let code = window.at(at);
    if (code === COMMA || code === END) return YES;
    if (!isCloser(code)) return NO;
    if (!inObject) return YES;
    // A quote right after the closers: they are content of the string that it closes.
    while (isCloser(code)) {
      at = window.skipBlanks(at + 1);
      if (at === WAIT) return WAIT;
      code = window.at(at);
    }
    if (!isQuote(code)) return YES;
    const marker = window.markerAt(at);
    return marker === 0 ? NO : marker === WAIT ? WAIT : YES;
  }

  /** Whether words without quotes follow the colon of the last member start, and then another member or the end. */
  #bareMember(level: number): number {
    const window = this.#window;
    const from = window.skipBlanks(this.#colon + 1);
    if (from === WAIT) return WAIT;
    const ends = this.#shortBareItem(from);
    if (ends !== YES) return ends;
    let at = from;
    while (window.at(at) !== COMMA && window.at(at) !== END && !isCloser(window.at(at))) at++;
    if (window.at(at) === COMMA) {
      at = window.skipCommas(at + 1);
      if (at === WAIT) return WAIT;
      const code = window.at(at);
      if (code === END || isCloser(code)) return YES;
      const start = this.memberStart(at, level);
      return start === WAIT ? WAIT : start === DECLARED || start === UNKNOWN ? YES : NO;
    }
    return window.at(at) === END ? YES : this.#scalarEnds(at, true);
  }

  /** A word without quotes, up to a comma or closer, on this line. */
  #shortBareItem(at: number): number {
    const window = this.#window;
    let index = at;
    for (;;) {
      const code = window.at(index);
      if (code === WAIT) return WAIT;
      if (code === COMMA || isCloser(code) || code === END) {
        window.steps += index - at + 1;
        return index > at ? YES : NO;
      }
      if (isQuote(code) || code === LINE_FEED || index - at > lookAheadMax) {
        window.steps += index - at + 1;
        return NO;
      }
      index++;
    }
  }

  /** An ellipsis that stands for left-out content: a comma, closer or the end must follow. */
  #ellipsisFits(at: number): number {
    const length = this.#window.ellipsisAt(at);
    if (length <= 0) return length === WAIT ? WAIT : NO;
    const next = this.#window.skipBlanks(at + length);
    if (next === WAIT) return WAIT;
    const code = this.#window.at(next);
    return code === COMMA || code === END || isCloser(code) ? YES : NO;
  }

  /**
   * Index after the closing quote of the short string that opens at `at`; -1 if the text ends before it, -3 if it is
   * longer than the look-ahead.
   */
  #shortStringEnd(at: number): number {
    const window = this.#window;
    const text = window.text;
    const opener = window.at(at);
    const limit = at + 1 + lookAheadMax;
    if (opener === QUOTE && !this.doubled) {
      const end = Math.min(text.length, limit + 1);
      for (let index = at + 1; index < end; index++) {
        const code = text.charCodeAt(index);
        if (code === BACKSLASH) index++;
        else if (code === QUOTE) {
          window.steps += index - at;
          return index + 1;
        }
      }
      window.steps += end - at;
      return end < limit + 1 ? (window.ended ? -1 : WAIT) : -3;
    }
    const closers = closersOf(opener);
    if (this.doubled && text.charCodeAt(at + 1) === QUOTE) return this.#shortDoubledEnd(at);
    for (let index = at + 1; index <= limit; index++) {
      if (index >= text.length) {
        window.steps += index - at;
        return window.ended ? -1 : WAIT;
      }
      const code = text.charCodeAt(index);
      if (code === BACKSLASH) index++;
      else if (closers.includes(code)) {
        window.steps += index - at;
        return index + 1;
      }
    }
    window.steps += lookAheadMax;
    return -3;
  }

  #shortDoubledEnd(at: number): number {
    const window = this.#window;
    const end = window.text.slice(at + 2, at + 2 + lookAheadMax).indexOf('""');
    window.steps += end < 0 ? Math.min(lookAheadMax, window.text.length - at) : end;
    if (end >= 0) return at + 2 + end + 2;
    if (at + 2 + lookAheadMax < window.text.length) return -3;
    return window.ended ? -1 : WAIT;
  }

  /** The value at `at` is an array item or a member: `"key":` inside an array tells that its closer is missing. */
  isMemberOfParent(at: number): number {
    const level = this.#open.stack.length - 1;
    if (!this.#objectBelow(level)) return NO;
    const start = this.memberStart(at, level - 1);
    if (start === WAIT) return WAIT;
    return start === NO || start === PARTIAL || start === DAMAGED || !this.#short ? NO : YES;
  }

  /** A key of bounded length and a colon: members without braces around them. */
  beginsMember(at: number): number {
    const start = this.memberStart(at, -1);
    if (start === WAIT) return WAIT;
    return start === NO || start === PARTIAL || start === DAMAGED || !this.#short ? NO : YES;
  }

  /**
   * Does the quote that begins a member start at `at` show that the closing quote before the comma is missing? Only
   * where no inner quotes were seen, or where the schema knows the key.
   */
  closingQuoteMissing(string: OpenString, at: number): number {
    const level = this.#open.stack.length - 1;
    if (string.place === "item") {
      const item = string.innerQuotes > 0 ? NO : this.#stringInTurn(at);
      return item === DAMAGED ? YES : item;
    }
    const start = this.memberStart(at, level);
    if (start === WAIT) return WAIT;
    if (start === DECLARED && !this.#seen) return leavesContentOpen(string) ? NO : YES;
    if (start !== UNKNOWN || string.innerQuotes > 0 || !this.#short) return NO;
    return this.wellFormedMember();
  }

  /** Does `\"` end the string, its backslash being data? Asked only while nothing speaks for escaping. */
  swallowed(string: OpenString, after: number): number {
    const window = this.#window;
    if (string.place === "key" || string.place === "top") return NO;
    const at = window.skipBlanks(after);
    if (at === WAIT) return WAIT;
    const evidence = string.literal || string.pathLike;
    const code = window.at(at);
    if (string.place === "item" || isCloser(code)) {
      if (!evidence || code === END) return NO;
      const closes = this.closes(string, after);
      return closes === JOIN ? NO : closes;
    }
    if (code !== COMMA) return NO;
    const next = window.skipCommas(at + 1);
    if (next === WAIT) return WAIT;
    if (!isQuote(window.at(next))) return NO;
    const start = this.memberStart(next, this.#open.stack.length - 1);
    if (start === WAIT || start === DECLARED) return start === WAIT ? WAIT : YES;
    if (start !== UNKNOWN || !this.#short) return NO;
    const letter = window.at(next + 1);
    return isLetter(letter) || isDigit(letter) || letter === 0x5f || letter === 0x24 || letter > 0x7f ? YES : NO;
  }
}

/** A key as it will be stored. */
export function decodeKey(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
