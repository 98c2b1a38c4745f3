import type { Repair, RepairKind, RepairLevel } from "../runtime/repairs.ts";
import type { ValueSink } from "../runtime/value-sink.ts";
import {
  completeLiteral,
  isPlainValue,
  isStringPrefix,
  isThousands,
  mayBeNumber,
  readBareWord,
} from "./bare-values.ts";
import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  closersOf,
  DOT,
  ELLIPSIS,
  END,
  EQUALS,
  GREATER,
  HASH,
  isBlank,
  isCloser,
  isDigit,
  isHexDigit,
  isHighSurrogate,
  isKeyCharacter,
  isLetter,
  isOddBlank,
  isOpener,
  isQuote,
  LINE_FEED,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  QUOTE,
  SEMICOLON,
  SLASH,
  TILDE,
  WAIT,
} from "./characters.ts";
import { ClosingPlaces, DAMAGED, DECLARED, decodeKey, JOIN, NO, PARTIAL, UNKNOWN, YES } from "./closing-places.ts";
import { KeyCache } from "./key-cache.ts";
import { type Container, type ExpectedType, noteKey, OpenContainers, type Path } from "./open-containers.ts";
import { type EscapePlan, noteInnerQuote, type OpenString, openString, type StringPlace } from "./open-string.ts";
import { RepairLog } from "./repair-log.ts";
import { StrictParts } from "./strict-part.ts";
import { specialsOf } from "./string-specials.ts";
import { TextWindow } from "./text-window.ts";

export interface RepairReaderOptions {
  /** Offset of the first character fed; spans and offsets told to the sink are absolute. Default 0. */
  base?: number;
  /** How many containers may be open at once. Default 1,000; counted on a stack of our own. */
  maxDepth?: number;
  /** Literals that may directly follow the value and are not part of it: closing markers and stop tokens of the format. */
  ends?: readonly string[];
  /** Keys that the object at a path declares by schema; `undefined` when nothing is known. */
  allowedKeys?: (path: Path) => ReadonlySet<string> | undefined;
  /** The type that the schema gives the value at a path. Digits with leading zeros, big numbers and `8,000` need it. */
  typeAt?: (path: Path) => ExpectedType | undefined;
  /** How the backslashes of a string are to be read, by the offset of its opening quote: see {@link RepairReader.plans}. */
  escapePlans?: ReadonlyMap<number, EscapePlan>;
  /**
   * Takes containers inside the value that are strict JSON and all there, in one piece instead of by events. For whole
   * texts: what is all there depends on chunks.
   */
  onStrictPart?: (value: unknown) => void;
  /** Accept closing places that leave code or JSON in a string half open. Default false. */
  ignoreContent?: boolean;
}

/** Why a text could not be read. `at` is an offset of the whole text. */
export interface RecoveryFailure {
  reason: string;
  at: number;
  message: string;
}

/** Where the reading stands between two steps. */
type Mode = "start" | "value" | "key" | "colon" | "item" | "after" | "string" | "tail";

const defaultMaxDepth = 1000;
const keyCharactersMax = 256;
const infoStringMax = 32;
/** What reading an escape answers when the string ended with it; unlike WAIT, the reading goes on. */
const stringEnded = -1;

/**
 * Reads one JSON value, however damaged, from text that comes in pieces, and tells a sink. Strict JSON is read as it
 * is; everything else is listed in {@link repairs}. What was told to the sink is never taken back, and depends on the
 * text only, never on where it was cut.
 */
export class RepairReader {
  readonly #sink: ValueSink;
  readonly #window: TextWindow;
  readonly #open: OpenContainers;
  readonly #closing: ClosingPlaces;
  readonly #log = new RepairLog();
  readonly #maxDepth: number;
  readonly #onStrictPart: ((value: unknown) => void) | undefined;
  readonly #strictParts = new StrictParts();
  readonly #givenPlans: ReadonlyMap<number, EscapePlan> | undefined;

  #mode: Mode = "start";
  #pos = 0;
  /** Where the characters of the open string begin that the sink has not been told of. */
  #run = 0;
  #string: OpenString | undefined;
  #specials: Uint8Array = specialsOf(QUOTE, false, false);
  /** The key being read, decoded; then the key whose value is awaited. */
  #key = "";
  readonly #keys = new KeyCache();
  #keyStart = 0;
  #keyEnd = 0;
  #keyPending = false;
  /** The last value was a string: then a missing comma is a guess. */
  #afterString = false;
  /** Offset of the comma read since the last value, or -1. */
  #commaAt = -1;
  /** Offset at which the last key or value ended, and whether a line has ended since. */
  #gapStart = -1;
  #crossedLine = false;
  /** The last value was an object; a member has followed one. Then a closer too many may also be one too early. */
  #afterObject = false;
  #memberAfterObject = false;
  #keysRead = 0;
  #final = false;
  /** Offset of the top value's closer, while it waits for what follows. */
  #closedAt = -1;
  #entry: Partial<Record<RepairKind, Repair>> = {};

  #state: "reading" | "done" | "failed" = "reading";
  #end = 0;
  #endedBy: "value" | "marker" | "end-of-text" = "value";
  #closersMissing = 0;
  #failure: RecoveryFailure | undefined;
  #contradicts = false;

  // Chunks wait here until there are enough of them: looking ahead again and again over a long stretch that comes one
  // character at a time would be quadratic.
  #pieces: string[] = [];
  #pieceLength = 0;
  #retryAt = 0;

  /** Readings of backslashes that this reading should have used; pass them to a second one as `escapePlans`. */
  readonly plans = new Map<number, EscapePlan>();

  constructor(sink: ValueSink, options: RepairReaderOptions = {}) {
    this.#sink = sink;
    this.#window = new TextWindow(options.base ?? 0, options.ends ?? []);
    this.#open = new OpenContainers(options.allowedKeys, options.typeAt);
    this.#closing = new ClosingPlaces(this.#window, this.#open, options.ignoreContent === true);
    this.#maxDepth = options.maxDepth ?? defaultMaxDepth;
    this.#givenPlans = options.escapePlans;
    this.#onStrictPart = options.onStrictPart;
    this.#end = options.base ?? 0;
  }

  get state(): "reading" | "done" | "failed" {
    return this.#state;
  }

  /** Offset just after the value, before white space and markers that trail. Once {@link state} is `done`. */
  get end(): number {
    return this.#end;
  }

  get repairs(): Repair[] {
    return this.#log.entries;
  }

  /** Containers that the text never closed. The caller knows whether they were only the envelope of the call. */
  get closersMissing(): number {
    return this.#closersMissing;
  }

  get endedBy(): "value" | "marker" | "end-of-text" {
    return this.#endedBy;
  }

  get failure(): RecoveryFailure | undefined {
    return this.#failure;
  }

  /** What was told to the sink of a string turned out to be read wrongly; a `guess` says where. */
  get contradicts(): boolean {
    return this.#contradicts;
  }

  /** A string was kept open only because code in it was half open; see `ignoreContent`. */
  get refusedHalfOpen(): boolean {
    return this.#closing.refusedHalfOpen;
  }

  /** Characters examined, look-ahead included. */
  get steps(): number {
    return this.#window.steps;
  }

