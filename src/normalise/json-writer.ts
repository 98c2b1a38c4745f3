import type { JsonObject } from "../runtime/json-object.ts";
import { TextStore } from "../runtime/text-store.ts";
import type { ValueSink } from "../runtime/value-sink.ts";
import { measureJson, parseJson, withoutBlanks } from "./json-text.ts";

const writtenCharsMax = 8192;
/** What cannot stand in a JSON string as it is; half a surrogate pair is among it. */
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Writes one JSON value as compact JSON text while its tokens arrive. The text is what a call's deltas are made of, and
 * its parsed value is the call's arguments, so both agree whatever the wire format was.
 *
 * The end of a string, a number or a literal is held until the next token: only then it is certain that what follows it
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
  /** The members of the outermost object, while each came in one piece: then nobody has to read the text again. */
  #known: Record<string, unknown> | undefined;
  #key: string | undefined;
  /** The text of the string that is open, where it came in one piece. */
  #piece: string | undefined;
  readonly #fresh: boolean[] = [];
  /** What has been sent before the value was read again, and must come out again first. */
  #expected = "";
  /** The value was read again and says otherwise than what was sent. */
  contradicts = false;

  /** Characters written so far, without what is held. */
  get length(): number {
    return (this.#store?.end ?? 0) + this.#written.length + this.#pending.length;
  }

  /** The JSON text so far, without what is held. */
  get jsonText(): string {
    const stored = this.#store === undefined ? "" : this.#store.slice(0, this.#store.end);
    return stored + this.#written + this.#pending;
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
    return writer;
  }

  /** The value is complete: whatever was held belongs to it. */
  finish(): void {
    this.#release();
    if (this.#expected.length > this.#pending.length) this.contradicts = true;
  }

  beginObject(): void {
    this.#beginValue();
    this.#known = this.length === 0 ? {} : undefined;
    this.#open("{");
  }

  endObject(): void {
    this.#close("}");
  }

  beginArray(): void {
    this.#beginValue();
    this.#known = undefined;
    this.#open("[");
  }

  endArray(): void {
    this.#close("]");
  }

  beginString(_at: number, key: boolean): void {
    this.#beginValue();
    this.#pending += '"';
    this.#piece = "";
    if (!key) return;
    this.members++;
    this.#afterKey = true;
  }

  text(piece: string): void {
    this.#piece = this.#piece === "" ? piece : undefined;
    this.#pending += mustEscape.test(piece) ? JSON.stringify(piece).slice(1, -1) : piece;
  }

  escaped(piece: string): void {
    this.#piece = undefined;
    this.#pending += piece;
  }

  endString(): void {
    this.#deferred = this.#afterKey ? '":' : '"';
    if (this.#afterKey) this.#key = this.#piece;
    else this.#learn(this.#piece);
  }

  literal(json: string): void {
    this.#beginValue();
    this.#deferred = json;
    if (this.#known) this.#learn(parseJson(json));
  }

  /** A whole value as JSON text, such as a parameter that was typed by its schema. */
  json(text: string): void {
    this.literal(text);
    const { members, depth } = measureJson(text);
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
    this.#beginValue();
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

  #beginValue(): void {
    this.#value = undefined;
    this.#release();
    if (this.#afterKey) {
      this.#afterKey = false;
      return;
    }
    const top = this.#fresh.length - 1;
    if (top < 0) return;
    if (this.#fresh[top]) this.#fresh[top] = false;
    else this.#pending += ",";
  }

  #open(opener: string): void {
    this.#pending += opener;
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
