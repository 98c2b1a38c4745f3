import { COMMA, isBlank } from "./characters.ts";
import { decodeKey } from "./member-start.ts";
import type { OpenString } from "./open-string.ts";
import type { Reading } from "./reading.ts";

/** Tells what is certain, up to `at`, and stands there. Characters between are the inside of a JSON string already. */
export function sendUpTo(reading: Reading, at: number): void {
  if (at > reading.run) {
    noteLast(reading, reading.run, at);
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
  noteLast(reading, from, to);
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
  reading.pos = next;
  reading.endsOpen = string.depth > 0;
  reading.valueEnded(true, isSeparator(reading.lastOfString));
  return true;
}

/** The text before the end of a string may have been let go when it ends. */
function noteLast(reading: Reading, from: number, to: number): void {
  const { text } = reading.window;
  let last = to - 1;
  while (last >= from && isBlank(text.charCodeAt(last))) last--;
  if (last >= from) reading.lastOfString = text.charCodeAt(last);
}

const SEMICOLON = 0x3b;

/** A comma, or what may stand for one. */
export const isSeparator = (code: number): boolean => code === COMMA || code === SEMICOLON;