  push(chunk: string): void {
    if (this.#state !== "reading" || chunk.length === 0) return;
    this.#pieces.push(chunk);
    this.#pieceLength += chunk.length;
    if (this.#pieceLength < this.#retryAt) return;
    this.#feed();
  }

  /** No more text will come. `final`: the text is whole, so its end ends a number as well. */
  finish(final: boolean): void {
    if (this.#state !== "reading") return;
    this.#final = final;
    this.#window.ended = true;
    this.#feed();
    if (this.#state === "reading") this.#fail("unreadable", this.#pos, "the text could not be read to its end");
  }

  #feed(): void {
    const chunk = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join("");
    this.#pieces = [];
    this.#pieceLength = 0;
    this.#pos -= this.#window.append(chunk, this.#pos);
    while (this.#state === "reading" && this.#step());
    this.#retryAt = 1 + ((this.#window.text.length - this.#pos) >> 3);
  }

  #step(): boolean {
    switch (this.#mode) {
      case "string":
        return this.#readString();
      case "key":
        return this.#readKey();
      case "colon":
        return this.#readColon();
      case "value":
        return this.#readValue();
      case "item":
        return this.#readItem();
      case "after":
        return this.#readAfter();
      case "tail":
        return this.#readTail();
      default:
        return this.#readStart();
    }
  }

  // ----- Bookkeeping -----

  #report(kind: RepairKind, level: RepairLevel, from: number, to: number): Repair {
    return this.#log.add(kind, level, this.#window.offset + from, this.#window.offset + to);
  }

  /** One entry per string and kind: a page of inner quotes is one finding. */
  #reportInString(kind: RepairKind, level: RepairLevel, from: number, to: number): void {
    const known = this.#entry[kind];
    if (known !== undefined && known.level === level) known.end = this.#window.offset + to;
    else this.#entry[kind] = this.#report(kind, level, from, to);
  }

  #fail(reason: string, at: number, message: string): true {
    this.#state = "failed";
    this.#failure = { reason, at: this.#window.offset + at, message };
    this.#log.settle();
    return true;
  }

