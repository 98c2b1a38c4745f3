import { countMembers } from "../contract/count-members.ts";
import type { JsonObject } from "../machine/json-object.ts";
import { TextStore } from "../machine/text-store.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import type { Allowed } from "./allowed-values.ts";
import { repeatsKey } from "./duplicate-key-messages.ts";
import { measureJson, parseJson, unescaped, withoutBlanks } from "./json-text.ts";
import { PlaceFollower } from "./place-follower.ts";
import {
  holdsRefusedString,
  type QuotedKind,
  refusesStrings,
  type Unquoting,
  unquote,
  unquoteAll,
} from "./quoted-values.ts";
import type { PlainValue } from "./text-to-value.ts";

const writtenCharsMax = 8192;
/** So much of a string is kept in pieces, so that its text need not be read again. */
const knownCharsMax = 256;
/** What cannot stand in a JSON string as it is; half a surrogate pair is among it. */
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Writes one JSON value as compact JSON text while its tokens arrive. The text is what a call's deltas are made of, and
 * its parsed value is the call's arguments, so both agree whatever the wire format was.
 *
 * The end of a string, a number or a literal is pending until the next token: only then it is certain that what follows it
 * is legal. So damage that concerns the rest of the payload never contradicts what was sent.
 */
export class JsonWriter implements ValueSink {
  /** Members written to objects, to be compared with the keys of the parsed value: a difference means a duplicate key. */
  members = 0;
  /** The deepest nesting of containers so far. */
  maxDepth = 0;

  /** What has been taken: a short text as it is, a long one in pieces, so that memory does not fill with its parts. */
  #written = "";
  #store: TextStore | undefined;
  #pending = "";
  #deferred = "";
  #afterKey = false;
  #value: Readonly<Record<string, unknown>> | undefined;
  /** The members of the outermost object, while each came in one piece: then the text need not be read again. */
  #known: Record<string, unknown> | undefined;
  #key: string | undefined;
  #pendingKey: string | undefined;
  /** The text of the string that is open, where it came in one piece, or is short. */
  #piece: string | undefined;
  readonly #fresh: boolean[] = [];
  /** What has been sent before the value was read again, and must come out again first. */
  #expected = "";
  /** Values may be read out of quotes; this follows where the text is. */
  #unquoting: Unquoting | undefined;
  #follower: PlaceFollower | undefined;
  /** The inside of a string that may be something else: nothing of it goes out before its end. As JSON. */
  #quotedText: string | undefined;
  #quotedPlace: Allowed | undefined;
  /** The key that is open, as JSON. */
  #keyText = "";
  /** Values that were read out of quotes, in the order of the text. */
  readonly quoted: QuotedKind[] = [];
  /** The value was read again and says otherwise than what was sent. */
  contradicts = false;

