import type { PayloadKeys } from "../formats/format-data.ts";
import { memberFacts as fact, type JsonObject, readJsonObject } from "../machine/json-object.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import { writeEncoded } from "./arguments-reader.ts";
import type { Candidate } from "./candidate.ts";
import { envelopeKeyTwice, repeatsKey } from "./duplicate-key-messages.ts";
import { type EnvelopeLevel, type EnvelopeSlot, envelopeOf, slotOf, wrapperKey } from "./envelope-keys.ts";
import { typeOfCalls, typesOfCalls } from "./harmless-keys.ts";
import { parseJson, unescaped } from "./json-text.ts";
import { JsonWriter } from "./json-writer.ts";
import { definitionOrCall, lacksCall } from "./tool-definition.ts";

/** Who owns the candidates that a payload holds. */
export interface PayloadOwner {
  /** An object that may be a call begins; undefined: it has been dealt with before, pass over it. */
  beginItem(at: number, listed: boolean): Candidate | undefined;
  /** Name and arguments have both begun to be known: the call may start. */
  ready(candidate: Candidate): void;
  /** The object has ended. It is complete when the next token shows that what follows it is legal. */
  endItem(candidate: Candidate, at: number): void;
  /** The item before is certain, unless what begins here says something of it. */
  confirmItem(at: number): void;
  /** A span as the caller of the library counts it. */
  span(start: number, end: number): { start: number; end: number };
  /** Something is no object. */
  strayItem(start: number, end: number): void;
}

