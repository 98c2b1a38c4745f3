import type { Repair } from "../contract/repairs.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import { BACKSLASH, END, isBlank, QUOTE, WAIT } from "./characters.ts";
import { readEscapedDocument } from "./escaped-document.ts";
import type { Reading, RecoveryFailure, RepairReaderOptions } from "./reading.ts";

/** Reads text that is there as a whole, and sends it to `sink`. */
export type ReadWhole = (
  text: string,
  sink: ValueSink,
  options: RepairReaderOptions,
) => { readonly repairs: readonly Repair[]; readonly failure: RecoveryFailure | undefined };

/**
 * The first quote of the document is escaped: all of it up to the end marker was escaped once too often, or it cannot
 * be read. Only the whole shows which, so nothing is sent before.
 */
export function readEscaped(reading: Reading, readWhole: ReadWhole): boolean {
  const window = reading.window;
  const text = window.text;
  const at = endOfEscaped(reading);
  if (at === WAIT) return false;
  let end = at;
  while (end > reading.pos && isBlank(text.charCodeAt(end - 1))) end--;
  window.steps += end - reading.pos;
  const { stack } = reading.open;
  const openers = stack.map(({ isObject }) => (isObject ? "{" : "[")).join("");
  const document = readEscapedDocument(openers + text.slice(reading.pos, end));
  if (document === undefined || document.mixed) {
    return reading.fail(
      "escaped-document",
      reading.pos,
      "the quotes are escaped, and without the escapes it is no JSON",
    );
  }
  const behindOpeners = window.offset + reading.pos - openers.length;
  const place = (index: number) =>
    index < openers.length ? stack[index].start : behindOpeners + document.offsetOf(index);
  const announcedCount = stack.filter(({ announced }) => announced).length;
  const { maxDepth, options } = reading;
  const read = readWhole(document.text, placed(reading.sink, place, announcedCount), {
    ...options,
    base: 0,
    ends: [],
    maxDepth,
  });
  if (read.failure !== undefined) return reading.fail(read.failure.reason, reading.pos, read.failure.message);
  reading.log.add("escaped-document", "guess", stack[0].start, window.offset + end);
  for (const { kind, level, start, end: stop } of read.repairs) reading.log.add(kind, level, place(start), place(stop));
  stack.length = 0;
  reading.pos = end;
  return reading.done("value", end);
}

/** Where the document ends: at a marker outside of its strings, or at the end of the text. */
function endOfEscaped({ window, pos, escapedScan: scan }: Reading): number {
  let at = Math.max(pos, scan.offset - window.offset);
  const from = at;
  const stop = (place: number): number => {
    window.steps += at - from;
    scan.offset = window.offset + at;
    return place;
  };
  for (;;) {
    const code = window.at(at);
    if (code === END) return stop(at);
    const isEscape = code === BACKSLASH;
    const marker = code === WAIT || isEscape || scan.inString ? 0 : window.markerAt(at);
    const character = isEscape ? window.at(at + 1) : code;
    if (marker === WAIT || character === WAIT) return stop(WAIT);
    if (marker > 0) return stop(at);
    at += isEscape ? 2 : 1;
    // Of the text without the first level of escapes, what stands after a backslash means nothing.
    if (scan.isEscaped) scan.isEscaped = false;
    else if (isEscape && character === BACKSLASH) scan.isEscaped = true;
    else if (isEscape && character === QUOTE) scan.inString = !scan.inString;
  }
}

/** Sends what stands elsewhere, without the first containers, which were sent already. */
function placed(sink: ValueSink, place: (at: number) => number, announcedCount: number): ValueSink {
  let known = announcedCount;
  const begins = (begin: (at: number) => void) => (at: number) => {
    if (known > 0) known--;
    else begin(place(at));
  };
  return {
    beginObject: begins((at) => sink.beginObject(at)),
    endObject: (at) => sink.endObject(place(at)),
    beginArray: begins((at) => sink.beginArray(at)),
    endArray: (at) => sink.endArray(place(at)),
    beginString: (at, key) => sink.beginString(place(at), key),
    text: (piece) => sink.text(piece),
    escaped: (piece) => sink.escaped(piece),
    endString: (at) => sink.endString(place(at)),
    literal: (json, start, end) => sink.literal(json, place(start), place(end)),
  };
}