  /** Characters written so far, without what is pending. */
  get length(): number {
    return (this.#store?.end ?? 0) + this.#written.length + this.#pending.length;
  }

  /** The JSON text so far, without what is pending. */
  get jsonText(): string {
    const stored = this.#store === undefined ? "" : this.#store.slice(0, this.#store.end);
    return stored + this.#written + this.#pending;
  }

  /** The text of the string that is open, or was open last, where it came as text and is short. */
  get openText(): string | undefined {
    return this.#piece;
  }

  /** What has been written since the last call. */
  take(): string {
    let delta = this.#pending;
    this.#pending = "";
    if (delta === "") return delta;
    this.#written += delta;
    if (this.#written.length > writtenCharsMax) {
      this.#store ??= new TextStore();
      this.#store.append(this.#written);
      this.#written = "";
    }
    if (this.#expected === "") return delta;
    const common = Math.min(delta.length, this.#expected.length);
    if (delta.slice(0, common) !== this.#expected.slice(0, common)) this.contradicts = true;
    this.#expected = this.#expected.slice(common);
    delta = delta.slice(common);
    return delta;
  }

  /** A writer for the same value read again: what this one has written must come out first. */
  again(sent: boolean): JsonWriter {
    const writer = new JsonWriter();
    if (sent) writer.#expected = this.jsonText;
    if (this.#unquoting) writer.unquotes(this.#unquoting);
    return writer;
  }

  /** Values in quotes, where no string is allowed, are read as what they are; from now on, and in what is there. */
  unquotes(unquoting: Unquoting): void {
    this.#unquoting = unquoting;
    if (this.length === 0) {
      this.#follower = new PlaceFollower(unquoting.allowed);
      return;
    }
    this.#release();
    const text = this.#pending;
    // What has been taken is out of reach; nothing is while the name is unknown.
    if (text.length < this.length) return;
    this.#pending = this.#unquoted(text, unquoting.allowed);
    if (this.#pending === text) return;
    const { members, depth } = measureJson(this.#pending);
    this.members = members;
    this.maxDepth = depth;
    this.#value = undefined;
  }

  /** @param allowed what may stand there; undefined: that is not known */
  #unquoted(text: string, allowed: Allowed | undefined): string {
    const isContainer = text.startsWith("{") || text.startsWith("[");
    if (this.#unquoting === undefined || allowed === undefined || !isContainer) return text;
    const read = unquoteAll(text, { allowed, kinds: this.#unquoting.kinds });
    if (!read) return text;
    this.quoted.push(...read.kinds);
    return read.json;
  }

  /** The value is complete: whatever was pending belongs to it. */
  finish(): void {
    this.#release();
    if (this.#expected.length > this.#pending.length) this.contradicts = true;
  }

  beginObject(): void {
    this.#writeKey();
    const isFirst = this.length === 0 && this.#deferred === "";
    this.#beginValue("{");
    this.#known = isFirst ? {} : undefined;
    this.#follower?.open(true);
    this.#open();
  }

  endObject(): void {
    this.#follower?.close();
    this.#close("}");
  }

  beginArray(): void {
    this.#beginValue("[");
    this.#known = undefined;
    this.#follower?.open(false);
    this.#open();
  }

  endArray(): void {
    this.#follower?.close();
    this.#close("]");
  }

  beginString(_at: number, key: boolean): void {
    this.#writeKey();
    this.#piece = "";
    if (!key && this.#beginQuoted()) return this.#beginValue("");
    this.#beginValue('"');
    if (!key) return;
    this.#keyText = "";
    this.members++;
    this.#afterKey = true;
  }

  text(piece: string): void {
    const before = this.#piece;
    this.#piece = before === undefined || before.length > knownCharsMax ? undefined : before + piece;
    this.#add(mustEscape.test(piece) ? JSON.stringify(piece).slice(1, -1) : piece);
  }

  escaped(piece: string): void {
    this.#piece = undefined;
    this.#add(piece);
  }

  #add(piece: string): void {
    if (this.#quotedText !== undefined) {
      this.#quotedText += piece;
      return;
    }
    if (this.#follower && this.#afterKey) this.#keyText += piece;
    this.#pending += piece;
  }

  /** Where no string is allowed, a string may be another value in quotes. */
  #beginQuoted(): boolean {
    const place = this.#follower?.next();
    if (place === undefined || !refusesStrings(place)) return false;
    this.#quotedText = "";
    this.#quotedPlace = place;
    return true;
  }

  #endQuoted(text: string): void {
    this.#quotedText = undefined;
    const place = this.#quotedPlace as Allowed;
    const read = unquote(unescaped(text), place, (this.#unquoting as Unquoting).kinds);
    if (read === undefined) {
      this.#pending += `"${text}`;
      this.#deferred = '"';
      this.#known = undefined;
      return;
    }
    this.quoted.push(read.kind);
    this.#deferred = read.json;
    if (read.kind === "quoted-container") this.#count(read.json);
    if (this.#known) this.#learn(parseJson(read.json));
  }

  endString(): void {
    if (this.#quotedText !== undefined) return this.#endQuoted(this.#quotedText);
    if (this.#follower && this.#afterKey) this.#follower.key(unescaped(this.#keyText));
    this.#deferred = this.#afterKey ? '":' : '"';
    if (this.#afterKey) this.#key = this.#piece;
    else this.#learn(this.#piece);
  }

  literal(json: string): void {
    this.#beginValue("");
    this.#follower?.next();
    this.#deferred = json;
    if (this.#known) this.#learn(parseJson(json));
  }

  /** A whole value as JSON text, such as a parameter that was typed by its schema. */
  json(text: string): void {
    this.#beginValue("");
    this.#json(text, this.#follower?.next());
  }

  #json(text: string, allowed: Allowed | undefined): void {
    const json = this.#unquoted(text, allowed);
    this.#deferred = json;
    if (this.#known) this.#learn(parseJson(json));
    this.#count(json);
  }

  /** The same of a member of the arguments, whose value is known. */
  member({ json, value, members, depth }: PlainValue): void {
    this.#beginValue("");
    const allowed = this.#follower?.next();
    if (allowed !== undefined && typeof value === "object" && holdsRefusedString(value, allowed))
      return this.#json(json, allowed);
    this.#deferred = json;
    if (this.#known) this.#learn(value);
    this.members += members;
    this.maxDepth = Math.max(this.maxDepth, this.#fresh.length + depth);
  }

  #count(json: string): void {
    const { members, depth } = measureJson(json);
    this.members += members;
    this.maxDepth = Math.max(this.maxDepth, this.#fresh.length + depth);
  }

  /** A whole object that was read in one go. */
  whole({
    text,
    value,
    members,
    depth,
    blanks,
  }: Pick<JsonObject, "text" | "value" | "members" | "depth" | "blanks">): void {
    const allowed = this.length === 0 ? this.#unquoting?.allowed : undefined;
    // Of a key that is given twice one value is missing there.
    if (allowed !== undefined && (holdsRefusedString(value, allowed) || repeatsKey(members, countMembers(value)))) {
      this.json(blanks ? withoutBlanks(text) : text);
      return this.#release();
    }
    this.#beginValue("");
    this.#known = undefined;
    if (this.length === 0) this.#value = value;
    this.#pending += blanks ? withoutBlanks(text) : text;
    this.members += members;
    this.maxDepth = Math.max(this.maxDepth, this.#fresh.length + depth);
  }

  /** The value of the text, where it is known without reading the text again. */
  get value(): Readonly<Record<string, unknown>> | undefined {
    return this.#deferred === "" ? this.#value : undefined;
  }

  /** The value of the newest key; what is not known in one piece makes the whole unknown. */
  #learn(value: unknown): void {
    const [known, key] = [this.#known, this.#key];
    if (known === undefined || key === undefined || key === "__proto__" || value === undefined) this.#known = undefined;
    else known[key] = value;
  }

  /** The key of the next value: it is written when that begins. */
  holdKey(key: string): void {
    this.#pendingKey = key;
  }

  /** The value of the pending key comes later, if at all. */
  dropKey(): void {
    this.#pendingKey = undefined;
  }

  #writeKey(): void {
    const pending = this.#pendingKey;
    if (pending === undefined) return;
    this.#pendingKey = undefined;
    this.beginString(0, true);
    this.text(pending);
    this.endString();
  }

  /** @param opener what the text of the value begins with, as far as that is known */
  #beginValue(opener: string): void {
    this.#value = undefined;
    this.#writeKey();
    const deferred = this.#deferred;
    this.#deferred = "";
    let comma = "";
    if (this.#afterKey) this.#afterKey = false;
    else {
      const top = this.#fresh.length - 1;
      if (top >= 0 && !this.#fresh[top]) comma = ",";
      else if (top >= 0) this.#fresh[top] = false;
    }
    // Most values are strings after a key, or in a list: to join texts costs more than to compare them.
    if (opener === '"' && deferred === '":') this.#pending += '":"';
    else if (opener === '"' && deferred === '"' && comma !== "") this.#pending += '","';
    else this.#pending += deferred + comma + opener;
  }

  #open(): void {
    this.#fresh.push(true);
    if (this.#fresh.length > this.maxDepth) this.maxDepth = this.#fresh.length;
  }

  #close(closer: string): void {
    this.#release();
    this.#fresh.pop();
    this.#pending += closer;
    if (this.#fresh.length === 0) this.#value = this.#known;
  }

  #release(): void {
    if (this.#deferred === "") return;
    this.#pending += this.#deferred;
    this.#deferred = "";
  }
}