const textless: readonly EnvelopeSlot[] = ["harmless", "other"];

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
  #slot: EnvelopeSlot = "other";
  /** The object of the envelope that is open, the keys that led to it, and the same of those round it. */
  #level: EnvelopeLevel;
  #path = "";
  readonly #outer: { level: EnvelopeLevel; path: string }[] = [];
  readonly #seen = new Set<string>();
  /** Where the tokens of the arguments go, and the depth at which that ends. */
  #target: JsonWriter | undefined;
  #targetDepth = -1;
  /** Arguments given once more, under other keys; legal only when equal. */
  #further: JsonWriter[] = [];
  /** Where the first key stands that the header does not list and that gives the arguments all the same. */
  #synonym: { start: number; end: number } | undefined;
  /** A key of the header that an id stands under. */
  #idKey: string | undefined;
  #hasDocumentedKey = false;
  /** Something other than a harmless key stands in the object that is the call, outside of a wrapper. */
  #hasOwnKey = false;
  /** The key under which the arguments were given last. */
  #argumentsKey = "";
  /** The call stands in a further object. */
  #isWrapped = false;
  /** Names given once more, under keys of no format's own; legal only when equal. */
  #secondNames: string[] = [];
  /** The string that is being read on the level of the envelope. */
  #text = "";
  #isEscaped = false;
  #isKey = false;
  #stringStart = 0;
  #lastKey = "";
  /** A string in the list, held until what follows it is no colon: then it is a key, and the item before was cut short. */
  #strayStart = -1;
  #strayEnd = 0;
  /** Where a list in the list begins. */
  #arrayStart = 0;

  constructor(keys: PayloadKeys, owner: PayloadOwner, argumentsRequired: boolean) {
    this.#keys = keys;
    this.#level = envelopeOf(keys);
    this.#owner = owner;
    this.#argumentsRequired = argumentsRequired;
  }

  get #itemDepth(): number {
    return this.#listed ? 1 : 0;
  }

  beginObject(at: number): void {
    if (this.#target) this.#target.beginObject();
    else if (this.#depth === this.#itemDepth) this.#beginItem(at);
    else if (this.#onEnvelope && !this.#enterInner()) this.#beginSlotValue("object");
    this.#depth++;
  }

  endObject(at: number): void {
    this.#depth--;
    if (this.#target) {
      this.#target.endObject();
      if (this.#depth === this.#targetDepth) this.#target = undefined;
    } else if (this.#depth === this.#itemDepth) this.#endItem(at);
    else if (this.#depth === this.#itemDepth + this.#outer.length) this.#leaveInner();
  }

  beginArray(at: number): void {
    this.#endStray();
    if (this.#target) this.#target.beginArray();
    else if (this.#depth === 0) this.#listed = true;
    else if (this.#depth === this.#itemDepth) this.#arrayStart = at;
    else if (this.#onEnvelope) this.#beginSlotValue("array");
    this.#depth++;
  }

  endArray(at: number): void {
    this.#endStray();
    this.#depth--;
    // Arguments are an object: no list ends them.
    if (this.#target) this.#target.endArray();
    else if (this.#depth > 0 && this.#depth === this.#itemDepth) this.#owner.strayItem(this.#arrayStart, at);
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
    if (!this.#keepsText) return;
    this.#text += this.#isEscaped ? JSON.stringify(piece).slice(1, -1) : piece;
  }

  escaped(piece: string): void {
    if (this.#target) return this.#target.escaped(piece);
    if (!this.#keepsText) return;
    if (!this.#isEscaped && this.#text !== "") this.#text = JSON.stringify(this.#text).slice(1, -1);
    this.#isEscaped = true;
    this.#text += piece;
  }

  endString(at: number): void {
    if (this.#target) return this.#target.endString();
    if (!this.#onEnvelope || !this.#candidate) {
      if (this.#depth !== this.#itemDepth) return;
      this.#strayStart = this.#stringStart;
      this.#strayEnd = at;
      return;
    }
    const text = this.#isEscaped ? unescaped(this.#text) : this.#text;
    if (this.#isKey) this.#key(text, at);
    else this.#stringValue(text, at);
  }

  literal(json: string, start: number, end: number): void {
    if (this.#target) return this.#target.literal(json);
    this.#endStray();
    if (this.#depth === this.#itemDepth) return this.#owner.strayItem(start, end);
    const candidate = this.#candidate;
    if (!this.#onEnvelope || !candidate) return;
    this.#note(candidate, "literal");
    if (this.#slot === "name") candidate.refuse("no-name", `the name of the call is ${json}, not a string`);
    if (!this.#givesArguments) return;
    if (json !== "null") return candidate.refuse("type-mismatch", `the arguments are ${json}, not an object`);
    this.#noArguments(candidate, start, end);
  }

  /** An object that was read in one go: the same as its tokens one by one. */
  whole(object: JsonObject): void {
    this.beginObject(object.start);
    this.#wholeMembers(object);
    this.endObject(object.start + object.text.length);
  }

  #wholeMembers(object: JsonObject): void {
    const { start, text, facts } = object;
    for (let at = 0; at < facts.length; at += fact.size) {
      const keyStart = facts[at + fact.keyStart];
      const keyEnd = facts[at + fact.keyEnd];
      this.beginString(start + keyStart, true);
      if (keyEnd > keyStart) this.escaped(text.slice(keyStart, keyEnd));
      this.endString(start + keyEnd);
      this.#wholeValue(object, at);
    }
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
        if (candidate && this.#givesArguments && this.#onEnvelope) {
          this.#note(candidate, "container");
          const writer = this.#argumentsWriter(candidate);
          // Of a key that is given twice only the last value is there.
          const isWhole = !repeatsKey(facts.length / fact.size, Object.keys(value).length);
          writer.whole({
            text: text.slice(from, end),
            value: (isWhole ? value[this.#lastKey] : parseJson(text.slice(from, end))) as Record<string, unknown>,
            members: facts[at + fact.members],
            depth: facts[at + fact.depth],
            blanks: facts[at + fact.blanks] === 1,
          });
          return;
        }
        const depth = this.#outer.length;
        this.beginObject(start + from);
        if (this.#outer.length > depth) this.#wholeMembers(readJsonObject(text, from, start) as JsonObject);
        return this.endObject(start + end);
      }
      case 0x5b:
        this.beginArray(start + from);
        return this.endArray(start + end);
      default:
        return this.literal(text.slice(from, end), start + from, start + end);
    }
  }

  /** The text of strings matters in the envelope only: its keys, and the values of its names, id and arguments. */
  get #keepsText(): boolean {
    if (!this.#onEnvelope || this.#candidate === undefined) return false;
    return this.#isKey || this.#isTypeOfCalls || !textless.includes(this.#slot);
  }

  get #isTypeOfCalls(): boolean {
    return this.#slot === "harmless" && this.#lastKey === "type";
  }

  get #onEnvelope(): boolean {
    return this.#depth === this.#itemDepth + 1 + this.#outer.length;
  }

  get #givesArguments(): boolean {
    return this.#slot === "arguments" || this.#slot === "synonym";
  }

  /** A value that the header looks into: its members are keys of the envelope. */
  #enterInner(): boolean {
    const inner = this.#candidate && this.#level.inner.get(this.#lastKey);
    if (!inner) return false;
    if (this.#outer.length === 0 && this.#isWrapper(this.#lastKey)) {
      if (this.#hasOwnKey) return false;
      this.#isWrapped = true;
    }
    this.#outer.push({ level: this.#level, path: this.#path });
    this.#level = inner;
    this.#path += `${JSON.stringify(this.#lastKey)}.`;
    return true;
  }

  #leaveInner(): void {
    const outer = this.#outer.pop() as { level: EnvelopeLevel; path: string };
    this.#level = outer.level;
    this.#path = outer.path;
  }

  #endStray(): void {
    if (this.#strayStart < 0) return;
    const start = this.#strayStart;
    this.#strayStart = -1;
    this.#owner.strayItem(start, this.#strayEnd);
  }

  #beginItem(at: number): void {
    this.#endStray();
    this.#owner.confirmItem(at);
    this.#candidate = this.#owner.beginItem(at, this.#listed);
    if (this.#seen.size > 0) this.#seen.clear();
    this.#level = envelopeOf(this.#keys);
    if (this.#outer.length > 0) this.#outer.length = 0;
    this.#path = "";
    this.#slot = "other";
    this.#further = [];
    this.#synonym = this.#idKey = undefined;
    this.#hasDocumentedKey = this.#hasOwnKey = this.#isWrapped = false;
    this.#secondNames = [];
  }

  /** Whether it is no key of the header's that the call stands under. */
  #isWrapper(key: string): boolean {
    return key === wrapperKey && !this.#keys.name.includes(`${wrapperKey}.name`);
  }

  #endItem(at: number): void {
    const candidate = this.#candidate;
    this.#candidate = undefined;
    if (!candidate) return;
    const { name, writer, hasArguments } = candidate;
    const other = name === undefined ? undefined : this.#secondNames.find((text) => text !== name);
    if (other !== undefined) candidate.refuse("ambiguous", `two names are given, "${name}" and "${other}"`);
    if (this.#further.some(({ jsonText }) => jsonText !== writer.jsonText)) {
      candidate.refuse("ambiguous", "the arguments are given under two keys, and differ");
    }
    // A word that the header does not list says what the arguments are only where no other such word does.
    if (this.#synonym && !this.#hasDocumentedKey && this.#further.length > 0) {
      candidate.refuse("ambiguous", "the arguments are given under two keys, and the format knows neither");
    }
    if (this.#synonym && !this.#hasDocumentedKey) {
      candidate.repair({ kind: "argument-key", level: "safe", ...this.#synonym });
    }
    candidate.argumentsMissing ||= !hasArguments;
    // Without arguments it may be one of them.
    if (!hasArguments && this.#idKey !== undefined) candidate.beside.push({ key: this.#idKey, use: "harmless" });
    const argumentsKey = hasArguments ? this.#argumentsKey : undefined;
    if (this.#isWrapped && lacksCall(argumentsKey, writer.jsonText)) candidate.refuse("malformed", definitionOrCall());
    if (!candidate.hasArguments && this.#argumentsRequired) {
      candidate.refuse(
        "malformed",
        `the key ${this.#keys.arguments.join(" or ")} is missing; in this format that is no call`,
      );
    }
    this.#owner.endItem(candidate, at);
  }

  #key(key: string, at: number): void {
    this.#lastKey = key;
    const candidate = this.#candidate as Candidate;
    if (this.#keys.name === "*") {
      if (this.#seen.size)
        candidate.refuse("ambiguous", `the object has a second key, "${key}"; the single key is the name`);
      this.#seen.add(key);
      this.#slot = "arguments";
      candidate.name = key;
      return;
    }
    this.#slot = slotOf(this.#level, key);
    const path = this.#path + key;
    if (this.#seen.has(path)) candidate.refuse("duplicate-key", envelopeKeyTwice(key));
    this.#seen.add(path);
    if (this.#outer.length === 0 && this.#slot !== "harmless" && this.#slot !== "id") {
      if (this.#isWrapped)
        candidate.refuse("ambiguous", `"${key}" stands beside "${wrapperKey}", which holds the call`);
      else if (!this.#isWrapper(key)) this.#hasOwnKey = true;
    }
    if (this.#slot === "arguments") this.#hasDocumentedKey = true;
    if (this.#slot === "synonym") this.#synonym ??= this.#owner.span(this.#stringStart, at);
  }

  /** Nothing that is written is dropped: what is neither name nor arguments is checked when the tool is known. */
  #note(candidate: Candidate, kind: "string" | "literal" | "container", text?: string): void {
    const key = this.#lastKey;
    switch (this.#slot) {
      case "name":
      case "arguments":
        return;
      case "id":
        if (kind === "container") candidate.beside.push({ key, use: "other" });
        else this.#idKey = key;
        return;
      case "second-name":
        candidate.beside.push({ key, use: kind === "string" ? "synonym" : "other" });
        return;
      case "synonym":
        candidate.beside.push({ key, use: "synonym" });
        return;
      case "description":
        candidate.beside.push(text === undefined ? { key, use: "other" } : { key, use: "description", text });
        return;
      default: {
        // The word that interfaces write says nothing of a parameter, whatever the tool declares.
        if (this.#isTypeOfCalls && text === typeOfCalls) return;
        const isNone = this.#isTypeOfCalls && text !== undefined && !typesOfCalls.test(text);
        if (isNone) candidate.beside.push({ key, use: "other", text });
        else candidate.beside.push({ key, use: kind === "container" ? "other" : this.#slot });
      }
    }
  }

  #stringValue(text: string, at: number): void {
    const candidate = this.#candidate as Candidate;
    this.#note(candidate, "string", text);
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
    else if (this.#slot === "second-name") this.#secondNames.push(text);
    else if (this.#givesArguments) this.#encodedArguments(candidate, text, at);
  }

  /** What stands in the place of the arguments says that there are none. */
  #noArguments(candidate: Candidate, start: number, end: number): void {
    const writer = this.#argumentsWriter(candidate);
    writer.json("{}");
    writer.finish();
    candidate.sayNone(this.#owner.span(start, end));
  }

  /** A string that holds exactly one JSON object is decoded once, and an empty one says that there is none. */
  #encodedArguments(candidate: Candidate, text: string, at: number): void {
    if (text === "") return this.#noArguments(candidate, this.#stringStart, at);
    writeEncoded(candidate, this.#argumentsWriter(candidate), text, this.#owner.span(this.#stringStart, at));
  }

  #beginSlotValue(kind: "object" | "array"): void {
    const candidate = this.#candidate;
    if (!candidate) return;
    this.#note(candidate, "container");
    if (this.#slot === "name") return candidate.refuse("no-name", `the name of the call is an ${kind}, not a string`);
    if (!this.#givesArguments) return;
    if (kind === "array") return candidate.refuse("type-mismatch", "the arguments are an array, not an object");
    this.#target = this.#argumentsWriter(candidate);
    this.#targetDepth = this.#depth;
    this.#target.beginObject();
  }

  #argumentsWriter(candidate: Candidate): JsonWriter {
    this.#argumentsKey = this.#lastKey;
    if (!candidate.hasArguments) {
      candidate.hasArguments = true;
      if (candidate.name !== undefined) this.#owner.ready(candidate);
      return candidate.writer;
    }
    const writer = new JsonWriter();
    this.#further.push(writer);
    return writer;
  }
}
