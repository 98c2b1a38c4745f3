import { type Repair, type RepairKind, type RepairLevel, type ValueLevel, worstLevel } from "../contract/repairs.ts";
import type { JsonSchema } from "../contract/types.ts";
import { blankLevel } from "./blank-level.ts";
import { BACKTICK, CLOSE_BRACE, CLOSE_BRACKET, COMMA, END, isBlank, SEMICOLON, TILDE } from "./characters.ts";
import { readEscapedDocument } from "./escaped-document.ts";
import { knownMarkers } from "./known-markers.ts";
import type { EscapePlan } from "./open-string.ts";
import { readWords } from "./read-words.ts";
import type { RecoveryFailure, RepairReaderOptions } from "./reading.ts";
import { RepairReader } from "./repair-reader.ts";
import { lookUpSchema, type SchemaLookup } from "./schema-lookup.ts";
import { fenceStart, isAssignment, nextCandidate } from "./surroundings.ts";
import { TextWindow } from "./text-window.ts";
import { ValueBuilder } from "./value-builder.ts";

/** What is known of a damaged value. */
export interface RepairJsonOptions {
  /** JSON Schema of the value: its keys decide where strings end, its types what digits mean. */
  schema?: JsonSchema;
  /** Keys that the top object may have, where no schema is at hand. */
  keys?: readonly string[];
  /** The text is known to be whole: its end ends a number too. Default false. */
  final?: boolean;
  /**
   * What to do with several documents in one text, such as lines of JSON: `first` or `last` takes one of them, `array` all.
   * Each is a guess. Default `refuse`.
   */
  several?: "refuse" | "first" | "last" | "array";
  /** A text without any JSON in it is a string: a guess. Default false: it is refused. */
  bareText?: boolean;
  /** How deep damaged JSON may nest. Default 1,000; strict JSON is as deep as `JSON.parse` takes it. */
  maxDepth?: number;
}

/** The value and what was done to read it, or why there is none. */
export type RepairJsonResult =
  | {
      ok: true;
      /** What `JSON.parse` would give for the mended text. */
      value: unknown;
      /** The worst of `repairs`: may a caller that fails closed use the value? */
      level: ValueLevel;
      /** Every edit, in the order of the text. */
      repairs: Repair[];
      /** The text did not end inside the value. */
      complete: boolean;
    }
  | {
      ok: false;
      /** What is wrong, such as `no-value`, `truncated` or `unexpected-character`. */
      reason: string;
      /** Where, as an offset in UTF-16 units. */
      at: number;
      /** The same for people. */
      message: string;
    };

/**
 * Reads JSON that may be damaged, and says what was done to read it.
 *
 * @param text - Any text: one value, perhaps with noise around it.
 * @param options - What is known of the value.
 * @returns The value with its repairs, or why there is none. Never throws on what the text holds.
 * @throws TypeError: the text is no string; RangeError: `maxDepth` is below 1
 */
export function repairJson(text: string, options: RepairJsonOptions = {}): RepairJsonResult {
  if (typeof text !== "string") throw new TypeError(`repairJson reads a string, not ${typeof text}`);
  if (options.maxDepth !== undefined && !(options.maxDepth >= 1)) throw new RangeError("maxDepth must be at least 1");
  try {
    return { ok: true, value: JSON.parse(text), level: "none", repairs: [], complete: true };
  } catch {
    return readDamaged(text, options);
  }
}

function readDamaged(text: string, options: RepairJsonOptions): RepairJsonResult {
  const one = new DamagedDocument(text, options).read();
  if (one.ok) return options.final === true ? (readWithQuote(text, options, one) ?? one) : one;
  const isWord = one.reason === "no-value" || one.reason === "escaped-document";
  if (!isWord && one.reason !== "several-documents") return one;
  const { several = "refuse" } = options;
  const all = several === "refuse" ? undefined : new DamagedDocument(text, options).readSeveral(several);
  return all ?? (isWord ? readWords(text, options) : undefined) ?? one;
}

/** How many of the last closing brackets are tried as the ones that a string without its closing quote has swallowed. */
const swallowedClosersMax = 8;

