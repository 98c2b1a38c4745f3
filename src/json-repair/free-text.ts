import { type Repair, type RepairKind, type RepairLevel, worstLevel } from "../contract/repairs.ts";
import { blankLevel } from "./blank-level.ts";
import { BACKTICK, COMMA, END, SEMICOLON, TILDE } from "./characters.ts";
import { PayloadReader, type PayloadReading } from "./damaged-payload-reader.ts";
import { readEscapedDocument } from "./escaped-document.ts";
import { knownMarkers } from "./known-markers.ts";
import type { RecoveryFailure } from "./reading.ts";
import type { RepairReader } from "./repair-reader.ts";
import { type RepairJsonOptions, type RepairJsonResult, refusal } from "./repair-result.ts";
import { fitsTypes } from "./schema-lookup.ts";
import { fenceStart, isAssignment, nextCandidate } from "./surroundings.ts";
import { TextWindow } from "./text-window.ts";

/** A fence that stands in brackets of its own. */
const fenceInBrackets = /^\s*[[{]\s*```\w*\s*\n/;
/** A fence, and a parenthesis that begins its content. */
const fencedTuple = /(?<=^|\n)[ \t]{0,16}(?:`{3,8}|~{3,8})\w{0,16}[ \t]{0,8}\n[ \t]{0,16}\(/g;
const shortText = 200;
/** How much the readings of several documents may look at together. */
const severalStepsPerCharacter = 24;
const severalStepsMin = 4096;
/** A text that is not strict JSON: finds the values in it and what stands around them. */
export class FreeText {
  readonly #text: string;
  readonly #window: TextWindow;
  readonly #payload: PayloadReader;
  readonly #around: Repair[] = [];

  constructor(text: string, options: RepairJsonOptions) {
    this.#text = text;
    this.#payload = new PayloadReader(text, options);
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
    const reading = this.#payload.readAt(0);
    const { reader } = reading;
    if (reader.failure?.reason === "no-value") return this.#readInProse();
    if (reader.failure?.reason === "escaped-document")
      return this.#readEscaped(Math.max(0, nextCandidate(this.#window, 0)));
    if (reader.state === "failed") return this.#refusalOf(reader);
    const holdsContainer = isContainer(reading);
    if (!holdsContainer && reader.repairs.some((repair) => repair.kind === "inner-quote")) {
      // A quotation at the beginning of prose reads like a string, too.
      const inProse = this.#readInProse();
      if (inProse.ok || inProse.reason !== "no-value") return inProse;
      this.#around.length = 0;
    }
    const rest = this.#skipTrailing(reader.end, reader.repairs);
    if (rest < this.#text.length) {
      // `[INFO] ...` is a word in brackets, and what follows may hold the value.
      if (!holdsContainer || nextCandidate(this.#window, start) !== start) return this.#readInProse();
      if (nextCandidate(this.#window, rest) >= 0) return several(rest);
      this.#note("surrounding-prose", "guess", rest, this.#text.length);
    }
    if (!holdsContainer && reading.builder.value === "" && reader.endedBy === "end-of-text") {
      return refusal("no-value", start, "the text holds no value");
    }
    return this.#result(reading);
  }

  /** No value begins the text: exactly one balanced candidate in it is taken, several are refused. */
  #readInProse(from = 0): RepairJsonResult {
    let chosen: PayloadReading | undefined;
    let start = 0;
    let at = nextCandidate(this.#window, from);
    while (at >= 0) {
      const reading = this.#payload.readAt(at);
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
    if (chosen === undefined) return this.#readInFence() ?? refusal("no-value", 0, "the text holds no JSON value");
    this.#describe(start, chosen.reader.end);
    return this.#result(chosen);
  }

  /** A value that no usual opener begins, alone in the only fence of the text: a tuple. */
  #readInFence(): RepairJsonResult | undefined {
    if (!this.#text.includes("(")) return undefined;
    const [first, second] = this.#text.matchAll(fencedTuple);
    if (first === undefined || second !== undefined) return undefined;
    const start = first.index + first[0].length - 1;
    const reading = this.#payload.readAt(start);
    const { reader } = reading;
    if (reader.state !== "done" || this.#window.fenceLength(this.#window.skipBlanks(reader.end)) === 0)
      return undefined;
    this.#describe(start, reader.end);
    return this.#result(reading);
  }

  /** Every document of a text, one after the other; undefined where there are not several, or other text is more. */
  readSeveral(which: "first" | "last" | "array"): RepairJsonResult | undefined {
    const found: PayloadReading[] = [];
    let steps = this.#text.length * severalStepsPerCharacter + severalStepsMin;
    for (let at = this.#skipBetween(0); at < this.#text.length; at = this.#skipBetween(at)) {
      const reading = this.#payload.readAt(at, { several: true });
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
    // Between words, a number or a literal is a part of them.
    const isProse = this.#around.some(({ kind }) => kind === "surrounding-prose");
    const documents = isProse && found.some(isContainer) ? found.filter(isContainer) : found;
    if (documents.length < 2) return undefined;
    const chosen = which === "array" ? documents : which === "first" ? documents.slice(0, 1) : documents.slice(-1);
    for (const { reader } of chosen) this.#around.push(...reader.repairs);
    this.#note("several-documents", "guess", documents[1].reader.base, documents[1].reader.end);
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

  #result(reading: PayloadReading): RepairJsonResult {
    const { reader } = reading;
    const proven = reader.repairs.some(isInnerQuote) && this.#payload.hasOneReading(reader, this.#window);
    const provenOnes = proven
      ? reader.repairs.map((repair) => (isInnerQuote(repair) ? { ...repair, level: "safe" as const } : repair))
      : reader.repairs;
    // Where the value is not legal with a comma that was put in, the quotes before it may have been meant as text.
    const own =
      provenOnes.some(isMissingComma) && !fitsTypes(reading.builder.value, this.#payload.lookup)
        ? provenOnes.map((repair) => (isMissingComma(repair) ? { ...repair, level: "guess" as const } : repair))
        : provenOnes;
    const repairs = [...own, ...this.#around].sort((left, right) => left.start - right.start);
    // Strict JSON does not come here: a reading without any repair would hide what it did.
    if (repairs.length === 0) return refusal("unreadable", 0, "the text is not JSON, and no repair explains it");
    const complete = repairs.every((repair) => repair.level !== "truncated");
    return { ok: true, value: reading.builder.value, level: worstLevel(repairs), repairs, complete };
  }

  #note(kind: RepairKind, level: RepairLevel, start: number, end: number): void {
    this.#around.push({ kind, level, start, end });
  }

  #refusalOf(reader: RepairReader): RepairJsonResult {
    const failure = reader.failure as RecoveryFailure;
    return refusal(failure.reason, failure.at, failure.message);
  }
}

function isMissingComma({ kind }: Repair): boolean {
  return kind === "missing-comma";
}

function isInnerQuote({ kind }: Repair): boolean {
  return kind === "inner-quote";
}

function several(at: number): RepairJsonResult {
  return refusal("several-documents", at, "the text holds more than one document");
}

function isContainer({ builder }: PayloadReading): boolean {
  return typeof builder.value === "object" && builder.value !== null;
}
