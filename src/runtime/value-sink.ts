/**
 * Receives one JSON value token by token. The strict reader and the recovery both speak to it, so what a call's
 * arguments become does not depend on which of them read the text. `at` is a UTF-16 offset into the text.
 *
 * Between `beginString` and `endString` any number of pieces arrive, `text` (decoded characters, to be escaped) or
 * `escaped` (characters that are already the inside of a JSON string). Keys come as strings with `key: true`.
 * A closing quote is reported when what follows it is legal, never before; the same holds for numbers.
 */
export interface ValueSink {
  beginObject(at: number): void;
  endObject(at: number): void;
  beginArray(at: number): void;
  endArray(at: number): void;
  beginString(at: number, key: boolean): void;
  text(piece: string): void;
  escaped(piece: string): void;
  endString(at: number): void;
  /** A number, `true`, `false` or `null` as JSON text. */
  literal(json: string, start: number, end: number): void;
}