/** The last string never ends, and the text ends in brackets: its closing quote may be missing before these. */
function readWithQuote(
  text: string,
  options: RepairJsonOptions,
  { repairs }: { repairs: Repair[] },
): RepairJsonResult | undefined {
  if (repairs.every(({ kind }) => kind !== "cut-string")) return undefined;
  let at = text.length;
  let found: RepairJsonResult | undefined;
  for (let count = 0; count < swallowedClosersMax; count++) {
    while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--;
    const code = text.charCodeAt(at - 1);
    if (code !== CLOSE_BRACE && code !== CLOSE_BRACKET) break;
    at--;
    let end = at;
    while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
    const read = repairJson(`${text.slice(0, end)}"${text.slice(end)}`, { ...options, final: false });
    if (!read.ok || !read.complete) continue;
    const place = (index: number): number => (index > end ? index - 1 : index);
    const moved = read.repairs.map((one) => ({ ...one, start: place(one.start), end: place(one.end) }));
    moved.push({ kind: "missing-closing-quote", level: "guess", start: end, end });
    found ??= { ...read, level: "guess", repairs: moved.sort((left, right) => left.start - right.start) };
    // Best are brackets that fit what is open.
    if (read.repairs.every(({ kind }) => !misfits.includes(kind))) {
      return { ...read, level: "guess", repairs: moved.sort((left, right) => left.start - right.start) };
    }
  }
  return found;
}

const misfits: readonly RepairKind[] = ["missing-inner-closer", "wrong-closer", "surplus-closer"];

