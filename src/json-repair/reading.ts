import type { Repair, RepairKind, RepairLevel } from "../contract/repairs.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import { blankLevel } from "./blank-level.ts";
import { APOSTROPHE, CLOSE_BRACE, QUOTE, WAIT } from "./characters.ts";
import { ClosingPlaces } from "./closing-places.ts";
import { KeyCache } from "./key-cache.ts";
import { type Container, noteKey, OpenContainers, type SchemaQuestions } from "./open-containers.ts";
import type { EscapePlan, OpenString, StringPlace } from "./open-string.ts";
import { RepairLog } from "./repair-log.ts";
import { StrictParts } from "./strict-part.ts";
import { specialsOf } from "./string-specials.ts";
import { TextWindow } from "./text-window.ts";

/** What is known of a text before it is read. */
export interface RepairReaderOptions extends SchemaQuestions {
  /** Offset of the first character fed; spans and offsets sent to the sink are absolute. Default 0. */
  base?: number;
  /** How many containers may be open at once. Default 1,000; counted on a stack of our own. */
  maxDepth?: number;
  /** Literals that may directly follow the value and are not part of it: closing markers and stop tokens of the format. */
  ends?: readonly string[];
  /** How the backslashes of a string are to be read, by the offset of its opening quote: see {@link RepairReader.plans}. */
  escapePlans?: ReadonlyMap<number, EscapePlan>;
  /**
   * Takes containers inside the value that are strict JSON and all there, in one piece instead of by events. For whole
   * texts: what is all there depends on chunks.
   */
  onStrictPart?: (value: unknown) => void;
  /** Called once, when what was sent to the sink of a string turns out wrong: all that stands before has been sent. */
  onContradiction?: () => void;
  /**
   * Reads a document that was escaped once too often as a whole, when it is all there; without it the failure
   * `escaped-document` says that it may be one. Default false.
   */
  escapedDocuments?: boolean;
  /** A document that follows the first is the caller's to read. Default false: it is a failure. */
  several?: boolean;
  /** Accept closing places that leave code or JSON in a string half open. Default false. */
  ignoreContent?: boolean;
  /** A comment up to the line end ends before a closing bracket. Default false. */
  shortComments?: boolean;
  /** The value is a call, its arguments or a list of calls: no list of lists, and one call alone is the same as a list of it. */
  holdsCalls?: boolean;
  /** The object is a call that has its name under a key: without that it is none. */
  holdsName?: boolean;
  /** Guess where several things went wrong at once, too. For values that are shown or checked, never for calls. Default false. */
  generous?: boolean;
}

/** Why a text could not be read. `at` is an offset of the whole text. */
export interface RecoveryFailure {
  /** What is wrong, such as `no-value`, `truncated` or `unexpected-character`. */
  reason: string;
  at: number;
  /** The same for people. */
  message: string;
}

/** Where the reading stands between two steps. */
export type Mode = "start" | "value" | "key" | "colon" | "item" | "after" | "string" | "tail" | "escaped";

const defaultMaxDepth = 1000;
const isInteger = /^-?[0-9]+$/;
/** How far the end of a key is looked for where its quotes are in doubt. */
export const keyCharactersMax = 256;

/**
 * One text while it is read: where the reading stands, what is open, and what was sent to the sink. Each `read-*.ts`
 * takes one step on it; a step answers false while it needs more text.
 */
export class Reading {
  readonly sink: ValueSink;
  readonly window: TextWindow;
  readonly open: OpenContainers;
  readonly closing: ClosingPlaces;
  readonly log = new RepairLog();
  readonly maxDepth: number;
  readonly options: RepairReaderOptions;
  readonly onStrictPart: ((value: unknown) => void) | undefined;
  readonly strictParts = new StrictParts();
  readonly givenPlans: ReadonlyMap<number, EscapePlan> | undefined;
  readonly #onContradiction: (() => void) | undefined;

