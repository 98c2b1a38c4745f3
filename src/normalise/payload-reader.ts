import type { PayloadKeys } from "../runtime/format.ts";
import { memberFacts as fact, type JsonObject } from "../runtime/json-object.ts";
import type { ValueSink } from "../runtime/value-sink.ts";
import { encodedOtherwise, objectJsonIn } from "./arguments-reader.ts";
import type { Candidate } from "./candidate.ts";
import { JsonWriter } from "./json-writer.ts";

/** Who owns the candidates that a payload holds. */
export interface PayloadOwner {
  /** An object that may be a call begins; undefined: it has been dealt with before, pass over it. */
  beginItem(at: number, listed: boolean): Candidate | undefined;
  /** Name and arguments have both begun to be known: the call may start. */
  ready(candidate: Candidate): void;
  /** The object has ended. It is complete when the next token shows that what follows it is legal. */
  endItem(candidate: Candidate, at: number): void;
  /** The item before is certain. */
  confirmItem(): void;
  /** A span as the caller of the library counts it. */
  span(start: number, end: number): { start: number; end: number };
  /** Something in the list is no object. */
  strayItem(start: number, end: number): void;
}

/** Keys under which one format or another gives the arguments. Where a format does not, they are not dropped in silence. */
const argumentNames: readonly string[] = ["arguments", "parameters", "params", "args"];

/** What interfaces write beside name and arguments; nobody means a parameter by it. */
export const envelopeWords: readonly string[] = ["type", "id", "index", "call_id", "tool_call_id", "function"];

type Slot = "name" | "arguments" | "id" | "other";

/**
 * Reads an envelope, `{"name": ..., "arguments": {...}}` or a list of them, token by token: finds the name, passes the
 * tokens of the arguments on, and refuses what says two things.
 */
export class PayloadReader implements ValueSink {
  readonly #keys: PayloadKeys;
  readonly #owner: PayloadOwner;
  readonly #argumentsRequired: boolean;

  #depth = 0;
  #listed = false;
  #candidate: Candidate | undefined;
  #slot: Slot = "other";
  #seen: string[] = [];
  /** Where the tokens of the arguments go, and the depth at which that ends. */
  #target: JsonWriter | undefined;
  #targetDepth = -1;
  /** Arguments given a second time, under another key; legal only when equal. */
  #second: JsonWriter | undefined;
  /** The string that is being read on the level of the envelope. */
  #text = "";
  #isEscaped = false;
  #isKey = false;
  #stringStart = 0;
  #lastKey = "";
  /** A string in the list, held until what follows it is no colon: then it is a key, and the item before was cut short. */
  #strayStart = -1;
  #strayEnd = 0;

  constructor(keys: PayloadKeys, owner: PayloadOwner, argumentsRequired: boolean) {
    this.#keys = keys;
    this.#owner = owner;
    this.#argumentsRequired = argumentsRequired;
  }

  /** Containers that are open and belong to the envelope, not to the arguments. */
  get envelopeDepth(): number {
    return this.#target ? this.#targetDepth : this.#depth;
  }

