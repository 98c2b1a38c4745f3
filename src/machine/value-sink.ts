/**
 * Receives one JSON value token by token. The strict reader and the recovery both speak to it, so what a call's
 * arguments become does not depend on which of them read the text. `at` is a UTF-16 offset into the text.
 *
 * Between `beginString` and `endString` any number of pieces arrive, `text` (decoded characters, to be escaped) or
 * `escaped` (characters that are already the inside of a JSON string). Keys come as strings with `key: true`.
 * A closing quote is reported when what follows it is legal, never before; the same holds for numbers.
 */
export interface ValueSink {
  /** `at` is the place of the brace, as for the other containers. */
  beginObject(at: number): void;
  /** The brace that closes the newest object; `at` is after it. */
  endObject(at: number): void;
  /** An array begins. */
  beginArray(at: number): void;
  /** The newest array ends. */
  endArray(at: number): void;
  /** A string begins; `key`: it names the next member of the newest object. */
  beginString(at: number, key: boolean): void;
  /** Decoded characters of the open string. */
  text(piece: string): void;
  /** The same as they stand in a JSON string. */
  escaped(piece: string): void;
  /** The open string is complete, and what follows it is legal. */
  endString(at: number): void;
  /** A number, `true`, `false` or `null` as JSON text. */
  literal(json: string, start: number, end: number): void;
}
