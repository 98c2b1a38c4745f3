import { plainSigns } from "../contract/plain-signs.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { matchAt } from "../machine/match-at.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  isBlank,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUOTE,
} from "./characters.ts";
import { decodeKey } from "./member-start.ts";
import type { ExpectedType, Path } from "./open-containers.ts";

/** What a place of a value may hold, as far as it is known for certain; all else counts as legal. */
export interface PlaceRules {
  /** Whether the object may have a key. */
  allows?: (key: string) => boolean;
  /** Whether a key is one that the object is known to have, where others are legal as well. */
  declares?: (key: string) => boolean;
  /** Of each group one key must be there. */
  required?: readonly (readonly string[])[];
  type?: ExpectedType | undefined;
  /** The only text that is legal as a string here. */
  text?: string | undefined;
  /** It is a name or a number of something: no quote is legal in it. */
  isLabel?: boolean;
}

/** `entry`: where the object begins that holds the place and stands alone or directly in a list. */
export type RulesAt = (path: Path, entry: number) => PlaceRules | undefined;

/** A container that is open; each reading goes on from the same ones, so none is ever changed. */
export interface Level {
  isObject: boolean;
  /** What closes it. */
  close: number;
  rules: PlaceRules | undefined;
  path: Path;
  entry: number;
  keys: KeyList | undefined;
  /** Items that have begun. */
  count: number;
  up: Level | undefined;
}

interface KeyList {
  key: string;
  before: KeyList | undefined;
}

/** `joined`: the next of several strings that are one. */
type Expected = "value" | "key" | "colon" | "after" | "after-string" | "joined" | "first-key" | "first-item";

export interface Point {
  at: number;
  level: Level | undefined;
  expected: Expected;
}

/** A string that is open, and where its end is looked for next. */
interface Choice {
  point: Point;
  from: number;
}

/** What a number or a word of a value may be. */
type ScalarKind = "number" | "boolean" | "null";

/** How values are written: as JSON, or as the literals of a Python call, whose members are its arguments. */
export interface Notation {
  readonly quotes: readonly number[];
  /** Any comma may be the last thing of its container, and strings side by side are one. */
  readonly isPython: boolean;
  scalarAt(text: string, at: number): { length: number; kind: ScalarKind } | undefined;
}

/** How much may be looked at for a proof, by the length of the text: more is no proof. */
const stepsPerCharacter = 16;
const stepsMin = 4096;

/** A word before a colon or a value, and its quotes as far as they are there. */
const mayBeKey = latePattern(
  "([\"']?)(?<![\\p{L}\\p{N}_$.-])([\\p{L}\\p{N}_$.-]{1,80})([\"']|(?![\\p{L}\\p{N}_$.\\-\"']))[ \\t\\r\\n]*(?=[:=\"'{[]|-?[0-9])",
  "gu",
);

/** Text between the characters that no key has, after a comma and perhaps others of them. */
const afterComma = latePattern(
  ',[^\\p{L}\\p{N}]{0,40}?(["\'])?[ \\t]*([\\p{L}\\p{N}_$.-][^",:;={}()[\\]`“”*/#\\n]{0,79})(["\'])?([^\\p{L}\\p{N}"\']{0,4}[:=])?',
  "gu",
);

/** A whole key with its colon, where the comma before it is damaged. */
const quotedKey = /"([^"\n]{1,80})"[ \t\r\n]*[:=]/g;

/** What stands between a comma and a quote with a colon. */
const keyBeforeSign = /(?:^|,)([^,:={}\n]{1,90}?)"[ \t\r\n]*[:=]/g;

/** Directly behind a quote a key without any, and its sign, or the quote of a value before which it is lost. */
const bareKey = latePattern(
  '"[^\\p{L}\\p{N}"/]{0,8}([\\p{L}_$][\\p{L}\\p{N}_$-]{0,79})[^\\p{L}\\p{N}":=]{0,4}(?=[":=>])',
  "gu",
);

