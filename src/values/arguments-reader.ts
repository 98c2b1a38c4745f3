import type { ValueSink } from "../machine/value-sink.ts";
import type { Candidate } from "./candidate.ts";
import { compactJson, parseJson } from "./json-text.ts";
import type { JsonWriter } from "./json-writer.ts";

/** The compact JSON of the object that a text holds, and nothing else; undefined: it holds none. */
export function objectJsonIn(text: string): string | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return compactJson(text)?.json;
}

/** Arguments that are a string: one that holds exactly one JSON object is decoded once. @returns whether it does */
export function writeEncoded(
  candidate: Candidate,
  writer: JsonWriter,
  text: string,
  span: { start: number; end: number },
): boolean {
  const json = objectJsonIn(text);
  if (json === undefined) {
    candidate.refuse("type-mismatch", "the arguments are a string that does not hold one JSON object");
    return false;
  }
  writer.json(json);
  writer.finish();
  candidate.repair({ kind: "encoded-arguments", level: "safe", ...span });
  return true;
}

/**
 * Reads arguments that stand by themselves, after a name. An object passes through; `null` and an empty string mean none; a
 * string that holds exactly one JSON object is decoded once; everything else is refused.
 */
export class ArgumentsReader implements ValueSink {
  readonly #candidate: Candidate;
  readonly #span: (start: number, end: number) => { start: number; end: number };
  #depth = 0;
  /** The inside of a string that stands for the object. */
  #encoded = "";
  #start = 0;

  constructor(candidate: Candidate, span: (start: number, end: number) => { start: number; end: number }) {
    this.#candidate = candidate;
    this.#span = span;
  }

  beginObject(): void {
    this.#depth++;
    this.#candidate.writer.beginObject();
  }

  endObject(): void {
    this.#depth--;
    this.#candidate.writer.endObject();
  }

  beginArray(): void {
    if (this.#depth === 0) this.#candidate.refuse("type-mismatch", "the arguments are an array, not an object");
    this.#depth++;
    this.#candidate.writer.beginArray();
  }

  endArray(): void {
    this.#depth--;
    this.#candidate.writer.endArray();
  }

  beginString(at: number, key: boolean): void {
    if (this.#depth > 0) return this.#candidate.writer.beginString(at, key);
    this.#encoded = "";
    this.#start = at;
  }

  text(piece: string): void {
    if (this.#depth > 0) this.#candidate.writer.text(piece);
    else this.#encoded += JSON.stringify(piece).slice(1, -1);
  }

  escaped(piece: string): void {
    if (this.#depth > 0) this.#candidate.writer.escaped(piece);
    else this.#encoded += piece;
  }

  endString(at: number): void {
    const candidate = this.#candidate;
    if (this.#depth > 0) return candidate.writer.endString();
    const span = this.#span(this.#start, at);
    if (this.#encoded === "") return candidate.sayNone(span);
    const text = JSON.parse(`"${this.#encoded}"`) as string;
    // Quotes of the object may have ended the string.
    if (!writeEncoded(candidate, candidate.writer, text, span)) candidate.endIsUnproven = true;
  }

  literal(json: string, start: number, end: number): void {
    if (this.#depth > 0) return this.#candidate.writer.literal(json);
    if (json === "null") this.#candidate.sayNone(this.#span(start, end));
    else this.#candidate.refuse("type-mismatch", `the arguments are ${json}, not an object`);
  }
}
