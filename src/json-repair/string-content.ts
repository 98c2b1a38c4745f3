import { COMMA, isBlank } from "./characters.ts";
import { decodeKey } from "./member-start.ts";
import type { OpenString } from "./open-string.ts";
import type { Reading } from "./reading.ts";

/** Tells what is certain, up to `at`, and stands there. Characters between are the inside of a JSON string already. */
export function sendUpTo(reading: Reading, at: number): void {
  if (at > reading.run) {
    const piece = reading.window.text.slice(reading.run, at);
    if ((reading.string as OpenString).place === "key") reading.key += decodeKey(piece);
    else reading.sink.escaped(piece);
  }
  reading.run = at;
  reading.pos = at;
}

/** Sends characters that are data as they stand, whatever JSON thinks of them. */
export function sendPlain(reading: Reading, from: number, to: number): void {
  sendUpTo(reading, from);
  send(reading, reading.window.text.slice(from, to));
  reading.run = to;
}

function send(reading: Reading, text: string): void {
  if ((reading.string as OpenString).place === "key") reading.key += text;
  else reading.sink.text(text);
}

/** Its closing quote was read: it ends at `at`, and the reading goes on at `next`. */
export function endString(reading: Reading, at: number, next: number): true {
  const string = reading.string as OpenString;
  reading.string = undefined;
  if (string.innerQuotes > 0) reading.innerQuoteEnds.set(string.start, reading.window.offset + at);
  if (string.place === "key") {
    reading.keyEnded(next);
    return true;
  }
  reading.sink.endString(reading.window.offset + at);
  reading.endsInComma = endsInSeparator(reading.window.text, at);
  reading.pos = next;
  reading.valueEnded(true);
  return true;
}

/** So many blanks may stand after a comma that belongs between two strings. */
const blanksMax = 32;
const SEMICOLON = 0x3b;

/** Whether what stands before an offset is a comma, or what may stand for one. */
function endsInSeparator(text: string, at: number): boolean {
  let last = at - 1;
  while (last >= 0 && last >= at - blanksMax && isBlank(text.charCodeAt(last))) last--;
  const code = text.charCodeAt(last);
  return code === COMMA || code === SEMICOLON;
}