  mode: Mode = "start";
  /** Index of the next character, in the window. */
  pos = 0;
  /** Where the characters of the open string begin that have not been sent to the sink. */
  run = 0;
  string: OpenString | undefined;
  /** Characters at which the reading of the open string stops to think. */
  specials: Uint8Array = specialsOf(QUOTE, false, false);
  /** The key being read, decoded; then the key whose value is awaited. */
  key = "";
  readonly keys = new KeyCache();
  keyStart = 0;
  keyEnd = 0;
  /** The key has not been sent to the sink: its value has not begun. */
  keyPending = false;
  /** The last value was a string: then a missing comma is a guess. */
  afterString = false;
  /** The last value is a string that ends in a comma, or what may stand for one, blanks aside. */
  endsInComma = false;
  /** Nothing but closers follows a string that leaves a bracket open. */
  endsOpen = false;
  /** The last character of the string that is open, blanks aside. */
  lastOfString = 0;
  /** Offset at which the last number without a point ended, or -1. */
  integerEnd = -1;
  /** Offset of the comma read since the last value, or -1. */
  commaAt = -1;
  /** Offset at which the last key or value ended, and whether a line has ended since. */
  gapStart = -1;
  crossedLine = false;
  /** The last value was an object or array; a member has followed one. A closer too many may also be one too early. */
  afterObject = false;
  memberAfterObject = false;
  afterArray = false;
  memberAfterArray = false;
  /** How many lists have ended since the last token that is no bracket. */
  listsEnded = 0;
  keysRead = 0;
  /** The text is whole: its end ends a number as well. */
  final = false;
  /** Offset of the top value's closer, while it waits for what follows. */
  closedAt = -1;
  /** How far an escaped document was searched for its end, and what was open there. */
  readonly escapedScan = { offset: 0, inString: false, isEscaped: false };
  /** Where strings with quotes in them end, by the offset of their opening quote. */
  readonly innerQuoteEnds = new Map<number, number>();
  /** Some strings are in single quotes, as Python has them; until then, where commas were put in between strings. */
  #isPython = false;
  readonly #stringGaps: Repair[] = [];
  /** What was reported of the open string, by kind. */
  entry: Partial<Record<RepairKind, Repair>> = {};

  state: "reading" | "done" | "failed" = "reading";
  end = 0;
  endedBy: "value" | "marker" | "end-of-text" = "value";
  closersMissing = 0;
  /** The last thing before the missing closers is a complete value, and they belong in one place only. */
  endsAfterValue = false;
  /** After the value, on its line, stands what is no marker. */
  textFollows = false;
  failure: RecoveryFailure | undefined;
  /** A string was kept open only because code or JSON in it would have stayed half open. */
  refusedHalfOpen = false;
  /** A string that was sent turned out to be read wrongly. */
  contradicts = false;

  /** Readings of backslashes that this reading should have used; pass them to a second one as `escapePlans`. */
  readonly plans = new Map<number, EscapePlan>();

  constructor(sink: ValueSink, options: RepairReaderOptions) {
    this.sink = sink;
    this.options = options;
    this.window = new TextWindow(options.base ?? 0, options.ends ?? []);
    this.window.shortComments = options.shortComments === true;
    this.open = new OpenContainers(options);
    this.closing = new ClosingPlaces(this.window, this.open, options);
    this.maxDepth = options.maxDepth ?? defaultMaxDepth;
    this.givenPlans = options.escapePlans;
    this.onStrictPart = options.onStrictPart;
    this.#onContradiction = options.onContradiction;
    this.end = options.base ?? 0;
  }

