import { charCodeAt, isHighSurrogate } from "./string-units.ts";
import type { ValueSink } from "./value-sink.ts";

/** What may come next, outside of tokens. */
// biome-ignore lint/style/noEnum: its members are numbers in the bundle, where an object would be read at every use
enum Expects {
  value = 0,
  /** After `[`: a value, or the end. */
  item = 1,
  /** After `{`: a key, or the end. */
  member = 2,
  key = 3,
  colon = 4,
  /** A comma, or the end. */
  end = 5,
}

const open: number = -1;
const fails: number = -2;

/** A number as JSON writes it. */
export const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const shortEscapes = '"\\/bfnrt';
const hexDigits = /^[0-9a-fA-F]*$/;
const escapeChars = 6;

/**
 * Reads a JSON object that arrives in pieces, from its brace on, and says its tokens at once. It reads RFC 8259 and nothing else: the grammar's rule
 * says the same, and reads the object from its start where this stops, so that damage has one reader.
 */
export class JsonScanner {
  /** Where it stands in the message; -1: nothing is read. */
  start = -1;
  /** Up to where its text has been said. */
  saidTo = 0;
  /** How many roles the machine would have opened and closed for what has been said. */
  entries = 0;
  #sink!: ValueSink;
  #expects = Expects.value;
  /** The containers that are open: whether each is an object. */
  readonly #isObject: boolean[] = [];
  #inString = false;
  #isKey = false;
  /** The number or word that has begun. */
  #token = "";
  /** What has to be read again with the next piece: the beginning of an escape, half a surrogate pair. */
  #held = "";

  begin(start: number, sink: ValueSink): void {
    this.start = this.saidTo = start;
    this.entries = 0;
    this.#sink = sink;
    this.#expects = Expects.value;
    if (this.#isObject.length > 0) this.#isObject.length = 0;
    this.#inString = false;
    this.#token = this.#held = "";
  }

  /**
   * Reads on.
   *
   * @param chunk what follows the text that has been given
   * @param from where in the message it begins
   * @returns where the object ends in the message; -1: it goes on; -2: this is no JSON
   */
  push(chunk: string, from: number): number {
    const held = this.#held;
    let text = chunk;
    if (held !== "") {
      this.#held = "";
      text = held + chunk;
    }
    const base = from - held.length;
    let at = 0;
    if (this.#inString) at = this.#readString(text, at, base);
    else if (this.#token !== "") at = this.#readToken(text, at, base);
    return at < 0 ? fails : this.#readOn(text, at, base);
  }

  /** What is read next in a string. */
  #readString(text: string, from: number, base: number): number {
    let at = from;
    for (; at < text.length; at++) {
      const unit = charCodeAt.call(text, at);
      if (unit === 0x22) break;
      if (unit >= 0x20 && unit !== 0x5c) continue;
      const length = unit === 0x5c ? escapeLength(text, at) : fails;
      if (length <= 0) {
        this.#say(text, from, at, base);
        this.#held = text.slice(at);
        return length === 0 ? text.length : fails;
      }
      this.entries += 2;
      at += length - 1;
    }
    if (at === text.length && isHighSurrogate(charCodeAt.call(text, at - 1))) {
      this.#say(text, from, at - 1, base);
      this.#held = text.slice(at - 1);
      return at;
    }
    this.#say(text, from, at, base);
    if (at === text.length) return at;
    this.#inString = false;
    this.entries++;
    this.#sink.endString(base + at);
    this.#expects = this.#isKey ? Expects.colon : Expects.end;
    return at + 1;
  }

  #say(text: string, from: number, end: number, base: number): void {
    this.saidTo = base + end;
    if (end > from) this.#sink.escaped(end - from === text.length ? text : text.slice(from, end));
  }

  /** Reads on between tokens, to the end of the object or of the text. */
  #readOn(text: string, from: number, base: number): number {
    const sink = this.#sink;
    const isObject = this.#isObject;
    for (let at = from; at < text.length; ) {
      const unit = charCodeAt.call(text, at);
      const expects = this.#expects;
      switch (unit) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          at++;
          break;
        case 0x22:
          if (expects === Expects.colon || expects === Expects.end) return fails;
          this.#isKey = expects === Expects.member || expects === Expects.key;
          this.#inString = true;
          this.entries++;
          sink.beginString(base + at + 1, this.#isKey);
          at = this.#readString(text, at + 1, base);
          if (at < 0) return fails;
          break;
        case 0x3a:
          if (expects !== Expects.colon) return fails;
          this.#expects = Expects.value;
          at++;
          break;
        case 0x2c:
          if (expects !== Expects.end) return fails;
          this.#expects = isObject[isObject.length - 1] ? Expects.key : Expects.value;
          at++;
          break;
        case 0x7b:
        case 0x5b:
          if (expects > Expects.item) return fails;
          this.entries++;
          isObject.push(unit === 0x7b);
          this.#expects = unit === 0x7b ? Expects.member : Expects.item;
          if (unit === 0x7b) sink.beginObject(base + at);
          else sink.beginArray(base + at);
          at++;
          break;
        case 0x7d:
        case 0x5d:
          if (expects !== Expects.end && expects !== (unit === 0x7d ? Expects.member : Expects.item)) return fails;
          if (isObject.pop() !== (unit === 0x7d)) return fails;
          this.entries++;
          this.#expects = Expects.end;
          at++;
          if (unit === 0x7d) sink.endObject(base + at);
          else sink.endArray(base + at);
          if (isObject.length === 0) return base + at;
          break;
        default:
          if (expects > Expects.item) return fails;
          at = this.#readToken(text, at, base);
          if (at < 0) return fails;
      }
    }
    return open;
  }

  /** A number or a word: it ends where a unit follows that it cannot have. */
  #readToken(text: string, from: number, base: number): number {
    let at = from;
    while (at < text.length && mayBeInToken(charCodeAt.call(text, at))) at++;
    this.#token += text.slice(from, at);
    const token = this.#token;
    if (token === "") return fails;
    const first = charCodeAt.call(token, 0);
    const isNumber = first < 0x3a;
    const word = first === 0x74 ? "true" : first === 0x66 ? "false" : "null";
    if (!isNumber && !word.startsWith(token)) return fails;
    if (at === text.length) return at;
    if (!(isNumber ? jsonNumber.test(token) : token === word)) return fails;
    this.#token = "";
    this.entries += 2;
    this.#expects = Expects.end;
    this.#sink.literal(token, base + at - token.length, base + at);
    return at;
  }
}

/** How long the escape is that begins at an offset; 0: the text ends inside it; below: there is none. */
function escapeLength(text: string, at: number): number {
  const kind = text[at + 1];
  if (kind !== "u") return kind === undefined ? 0 : shortEscapes.includes(kind) ? 2 : fails;
  const end = at + escapeChars;
  if (!hexDigits.test(text.slice(at + 2, end))) return fails;
  return end <= text.length ? escapeChars : 0;
}

/** Letters, digits and the signs of numbers. */
function mayBeInToken(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x2b ||
    unit === 0x45
  );
}
