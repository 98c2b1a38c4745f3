import type { ValueSink } from "../runtime/value-sink.ts";
import { END, isBlank, WAIT } from "./characters.ts";
import { readEscapedDocument } from "./escaped-document.ts";
import type { Container } from "./open-containers.ts";
import type { Reading, RepairReaderOptions } from "./reading.ts";
import type { RepairReader } from "./repair-reader.ts";

/** Reads text that is there as a whole, and tells `sink` of it. */
export type ReadWhole = (text: string, sink: ValueSink, options: RepairReaderOptions) => RepairReader;

/**
 * The first quote of the document is escaped: all of it up to the end marker was escaped once too often, or it cannot
 * be read. Only the whole tells, so nothing is told before.
 */
export function readEscaped(reading: Reading, readWhole: ReadWhole): boolean {
  const window = reading.window;
  const text = window.text;
  let at = Math.max(reading.pos, reading.scanned - window.offset);
  const from = at;
  for (; window.at(at) !== END; at++) {
    const marker = window.at(at) === WAIT ? WAIT : window.markerAt(at);
    if (marker > 0) break;
    if (marker === WAIT) {
      window.steps += at - from;
      reading.scanned = window.offset + at;
      return false;
    }
  }
  let end = at;
  while (end > reading.pos && isBlank(text.charCodeAt(end - 1))) end--;
  window.steps += at - from + (end - reading.pos);
  const container = reading.open.top as Container;
  const document = readEscapedDocument(`{${text.slice(reading.pos, end)}`);
  if (document === undefined || document.mixed) {
    return reading.fail(
      "escaped-document",
      reading.pos,
      "the quotes are escaped, and without the escapes it is no JSON",
    );
  }
  const { maxDepth } = reading;
  const read = readWhole(document.text, reading.sink, {
    ...reading.options,
    base: container.start,
    ends: [],
    maxDepth,
  });
  if (read.failure !== undefined) return reading.fail(read.failure.reason, reading.pos, read.failure.message);
  reading.log.add("escaped-document", "safe", container.start, window.offset + end);
  for (const { kind, level, start, end: stop } of read.repairs) reading.log.add(kind, level, start, stop);
  reading.open.stack.pop();
  reading.pos = end;
  return reading.done("value", end);
}
