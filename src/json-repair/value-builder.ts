import { setOwn } from "../contract/set-own.ts";
import type { ValueSink } from "../machine/value-sink.ts";

/** A sink that builds the value. Containers are linked when they begin, so a value is usable at any time. */
export class ValueBuilder implements ValueSink {
  /** The top value; `undefined` while nothing has begun. */
  value: unknown;
  readonly #stack: (Record<string, unknown> | unknown[])[] = [];
  readonly #keys: string[] = [];
  #key = "";
  #string = "";
  #isKey = false;

  /** Adds a value that is finished. */
  add(value: unknown): void {
    const depth = this.#stack.length;
    if (depth === 0) {
      this.value = value;
      return;
    }
    const container = this.#stack[depth - 1];
    if (Array.isArray(container)) container.push(value);
    else setOwn(container, this.#key, value);
  }

  #begin(container: Record<string, unknown> | unknown[]): void {
    this.add(container);
    this.#stack.push(container);
    this.#keys.push(this.#key);
  }

  #end(): void {
    this.#stack.pop();
    this.#key = this.#keys.pop() ?? "";
  }

  beginObject(): void {
    this.#begin({});
  }

  endObject(): void {
    this.#end();
  }

  beginArray(): void {
    this.#begin([]);
  }

  endArray(): void {
    this.#end();
  }

  beginString(_at: number, key: boolean): void {
    this.#string = "";
    this.#isKey = key;
  }

  text(piece: string): void {
    this.#string += piece;
  }

  escaped(piece: string): void {
    this.#string += piece.includes("\\") ? (JSON.parse(`"${piece}"`) as string) : piece;
  }

  endString(): void {
    if (this.#isKey) this.#key = this.#string;
    else this.add(this.#string);
  }

  literal(json: string): void {
    this.add(json === "true" ? true : json === "false" ? false : json === "null" ? null : Number(json));
  }
}