  /** Lists a repair, by indices of the window. */
  report(kind: RepairKind, level: RepairLevel, from: number, to: number): Repair {
    if (kind === "quote-style" && this.window.at(from) === APOSTROPHE) {
      this.#isPython = true;
      for (const gap of this.#stringGaps.splice(0)) gap.level = "guess";
    }
    return this.log.add(kind, level, this.window.offset + from, this.window.offset + to);
  }

  /** One entry per string and kind: a page of inner quotes is one finding. */
  reportInString(kind: RepairKind, level: RepairLevel, from: number, to: number): Repair {
    const known = this.entry[kind];
    if (known === undefined || known.level !== level) return (this.entry[kind] = this.report(kind, level, from, to));
    known.end = this.window.offset + to;
    return known;
  }

  /** What was sent to the sink of a string is wrong. */
  contradict(): void {
    if (this.contradicts) return;
    this.contradicts = true;
    this.#onContradiction?.();
  }

  fail(reason: string, at: number, message: string): true {
    this.state = "failed";
    this.failure = { reason, at: this.window.offset + at, message };
    this.log.settle();
    return true;
  }

  done(by: "value" | "marker" | "end-of-text", end: number): true {
    this.state = "done";
    this.endedBy = by;
    this.end = this.window.offset + end;
    this.log.settle();
    return true;
  }

  /** Passes over white space and comments, and says so where strict JSON has none. False: more text is needed. */
  skip(): boolean {
    const window = this.window;
    window.odd = false;
    const next = window.skipBlanks(this.pos);
    if (next === WAIT) return false;
    if (window.odd) this.reportBlanks(this.pos, next);
    if (this.mode === "after" && !this.crossedLine) {
      this.crossedLine = window.crossesLine(this.pos, next);
    }
    this.pos = next;
    return true;
  }

  /** Lists what stands between the tokens from `from` to `to` and is no blank of JSON; the tokens have one character. */
  reportBlanks(from: number, to: number): void {
    const { text } = this.window;
    for (let at = from; at < to; at++) {
      at = this.window.skipBlanks(at, (kind, start, end) => {
        const isShort = kind === "comment" && this.window.shortComments;
        this.report(kind, isShort ? "guess" : blankLevel(kind, text, start, end), start, end);
      });
    }
  }

  /** The end of the last key or value, however many chunks ago. */
  markGap(): void {
    if (this.gapStart < 0) this.gapStart = this.window.offset + this.pos;
  }

  reportGap(kind: RepairKind, level: RepairLevel): Repair {
    return this.log.add(kind, level, this.gapStart, this.gapStart);
  }

  /** A comma between two strings: Python joins them, on several lines, too. */
  reportStringGap(kind: RepairKind, level: RepairLevel): void {
    const gap = this.reportGap(kind, this.#isPython ? "guess" : level);
    if (!this.#isPython) this.#stringGaps.push(gap);
  }

  /** Does the gap after the last value follow a repair of a kind? */
  gapFollows(kind: RepairKind): boolean {
    const last = this.log.entries.at(-1);
    return last?.kind === kind && last.end === this.gapStart;
  }

  /** A value begins: now, and not before, its key is certain. */
  beginValue(): void {
    this.endsOpen = false;
    const top = this.open.top;
    if (top === undefined) return;
    top.count++;
    if (!top.isObject || !this.keyPending) return;
    this.keyPending = false;
    this.announce(top);
    const key = this.key;
    if (!noteKey(top, key)) this.log.add("duplicate-key", "guess", this.keyStart, this.keyEnd);
    this.sink.beginString(this.keyStart, true);
    if (key.length > 0) this.sink.text(key);
    this.sink.endString(this.keyEnd);
  }

  announce(container: Container): void {
    if (container.announced) return;
    container.announced = true;
    if (container.isObject) this.sink.beginObject(container.start);
    else this.sink.beginArray(container.start);
  }

  /** Braces whose first element has no colon: a set, which is an array and never an object of nulls. */
  becomeSet(container: Container): void {
    this.report("tuple", "guess", this.pos, this.pos);
    container.isObject = false;
    this.announce(container);
    this.mode = "item";
  }

  literal(json: string, from: number, to: number): void {
    this.beginValue();
    this.sink.literal(json, this.window.offset + from, this.window.offset + to);
    this.valueEnded(false);
    this.integerEnd = to - from === json.length && isInteger.test(json) ? this.window.offset + to : -1;
  }

  plainString(text: string, from: number, to: number): void {
    this.beginValue();
    this.sink.beginString(this.window.offset + from, false);
    if (text.length > 0) this.sink.text(text);
    this.sink.endString(this.window.offset + to);
    this.valueEnded(true);
  }

  /** @param endsInComma a string whose last character is a comma, or what may stand for one */
  valueEnded(wasString: boolean, endsInComma = false): void {
    this.endsInComma = endsInComma;
    this.afterString = wasString;
    this.afterObject = false;
    this.afterArray = false;
    this.listsEnded = 0;
    this.gapStart = -1;
    this.crossedLine = false;
    if (this.open.stack.length === 0) {
      this.closedAt = -1;
      this.mode = "tail";
    } else this.mode = "after";
  }

  /** A member follows the last value. */
  noteMemberAfter(): void {
    this.memberAfterObject ||= this.afterObject;
    this.memberAfterArray ||= this.afterArray;
  }

  keyEnded(end: number): void {
    this.keyEnd = this.window.offset + end;
    this.gapStart = -1;
    this.keyPending = true;
    this.keysRead++;
    (this.open.top as Container).key = this.key;
    this.pos = end;
    this.mode = "colon";
  }

  pushContainer(isObject: boolean, closer: number): boolean {
    if (this.open.stack.length >= this.maxDepth) {
      return this.fail("too-deep", this.pos, `more than ${this.maxDepth} containers are open`);
    }
    this.beginValue();
    const container = this.open.push(isObject, closer, this.window.offset + this.pos);
    container.key = "";
    if (!isObject) this.announce(container);
    this.commaAt = -1;
    this.pos++;
    this.mode = isObject ? "key" : "item";
    return true;
  }

  /** Members without a brace before them begin here. */
  beginMembers(): void {
    this.report("missing-braces", "guess", this.pos, this.pos);
    this.beginValue();
    const container = this.open.push(true, CLOSE_BRACE, this.window.offset + this.pos);
    container.implied = true;
    this.mode = "key";
  }

  /** The newest container ends; `at` is after its closer, or where that is missing. */
  popContainer(at: number): void {
    const container = this.open.stack.pop() as Container;
    this.announce(container);
    if (container.isObject) this.sink.endObject(this.window.offset + at);
    else this.sink.endArray(this.window.offset + at);
  }

  placeOfValue(): StringPlace {
    const container = this.open.top;
    return container === undefined ? "top" : container.isObject ? "member" : "item";
  }
}
