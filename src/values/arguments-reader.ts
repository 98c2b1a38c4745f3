import type { ValueSink } from "../machine/value-sink.ts";
import type { Candidate } from "./candidate.ts";
import { compactJson, parseJson } from "./json-text.ts";

/** Why arguments that are a string are refused. */
export const encodedOtherwise = "the arguments are a string that does not hold one JSON object";

/** The compact JSON of the object that a text holds, and nothing else; undefined: it holds none. */
export function objectJsonIn(text: string): string | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return compactJson(text)?.json;
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
    const { writer } = this.#candidate;
    if (this.#depth > 0) return writer.endString();
    if (this.#encoded === "") return this.#candidate.sayNone(this.#span(this.#start, at));
    const json = objectJsonIn(JSON.parse(`"${this.#encoded}"`) as string);
    if (json === undefined) {
      // Quotes of the object may have ended the string.
      this.#candidate.endIsUnproven = true;
      return this.#candidate.refuse("type-mismatch", encodedOtherwise);
    }
    writer.json(json);
    writer.finish();
    this.#candidate.repair({ kind: "encoded-arguments", level: "safe", ...this.#span(this.#start, at) });
  }

  literal(json: string, start: number, end: number): void {
    if (this.#depth > 0) return this.#candidate.writer.literal(json);
    if (json === "null") this.#candidate.sayNone(this.#span(start, end));
    else this.#candidate.refuse("type-mismatch", `the arguments are ${json}, not an object`);
  }
}