/** A reading finds out how to read backslashes; a second one may find out more. Then it stays a guess. */
const attemptsMax = 3;
/** A fence that stands in brackets of its own. */
const fenceInBrackets = /^\s*[[{]\s*```\w*\s*\n/;
const shortText = 200;
/** How much the readings of several documents may look at together. */
const severalStepsPerCharacter = 24;
const severalStepsMin = 4096;
/** A fence line before a value is looked for this far back. */
const fenceLineMax = 200;

interface Reading {
  reader: RepairReader;
  builder: ValueBuilder;
}

/** A text that is not strict JSON: finds the value in it and what stands around it. */
class DamagedDocument {
  readonly #text: string;
  readonly #window: TextWindow;
  readonly #options: RepairJsonOptions;
  readonly #lookup: SchemaLookup;
  readonly #around: Repair[] = [];

  constructor(text: string, options: RepairJsonOptions) {
    this.#text = text;
    this.#options = options;
    this.#lookup = lookUpSchema(options.schema, options.keys);
    this.#window = new TextWindow(0, knownMarkers);
    this.#window.append(text, 0);
    this.#window.ended = true;
  }

  read(): RepairJsonResult {
    const fenced = fenceInBrackets.exec(this.#text.slice(0, shortText));
    if (fenced !== null) this.#note("fence", "guess", 0, fenced[0].length);
    if (fenced !== null) return this.#readInProse(fenced[0].length);
    const start = this.#window.skipBlanks(0);
    const first = this.#window.at(start);
    if (first === END) return refusal("no-value", 0, "the text holds no value");
    // Inline code in backticks is a quotation in prose, not a string.
    if (first === BACKTICK && !this.#text.startsWith("```", start)) return this.#readInProse();
    const reading = this.#readAt(0);
    const { reader } = reading;
    if (reader.failure?.reason === "no-value") return this.#readInProse();
    if (reader.failure?.reason === "escaped-document")
      return this.#readEscaped(Math.max(0, nextCandidate(this.#window, 0)));
    if (reader.state === "failed") return this.#refusalOf(reader);
    const isContainer = typeof reading.builder.value === "object" && reading.builder.value !== null;
    if (!isContainer && reader.repairs.some((repair) => repair.kind === "inner-quote")) {
      // A quotation at the beginning of prose reads like a string, too.
      const inProse = this.#readInProse();
      if (inProse.ok || inProse.reason !== "no-value") return inProse;
      this.#around.length = 0;
    }
    const rest = this.#skipTrailing(reader.end, reader.repairs);
    if (rest < this.#text.length) {
      // `[INFO] ...` is a word in brackets, and what follows may hold the value.
      if (!isContainer || nextCandidate(this.#window, start) !== start) return this.#readInProse();
      if (nextCandidate(this.#window, rest) >= 0) return several(rest);
      this.#note("surrounding-prose", "guess", rest, this.#text.length);
    }
    if (!isContainer && reading.builder.value === "" && reader.endedBy === "end-of-text") {
      return refusal("no-value", start, "the text holds no value");
    }
    return this.#result(reading);
  }

  /** Reads from `at`, again where the first reading found out that it should have read strings differently. */
  #readAt(at: number, more: RepairReaderOptions = {}): Reading {
    let reading = this.#attempt(at, more);
    const plans = new Map<number, EscapePlan>();
    for (let count = 1; count < attemptsMax && reading.reader.contradicts; count++) {
      for (const [offset, plan] of reading.reader.plans) plans.set(offset, plan);
      reading = this.#attempt(at, { ...more, escapePlans: plans });
    }
    if (reading.reader.refusedHalfOpen && endsInString(reading.reader)) {
      const second = this.#attempt(at, { ...more, escapePlans: plans, ignoreContent: true });
      if (second.reader.state === "done" && !endsInString(second.reader)) return second;
    }
    return reading;
  }

  #attempt(at: number, more: RepairReaderOptions): Reading {
    const builder = new ValueBuilder();
    const { maxDepth } = this.#options;
    const fence = at > 0 && fenceStart(this.#text.slice(Math.max(0, at - fenceLineMax), at)) >= 0;
    const reader = new RepairReader(builder, {
      base: at,
      ends: fence ? [...knownMarkers, "```", "~~~"] : knownMarkers,
      ...this.#lookup,
      onStrictPart: (value) => builder.add(value),
      ...(maxDepth === undefined ? {} : { maxDepth }),
      ...more,
    });
    reader.push(at === 0 ? this.#text : this.#text.slice(at));
    reader.finish(this.#options.final === true);
    return { reader, builder };
  }

  /** No value begins the text: exactly one balanced candidate in it is taken, several are refused. */
  #readInProse(from = 0): RepairJsonResult {
    let chosen: Reading | undefined;
    let start = 0;
    let at = nextCandidate(this.#window, from);
    while (at >= 0) {
      const reading = this.#readAt(at);
      const { reader } = reading;
      let next: number;
      if (reader.state === "done") {
        if (chosen !== undefined) return several(at);
        chosen = reading;
        start = at;
        next = reader.endedBy === "end-of-text" ? this.#text.length : reader.end;
      } else {
        const failure = reader.failure as RecoveryFailure;
        if (failure.reason === "several-documents" || failure.reason === "too-deep") return this.#refusalOf(reader);
        if (failure.reason === "escaped-document") {
          if (chosen === undefined) return this.#readEscaped(at);
        }
        next = Math.max(at + 1, failure.at);
      }
      at = nextCandidate(this.#window, next);
    }
    if (chosen === undefined) return refusal("no-value", 0, "the text holds no JSON value");
    this.#describe(start, chosen.reader.end);
    return this.#result(chosen);
  }

  /** Every document of a text, one after the other; undefined where there are not several, or other text is more. */
  readSeveral(which: "first" | "last" | "array"): RepairJsonResult | undefined {
    const found: Reading[] = [];
    let steps = this.#text.length * severalStepsPerCharacter + severalStepsMin;
    for (let at = this.#skipBetween(0); at < this.#text.length; at = this.#skipBetween(at)) {
      const reading = this.#readAt(at, { several: true });
      const { reader } = reading;
      steps -= reader.steps;
      if (steps < 0) return undefined;
      const end = reader.state === "done" && reader.end > at ? reader.end : -1;
      if (end < 0) {
        const next = nextCandidate(this.#window, at + 1);
        this.#note("surrounding-prose", "guess", at, next < 0 ? this.#text.length : next);
        if (next < 0) break;
        at = next;
        continue;
      }
      found.push(reading);
      at = end;
    }
    if (found.length < 2) return undefined;
    const chosen = which === "array" ? found : which === "first" ? found.slice(0, 1) : found.slice(-1);
    for (const { reader } of chosen) this.#around.push(...reader.repairs);
    this.#note("several-documents", "guess", found[1].reader.base, found[1].reader.end);
    const repairs = this.#around.sort((left, right) => left.start - right.start);
    const values = chosen.map(({ builder }) => builder.value);
    const complete = repairs.every((repair) => repair.level !== "truncated");
    return { ok: true, value: which === "array" ? values : values[0], level: "guess", repairs, complete };
  }

  /** Passes over what stands between documents: comments, commas, markers and the lines of fences. */
  #skipBetween(from: number): number {
    for (let at = from; ; ) {
      at = this.#skipTrailing(at, [{ kind: "fence", level: "safe", start: 0, end: 0 }]);
      const code = this.#window.at(at);
      if (code !== COMMA && code !== SEMICOLON) return at;
      at++;
    }
  }

  /** Says what stood before and after the chosen candidate. */
  #describe(start: number, end: number): void {
    let before = this.#text.slice(0, start);
    const fence = fenceStart(before);
    if (fence >= 0) {
      this.#note("fence", "safe", fence, start);
      before = before.slice(0, fence);
    }
    const rest = this.#skipTrailing(end, this.#around);
    const after = this.#text.slice(rest);
    if (isAssignment(before, after)) this.#note("assignment", "guess", 0, start);
    else if (before.trim().length > 0) this.#note("surrounding-prose", "guess", 0, before.length);
    if (after.trim().length > 0 && this.#around.every((repair) => repair.kind !== "assignment")) {
      this.#note("surrounding-prose", "guess", rest, this.#text.length);
    }
  }

  /** Passes over what may follow a value without meaning anything: comments, the fence's end, markers, one semicolon. */
  #skipTrailing(end: number, known: readonly Repair[]): number {
    const window = this.#window;
    const fenced = known.some((repair) => repair.kind === "fence");
    let at = end;
    for (;;) {
      let half = -1;
      at = window.skipBlanks(at, (kind, start, stop) => {
        if (kind === "cut-comment" && stop - start === 1) half = start;
        else this.#note(kind, blankLevel(kind, this.#text, start, stop), start, stop);
      });
      // One character is no comment here: nothing says that the text was cut.
      if (half >= 0) return half;
      const code = window.at(at);
      if (code === END) return at;
      if (code === BACKTICK || code === TILDE) {
        const start = at;
        while (window.at(at) === code) at++;
        if (fenced) continue;
        if (at - start >= 3 && window.skipBlanks(at) === this.#text.length) {
          this.#note("fence", "safe", start, at);
          continue;
        }
        return start;
      }
      const marker = window.markerAt(at);
      if (marker > 0) {
        this.#note("trailing-marker", "safe", at, at + marker);
        at += marker;
        continue;
      }
      if (code === SEMICOLON && window.at(window.skipBlanks(at + 1)) === END) {
        this.#note("assignment", "guess", at, at + 1);
        at++;
        continue;
      }
      return at;
    }
  }

  #readEscaped(start: number): RepairJsonResult {
    const end = Math.max(this.#text.lastIndexOf("}"), this.#text.lastIndexOf("]")) + 1;
    const document = end > start ? readEscapedDocument(this.#text.slice(start, end)) : undefined;
    if (document === undefined) {
      return refusal("escaped-document", start, "the quotes are escaped, and without the escapes it is no JSON either");
    }
    this.#note("escaped-document", document.mixed ? "guess" : "safe", start, end);
    this.#describe(start, end);
    const repairs = this.#around.sort((left, right) => left.start - right.start);
    return { ok: true, value: document.value, level: worstLevel(repairs), repairs, complete: true };
  }

  #result(reading: Reading): RepairJsonResult {
    const { reader } = reading;
    const proven = reader.repairs.some(isInnerQuote) && this.#quotesHaveOneReading(reader);
    const own = proven
      ? reader.repairs.map((repair) => (isInnerQuote(repair) ? { ...repair, level: "safe" as const } : repair))
      : reader.repairs;
    const repairs = [...own, ...this.#around].sort((left, right) => left.start - right.start);
    // Strict JSON does not come here: a reading without any repair would hide what it did.
    if (repairs.length === 0) return refusal("unreadable", 0, "the text is not JSON, and no repair explains it");
    const complete = repairs.every((repair) => repair.level !== "truncated");
    return { ok: true, value: reading.builder.value, level: worstLevel(repairs), repairs, complete };
  }

  /** The value is known to be whole, and strings with quotes in them can end in one place only. */
  #quotesHaveOneReading(reader: RepairReader): boolean {
    const next = this.#window.skipBlanks(reader.end);
    const isFenced = reader.repairs.some(({ kind }) => kind === "fence") && this.#text.startsWith("```", next);
    const isWhole = this.#options.final === true || isFenced || this.#window.markerAt(next) > 0;
    const text = this.#text.slice(reader.base, reader.end);
    return isWhole && reader.hasOneReading(text, reader.base, (path) => this.#lookup.rulesAt(path));
  }

  #note(kind: RepairKind, level: RepairLevel, start: number, end: number): void {
    this.#around.push({ kind, level, start, end });
  }

  #refusalOf(reader: RepairReader): RepairJsonResult {
    const failure = reader.failure as RecoveryFailure;
    return refusal(failure.reason, failure.at, failure.message);
  }
}

function isInnerQuote({ kind }: Repair): boolean {
  return kind === "inner-quote";
}

function endsInString(reader: RepairReader): boolean {
  return reader.repairs.some((repair) => repair.kind === "cut-string");
}

function refusal(reason: string, at: number, message: string): RepairJsonResult {
  return { ok: false, reason, at, message };
}

function several(at: number): RepairJsonResult {
  return refusal("several-documents", at, "the text holds more than one document");
}