  get #itemDepth(): number {
    return this.#listed ? 1 : 0;
  }

  beginObject(at: number): void {
    if (this.#target) this.#target.beginObject();
    else if (this.#depth === this.#itemDepth) this.#beginItem(at);
    else if (this.#onEnvelope) this.#beginSlotValue("object");
    this.#depth++;
  }

  endObject(at: number): void {
    this.#depth--;
    if (this.#target) {
      this.#target.endObject();
      if (this.#depth === this.#targetDepth) this.#target = undefined;
    } else if (this.#depth === this.#itemDepth) this.#endItem(at);
  }

  beginArray(_at: number): void {
    this.#endStray();
    if (this.#target) this.#target.beginArray();
    else if (this.#depth === 0) this.#listed = true;
    else if (this.#onEnvelope) this.#beginSlotValue("array");
    this.#depth++;
  }

  endArray(_at: number): void {
    this.#endStray();
    this.#depth--;
    if (this.#target) {
      this.#target.endArray();
      if (this.#depth === this.#targetDepth) this.#target = undefined;
    }
  }

  beginString(at: number, key: boolean): void {
    if (this.#target) return this.#target.beginString(at, key);
    this.#endStray();
    this.#text = "";
    this.#isEscaped = false;
    this.#isKey = key;
    this.#stringStart = at;
  }

  text(piece: string): void {
    if (this.#target) return this.#target.text(piece);
    if (!this.#collects) return;
    this.#text += this.#isEscaped ? JSON.stringify(piece).slice(1, -1) : piece;
  }

  escaped(piece: string): void {
    if (this.#target) return this.#target.escaped(piece);
    if (!this.#collects) return;
    if (!this.#isEscaped && this.#text !== "") this.#text = JSON.stringify(this.#text).slice(1, -1);
    this.#isEscaped = true;
    this.#text += piece;
  }

  endString(at: number): void {
    if (this.#target) return this.#target.endString();
    if (!this.#collects) {
      if (this.#depth !== this.#itemDepth) return;
      this.#strayStart = this.#stringStart;
      this.#strayEnd = at;
      return;
    }
    const text = this.#isEscaped && this.#text.includes("\\") ? JSON.parse(`"${this.#text}"`) : this.#text;
    if (this.#isKey) this.#key(text);
    else this.#stringValue(text, at);
  }

  literal(json: string, start: number, end: number): void {
    if (this.#target) return this.#target.literal(json);
    this.#endStray();
    if (this.#depth === this.#itemDepth) return this.#owner.strayItem(start, end);
    if (!this.#onEnvelope || !this.#candidate) return;
    if (this.#slot === "name") this.#candidate.refuse("no-name", `the name of the call is ${json}, not a string`);
    if (this.#slot !== "arguments") return;
    if (json === "null") this.#candidate.hasArguments = true;
    else this.#candidate.refuse("type-mismatch", `the arguments are ${json}, not an object`);
  }

  /** An object that was read in one go: the same as its tokens one by one. */
  whole(object: JsonObject): void {
    const { start, text, facts } = object;
    this.beginObject(start);
    for (let at = 0; at < facts.length; at += fact.size) {
      const keyStart = facts[at + fact.keyStart];
      const keyEnd = facts[at + fact.keyEnd];
      this.beginString(start + keyStart, true);
      if (keyEnd > keyStart) this.escaped(text.slice(keyStart, keyEnd));
      this.endString(start + keyEnd);
      this.#wholeValue(object, at);
    }
    this.endObject(start + text.length);
  }

  #wholeValue({ start, text, facts, value }: JsonObject, at: number): void {
    const from = facts[at + fact.start];
    const end = facts[at + fact.end];
    switch (text.charCodeAt(from)) {
      case 0x22:
        this.beginString(start + from + 1, false);
        if (end - from > 2) this.escaped(text.slice(from + 1, end - 1));
        return this.endString(start + end - 1);
      case 0x7b: {
        const candidate = this.#candidate;
        if (candidate && this.#slot === "arguments" && this.#onEnvelope) {
          const writer = this.#argumentsWriter(candidate);
          writer.whole({
            text: text.slice(from, end),
            value: value[this.#lastKey] as Record<string, unknown>,
            members: facts[at + fact.members],
            depth: facts[at + fact.depth],
            blanks: facts[at + fact.blanks] === 1,
          });
          return;
        }
        this.beginObject(start + from);
        return this.endObject(start + end);
      }
      case 0x5b:
        this.beginArray(start + from);
        return this.endArray(start + end);
      default:
        return this.literal(text.slice(from, end), start + from, start + end);
    }
  }

  /** Strings matter on the level of the envelope only: its keys, and the values of its name, id and arguments. */
  get #collects(): boolean {
    return this.#onEnvelope && this.#candidate !== undefined && (this.#isKey || this.#slot !== "other");
  }

  get #onEnvelope(): boolean {
    return this.#depth === this.#itemDepth + 1;
  }

  #endStray(): void {
    if (this.#strayStart < 0) return;
    const start = this.#strayStart;
    this.#strayStart = -1;
    this.#owner.strayItem(start, this.#strayEnd);
  }

  #beginItem(at: number): void {
    this.#endStray();
    this.#owner.confirmItem();
    this.#candidate = this.#owner.beginItem(at, this.#listed);
    this.#seen = [];
    this.#slot = "other";
    this.#second = undefined;
  }

  #endItem(at: number): void {
    const candidate = this.#candidate;
    this.#candidate = undefined;
    if (!candidate) return;
    if (this.#second && this.#second.jsonText !== candidate.writer.jsonText) {
      candidate.refuse("ambiguous", "the arguments are given under two keys, and differ");
    }
    const misplaced = candidate.hasArguments ? undefined : argumentNames.find((key) => this.#seen.includes(key));
    if (misplaced !== undefined && !this.#keys.arguments.includes(misplaced)) {
      const expected = this.#keys.arguments.join(" or ");
      candidate.refuse(
        "malformed",
        `the arguments are given as "${misplaced}"; in this format they stand under ${expected}`,
      );
    }
    if (!candidate.hasArguments && this.#argumentsRequired) {
      candidate.refuse(
        "malformed",
        `the key ${this.#keys.arguments.join(" or ")} is missing; in this format that is no call`,
      );
    }
    this.#owner.endItem(candidate, at);
  }

  #key(key: string): void {
    this.#lastKey = key;
    const candidate = this.#candidate as Candidate;
    if (this.#keys.name === "*") {
      if (this.#seen.length)
        candidate.refuse("ambiguous", `the object has a second key, "${key}"; the single key is the name`);
      this.#seen.push(key);
      this.#slot = "arguments";
      candidate.name = key;
      return;
    }
    this.#slot = this.#slotOf(key);
    if (this.#slot === "other" && !argumentNames.includes(key)) {
      if (!envelopeWords.includes(key)) candidate.besideArguments.push(key);
      return;
    }
    if (this.#seen.includes(key)) candidate.refuse("duplicate-key", `the key "${key}" is given twice`);
    this.#seen.push(key);
  }

  #slotOf(key: string): Slot {
    if (this.#keys.name.includes(key)) return "name";
    if (this.#keys.arguments.includes(key)) return "arguments";
    return this.#keys.id.includes(key) ? "id" : "other";
  }

  #stringValue(text: string, at: number): void {
    const candidate = this.#candidate as Candidate;
    if (this.#slot === "name") {
      if (candidate.name === undefined) {
        candidate.name = text;
        const { outerName = text } = candidate;
        if (outerName !== text) candidate.refuse("ambiguous", `two names are given, "${outerName}" and "${text}"`);
        if (candidate.hasArguments) this.#owner.ready(candidate);
      } else if (candidate.name !== text) {
        candidate.refuse("ambiguous", `two names are given, "${candidate.name}" and "${text}"`);
      }
    } else if (this.#slot === "id") candidate.wireId ??= text;
    else if (this.#slot === "arguments") this.#encodedArguments(candidate, text, at);
  }

  /** A string that holds exactly one JSON object is decoded once. */
  #encodedArguments(candidate: Candidate, text: string, at: number): void {
    const writer = this.#argumentsWriter(candidate);
    const json = objectJsonIn(text);
    if (json === undefined) return candidate.refuse("type-mismatch", encodedOtherwise);
    writer.json(json);
    writer.finish();
    const span = this.#owner.span(this.#stringStart, at);
    candidate.repair({ kind: "encoded-arguments", level: "safe", ...span });
  }

  #beginSlotValue(kind: "object" | "array"): void {
    const candidate = this.#candidate;
    if (!candidate || this.#slot === "other" || this.#slot === "id") return;
    if (this.#slot === "name") return candidate.refuse("no-name", `the name of the call is an ${kind}, not a string`);
    if (kind === "array") return candidate.refuse("type-mismatch", "the arguments are an array, not an object");
    this.#target = this.#argumentsWriter(candidate);
    this.#targetDepth = this.#depth;
    this.#target.beginObject();
  }

  #argumentsWriter(candidate: Candidate): JsonWriter {
    if (!candidate.hasArguments) {
      candidate.hasArguments = true;
      if (candidate.name !== undefined) this.#owner.ready(candidate);
      return candidate.writer;
    }
    this.#second = new JsonWriter();
    return this.#second;
  }
}