  #finished(by: "value" | "marker" | "end-of-text", end: number): true {
    this.#state = "done";
    this.#endedBy = by;
    this.#end = this.#window.offset + end;
    this.#log.settle();
    return true;
  }

  /** Passes over white space and comments, and says so where strict JSON has none. False: more text is needed. */
  #skip(): boolean {
    const window = this.#window;
    window.odd = false;
    const next = window.skipBlanks(this.#pos);
    if (next === WAIT) return false;
    if (window.odd) {
      window.skipBlanks(this.#pos, (kind, from, to) => {
        this.#report(kind, kind === "cut-comment" ? "truncated" : "safe", from, to);
      });
    }
    if (this.#mode === "after" && this.#afterString && !this.#crossedLine) {
      this.#crossedLine = window.crossesLine(this.#pos, next);
    }
    this.#pos = next;
    return true;
  }

  /** The end of the last key or value, however many chunks ago. */
  #markGap(): void {
    if (this.#gapStart < 0) this.#gapStart = this.#window.offset + this.#pos;
  }

  #reportGap(kind: RepairKind, level: RepairLevel): void {
    this.#log.add(kind, level, this.#gapStart, this.#gapStart);
  }

  // ----- Telling the sink -----

  /** A value begins: now, and not before, its key is certain. */
  #beginValue(): void {
    const top = this.#open.top;
    if (top === undefined) return;
    top.count++;
    if (!top.isObject || !this.#keyPending) return;
    this.#keyPending = false;
    this.#announce(top);
    const key = this.#key;
    if (!noteKey(top, key)) this.#log.add("duplicate-key", "guess", this.#keyStart, this.#keyEnd);
    this.#sink.beginString(this.#keyStart, true);
    if (key.length > 0) this.#sink.text(key);
    this.#sink.endString(this.#keyEnd);
  }

  #announce(container: Container): void {
    if (container.announced) return;
    container.announced = true;
    if (container.isObject) this.#sink.beginObject(container.start);
    else this.#sink.beginArray(container.start);
  }

  #literal(json: string, from: number, to: number): void {
    this.#beginValue();
    this.#sink.literal(json, this.#window.offset + from, this.#window.offset + to);
    this.#valueEnded(false);
  }

  #plainString(text: string, from: number, to: number): void {
    this.#beginValue();
    this.#sink.beginString(this.#window.offset + from, false);
    if (text.length > 0) this.#sink.text(text);
    this.#sink.endString(this.#window.offset + to);
    this.#valueEnded(true);
  }

  #valueEnded(wasString: boolean): void {
    this.#afterString = wasString;
    this.#afterObject = false;
    this.#gapStart = -1;
    this.#crossedLine = false;
    if (this.#open.stack.length === 0) {
      this.#closedAt = -1;
      this.#mode = "tail";
    } else this.#mode = "after";
  }

  #pushContainer(isObject: boolean, closer: number): boolean {
    if (this.#open.stack.length >= this.#maxDepth) {
      return this.#fail("too-deep", this.#pos, `more than ${this.#maxDepth} containers are open`);
    }
    this.#beginValue();
    const container = this.#open.push(isObject, closer, this.#window.offset + this.#pos);
    container.key = "";
    if (!isObject) this.#announce(container);
    this.#commaAt = -1;
    this.#pos++;
    this.#mode = isObject ? "key" : "item";
    return true;
  }

  #popContainer(at: number): void {
    const container = this.#open.stack.pop() as Container;
    this.#announce(container);
    if (container.isObject) this.#sink.endObject(this.#window.offset + at);
    else this.#sink.endArray(this.#window.offset + at);
  }

  // ----- The beginning -----

  #readStart(): boolean {
    if (!this.#skip()) return false;
    const window = this.#window;
    const code = window.at(this.#pos);
    if (code === END) return this.#fail("no-value", this.#pos, "the text holds no value");
    if ((code === BACKTICK || code === TILDE) && this.#window.fence === 0) {
      const fence = this.#openFence(code);
      if (fence !== NO) return fence === YES;
    }
    if (code === QUOTE) {
      const member = this.#closing.beginsMember(this.#pos);
      if (member === WAIT) return false;
      if (member === YES) {
        this.#report("missing-braces", "guess", this.#pos, this.#pos);
        const container = this.#open.push(true, CLOSE_BRACE, window.offset + this.#pos);
        container.implied = true;
        this.#mode = "key";
        return true;
      }
    }
    const readable =
      isOpener(code) ||
      isQuote(code) ||
      isDigit(code) ||
      code === MINUS ||
      code === PLUS ||
      code === DOT ||
      isLetter(code);
    if (!readable) return this.#fail("no-value", this.#pos, "no JSON value begins here");
    this.#mode = "value";
    return true;
  }

  /** Three backticks or tildes, an info word, and the value inside. */
  #openFence(code: number): number {
    const window = this.#window;
    let at = this.#pos;
    while (window.at(at) === code) at++;
    if (window.at(at) === WAIT) return WAIT;
    if (at - this.#pos < 3) return NO;
    const limit = at + infoStringMax;
    let next = window.at(at);
    while (at < limit && next >= 0 && (isLetter(next) || isDigit(next) || next === MINUS || next === PLUS)) {
      at++;
      next = window.at(at);
    }
    if (next === WAIT) return WAIT;
    this.#report("fence", "safe", this.#pos, at);
    this.#window.fence = code;
    this.#pos = at;
    return YES;
  }

  // ----- Keys -----

  #readKey(): boolean {
    if (!this.#skip()) return false;
    const window = this.#window;
    const container = this.#open.top as Container;
    const code = window.at(this.#pos);
    if (code === END) return this.#endOfText();
    if (isCloser(code)) {
      this.#trailingComma();
      return this.#close(code);
    }
    if (code === COMMA) {
      this.#report("extra-comma", "safe", this.#pos, this.#pos + 1);
      this.#pos++;
      return true;
    }
    if (code === SEMICOLON) {
      this.#report("semicolon", "guess", this.#pos, this.#pos + 1);
      this.#pos++;
      return true;
    }
    const marker = window.markerAt(this.#pos);
    if (marker !== 0) return marker === WAIT ? false : this.#endAtMarker();
    const ellipsis = this.#skipEllipsis();
    if (ellipsis !== NO) return ellipsis === YES;
    if (isQuote(code)) return this.#beginKey(code);
    if (code === BACKSLASH) return this.#escapedQuote();
    if (isKeyCharacter(code)) return this.#readBareKey(container);
    if (code === OPEN_BRACE && this.#open.stack.length === 1 && isFresh(container)) {
      // `{{...}}`, as templates write a brace that is meant.
      this.#report("doubled-brace", "guess", this.#pos, this.#pos + 1);
      this.#pos++;
      return true;
    }
    if (isFresh(container) && isOpener(code)) {
      this.#becomeSet(container);
      return true;
    }
    return this.#fail("unexpected-character", this.#pos, "a key or a closing brace was expected here");
  }

  #beginKey(code: number): boolean {
    const window = this.#window;
    if (code === QUOTE && this.#readCleanKey()) return true;
    const width = this.#keyWidth(code);
    if (width === WAIT) return false;
    this.#entry = {};
    if (code !== QUOTE) this.#report("quote-style", "safe", this.#pos, this.#pos + 1);
    this.#key = "";
    this.#keyStart = window.offset + this.#pos;
    this.#string = openString("key", code, width, this.#keyStart);
    this.#specials = specialsOf(code, true, false);
    this.#pos += width;
    this.#mode = "string";
    return true;
  }

  /** The usual key: no escape, nothing odd, and a colon right after it. Says the same as the long way. */
  #readCleanKey(): boolean {
    const window = this.#window;
    const text = window.text;
    const from = this.#pos + 1;
    let end = from;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code === QUOTE || code === BACKSLASH || code === COLON || code < 0x20) break;
      end++;
    }
    window.steps += end - from + 2;
    if (end === from || text.charCodeAt(end) !== QUOTE || text.charCodeAt(end + 1) !== COLON) return false;
    if (this.#closing.doubled) return false;
    this.#key = this.#keys.slice(text, from, end);
    this.#keyStart = window.offset + from - 1;
    this.#setKey(end + 1);
    return true;
  }

  /** Doubled quotes are a habit of a whole document: the first key decides, if its both ends are doubled. */
  #keyWidth(code: number): number {
    const window = this.#window;
    if (window.at(this.#pos + 1) !== code) return window.at(this.#pos + 1) === WAIT ? WAIT : 1;
    if (this.#closing.doubled) return 2;
    if (this.#keysRead > 0 || code !== QUOTE) return 1;
    // An empty key is no doubled quote.
    const after = window.skipBlanks(this.#pos + 2);
    if (after === WAIT) return WAIT;
    if (!isKeyCharacter(window.at(after))) return 1;
    const limit = this.#pos + keyCharactersMax;
    let at = this.#pos + 2;
    for (; at < limit; at++) {
      const next = window.at(at);
      if (next === WAIT) return WAIT;
      if (next === END) return 1;
      if (next === QUOTE || next === LINE_FEED) break;
    }
    window.steps += at - this.#pos;
    if (at === this.#pos + 2 || window.at(at) !== QUOTE) return 1;
    const second = window.at(at + 1);
    if (second !== QUOTE) return second === WAIT ? WAIT : 1;
    const colon = window.skipBlanks(at + 2);
    if (colon === WAIT) return WAIT;
    if (window.at(colon) !== COLON) return 1;
    this.#closing.doubled = true;
    this.#report("doubled-quote", "guess", this.#pos, at + 2);
    return 2;
  }

  #readBareKey(container: Container): boolean {
    const window = this.#window;
    let at = this.#pos;
    let code = window.at(at);
    while (code >= 0 && isKeyCharacter(code)) {
      at++;
      code = window.at(at);
    }
    window.steps += at - this.#pos;
    if (code === WAIT) return false;
    if (code === END) return this.#endOfText("cut-key");
    const fresh = isFresh(container);
    if (isQuote(code)) {
      // `name": 1` lacks its opening quote; `r"x"` is the first item of a set.
      const next = window.skipBlanks(at + 1);
      if (next === WAIT) return false;
      if (window.at(next) === COLON || window.at(next) === END) {
        return this.#keyRead(window.text.slice(this.#pos, at), this.#pos, at + 1, "missing-key-quote", "guess");
      }
    }
    const next = window.skipBlanks(at);
    if (next === WAIT) return false;
    const follows = window.at(next);
    if (follows === END) return this.#endOfText("cut-key");
    if (follows === COLON || follows === EQUALS) {
      container.bareKeys = true;
      return this.#keyRead(window.text.slice(this.#pos, at), this.#pos, at, "bare-key", "safe");
    }
    if (fresh && (follows === COMMA || follows === CLOSE_BRACE)) {
      this.#becomeSet(container);
      return true;
    }
    if (follows === COMMA || follows === CLOSE_BRACE) {
      return this.#keyRead(window.text.slice(this.#pos, at), this.#pos, at, "bare-key", "guess");
    }
    // Several words up to a colon: a key with blanks in it.
    let end = next;
    const limit = this.#pos + keyCharactersMax;
    for (; end < limit; end++) {
      const letter = window.at(end);
      if (letter === WAIT) return false;
      if (letter === COLON || letter === END || !(isKeyCharacter(letter) || letter === 0x20)) break;
    }
    window.steps += end - next;
    if (window.at(end) === COLON) {
      container.bareKeys = true;
      return this.#keyRead(window.text.slice(this.#pos, end).trimEnd(), this.#pos, end, "bare-key", "guess");
    }
    if (isOpener(follows) || isDigit(follows) || follows === MINUS || isQuote(follows)) {
      container.bareKeys = true;
      return this.#keyRead(window.text.slice(this.#pos, at), this.#pos, at, "bare-key", "guess");
    }
    return this.#fail("unexpected-character", next, "a colon was expected after the key");
  }

  #keyRead(key: string, from: number, to: number, kind: RepairKind, level: RepairLevel): true {
    this.#report(kind, level, from, to);
    this.#key = key;
    this.#keyStart = this.#window.offset + from;
    this.#setKey(to);
    return true;
  }

  #setKey(end: number): void {
    this.#keyEnd = this.#window.offset + end;
    this.#gapStart = -1;
    this.#keyPending = true;
    this.#keysRead++;
    (this.#open.top as Container).key = this.#key;
    this.#pos = end;
    this.#mode = "colon";
  }

  /** Braces whose first element has no colon: a set, which is an array and never an object of nulls. */
  #becomeSet(container: Container): void {
    this.#report("tuple", "guess", this.#pos, this.#pos);
    container.isObject = false;
    this.#announce(container);
    this.#mode = "item";
  }

  #escapedQuote(): boolean {
    const next = this.#window.at(this.#pos + 1);
    if (next === WAIT) return false;
    if (next === QUOTE) {
      return this.#fail(
        "escaped-document",
        this.#pos,
        "the quotes are escaped: the document was escaped once too often",
      );
    }
    return this.#fail("unexpected-character", this.#pos, "a backslash stands between tokens");
  }

  // ----- Colons -----

  #readColon(): boolean {
    this.#markGap();
    if (!this.#skip()) return false;
    const window = this.#window;
    const container = this.#open.top as Container;
    const code = window.at(this.#pos);
    if (code === COLON) {
      this.#pos++;
      this.#mode = "value";
      return true;
    }
    if (code === END) return this.#endOfText();
    if (code === EQUALS) {
      const next = window.at(this.#pos + 1);
      if (next === WAIT) return false;
      const length = next === GREATER || next === EQUALS ? 2 : 1;
      this.#report("missing-colon", "guess", this.#pos, this.#pos + length);
      this.#pos += length;
      this.#mode = "value";
      return true;
    }
    const marker = window.markerAt(this.#pos);
    if (marker !== 0) return marker === WAIT ? false : this.#endAtMarker();
    if (code === COMMA || code === SEMICOLON || isCloser(code)) return this.#keyAlone(container);
    if (isQuote(code)) this.#reportGap("missing-colon", "guess");
    else this.#reportGap("missing-colon", "safe");
    this.#mode = "value";
    return true;
  }

  /** A key with neither colon nor value: the first item of a set, or a member whose value is missing. */
  #keyAlone(container: Container): boolean {
    const window = this.#window;
    if (isFresh(container)) {
      const code = window.at(this.#pos);
      let isSet = code === CLOSE_BRACE;
      if (code === COMMA) {
        const next = window.skipCommas(this.#pos + 1);
        if (next === WAIT) return false;
        const start = this.#closing.memberStart(next, -1);
        if (start === WAIT) return false;
        isSet = start === NO || start === DAMAGED;
      }
      if (isSet) {
        this.#report("tuple", "guess", this.#pos, this.#pos);
        container.isObject = false;
        container.key = "";
        this.#keyPending = false;
        this.#announce(container);
        container.count++;
        this.#sink.beginString(this.#keyStart, false);
        if (this.#key.length > 0) this.#sink.text(this.#key);
        this.#sink.endString(this.#keyEnd);
        this.#valueEnded(true);
        return true;
      }
    }
    this.#reportGap("missing-value", "guess");
    this.#literal("null", this.#pos, this.#pos);
    return true;
  }

  // ----- Values -----

  #readValue(): boolean {
    if (!this.#skip()) return false;
    const window = this.#window;
    const container = this.#open.top;
    const at = this.#pos;
    const code = window.at(at);
    if (code === END) return this.#endOfText();
    if (isQuote(code)) return this.#beginString(code);
    if (code === OPEN_BRACE) return this.#readStrictPart() || this.#pushContainer(true, CLOSE_BRACE);
    if (code === OPEN_BRACKET) {
      const marker = window.markerAt(at);
      if (marker !== 0) return marker === WAIT ? false : this.#endAtMarker();
      return this.#readStrictPart() || this.#pushContainer(false, CLOSE_BRACKET);
    }
    if (code === OPEN_PAREN) {
      this.#report("tuple", "guess", at, at + 1);
      return this.#pushContainer(false, CLOSE_PAREN);
    }
    const marker = window.markerAt(at);
    if (marker !== 0) return marker === WAIT ? false : this.#endAtMarker();
    if (container?.isObject === true) {
      if (code === COMMA || code === SEMICOLON || code === CLOSE_BRACE || (isCloser(code) && this.#keyPending)) {
        this.#report("missing-value", "guess", at, at);
        this.#literal("null", at, at);
        return true;
      }
      const ellipsis = this.#skipEllipsis();
      if (ellipsis !== NO) {
        if (ellipsis === WAIT) return false;
        this.#keyPending = false; // the model left the value out: so do we
        this.#valueEnded(false);
        return true;
      }
    }
    if (code === BACKSLASH) return this.#escapedQuote();
    return this.#readBare();
  }

  /** Inside a damaged value only: the whole was asked about before. */
  #readStrictPart(): boolean {
    const depth = this.#open.stack.length;
    if (this.#onStrictPart === undefined || depth === 0 || this.#closing.doubled) return false;
    const window = this.#window;
    const part = this.#strictParts.read(window.text, this.#pos, this.#maxDepth - depth);
    window.steps += this.#strictParts.examined;
    if (part === undefined) return false;
    if (!this.#goesOnAfter(part.end)) {
      this.#strictParts.wasInVain();
      return false;
    }
    this.#beginValue();
    this.#onStrictPart(part.value);
    this.#pos = part.end;
    this.#valueEnded(false);
    this.#commaAt = -1;
    this.#afterObject = !Array.isArray(part.value);
    if (part.memberAfterObject) this.#memberAfterObject = true;
    return true;
  }

  /** Is what follows a container what should follow it? If not, its last string may not have ended where it seems. */
  #goesOnAfter(at: number): boolean {
    const window = this.#window;
    const open = this.#open;
    let level = open.stack.length - 1;
    let next = window.skipBlanks(at);
    for (; level >= 0 && next !== WAIT && window.at(next) === open.stack[level].closer; level--) {
      next = window.skipBlanks(next + 1);
    }
    if (next === WAIT) return true; // strict parts are for whole texts, so this is their end
    const code = window.at(next);
    if (level < 0 || code === END) return code === END;
    if (code !== COMMA) return false;
    const after = window.skipBlanks(next + 1);
    if (after === WAIT) return false;
    const follows = window.at(after);
    if (!open.stack[level].isObject) {
      if (isQuote(follows)) return this.#closing.beginsMember(after) === NO;
      return isOpener(follows) || isDigit(follows) || follows === MINUS;
    }
    const start = this.#closing.memberStart(after, level);
    return start === DECLARED || start === UNKNOWN;
  }

  #readItem(): boolean {
    if (!this.#skip()) return false;
    const window = this.#window;
    const container = this.#open.top as Container;
    const at = this.#pos;
    const code = window.at(at);
    if (code === END) return this.#endOfText();
    if (isCloser(code)) {
      if (container.closer === CLOSE_BRACKET) this.#trailingComma();
      return this.#close(code);
    }
    if (code === COMMA) {
      this.#report("array-hole", "guess", at, at + 1);
      this.#pos++;
      return true;
    }
    if (code === SEMICOLON) {
      this.#report("semicolon", "guess", at, at + 1);
      this.#pos++;
      return true;
    }
    const ellipsis = this.#skipEllipsis();
    if (ellipsis !== NO) return ellipsis === YES;
    if (code === QUOTE && this.#readCleanString("item", at)) {
      this.#commaAt = -1;
      return true;
    }
    if (isQuote(code) && container.closer === CLOSE_BRACKET) {
      const member = this.#closing.isMemberOfParent(at);
      if (member === WAIT) return false;
      if (member === YES) {
        this.#report("missing-inner-closer", "guess", at, at);
        this.#popContainer(at);
        this.#mode = "key";
        return true;
      }
    }
    if (code === BACKSLASH) return this.#escapedQuote();
    this.#commaAt = -1;
    this.#mode = "value";
    return true;
  }

  /** Passes over an ellipsis and the comma after it; the member or item that was left out stays out. */
  #skipEllipsis(): number {
    const length = this.#window.ellipsisAt(this.#pos);
    if (length <= 0) return length === WAIT ? WAIT : NO;
    let at = this.#pos + length;
    while (this.#window.at(at) === DOT) at++;
    if (this.#window.at(at) === WAIT) return WAIT;
    const next = this.#window.skipBlanks(at);
    if (next === WAIT) return WAIT;
    const code = this.#window.at(next);
    if (code !== COMMA && code !== END && !isCloser(code) && !(isQuote(code) && this.#open.top?.isObject === true))
      return NO;
    this.#report("ellipsis", "guess", this.#pos, at);
    this.#commaAt = -1;
    this.#pos = code === COMMA && this.#mode !== "value" && this.#mode !== "after" ? next + 1 : next;
    return YES;
  }

  // ----- After a value -----

  #readAfter(): boolean {
    this.#markGap();
    if (!this.#skip()) return false;
    const window = this.#window;
    const container = this.#open.top as Container;
    const at = this.#pos;
    const code = window.at(at);
    if (code === COMMA) {
      this.#pos++;
      this.#commaAt = window.offset + at;
      if (this.#afterObject && container.isObject) this.#memberAfterObject = true;
      this.#mode = container.isObject ? "key" : "item";
      return true;
    }
    if (isCloser(code)) return this.#close(code);
    if (code === END) return this.#endOfText();
    const marker = window.markerAt(at);
    if (marker !== 0) return marker === WAIT ? false : this.#endAtMarker();
    if (code === SEMICOLON) {
      this.#report("semicolon", "guess", at, at + 1);
      this.#pos++;
      this.#mode = container.isObject ? "key" : "item";
      return true;
    }
    const ellipsis = this.#skipEllipsis();
    if (ellipsis !== NO) return ellipsis === YES;
    const level = this.#afterString && !this.#crossedLine ? "guess" : "safe";
    if (container.isObject) {
      const start = this.#closing.memberStart(at, this.#open.stack.length - 1);
      if (start === WAIT) return false;
      if (start !== NO) {
        this.#reportGap("missing-comma", level);
        this.#mode = "key";
        return true;
      }
    } else if (isQuote(code) || isOpener(code) || isDigit(code) || code === MINUS || isLetter(code)) {
      this.#reportGap("missing-comma", isLetter(code) ? "guess" : level);
      this.#mode = "item";
      return true;
    }
    return this.#fail("unexpected-character", at, "a comma or a closing bracket was expected here");
  }

  #trailingComma(): void {
    if (this.#commaAt >= 0) this.#log.add("extra-comma", "safe", this.#commaAt, this.#commaAt + 1);
    this.#commaAt = -1;
  }

  /** A closer: of the innermost container, of one around it, or of none. */
  #close(code: number): boolean {
    const open = this.#open;
    const level = open.stack.length - 1;
    const closed = open.nearest(level, code);
    if (closed < 0) {
      this.#report("wrong-closer", "guess", this.#pos, this.#pos + 1);
    } else if (closed < level) {
      this.#report("missing-inner-closer", "guess", this.#pos, this.#pos);
      while (open.stack.length - 1 > closed) this.#popContainer(this.#pos);
    }
    if (open.stack.length === 1) {
      this.#closedAt = this.#window.offset + this.#pos;
      this.#pos++;
      this.#mode = "tail";
      return true;
    }
    this.#popContainer(this.#pos);
    this.#pos++;
    this.#valueEnded(false);
    this.#afterObject = code === CLOSE_BRACE;
    return true;
  }

  // ----- After the top value -----

  /**
   * The top value is balanced. Its end is told only now that what follows is known: a surplus closer or comma before
   * the end is dropped, members that follow are joined and said to be a guess, other text is the caller's.
   */
  #readTail(): boolean {
    const window = this.#window;
    const container = this.#open.top;
    let at = window.skipBlanks(this.#pos);
    if (at === WAIT) return false;
    let surplus = -1;
    let surplusEnd = this.#pos;
    while (isCloser(window.at(at))) {
      if (surplus < 0) surplus = at;
      surplusEnd = at + 1;
      at = window.skipBlanks(at + 1);
      if (at === WAIT) return false;
    }
    const code = window.at(at);
    const marker = code === END ? 0 : window.markerAt(at);
    if (marker === WAIT) return false;
    const ends = code === END || marker > 0;
    if (code === COMMA) {
      const next = window.skipCommas(at + 1);
      if (next === WAIT) return false;
      const last = window.at(next) === END ? 1 : window.markerAt(next);
      if (last === WAIT) return false;
      if (last > 0) {
        this.#report("extra-comma", "safe", at, at + 1);
        return this.#endTop(at + 1);
      }
      const follows = window.at(next);
      if (container?.isObject === true && (isQuote(follows) || container.bareKeys)) {
        const start = this.#closing.memberStart(next, -1);
        if (start === WAIT) return false;
        if (start !== NO && start !== DAMAGED) return this.#closedTooEarly(next, "key");
      }
      if (container?.isObject === false && (isQuote(follows) || isDigit(follows) || follows === MINUS)) {
        return this.#closedTooEarly(next, "item");
      }
      return this.#fail("several-documents", at, "another document follows the first");
    }
    if (isQuote(code) && container?.isObject === true) {
      const start = this.#closing.memberStart(at, -1);
      if (start === WAIT) return false;
      if (start !== NO && start !== PARTIAL && start !== DAMAGED) return this.#closedTooEarly(at, "key");
    }
    if (code === QUOTE || code === COLON) {
      return this.#fail("trailing-text", at, "the value has ended, and what follows it is no new one");
    }
    if (surplus >= 0) {
      this.#report("surplus-closer", ends && !this.#memberAfterObject ? "safe" : "guess", surplus, surplusEnd);
      return this.#endTop(surplusEnd);
    }
    return this.#endTop(this.#pos);
  }

  #closedTooEarly(next: number, mode: "key" | "item"): true {
    this.#log.add("closed-too-early", "guess", this.#closedAt, this.#closedAt + 1);
    this.#pos = next;
    this.#mode = mode;
    this.#commaAt = -1;
    return true;
  }

  #endTop(end: number): true {
    if (this.#open.stack.length > 0) this.#popContainer(this.#closedAt - this.#window.offset);
    return this.#finished("value", end);
  }

  // ----- Missing ends -----

  /** The text is over inside the value: close what is open, keep what is certain, say that more may be missing. */
  #endOfText(cut?: RepairKind): true {
    const length = this.#window.text.length;
    const kind = cut ?? (this.#keyPending ? "cut-key" : undefined);
    if (kind !== undefined) this.#report(kind, "truncated", Math.min(this.#pos, length), length);
    this.#keyPending = false;
    if (this.#open.stack.length === 0) {
      return this.#fail("truncated", length, "the text ended before the value was certain");
    }
    return this.#closeAll("end-of-text", length);
  }

  #endAtMarker(): true {
    if (this.#keyPending) this.#report("cut-key", "truncated", this.#pos, this.#pos);
    this.#keyPending = false;
    if (this.#open.stack.length === 0) return this.#fail("no-value", this.#pos, "no value before the end marker");
    return this.#closeAll("marker", this.#pos);
  }

  #closeAll(by: "marker" | "end-of-text", at: number): true {
    const stack = this.#open.stack;
    for (const container of stack) if (!container.implied) this.#closersMissing++;
    if (this.#closersMissing > 0) this.#report("missing-closer", "truncated", at, at);
    while (stack.length > 0) this.#popContainer(at);
    return this.#finished(by, at);
  }

  // ----- Strings -----

  #beginString(code: number): boolean {
    const window = this.#window;
    const place = this.#placeOfValue();
    const at = this.#pos;
    if (code === QUOTE && this.#readCleanString(place, at)) return true;
    const string = openString(place, code, 1, window.offset + at);
    const next = window.at(at + 1);
    if (next === WAIT || !this.#knowsBeginning(at + 1)) return false;
    if (next === code) {
      const third = window.at(at + 2);
      if (third === WAIT) return false;
      if (third === code) {
        const fourth = window.at(at + 3);
        if (fourth === WAIT) return false;
        const closes = fourth === code ? NO : fourth === END ? NO : this.#closing.closes(string, at + 3);
        if (closes === WAIT) return false;
        if (closes === NO) {
          if (!this.#knowsBeginning(at + 3)) return false;
          string.width = 3;
          this.#report("triple-quote", "guess", at, at + 3);
        }
      } else if (this.#closing.doubled && code === QUOTE) {
        if (!this.#knowsBeginning(at + 2)) return false;
        string.width = 2;
      }
    }
    if (string.width === 1 && code !== QUOTE) this.#report("quote-style", "safe", at, at + 1);
    return this.#enterString(string, at + string.width);
  }

  /**
   * The usual string: no escape, nothing odd, and its first quote closes it. Says the same as the long way, which
   * everything else takes.
   */
  #readCleanString(place: StringPlace, at: number): boolean {
    const window = this.#window;
    const text = window.text;
    let end = at + 1;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code === QUOTE || code === BACKSLASH || code < 0x20) break;
      end++;
    }
    window.steps += end - at;
    if (end === at + 1 || end >= text.length || text.charCodeAt(end) !== QUOTE) return false;
    const last = text.charCodeAt(end - 1);
    // After a comma the quote may begin the next key.
    if (last === COMMA || isBlank(last) || this.#closing.doubled || this.#givenPlans !== undefined) return false;
    if (this.#closing.closes(cleanStrings[place], end + 1) !== YES) return false;
    this.#beginValue();
    this.#sink.beginString(window.offset + at, false);
    this.#sink.escaped(text.slice(at + 1, end));
    this.#sink.endString(window.offset + end);
    this.#pos = end + 1;
    this.#valueEnded(true);
    return true;
  }

  #placeOfValue(): StringPlace {
    const container = this.#open.top;
    return container === undefined ? "top" : container.isObject ? "member" : "item";
  }

  /** A drive letter is recognised three characters ahead. */
  #knowsBeginning(at: number): boolean {
    const window = this.#window;
    if (window.at(at) === WAIT) return false;
    if (!isLetter(window.at(at))) return true;
    const second = window.at(at + 1);
    return second !== WAIT && !(second === COLON && window.at(at + 2) === WAIT);
  }

  #enterString(string: OpenString, at: number): boolean {
    const window = this.#window;
    string.pathLike = isLetter(window.at(at)) && window.at(at + 1) === COLON && window.at(at + 2) === BACKSLASH;
    const plan = this.#givenPlans?.get(string.start);
    string.literal = plan === "literal";
    string.evidentlyEscaped = plan === "escaped";
    this.#entry = {};
    if (string.literal) this.#reportInString("unescaped-backslashes", "guess", this.#pos, at);
    this.#beginValue();
    this.#sink.beginString(string.start, false);
    this.#string = string;
    this.#specials = specialsOf(string.opener, false, string.place === "member" && string.width === 1);
    this.#pos = at;
    this.#mode = "string";
    return true;
  }

  /** Tells what is certain, up to `at`, and stands there. Characters between are the inside of a JSON string already. */
  #pause(at: number): void {
    if (at > this.#run) {
      const piece = this.#window.text.slice(this.#run, at);
      if ((this.#string as OpenString).place === "key") this.#key += decodeKey(piece);
      else this.#sink.escaped(piece);
    }
    this.#run = at;
    this.#pos = at;
  }

  /** Tells of characters that are data as they stand, whatever JSON thinks of them. */
  #plain(from: number, to: number): void {
    this.#pause(from);
    this.#text(this.#window.text.slice(from, to));
    this.#run = to;
  }

  #text(text: string): void {
    if ((this.#string as OpenString).place === "key") this.#key += text;
    else this.#sink.text(text);
  }

  #readString(): boolean {
    const window = this.#window;
    const text = window.text;
    const length = text.length;
    const string = this.#string as OpenString;
    const specials = this.#specials;
    const smart = string.opener > 0x7f;
    let at = this.#pos;
    this.#run = at;
    for (;;) {
      const from = at;
      let code = 0;
      if (smart) {
        while (at < length) {
          code = text.charCodeAt(at);
          if (code < 0x80 ? specials[code] === 1 : string.closers.includes(code)) break;
          at++;
        }
      } else {
        while (at < length) {
          code = text.charCodeAt(at);
          if (code < 0x80 && specials[code] === 1) break;
          at++;
        }
      }
      window.steps += at - from + 1;
      if (at >= length) {
        const whole = at > this.#run && isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
        this.#pause(whole);
        return window.ended ? this.#cutString(whole) : false;
      }
      if (code < 0x20) {
        let end = at + 1;
        while (end < length && text.charCodeAt(end) < 0x20) end++;
        window.steps += end - at;
        this.#plain(at, end);
        this.#reportInString("raw-control-character", "safe", at, end);
        at = end;
        continue;
      }
      if (code === BACKSLASH) {
        const next = this.#readEscape(string, at);
        if (next < 0) return next === stringEnded;
        at = next;
        continue;
      }
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (string.openInner === 0) string.depth++;
        at++;
        continue;
      }
      if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (string.openInner === 0 && string.depth > 0) string.depth--;
        at++;
        continue;
      }
      if (code === COMMA) {
        const missing = this.#commaEndsString(string, at);
        if (missing === NO) {
          at++;
          continue;
        }
        this.#pause(at);
        if (missing === WAIT) return false;
        this.#report("missing-closing-quote", "guess", at, at);
        return this.#stringEnded(at, at);
      }
      if (code === COLON) {
        const missing = this.#colonEndsKey(string, at);
        if (missing === NO) {
          at++;
          continue;
        }
        this.#pause(at);
        if (missing === WAIT) return false;
        this.#report("missing-key-quote", "guess", at, at);
        this.#key = this.#key.trimEnd();
        return this.#stringEnded(at, at);
      }
      if (!string.closers.includes(code)) {
        // A quote of another kind is content, but must be escaped in JSON.
        this.#plain(at, at + 1);
        at++;
        continue;
      }
      const closes = this.#quoteCloses(string, at, code);
      if (closes === WAIT) {
        this.#pause(at);
        return false;
      }
      if (closes === YES) {
        this.#pause(at);
        return this.#stringEnded(at, at + string.width);
      }
      if (closes === JOIN) {
        const opening = this.#closing.nextOpening;
        this.#pause(at);
        this.#report("adjacent-strings", "guess", at, opening + 1);
        at = this.#run = opening + 1;
        continue;
      }
      if (string.width === 1) {
        // A smart string may hold straight quotes: they are not of its kind.
        if (code === string.opener || code > 0x7f) {
          noteInnerQuote(string, code, at > 0 ? text.charCodeAt(at - 1) : 0, window.at(at + 1));
          string.innerQuotes++;
          this.#reportInString("inner-quote", "guess", at, at + 1);
        }
      }
      this.#plain(at, at + 1);
      at++;
    }
  }

  /** Does the quote at `at` close the string, alone or as the last of two or three? */
  #quoteCloses(string: OpenString, at: number, code: number): number {
    const window = this.#window;
    if (string.width === 1) return this.#closing.closes(string, at + 1);
    for (let index = 1; index < string.width; index++) {
      const next = window.at(at + index);
      if (next !== code) return next === WAIT ? WAIT : NO;
    }
    const next = window.at(at + string.width);
    if (next === code) return NO;
    const closes = this.#closing.closes(string, at + string.width);
    return closes === JOIN ? NO : closes;
  }

  #stringEnded(at: number, next: number): true {
    const string = this.#string as OpenString;
    this.#string = undefined;
    if (string.place === "key") {
      this.#setKey(next);
      return true;
    }
    this.#sink.endString(this.#window.offset + at);
    this.#pos = next;
    this.#valueEnded(true);
    return true;
  }

  /** The text ended inside a string: what is certain of it stays. */
  #cutString(at: number): true {
    const string = this.#string as OpenString;
    const length = this.#window.text.length;
    this.#string = undefined;
    this.#pos = length;
    if (string.place === "key") {
      this.#log.add("cut-key", "truncated", string.start, this.#window.offset + length);
      return this.#endOfText();
    }
    this.#report("cut-string", "truncated", at, length);
    this.#sink.endString(this.#window.offset + length);
    if (this.#open.stack.length > 0) return this.#endOfText();
    return this.#finished("end-of-text", length);
  }

  /** A comma in a member value, then a quote that begins a member: the closing quote before the comma is missing. */
  #commaEndsString(string: OpenString, comma: number): number {
    const window = this.#window;
    const text = window.text;
    let at = comma + 1;
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
    window.steps += at - comma;
    const quote = window.at(at);
    if (quote === WAIT) return WAIT;
    if (quote !== string.opener) return NO;
    const closes = this.#closing.closes(string, at + 1);
    if (closes !== NO) return closes === WAIT ? WAIT : NO;
    return this.#closing.closingQuoteMissing(string, at);
  }

  /** A colon in a key, and the next quote does not close a key: the closing quote before the colon is missing. */
  #colonEndsKey(string: OpenString, colon: number): number {
    const window = this.#window;
    if (string.width > 1 || (this.#key.length === 0 && colon === this.#run)) return NO;
    const limit = colon + keyCharactersMax;
    let at = colon + 1;
    for (; at < limit; at++) {
      const code = window.at(at);
      if (code === WAIT) return WAIT;
      if (code === BACKSLASH) at++;
      else if (code === END || string.closers.includes(code)) break;
    }
    window.steps += at - colon;
    const code = window.at(at);
    if (code === WAIT) return WAIT;
    if (code === END) {
      // Cut inside a key, unless the key is plain and the rest is a value and exactly the closers that are due.
      const key = this.#key + window.text.slice(this.#run, colon);
      return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? this.#closing.endsWithScalar(colon) : NO;
    }
    if (at >= limit) return YES;
    const next = window.skipBlanks(at + 1);
    if (next === WAIT) return WAIT;
    const follows = window.at(next);
    return follows === COLON || follows === END ? NO : YES;
  }

  // ----- Escapes -----

  /** Reads the escape at `at` and returns where to go on, {@link stringEnded}, or {@link WAIT}. */
  #readEscape(string: OpenString, at: number): number {
    const window = this.#window;
    const code = window.at(at + 1);
    if (code < 0) return this.#halfEscape(code, at);
    if (string.raw) return this.#keep(at, at + 2);
    const ownQuote = string.closers.includes(code);
    if (code === QUOTE && ownQuote && string.width === 1 && !string.evidentlyEscaped) {
      const swallowed = this.#closing.swallowed(string, at + 2);
      if (swallowed === WAIT) return this.#halfEscape(WAIT, at);
      if (swallowed === YES) {
        this.#plain(at, at + 1);
        this.#report("swallowed-quote", "guess", at, at + 2);
        if (string.decoded) this.#contradict(string, "literal", at);
        this.#stringEnded(at + 1, at + 2);
        return stringEnded;
      }
    }
    if (code === QUOTE || code === BACKSLASH) {
      if (code === BACKSLASH && this.#givenPlans?.get(string.start) === "literal") return this.#keep(at, at + 2);
      if (string.kept && !string.evidentlyEscaped) this.#contradict(string, "escaped", at);
      string.evidentlyEscaped = true;
      string.literal = false;
      return at + 2;
    }
    if (ownQuote || code === APOSTROPHE) {
      // A quote of the string's own kind, or the apostrophe that other languages escape.
      if (!ownQuote && string.literal) return this.#keep(at, at + 2);
      if (!ownQuote) this.#reportInString("escaped-apostrophe", "safe", at, at + 2);
      this.#pause(at);
      this.#run = at + 1;
      return this.#keep(at + 1, at + 2);
    }
    if (isControlLetter(code)) {
      if (!string.literal) {
        string.decoded = true;
        return at + 2;
      }
      string.kept = true;
      this.#reportInString("unescaped-backslashes", "guess", at, at + 2);
      return this.#keep(at, at + 2);
    }
    return code === 0x75 ? this.#readUnicodeEscape(string, at) : this.#invalidEscape(string, "invalid-escape", at);
  }

  #readUnicodeEscape(string: OpenString, at: number): number {
    for (let index = at + 2; index < at + 6; index++) {
      const digit = this.#window.at(index);
      if (digit < 0) return this.#halfEscape(digit, at);
      if (!isHexDigit(digit)) return this.#invalidEscape(string, "invalid-unicode-escape", at);
    }
    if (!string.literal) {
      string.decoded = true;
      return this.#readSurrogates(at);
    }
    string.kept = true;
    return this.#keep(at, at + 6);
  }

  /** A high surrogate waits for its partner, so that no piece ends between the halves. */
  #readSurrogates(at: number): number {
    const window = this.#window;
    const high = Number.parseInt(window.text.slice(at + 2, at + 6), 16);
    if (!isHighSurrogate(high)) return at + 6;
    for (let index = 6; index < 12; index++) {
      const code = window.at(at + index);
      if (code < 0) return this.#halfEscape(code, at);
      const fits = index === 6 ? code === BACKSLASH : index === 7 ? code === 0x75 : isHexDigit(code);
      if (!fits) return at + 6;
    }
    const low = Number.parseInt(window.text.slice(at + 8, at + 12), 16);
    return low >= 0xdc00 && low <= 0xdfff ? at + 12 : at + 6;
  }

  /** Half an escape is held back; where the text is over, it is dropped. */
  #halfEscape(code: number, at: number): number {
    this.#pause(at);
    if (code === WAIT) return WAIT;
    this.#cutString(at);
    return stringEnded;
  }

  #keep(from: number, to: number): number {
    this.#plain(from, to);
    return to;
  }

  /** A backslash that escapes nothing: it is data, and unless the string shows that it was escaped, all of them are. */
  #invalidEscape(string: OpenString, kind: RepairKind, at: number): number {
    this.#reportInString(kind, "guess", at, at + 2);
    if (!string.evidentlyEscaped && !string.literal) {
      string.literal = true;
      if (string.decoded) this.#contradict(string, "literal", at);
    }
    return this.#keep(at, at + 1);
  }

  #contradict(string: OpenString, plan: EscapePlan, at: number): void {
    this.#contradicts = true;
    this.plans.set(string.start, plan);
    this.#reportInString("unescaped-backslashes", "guess", at, at + 1);
  }

  // ----- Words without quotes -----

  #readBare(): boolean {
    const window = this.#window;
    const text = window.text;
    const from = this.#pos;
    const container = this.#open.top;
    let at = from;
    while (at < text.length && !endsWord(text.charCodeAt(at))) at++;
    window.steps += at - from + 1;
    const code = window.at(at);
    if (code === WAIT) return false;
    const word = text.slice(from, at);
    if (code === END) return this.#cutWord(word, from);
    if (isQuote(code) && isStringPrefix(word)) {
      if (!this.#knowsBeginning(at + 1)) return false;
      const string = openString(this.#placeOfValue(), code, 1, window.offset + at);
      string.raw = word.toLowerCase().includes("r");
      this.#report("string-prefix", "guess", from, at);
      return this.#enterString(string, at + 1);
    }
    const ends = this.#wordEnds(at, word);
    if (ends === WAIT) return false;
    if (ends === YES && isPlainValue(word)) {
      this.#literal(word, from, at);
      this.#pos = at;
      return true;
    }
    if (ends === YES && word.length > 0) {
      const value = readBareWord(word, container === undefined ? undefined : this.#typeOf(word));
      if (value !== undefined) {
        if (value.kind !== undefined) this.#report(value.kind, value.level, from, at);
        if (value.json === undefined) this.#plainString(word, from, at);
        else this.#literal(value.json, from, at);
        this.#pos = at;
        return true;
      }
    }
    if (container === undefined) return this.#fail("no-value", from, "no JSON value begins here");
    return this.#readBareText();
  }

  /** The schema is asked only about numbers that JSON would not take as they are. */
  #typeOf(word: string): ExpectedType | undefined {
    const first = word.charCodeAt(0);
    if (!isDigit(first) && first !== PLUS && first !== MINUS) return undefined;
    const odd = word.length > 15 || word.includes("_") || /^[+-]?0[0-9xXoObB]/.test(word);
    return odd ? this.#open.expectedType() : undefined;
  }

  /** Is the word that ends at `at` the whole value? Something that cannot belong to it must follow. */
  #wordEnds(at: number, word: string): number {
    const window = this.#window;
    const next = window.skipBlanks(at);
    if (next === WAIT) return WAIT;
    const code = window.at(next);
    if (code === END || isCloser(code)) return YES;
    const container = this.#open.top;
    if (container === undefined) return YES;
    const marker = window.markerAt(next);
    if (marker !== 0) return marker === WAIT ? WAIT : YES;
    if (code === COMMA) {
      if (!container.isObject) return YES;
      return this.#commaEndsWord(next, isDigit(word.charCodeAt(word.length - 1)));
    }
    if (code === SEMICOLON) return YES;
    if (next === at) return NO;
    if (window.crossesLine(at, next)) return YES;
    const ellipsis = window.ellipsisAt(next);
    if (ellipsis !== 0) return ellipsis === WAIT ? WAIT : YES;
    if (container.isObject) {
      const start = this.#closing.memberStart(next, this.#open.stack.length - 1);
      return start === WAIT ? WAIT : start === NO ? NO : YES;
    }
    return isQuote(code) || isOpener(code) || isDigit(code) || code === MINUS ? YES : NO;
  }

  /** In an object, a comma ends a word only if a member, a closer or the end follows; `8,000` goes on. */
  #commaEndsWord(comma: number, afterDigit: boolean): number {
    const window = this.#window;
    const next = window.skipCommas(comma + 1);
    if (next === WAIT) return WAIT;
    const code = window.at(next);
    if (code === END || isCloser(code)) return YES;
    // A key that went wrong is still a key; only digits belong to a number.
    if (afterDigit && !isDigit(code)) return YES;
    const marker = window.markerAt(next);
    if (marker !== 0) return marker === WAIT ? WAIT : YES;
    const ellipsis = window.ellipsisAt(next);
    if (ellipsis !== 0) return ellipsis === WAIT ? WAIT : YES;
    const start = this.#closing.memberStart(next, this.#open.stack.length - 1);
    if (start !== NO) return start === WAIT ? WAIT : YES;
    return isQuote(code) ? YES : NO;
  }

  /** Text without quotes: up to the next comma or closer of this level, or the line end. */
  #readBareText(): boolean {
    const window = this.#window;
    const text = window.text;
    const from = this.#pos;
    const container = this.#open.top as Container;
    let nested = 0;
    let missingOpening = false;
    let at = from;
    let call = false;
    for (;;) {
      if (at >= text.length) {
        window.steps += at - from;
        if (!window.ended) return false;
        break;
      }
      const code = text.charCodeAt(at);
      if (code === LINE_FEED && !(call && nested > 0)) break;
      if (nested > 0 && isQuote(code) && code < 0x80) {
        // A quoted argument: its parentheses are its own. Without a partner on this line it is an apostrophe.
        const end = endOfQuoted(text, at);
        window.steps += (end < 0 ? -end : end) - at;
        if (end < 0 && -end >= text.length && !window.ended) return false;
        at = end < 0 ? at + 1 : end;
        continue;
      }
      if (isOpener(code)) {
        if (code === OPEN_BRACKET) {
          const marker = window.markerAt(at);
          if (marker === WAIT) return false;
          if (marker > 0) break;
        }
        if (code === OPEN_PAREN && nested === 0 && isConstructor(text, from, at)) call = true;
        if (code !== OPEN_PAREN || call || nested > 0) nested++;
      } else if (isCloser(code)) {
        if (nested === 0) {
          if (code !== CLOSE_PAREN || container.closer === CLOSE_PAREN) break;
        } else nested--;
      } else if (nested === 0) {
        if (code === COMMA) {
          const ends = container.isObject ? this.#commaEndsWord(at, false) : YES;
          if (ends === WAIT) return false;
          if (ends === YES) break;
          // Content: pass over the whole run, so that a flood of commas is looked at once.
          at = window.skipCommas(at);
          continue;
        }
        if (code === SEMICOLON) {
          const next = window.skipBlanks(at + 1);
          if (next === WAIT) return false;
          const follows = window.at(next);
          if (follows === END || isCloser(follows)) break;
          const start = container.isObject ? this.#closing.memberStart(next, this.#open.stack.length - 1) : NO;
          if (start === WAIT) return false;
          if (start !== NO) break;
        } else if (isQuote(code) && (code === QUOTE || code !== 0x60)) {
          const string = openString(this.#placeOfValue(), code, 1, window.offset + at);
          const member = container.isObject ? this.#closing.memberStart(at, this.#open.stack.length - 1) : NO;
          if (member === WAIT) return false;
          if (member !== NO && member !== PARTIAL && member !== DAMAGED && isBlank(text.charCodeAt(at - 1))) break;
          const closes = closersOf(code).includes(code) ? this.#closing.closes(string, at + 1) : NO;
          if (closes === WAIT) return false;
          if (closes === YES) {
            missingOpening = true;
            break;
          }
        } else if (code === SLASH || code === HASH) {
          if (at > from && isBlank(text.charCodeAt(at - 1))) {
            const next = window.skipBlanks(at);
            if (next === WAIT) return false;
            if (next !== at) break;
          }
        } else if (code === 0x3c || code === BACKTICK || code === TILDE || code > 0x7f) {
          const marker = window.markerAt(at);
          if (marker === WAIT) return false;
          if (marker > 0) break;
        }
      }
      at++;
    }
    window.steps += at - from;
    let end = at;
    while (end > from && (isBlank(text.charCodeAt(end - 1)) || isOddBlank(text.charCodeAt(end - 1)))) end--;
    const value = text.slice(from, end);
    if (missingOpening) {
      this.#report("missing-opening-quote", "guess", from, at + 1);
      this.#plainString(text.slice(from, at), from, at + 1);
      this.#pos = at + 1;
      return true;
    }
    if (value.length === 0) return this.#fail("unexpected-character", from, "a value was expected here");
    if (at >= text.length && window.ended) this.#report("cut-string", "truncated", end, text.length);
    this.#endBareText(value, from, end, call);
    this.#pos = end;
    return true;
  }

  #endBareText(value: string, from: number, end: number, call: boolean): void {
    if (isThousands(value)) {
      const expected = this.#open.expectedType();
      this.#report("thousands-comma", "guess", from, end);
      if (expected === "number" || expected === "integer")
        this.#literal(value.replaceAll(",", "").replace("+", ""), from, end);
      else this.#plainString(value, from, end);
      return;
    }
    const numeric = mayBeNumber(value) && !/[a-zA-Z]{2}/.test(value.slice(0, 64)) && /^[0-9+\-./_:,]*$/.test(value);
    this.#report(call ? "constructor-call" : numeric ? "number-as-text" : "bare-word", "guess", from, end);
    this.#plainString(value, from, end);
  }

  /** The text ends right after a word: a literal is completed, a number may go on, other text is shown as far as it is. */
  #cutWord(word: string, from: number): boolean {
    const window = this.#window;
    const length = window.text.length;
    const literal = completeLiteral(word);
    const whole = readBareWord(word, undefined);
    // Without braces nothing but the end of the text can end the last member, and all of it is a guess already.
    const implied = this.#open.stack.length === 1 && this.#open.stack[0].implied;
    if (whole?.json !== undefined && (this.#final || implied || !mayBeNumber(word))) {
      if (implied && !this.#final && mayBeNumber(word)) this.#report("cut-number", "truncated", from, length);
      if (whole.kind !== undefined) this.#report(whole.kind, whole.level, from, length);
      this.#literal(whole.json, from, length);
    } else if (literal !== undefined) {
      this.#report("cut-literal", "truncated", from, length);
      this.#literal(literal, from, length);
    } else if (mayBeNumber(word) && !this.#final) {
      return this.#endOfText("cut-number");
    } else if (this.#open.stack.length === 0) {
      return this.#fail("no-value", from, "no JSON value begins here");
    } else if (word.length < 2) {
      return this.#endOfText("cut-literal");
    } else {
      this.#report("bare-word", "guess", from, length);
      this.#report("cut-string", "truncated", from, length);
      this.#plainString(word, from, length);
    }
    this.#pos = length;
    return true;
  }
}