/** Whether what stands after a comma or a quote may be a member whose quote, comma or colon is damaged. */
function mayHoldMember(content: string, level: Level): boolean {
  for (const { 1: key } of content.matchAll(bareKey())) if (level.rules?.declares?.(key)) return true;
  for (const { 1: before = "", 2: text, 3: after = "", 4: colon } of content.matchAll(afterComma())) {
    if (before === "" && after === "" && !text.endsWith("'")) continue;
    const key = text.trim().replace(/'$/, "");
    // Where every key is legal, it must look like one.
    const looksLikeKey = (before !== "" && after !== "") || colon !== undefined;
    if (isInSomeObject(level, (allows) => allows?.(key) ?? looksLikeKey)) return true;
  }
  const isDeclared = (key: string) => isInSomeObject(level, (allows) => allows?.(key) === true);
  // One of its quotes may have been moved into it.
  for (const { 1: text } of content.matchAll(keyBeforeSign))
    if (isDeclared(text.replaceAll('"', "").trim())) return true;
  for (const { 1: key } of content.matchAll(quotedKey)) if (isDeclared(key)) return true;
  return false;
}

/** Whether one of the objects around a place may have a key, by what is known of its keys. */
function isInSomeObject(level: Level, mayHave: (allows: PlaceRules["allows"]) => boolean): boolean {
  for (let around: Level | undefined = level; around !== undefined; around = around.up)
    if (around.isObject && mayHave(around.rules?.allows)) return true;
  return false;
}

/** Two quotes with no word between them, and a mark that is none of JSON. */
const otherMark = latePattern('"[\\s,:{}[\\]]*[^\\p{L}\\p{N}"\\s,:{}[\\]][^\\p{L}\\p{N}"]*"');

/** A quote that ends something first, and one that begins something last: they may be the ends of two strings. */
const twoStrings = latePattern('^[^"]*(?:[\\p{L}\\p{N}]"|[^\\s"]"\\s)[\\s\\S]*(?:"[\\p{L}\\p{N}]|\\s"[^\\s"])[^"]*$');

/** A sign behind the first quote and one before the last: what stands between may be joined to two strings. */
const joinedBySigns = /^[^"]*"\s*[+.&|?%*/-][\s\S]*[+.&|?:%*/-]\s*"[^"]*$/;

/** Two quotes with no word between them. */
const nothingQuoted = latePattern('"[^\\p{L}\\p{N}"]*"');

/** Two strings with a word of Python between them. */
const joinedByWords = /^[^"]*"\s*(?:and|or|not|in|is|if|for)\b[\s\S]*\b(?:and|or|not|in|is|else)\s*"[^"]*$/;

/** Strings that Python would make one, and another member or argument, declared or not. */
const sideBySide = /"\s*[rRuU]?["']|'\s*[rRuU]?"/;
const otherMember = /["'][\s)\]}]*,[\s([{]*["']?\w[-\w.]*["']?\s*[:=]|["']\s*:/;
/** In an argument itself also what may end the call, or be an expression. */
const mayHoldArgument = /[=()[\]{}<]/;

const emptyKey = /""\s*:/;

/** Characters that may begin a text that is read as the scalar or container which it spells. */
const spelledValue = /^[-0-9tfn[{]/;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const json: Notation = {
  quotes: [QUOTE],
  isPython: false,
  scalarAt(text, at) {
    const match = matchAt(scalar, text, at)?.[0];
    if (match === undefined) return undefined;
    return { length: match.length, kind: kindOfScalar(match) };
  },
};

export const kindOfScalar = (text: string): ScalarKind =>
  /^[nN]/.test(text) ? "null" : /^[tTfF]/.test(text) ? "boolean" : "number";

/** The key of an argument, and its sign. */
const argumentKey = /([A-Za-z_\x80-\uffff][-\w\x80-\uffff]*)\s*=(?!=)/y;
const integerKey = /-?\d+(?=\s*:)/y;
/** What may stand after the comma of a dict, or of the arguments. */
const pythonMember = /[rRuU]?["']|-?\d+\s*:|\}/y;
const pythonArgument = /[A-Za-z_\x80-\uffff][-\w\x80-\uffff]*\s*=(?!=)|\)/y;
const stringStart = /[rRuU]?(?=["'])/y;

/**
 * Whether strings with quotes in them that are not escaped have one reading: the one that was found is legal, and with
 * any other end of one of these strings nothing that follows makes the whole legal. The text is a whole document
 * without any other damage than raw control characters.
 *
 * @param text - The document.
 * @param ends - Where the strings with such quotes end, by the index of their opening quote.
 * @param rulesAt - What is known of the places of the value.
 */
export function hasOneReading(text: string, ends: ReadonlyMap<number, number>, rulesAt: RulesAt): boolean {
  const search = new ReadingSearch(text, rulesAt, json);
  return search.provesEnds({ at: 0, level: undefined, expected: "value" }, ends);
}

/** Goes through the readings of a text in which quotes may stand in strings as they are. */
export class ReadingSearch {
  readonly #text: string;
  readonly #rulesAt: RulesAt;
  readonly #notation: Notation;
  #steps: number;

  constructor(text: string, rulesAt: RulesAt, notation: Notation) {
    this.#text = text;
    this.#rulesAt = rulesAt;
    this.#notation = notation;
    this.#steps = text.length * stepsPerCharacter + stepsMin;
  }

  /** See {@link hasOneReading}. */
  provesEnds(start: Point, ends: ReadonlyMap<number, number>): boolean {
    let point: Point | undefined = start;
    let damaged = 0;
    while (point !== undefined && !this.isEnd(point)) {
      const quote = this.quoteAt(point);
      if (quote < 0) {
        point = this.step(point);
        continue;
      }
      const known = ends.get(quote);
      const first = this.nextEnd(point, quote, quote + 1);
      const end = known ?? first;
      if (known !== undefined) {
        damaged++;
        if (this.hasOtherDamage(point, quote, known)) return false;
        for (let other = first; other >= 0; other = this.nextEnd(point, quote, other + 1)) {
          if (other === known) continue;
          const after = this.endString(point, quote, other);
          if (after !== undefined && this.completes(after)) return false;
        }
      }
      point = end < 0 ? undefined : this.endString(point, quote, end);
    }
    return point !== undefined && damaged === ends.size && !this.isExhausted;
  }

  /** Not all readings could be looked at. */
  get isExhausted(): boolean {
    return this.#steps < 0;
  }

  isEnd({ at, level, expected }: Point): boolean {
    return level === undefined && isAfter(expected) && this.#skip(at) === this.#text.length;
  }

  /** Index of the quote that opens a string here, or -1. */
  quoteAt({ at, level, expected }: Point): number {
    if (isAfter(expected) || expected === "colon" || (isKey(expected) && isArguments(level))) return -1;
    const index = this.#stringAt(this.#skip(at));
    return this.#notation.quotes.includes(this.#text.charCodeAt(index)) ? index : -1;
  }

  /** Behind the prefix of a string, if there is one. */
  #stringAt(at: number): number {
    return this.#notation.isPython ? at + (matchAt(stringStart, this.#text, at)?.[0].length ?? 0) : at;
  }

  /** Takes what is no string; undefined where it is not legal. */
  step(point: Point): Point | undefined {
    const { level, expected } = point;
    const at = this.#skip(point.at);
    const code = this.#text.charCodeAt(at);
    switch (expected) {
      case "colon":
        return code === COLON ? { at: at + 1, level, expected: "value" } : undefined;
      case "after-string":
      case "after":
        if (level === undefined) return undefined;
        if (code === COMMA) return { at: at + 1, level, expected: this.#afterComma(level) };
        if (expected === "after-string" && this.#joins(at)) return { at, level, expected: "joined" };
        return this.#close(level, code, at);
      case "joined":
      case "key":
        return undefined;
      case "first-key":
        return level && (this.#bareKey(level, at) ?? this.#close(level, code, at));
      case "first-item":
        if (level !== undefined && code === level.close) return this.#close(level, code, at);
    }
    return this.#value(level, code, at);
  }

  #afterComma({ isObject }: Level): Expected {
    const { isPython } = this.#notation;
    return isObject ? (isPython ? "first-key" : "key") : isPython ? "first-item" : "value";
  }

  /** Whether a string that ends before `at` goes on as the next one. */
  #joins(at: number): boolean {
    return this.#notation.isPython && /["']/.test(this.#text[this.#stringAt(at)] ?? "");
  }

  /** A key of Python that is no string. */
  #bareKey(level: Level, at: number): Point | undefined {
    if (!this.#notation.isPython) return undefined;
    const isArgument = isArguments(level);
    const match = matchAt(isArgument ? argumentKey : integerKey, this.#text, at);
    const key = isArgument ? match?.[1] : match?.[0];
    if (match === undefined || key === undefined) return undefined;
    this.#steps -= match[0].length;
    return this.#withKey(level, key, at + match[0].length, isArgument ? "value" : "colon");
  }

  /** undefined where the key is not legal. */
  #withKey(level: Level, key: string, at: number, expected: Expected): Point | undefined {
    if (level.rules?.allows?.(key) === false || this.#has(level, key)) return undefined;
    return { at, level: { ...level, keys: { key, before: level.keys } }, expected };
  }

  #close(level: Level, code: number, at: number): Point | undefined {
    if (code !== level.close) return undefined;
    const missing = level.rules?.required?.some((group) => !group.some((key) => this.#has(level, key)));
    return missing === true ? undefined : { at: at + 1, level: level.up, expected: "after" };
  }

  #value(level: Level | undefined, code: number, at: number): Point | undefined {
    const place = this.#place(level, at);
    const close = this.#closeOf(code);
    if (close !== undefined) {
      const isObject = code === OPEN_BRACE;
      if (!allows(place.rules?.type, isObject ? "object" : "array")) return undefined;
      const { path, entry, rules, level: up } = place;
      const opened: Level = { isObject, close, rules, path, entry, keys: undefined, count: 0, up };
      return { at: at + 1, level: opened, expected: isObject ? "first-key" : "first-item" };
    }
    const value = this.#notation.scalarAt(this.#text, at);
    if (value === undefined) return undefined;
    this.#steps -= value.length;
    if (!allows(place.rules?.type, value.kind)) return undefined;
    return { at: at + value.length, level: place.level, expected: "after" };
  }

  #closeOf(code: number): number | undefined {
    if (code === OPEN_BRACE) return CLOSE_BRACE;
    if (code === OPEN_BRACKET) return CLOSE_BRACKET;
    return code === OPEN_PAREN && this.#notation.isPython ? CLOSE_PAREN : undefined;
  }

  /** The place of a value that begins at `at`, and the container that holds it from then on. */
  #place(
    level: Level | undefined,
    at: number,
  ): { level: Level | undefined; path: Path; entry: number; rules: PlaceRules | undefined } {
    const counted = level === undefined || level.isObject ? level : { ...level, count: level.count + 1 };
    const path = level === undefined ? [] : [...level.path, level.isObject ? (level.keys?.key ?? "") : level.count];
    const isEntry = level === undefined || (level.up === undefined && !level.isObject);
    const entry = isEntry ? at : level.entry;
    this.#steps -= path.length + 1;
    return { level: counted, path, entry, rules: this.#rulesAt(path, entry) };
  }

  /** Index of the next quote at or after `from` that may end the string that is open, or -1. */
  nextEnd({ level, expected }: Point, opening: number, from: number): number {
    const text = this.#text;
    const quote = text.charCodeAt(opening);
    let at = from;
    for (; at < text.length && this.#steps >= 0; at++) {
      const code = text.charCodeAt(at);
      this.#steps--;
      if (code === BACKSLASH) at++;
      else if (code === quote && this.#fits(isKey(expected), level, at + 1)) return at;
    }
    return -1;
  }

  #fits(isKey: boolean, level: Level | undefined, after: number): boolean {
    const at = this.#skip(after);
    const code = this.#text.charCodeAt(at);
    if (isKey) return code === COLON;
    if (level === undefined) return at === this.#text.length;
    if (code === COMMA) return !level.isObject || this.#beginsMember(level, this.#skip(at + 1));
    return code === level.close || this.#joins(at);
  }

  #beginsMember(level: Level, at: number): boolean {
    if (!this.#notation.isPython) return this.#text.charCodeAt(at) === QUOTE;
    return matchAt(isArguments(level) ? pythonArgument : pythonMember, this.#text, at) !== undefined;
  }

  /** The string from `quote` to `end` is taken; undefined where such a key or text is not legal. */
  endString(point: Point, quote: number, end: number): Point | undefined {
    const { level, expected } = point;
    const raw = this.#text.slice(quote + 1, end);
    if (isKey(expected)) return level && this.#withKey(level, decodeKey(raw), end + 1, "colon");
    if (expected === "joined") return { at: end + 1, level, expected: "after-string" };
    const place = this.#place(level, quote);
    if (place.rules?.text !== undefined && place.rules.text !== decodeKey(raw)) return undefined;
    if (place.rules?.isLabel && raw.includes('"')) return undefined;
    if (!allows(place.rules?.type, "string") && !spelledValue.test(raw)) return undefined;
    return { at: end + 1, level: place.level, expected: "after-string" };
  }

  /**
   * Whether a string whose quotes are not escaped may as well be several values of which something else is missing: one
   * that stands alone, an item with a comma in it, and one that holds what may be the next key.
   */
  hasOtherDamage({ level, expected }: Point, quote: number, end: number): boolean {
    // Nobody quotes a word in a key.
    if (level === undefined || isKey(expected) || expected === "joined") return true;
    const inside = this.#text.slice(quote + 1, end).replace(curlyInWord(), "");
    const inOwnQuotes = (text: string) => (this.#text.charCodeAt(quote) === QUOTE ? text : swapQuotes(text));
    const content = inOwnQuotes(plainSigns(inside));
    this.#steps -= content.length;
    const isJoined = sideBySide.test(content) || otherMember.test(content) || joinedByWords.test(content);
    if (this.#notation.isPython && isJoined) return true;
    if (isArguments(level) && mayHoldArgument.test(content)) return true;
    // Whoever has escaped some quotes meant something else by the others, and a backslash between two quotes may be the program's.
    if (content.includes('\\"') || mayBeData(content)) return true;
    // A quote at an edge that has no partner may be one too many.
    if ([content, inOwnQuotes(inside)].some(hasLoneEdge)) return true;
    // Quotes at both edges may be doubled. Between two there may stand what was meant as a comma or a colon.
    if (/^\s*"[\s\S]*"\s*$/.test(content) || otherMark().test(content)) return true;
    if (twoStrings().test(content) || joinedBySigns.test(content)) return true;
    if (!level.isObject) return /[,:+\n]/.test(content) || nothingQuoted().test(content);
    // The first quote ends what a colon follows: something is missing before the colon.
    if (/^[^"]*"\s*:/.test(content) || emptyKey.test(content)) return true;
    if (mayHoldMember(content, level)) return true;
    for (const { index, 1: before, 2: key, 3: after } of content.matchAll(mayBeKey())) {
      if (before === "" && after === "") continue;
      for (let around: Level | undefined = level; around !== undefined; around = around.up) {
        if (!around.isObject || around.rules?.allows?.(key) === false) continue;
        // A key that is there already may have been written twice: after a comma it looks like it.
        if (!this.#has(around, key) || /,\s*$/.test(content.slice(Math.max(0, index - 8), index))) return true;
      }
    }
    return false;
  }

  /** Is there any legal reading from here to the end? When it cannot be known within the bound, there may be. */
  completes(start: Point): boolean {
    return this.firstReading(start) !== undefined;
  }

  /**
   * The first legal reading to the end, as the ends of its strings by the index of their opening quote. It is empty when it
   * cannot be known within the bound.
   */
  firstReading(start: Point): ReadonlyMap<number, number> | undefined {
    const choices: Choice[] = [];
    let point: Point | undefined = start;
    while (this.#steps >= 0) {
      if (point === undefined) {
        const choice = choices[choices.length - 1];
        if (choice === undefined) return undefined;
        const quote = this.quoteAt(choice.point);
        const end = this.nextEnd(choice.point, quote, choice.from);
        if (end < 0) {
          choices.pop();
          continue;
        }
        choice.from = end + 1;
        point = this.endString(choice.point, quote, end);
        continue;
      }
      if (this.isEnd(point)) return new Map(choices.map((choice) => [this.quoteAt(choice.point), choice.from - 1]));
      const quote = this.quoteAt(point);
      if (quote < 0) {
        point = this.step(point);
        continue;
      }
      choices.push({ point, from: quote + 1 });
      point = undefined;
    }
    return new Map();
  }

  #has(level: Level, key: string): boolean {
    for (let known = level.keys; known !== undefined; known = known.before) {
      this.#steps--;
      if (known.key === key) return true;
    }
    return false;
  }

  #skip(at: number): number {
    let index = at;
    while (index < this.#text.length && isBlank(this.#text.charCodeAt(index))) index++;
    this.#steps -= index - at + 1;
    return index;
  }
}

function allows(
  type: ExpectedType | undefined,
  kind: "string" | "number" | "boolean" | "null" | "object" | "array",
): boolean {
  if (type === undefined || kind === "null") return true;
  return type === kind || (type === "integer" && kind === "number");
}

const isKey = (expected: Expected): boolean => expected === "key" || expected === "first-key";
const isAfter = (expected: Expected): boolean => expected === "after" || expected === "after-string";

/** The arguments of a Python call. */
const isArguments = (level: Level | undefined): boolean => level?.isObject === true && level.close === CLOSE_PAREN;

/** Whether a quote stands at an edge of a text, and another one has no partner. */
const hasLoneEdge = (text: string): boolean => /^\s*"|"\s*$/.test(text) && text.split('"').length % 2 === 0;

/**
 * Whether a backslash stands between two quotes, or where it is not known which of them belong together; or as in a path or a program,
 * or is none of those that lay out a text.
 */
function mayBeData(content: string): boolean {
  const pieces = content.split('"');
  const isBetween = (at: number) => pieces.length % 2 === 0 || at % 2 === 1;
  return pieces.some((piece, at) => piece.includes("\\") && (isBetween(at) || dataBackslash.test(piece)));
}

/** Behind a drive, an apostrophe or another backslash, or before anything but a line break, a tab or a quote. */
export const dataBackslash = /[:'`\\/]\\|\\(?![nrt])/;

/** Each kind of quotes is to the other what the other is to it; one in a word is no quotation mark. */
const swapQuotes = (text: string): string =>
  text.replace(inWord(), "").replace(/["']/g, (quote) => (quote === '"' ? "'" : '"'));
const inWord = latePattern("(?<=\\p{L})'(?=\\p{L})", "gu");
const curlyInWord = latePattern("(?<=\\p{L})’(?=\\p{L})", "gu");
