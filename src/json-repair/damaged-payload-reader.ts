import { knownMarkers } from "./known-markers.ts";
import type { EscapePlan } from "./open-string.ts";
import type { RepairReaderOptions } from "./reading.ts";
import { RepairReader } from "./repair-reader.ts";
import type { RepairJsonOptions } from "./repair-result.ts";
import { lookUpSchema, type SchemaLookup } from "./schema-lookup.ts";
import { fenceStart } from "./surroundings.ts";
import type { TextWindow } from "./text-window.ts";
import { ValueBuilder } from "./value-builder.ts";

/** A reading finds out how to read backslashes; a second one may find out more. Then it stays a guess. */
const attemptsMax = 3;
/** A fence line before a value is looked for this far back. */
const fenceLineMax = 200;

/** One value that was read, or tried to. */
export interface PayloadReading {
  reader: RepairReader;
  builder: ValueBuilder;
}

/** Reads one value of a text that is all there, whatever stands around it: as often as it takes to know how. */
export class PayloadReader {
  readonly lookup: SchemaLookup;
  readonly #text: string;
  readonly #options: RepairJsonOptions;

  constructor(text: string, options: RepairJsonOptions) {
    this.#text = text;
    this.#options = options;
    this.lookup = lookUpSchema(options.schema, options.keys);
  }

  /** Reads from `at`, again where the first reading found out that it should have read strings differently. */
  readAt(at: number, more: RepairReaderOptions = {}): PayloadReading {
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
    if (this.#closersInComment(reading.reader)) {
      const second = this.#attempt(at, { ...more, escapePlans: plans, shortComments: true });
      if (second.reader.state === "done" && isWhole(second.reader)) return second;
    }
    return reading;
  }

  /** Closers are missing, and the last comment holds some: it may have ended before them. */
  #closersInComment({ repairs }: RepairReader): boolean {
    if (!repairs.some(({ kind }) => kind === "missing-closer")) return false;
    return repairs.some(({ kind, start, end }) => kind === "comment" && /[}\]]/.test(this.#text.slice(start, end)));
  }

  #attempt(at: number, more: RepairReaderOptions): PayloadReading {
    const builder = new ValueBuilder();
    const { maxDepth } = this.#options;
    const fence = at > 0 && fenceStart(this.#text.slice(Math.max(0, at - fenceLineMax), at)) >= 0;
    const reader = new RepairReader(builder, {
      base: at,
      ends: fence ? [...knownMarkers, "```", "~~~"] : knownMarkers,
      ...this.lookup,
      onStrictPart: (value) => builder.add(value),
      generous: true,
      ...(maxDepth === undefined ? {} : { maxDepth }),
      ...more,
    });
    reader.push(at === 0 ? this.#text : this.#text.slice(at));
    reader.finish(this.#options.final === true);
    return { reader, builder };
  }

  /** The value is known to be whole, and strings with quotes in them can end in one place only. */
  hasOneReading(reader: RepairReader, window: TextWindow): boolean {
    const next = window.skipBlanks(reader.end);
    const isFenced = reader.repairs.some(({ kind }) => kind === "fence") && this.#text.startsWith("```", next);
    const isWhole = this.#options.final === true || isFenced || window.markerAt(next) > 0;
    const text = this.#text.slice(reader.base, reader.end);
    return isWhole && reader.hasOneReading(text, reader.base, (path) => this.lookup.rulesAt(path));
  }
}

function endsInString(reader: RepairReader): boolean {
  return reader.repairs.some((repair) => repair.kind === "cut-string");
}

function isWhole(reader: RepairReader): boolean {
  return reader.repairs.every(({ level }) => level !== "truncated");
}