/** Strings of which nothing odd is known, to ask where they end. Never changed. */
const cleanStrings: Readonly<Record<StringPlace, OpenString>> = {
  key: openString("key", QUOTE, 1, 0),
  member: openString("member", QUOTE, 1, 0),
  item: openString("item", QUOTE, 1, 0),
  top: openString("top", QUOTE, 1, 0),
};

/** Letters whose escape is another character, and the slash: valid, but in `C:\new` not meant. */
function isControlLetter(code: number): boolean {
  return code === SLASH || code === 0x6e || code === 0x74 || code === 0x72 || code === 0x62 || code === 0x66;
}

/** ASCII characters that end a word: the rest of a value without quotes is looked at only if it goes on after one. */
const wordEnders = new Uint8Array(128);
wordEnders.fill(1, 0, 0x21);
for (const character of ",:;\"'`/<=\\{}[]()") wordEnders[character.charCodeAt(0)] = 1;

function endsWord(code: number): boolean {
  return code < 0x80 ? wordEnders[code] === 1 : isOddBlank(code) || isQuote(code) || code === ELLIPSIS;
}

/** Nothing has been read of it: it may still turn out to be a set. */
function isFresh(container: Container): boolean {
  return container.count === 0 && !container.announced && !container.implied;
}

const constructorMax = 80;

/** A name, perhaps after `new`, right before the parenthesis at `at`. */
function isConstructor(text: string, from: number, at: number): boolean {
  return (
    at > from && at - from <= constructorMax && /^(?:new\s+)?[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(text.slice(from, at))
  );
}

/** Index after the quoted text that begins at `at`; where its line ends before it does, that index, negative. */
function endOfQuoted(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code === LINE_FEED) return -index;
  }
  return -text.length;
}
