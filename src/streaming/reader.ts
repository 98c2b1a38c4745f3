import { ArgumentsReader } from "../normalise/arguments-reader.ts";
import { Candidate } from "../normalise/candidate.ts";
import { decodeEntity } from "../normalise/entity.ts";
import { parseJson } from "../normalise/json-text.ts";
import { JsonWriter } from "../normalise/json-writer.ts";
import { mayRepeat, readMarkup } from "../normalise/markup.ts";
import { type PayloadOwner, PayloadReader } from "../normalise/payload-reader.ts";
import { decodePythonEscape, pythonNumberToJson } from "../normalise/python-literal.ts";
import { propertySchema, schemaAt } from "../normalise/schema-walk.ts";
import { endsInBrokenCloser, hasStrayCloser } from "../normalise/stray-closer.ts";
import { type TextType, textTypeOf } from "../normalise/text-type.ts";
import { inferText, typeText } from "../normalise/type-text.ts";
import { expectedAt } from "../runtime/expected.ts";
import type { FormatData, PayloadKeys } from "../runtime/format.ts";
import { type Hints, Machine } from "../runtime/machine.ts";
import { type ReadyProgram, readyProgram } from "../runtime/program.ts";
import type { RejectionReason } from "../runtime/reasons.ts";
import type { Repair } from "../runtime/repairs.ts";
import { repairRoleBase, roleCodes as role, variantShift, wholeObjectRole } from "../runtime/roles.ts";
import { TextStore } from "../runtime/text-store.ts";
import type { JsonSchema } from "../runtime/types.ts";
import type { ValueSink } from "../runtime/value-sink.ts";

/** Reads a damaged payload; what the recovery room offers, as far as the driver needs it. */
export interface PayloadRecovery {
  push(chunk: string): void;
  finish(final: boolean): void;
  readonly state: "reading" | "done" | "failed";
  readonly end: number;
  readonly repairs: readonly Repair[];
  readonly closersMissing: number;
  readonly endedBy: "value" | "marker" | "end-of-text";
  readonly failure: { at: number; message: string } | undefined;
  /** What has been told to the sink is no longer how the text should be read. */
  readonly contradicts: boolean;
}

type Path = readonly (string | number)[];

/** What a place of the payload may hold: the keys of the envelope, or a place of the arguments' schema. */
export type PayloadPlace = { keys: ReadonlySet<string> } | { schema: JsonSchema; path: Path } | undefined;

export interface RecoveryOptions {
  /** Offset of the first character fed. */
  base: number;
  /** Literals that may follow the payload and are no part of it. */
  ends: readonly string[];
  placeAt(path: Path): PayloadPlace;
}

export type MakeRecovery = (sink: ValueSink, options: RecoveryOptions) => PayloadRecovery;

/** What happens to the findings of a {@link Reader}. Spans are offsets of the text that was passed, prefill not counted. */
export interface ReaderOwner {
  /** Content or reasoning; pieces of one run follow each other. */
  text(kind: "content" | "reasoning", piece: string, start: number): void;
  /** A call begins here, for certain. */
  blockBegins?(): void;
  /** Behind a call stands a closer that nothing opened. */
  leftover?(): void;
  /** Outside of every call again. */
  settled?(position: number): void;
  /** A run of content or reasoning has ended. */
  textEnd(kind: "content" | "reasoning", start: number, end: number): void;
  /** Whether a candidate of this name may start now, and its deltas go out. */
  mayStart(candidate: Candidate): boolean;
  start(candidate: Candidate): void;
  delta(candidate: Candidate, text: string): void;
  /** A candidate is complete: the owner says what becomes of it. */
  end(candidate: Candidate, chars: number): void;
  /** A candidate is damaged or cut. */
  refused(candidate: Candidate): void;
  /** Calls that no marker opens follow; they wait for the end. */
  beginBare(): void;
  /** Those calls are judged; false: none passed, so their text is content. */
  endBare(): boolean;
  /** Looks like a call, stays text. */
  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void;
  /** How a parameter of a tool is typed when it arrives as text; undefined in phase one alone. */
  parameterType(name: string, key: string): TextType | undefined;
  /** The schema of a tool; undefined: unknown. */
  schemaOf(name: string): JsonSchema | undefined;
}

export interface ReaderOptions {
  format: FormatData;
  owner: ReaderOwner;
  hints: Hints;
  prefill?: string | undefined;
  marker?: string | undefined;
  recovery?: MakeRecovery | undefined;
  /** The text is shared with other readers, who append to it; this one begins at `from`, `joined` in the middle. */
  shared?: { store: TextStore; from: number; prefillEnd: number; joined: boolean } | undefined;
  /** A program made for the occasion, in place of the format's. */
  program?: ReadyProgram | undefined;
}

const plainMarkup = { prefix: "", entities: false };
const notBlank = /\S/;
const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
/** Text that is no longer needed is let go in stretches of this length. */
const releasedChars = 8192;
/** Longer damage is reported without what was expected there. */
const explainedCharsMax = 65536;

interface OpenRole {
  code: number;
  start: number;
  /** Up to where its text has been passed on. */
  at: number;
}

/** One block of the role `Call`. */
interface Block {
  start: number;
  variant: string | undefined;
  /** Where the payload or the arguments begin. */
  valueStart: number;
  kind: "members" | "payload" | "arguments";
  /** The candidate that is being read, or has been read and is not yet certain. */
  candidate: Candidate | undefined;
  pending: Candidate | undefined;
  /** Up to where the elements of a list have been dealt with, and up to where they have been read. */
  deliveredEnd: number;
  takenEnd: number;
  listed: boolean;
  failed: boolean;
}

/**
 * Drives the machine over a text and turns its capture log into content, reasoning and candidates: phase one, the same
 * steps for whole texts and streams. It decides nothing: what may start and what may run is its owner's.
 */
export class Reader {
  readonly #format: FormatData;
  readonly #program: ReadyProgram;
  readonly #owner: ReaderOwner;
  readonly #makeRecovery: MakeRecovery | undefined;
  readonly #store: TextStore;
  readonly #isShared: boolean;
  readonly #prefillEnd: number;
  readonly #hints: Hints;
  machine: Machine;
  #stepsBefore = 0;

  readonly #roles: OpenRole[] = [];
  #block: Block | undefined;
  #payload: PayloadReader | undefined;
  #sink: ValueSink | undefined;
  #recovery: PayloadRecovery | undefined;
  /** Text of the role that is collected before it is used: a name, a key, a number, a typed value. */
  #captured = "";
  #key = "";
  /** Keys and indices of the containers that are open inside the value of a parameter. */
  #path: (string | number)[] = [];
  #type: TextType | undefined;
  #streams = false;
  /** Where the newest value of a parameter stands. */
  #valueStart = 0;
  #valueEnd = 0;
  /** The grammar has ended or failed: the rest of the text is content. */
  #isPlain = false;
  #plainFrom = 0;
  /** Damage that no loop of the grammar can go on behind: the rest belongs to the refused call. */
  #isLost = false;

  #runKind: "content" | "reasoning" | undefined;
  #runStart = 0;
  #runEnd = 0;
  #runSent = 0;
  #runBlank = true;

  /** Calls of a list that are complete before the list is: they wait for its end. */
  #held: { standsWhenCut: boolean; candidates: Candidate[] } | undefined;

  /** The text ended inside a call. */
  truncated = false;
  /** The text has ended, and nobody said that it is whole. */
  #mayBeCut = false;

  /** Where one of several formats may begin: reading has stopped there. */
  trigger: { start: number; end: number } | undefined;
  #triggerAt = -1;

  constructor(options: ReaderOptions) {
    this.#format = options.format;
    this.#program = options.program ?? readyProgram(options.format.program, options.marker);
    this.#owner = options.owner;
    this.#hints = options.hints;
    this.#makeRecovery = options.recovery;
    const { shared, prefill = "" } = options;
    this.#store = shared?.store ?? new TextStore();
    this.#isShared = shared !== undefined;
    this.#prefillEnd = shared?.prefillEnd ?? prefill.length;
    this.machine = this.#machineAt(shared?.from, shared?.joined ?? false);
    this.machine.isDriven = true;
    if (shared) this.#advance(false, false);
    else if (prefill !== "") this.push(prefill);
  }

  /** Characters looked at so far. */
  get steps(): number {
    return this.#stepsBefore + this.machine.steps;
  }

  /** The candidate that is open, for a look at what is known of it. */
  get open(): Candidate | undefined {
    return this.#block?.candidate ?? this.#block?.pending;
  }

  #releaseAt = releasedChars;

  /** Reads a chunk. */
  push(chunk: string): void {
    if (chunk === "") return;
    if (!this.#isShared) this.#store.append(chunk);
    if (this.#recovery) this.#recovery.push(chunk);
    else if (!this.#isPlain) this.machine.feed(chunk);
    this.#advance(false, false);
    if (this.#isShared || this.#store.end < this.#releaseAt) return;
    this.#store.release(this.neededFrom);
    this.#releaseAt = this.#store.end + releasedChars;
  }

  /** No more text comes. `whole`: the model said so itself, so the end of the text may end a number. */
  end(whole: boolean): void {
    if (this.#recovery) this.#recovery.finish(whole);
    this.#advance(true, whole);
    this.#endRun();
  }

  #advance(final: boolean, whole: boolean): void {
    this.#mayBeCut = final && !whole;
    for (;;) {
      if (this.#isPlain) {
        this.#text("content", this.#plainFrom, this.#store.end);
        this.#plainFrom = this.#store.end;
        return;
      }
      if (this.#recovery) {
        if (this.#recovery.state === "reading") break;
        this.#endRecovery(this.#recovery);
      }
      if (this.#isLost) {
        if (!final) return;
        this.#isLost = false;
        this.#endDamage(this.#store.end);
        this.#becomePlain(this.#store.end);
        return;
      }
      const status = this.machine.run(final);
      this.#drain();
      if (status === "paused") continue;
      if (status === "starved") break;
      if (status === "done") this.#becomePlain(this.machine.position);
      else this.#damage(final, whole);
      if (this.trigger) break;
    }
    this.#partialText();
    this.#sendDelta();
  }

  #becomePlain(from: number): void {
    this.#isPlain = true;
    this.#plainFrom = from;
  }

  /** Text before this offset is no longer asked for: the open block, undecided text, text of the open run are. */
  get neededFrom(): number {
    let keep = Math.min(this.machine.safePosition, this.machine.position) - 8;
    if (this.#isPlain) keep = this.#plainFrom;
    if (this.#block) keep = Math.min(keep, this.#block.start);
    if (this.#runKind && this.#runBlank) keep = Math.min(keep, this.#runStart);
    else if (this.#runKind) keep = Math.min(keep, this.#runSent);
    for (const open of this.#roles) if (this.#collects(open.code)) keep = Math.min(keep, open.at);
    return keep;
  }

  #slice(start: number, end: number): string {
    return this.machine.windowSlice(start, end) ?? this.#store.slice(start, end);
  }

  // ----- The capture log -----

  #drain(): void {
    const { machine } = this;
    const safe = machine.safeLog;
    if (safe === 0) return;
    const { log } = machine;
    for (let at = 0; at < safe; at += 2) {
      const entry = log[at];
      if (entry & 1) this.#close(entry >> 1, log[at + 1]);
      else this.#openRole(entry >> 1, log[at + 1]);
    }
    machine.dropLog(safe);
  }

  /** Passes on what is certain of a text that is still open. */
  #partialText(): void {
    const open = this.#roles[this.#roles.length - 1];
    if (!open) return;
    const safe = this.machine.safePosition;
    // Half a surrogate pair waits for its partner.
    if (safe <= open.at) return;
    const half = isHighSurrogate(this.machine.unitBefore(safe) ?? this.#slice(safe - 1, safe).charCodeAt(0));
    this.#pass(open, half ? safe - 1 : safe);
  }

  /** Whether a role wants its text when it closes, rather than piece by piece. */
  #collects(code: number): boolean {
    if (code === role.Tag || (code >= role.StringText && code <= role.Body)) return true;
    return (
      (code >= role.Name && code <= role.Key) || (code >= role.Text && code <= role.PythonNumber) || code >= role.Escape
    );
  }

  /** Hands over the text of an open role up to an offset. */
  #pass(open: OpenRole, end: number): void {
    const start = open.at;
    if (end <= start) return;
    open.at = end;
    switch (open.code) {
      case role.Content:
      case role.Quoted:
      case role.Lone:
      case role.Leftover:
        return this.#text("content", start, end);
      case role.Reasoning:
        return this.#text("reasoning", start, end);
      case role.String:
      case role.JsonKey:
        return this.#sink?.escaped(this.#slice(start, end));
      case role.Verbatim:
      case role.Text:
      case role.StringText:
      case role.Markup:
        return this.#value(open.code, this.#slice(start, end));
      case role.OnlyText:
        return this.#sink?.text(this.#slice(start, end));
      case role.Tag:
      case role.Body:
      case role.Name:
      case role.Id:
      case role.Key:
      case role.JsonText:
      case role.Number:
      case role.PythonNumber:
        this.#captured += this.#slice(start, end);
        return;
    }
  }

  /** Decoded text of a value. */
  #value(code: number, piece: string): void {
    const typed = code === role.Text || code === role.StringText || code === role.Markup;
    if (code === role.Verbatim || (typed && this.#streams)) this.#sink?.text(piece);
    else this.#captured += piece;
  }

  #openRole(code: number, at: number): void {
    const parent = this.#roles[this.#roles.length - 1];
    // What stands before: inside a text, what an escape covers is not passed on as it stands.
    if (parent) this.#pass(parent, at);
    this.#roles.push({ code, start: at, at });
    switch (code & 0xff) {
      case role.Call:
        return this.#beginBlock(code, at);
      case role.Trigger:
        this.#triggerAt = at;
        return;
      case role.Bare:
        return this.#owner.beginBare();
      case role.List:
      case role.Group:
        this.#held = { standsWhenCut: code === role.Group, candidates: [] };
        return;
      case role.Payload:
        return this.#beginPayload(at);
      case role.Arguments:
        return this.#beginArguments(at);
      case role.Object:
        this.#enter("");
        return this.#sink?.beginObject(at);
      case role.Array:
        this.#enter(-1);
        return this.#sink?.beginArray(at);
      case role.JsonKey:
        return this.#sink?.beginString(at, true);
      case role.String:
      case role.Verbatim:
        this.#beginItem();
        return this.#sink?.beginString(at, false);
      case role.Text:
      case role.StringText:
        return this.#beginText(code, at);
      case role.Markup:
        return this.#beginMarkup(at);
      case role.OnlyText:
        return this.#beginOnlyText(at);
      case role.Tag:
      case role.Body:
      case role.Name:
      case role.Id:
      case role.Key:
      case role.JsonText:
      case role.Number:
      case role.PythonNumber:
        this.#captured = "";
        return;
    }
  }

  #close(code: number, at: number): void {
    const open = this.#roles.pop() as OpenRole;
    if (code < role.Escape) this.#pass(open, at);
    if (this.#isParameterText(code)) this.#noteValue(open.start, at);
    const parent = this.#roles[this.#roles.length - 1];
    switch (code & 0xff) {
      case role.Draft: {
        const quoted = parent.code === role.Quoted;
        const message = quoted ? "an opener in quoted text is no call" : "an opener inside reasoning is no call";
        this.#list(quoted ? "quoted" : "in-reasoning", message, open.start, at);
        return;
      }
      case role.Leftover:
        return this.#owner.leftover?.();
      case role.Lone:
        this.#list("malformed", "an opener without a call behind it is text", open.start, at);
        return;
      case role.Call:
        return this.#endBlock(at);
      case role.Bare:
        if (!this.#owner.endBare()) this.#text("content", open.start, at);
        return;
      case role.List:
      case role.Group:
        return this.#endHeld();
      case role.Damaged:
        return this.#endDamage(at);
      case role.Settled:
        return this.#owner.settled?.(at);
      case role.Payload:
        return this.#endPayload();
      case role.Arguments:
        this.#sink = this.#block?.candidate?.writer;
        return;
      case wholeObjectRole:
        return this.#wholeObject(open.start);
      case role.Object:
        this.#path.pop();
        return this.#sink?.endObject(at);
      case role.Array:
        this.#path.pop();
        return this.#sink?.endArray(at);
      case role.JsonKey:
      case role.String:
      case role.Verbatim:
        return this.#sink?.endString(at);
      case role.Text:
      case role.StringText:
        return this.#endText(at);
      case role.Markup:
        return this.#endMarkup(at);
      case role.Tag:
        this.#beginMembers(this.#candidate(open.start));
        this.#key = this.#captured;
        return;
      case role.Body:
        return this.#endBody(open.start, at);
      case role.OnlyText:
        return this.#endOnlyText(at);
      case role.Name:
        this.#candidate(open.start).name ??= this.#captured.trim();
        return;
      case role.Id:
        // A name may stand inside, and has then been captured by itself.
        this.#candidate(open.start).wireId ??= this.#slice(open.start, at).trim();
        return;
      case role.Key:
        return this.#endKey(open.start, at);
      case role.JsonText:
        return this.#endJsonText(open.start, at);
      case role.Number:
        return this.#sink?.literal(this.#captured, open.start, at);
      case role.PythonNumber:
        return this.#endPythonNumber(open.start, at);
      case role.True:
        return this.#sink?.literal("true", open.start, at);
      case role.False:
        return this.#sink?.literal("false", open.start, at);
      case role.Null:
        return this.#sink?.literal("null", open.start, at);
      case role.Escape:
        parent.at = at;
        if (parent.code === role.String || parent.code === role.JsonKey)
          this.#sink?.escaped(this.#slice(open.start, at));
        else this.#value(parent.code, JSON.parse(`"${this.#slice(open.start, at)}"`) as string);
        return;
      case role.PythonEscape:
        parent.at = at;
        return this.#value(parent.code, decodePythonEscape(this.#slice(open.start, at)));
      case role.Entity:
        parent.at = at;
        // Between tags they are decoded when it is known what is a tag.
        if (parent.code === role.Markup && !this.#streams) this.#captured += this.#slice(open.start, at);
        else this.#value(parent.code, decodeEntity(this.#slice(open.start, at)));
        return;
      case role.Mute:
        parent.at = at;
        return;
      case role.Undeclared:
        if (!this.#hints.takesFurther?.(this.#block?.candidate?.name ?? "")) this.#refuseAmbiguous();
        return;
      case role.Ambiguous:
        return this.#refuseAmbiguous();
    }
    if (code < repairRoleBase) return;
    const kind = this.#format.program.repairs[code - repairRoleBase];
    const candidate = this.#block?.candidate ?? this.#block?.pending;
    candidate?.repair({ kind, level: "safe", ...this.#span(open.start, at) });
    if (kind === "missing-value-closer") this.#checkStrays(candidate);
  }

  #refuseAmbiguous(): void {
    this.#block?.candidate?.refuse("ambiguous", "the text of the call can be read in two ways");
  }

  #noteValue(start: number, end: number): void {
    this.#valueStart = start;
    this.#valueEnd = end;
    const candidate = this.#block?.candidate;
    if (candidate?.repairs.some(({ kind }) => kind === "missing-value-closer")) this.#checkStrays(candidate);
  }

  /** A closer is missing somewhere: a closing tag that nothing opened leaves two readings of where. */
  #checkStrays(candidate: Candidate | undefined): void {
    const value = this.#slice(this.#valueStart, this.#valueEnd);
    if (!hasStrayCloser(value) && !endsInBrokenCloser(value, [...this.#program.strings, this.#key])) return;
    candidate?.refuse("ambiguous", "a parameter is not closed, and its text holds a closing tag of something else");
  }

  #span(start: number, end: number): { start: number; end: number } {
    return { start: Math.max(0, start - this.#prefillEnd), end: Math.max(0, end - this.#prefillEnd) };
  }

  #list(reason: RejectionReason, message: string, start: number, end: number): void {
    const span = this.#span(start, end);
    if (span.end === span.start) return;
    this.#owner.listed(reason, message, { ...span, raw: this.#slice(Math.max(start, this.#prefillEnd), end) });
  }

  // ----- Text -----

  /** White space alone is framing, so the blanks that begin a run are held until something else comes. */
  #text(kind: "content" | "reasoning", from: number, end: number): void {
    const start = Math.max(from, this.#prefillEnd);
    if (start >= end) return;
    if (kind !== this.#runKind || start !== this.#runEnd) {
      this.#endRun();
      this.#runKind = kind;
      this.#runStart = this.#runSent = start;
      this.#runBlank = true;
    }
    this.#runEnd = end;
    if (this.#runBlank && notBlank.test(this.#slice(start, end))) this.#runBlank = false;
    if (this.#runBlank) return;
    let piece = this.#slice(this.#runSent, end);
    // Half a surrogate pair waits for its partner.
    if (isHighSurrogate(piece.charCodeAt(piece.length - 1))) piece = piece.slice(0, -1);
    this.#runSent += piece.length;
    if (piece !== "") this.#owner.text(kind, piece, this.#runSent - piece.length - this.#prefillEnd);
  }

  #machineAt(from: number | undefined, joined: boolean): Machine {
    const fetch = (start: number) => this.#store.slice(start, this.#store.end);
    return new Machine(this.#program, this.#hints, this.#prefillEnd, fetch, from, joined);
  }

  /** Goes on behind a trigger, at `from`; `isText`: the trigger itself is content. */
  goOnAt(from: number, isText: boolean): void {
    const { start, end } = this.trigger as { start: number; end: number };
    this.trigger = undefined;
    this.#triggerAt = -1;
    this.#roles.length = 0;
    if (isText) this.#text("content", start, end);
    this.#stepsBefore += this.machine.steps;
    this.machine = this.#machineAt(from, true);
    this.#advance(false, false);
  }

  /** The run of text that is open ends here. */
  endText(): void {
    this.#endRun();
  }

  #endRun(): void {
    const kind = this.#runKind;
    this.#runKind = undefined;
    if (kind === undefined || this.#runBlank) return;
    if (this.#runSent < this.#runEnd) {
      this.#owner.text(kind, this.#slice(this.#runSent, this.#runEnd), this.#runSent - this.#prefillEnd);
    }
    const { start, end } = this.#span(this.#runStart, this.#runEnd);
    this.#owner.textEnd(kind, start, end);
  }

  // ----- Calls -----

  #beginBlock(code: number, at: number): void {
    this.#endRun();
    this.#owner.blockBegins?.();
    const variant = code >> variantShift;
    this.#block = {
      start: at,
      variant: variant ? this.#format.program.variants[variant - 1] : undefined,
      valueStart: at,
      kind: "members",
      candidate: undefined,
      pending: undefined,
      deliveredEnd: at,
      takenEnd: at,
      listed: false,
      failed: false,
    };
    this.#sink = undefined;
    this.#path.length = 0;
    this.#streams = false;
    this.#repeated.clear();
  }

  /** The candidate of a block whose name stands outside the payload. */
  #candidate(at: number): Candidate {
    const block = this.#block as Block;
    block.candidate ??= new Candidate(block.start, block.variant);
    block.candidate.end = at;
    return block.candidate;
  }

  #beginPayload(at: number): void {
    const block = this.#block as Block;
    block.kind = "payload";
    block.valueStart = at;
    this.#payload = this.#newPayload(block, 0);
    this.#sink = this.#payload;
  }

  /** An object that was read in one go: what its parts would have said, one after another. */
  #wholeObject(start: number): void {
    const object = this.machine.takeObject(start);
    if (this.#block?.kind === "payload") this.#payload?.whole(object);
    else this.#block?.candidate?.writer.whole(object);
  }

  /** `done`: what begins before has been delivered already, and is passed over. */
  #newPayload(block: Block, done: number): PayloadReader {
    this.#payloadBlock = block;
    this.#payloadDone = done;
    const { keys, flags } = this.#format;
    return new PayloadReader(keys, this.#payloadOwner, flags.includes("arguments-required"));
  }

  /** The block whose payload is read, and up to where it has been dealt with before. */
  #payloadBlock: Block | undefined;
  #payloadDone = 0;
  #lazyPayloadOwner: PayloadOwner | undefined;

  get #payloadOwner(): PayloadOwner {
    this.#lazyPayloadOwner ??= {
      beginItem: (at, listed) => {
        const block = this.#payloadBlock as Block;
        block.listed = listed;
        if (at < this.#payloadDone) return undefined;
        // Read again: the same candidate goes on, so that what has been sent stays true.
        const again = this.#rereading;
        this.#rereading = undefined;
        const isFirst = !listed && block.takenEnd === block.start;
        const candidate = again ?? new Candidate(isFirst ? block.start : at, block.variant);
        if (!listed && !again) candidate.outerName = block.candidate?.name;
        block.candidate = candidate;
        return candidate;
      },
      ready: (candidate) => this.#ready(candidate),
      endItem: (candidate, at) => {
        const block = this.#payloadBlock as Block;
        candidate.end = at;
        block.candidate = undefined;
        block.pending = candidate;
      },
      confirmItem: () => this.#confirm(this.#payloadBlock as Block),
      span: (start, end) => this.#span(start, end),
      strayItem: (start, end) => {
        const block = this.#payloadBlock as Block;
        this.#confirm(block);
        if (start < this.#payloadDone || (!block.listed && (block.candidate ?? block.pending))) return;
        const stray = new Candidate(start, block.variant);
        stray.end = end;
        stray.refuse("malformed", "an element of the list is no object, so it is no call");
        if (this.#recovery) this.#wait(block, stray);
        else this.#deliver(block, stray);
      },
    };
    return this.#lazyPayloadOwner;
  }

  /** The candidate that is being read again. */
  #rereading: Candidate | undefined;

  #beginArguments(at: number): void {
    const block = this.#block as Block;
    const candidate = this.#candidate(at);
    block.kind = "arguments";
    block.valueStart = at;
    candidate.hasArguments = true;
    this.#ready(candidate);
    this.#sink = this.#argumentsSink(candidate);
  }

  #argumentsSink(candidate: Candidate): ArgumentsReader {
    return new ArgumentsReader(candidate, (start, end) => this.#span(start, end));
  }

  #endPayload(): void {
    const block = this.#block as Block;
    this.#sink = undefined;
    if (block.listed) this.#confirm(block);
  }

  /** A listed candidate is complete when what follows it is legal. */
  #confirm(block: Block): void {
    const { pending } = block;
    if (!pending || !block.listed || this.#recovery) {
      if (pending && this.#recovery && block.listed) this.#wait(block, pending);
      if (this.#recovery) block.pending = undefined;
      return;
    }
    block.pending = undefined;
    this.#deliver(block, pending);
  }

  /** Candidates that recovery has read; they wait until its verdict on the closers is known. */
  #waiting: Candidate[] = [];

  #wait(block: Block, candidate: Candidate): void {
    this.#waiting.push(candidate);
    block.takenEnd = candidate.end;
  }

  #deliver(block: Block, candidate: Candidate): void {
    block.deliveredEnd = block.takenEnd = candidate.end;
    this.#finish(candidate);
  }

  #endBlock(at: number): void {
    const block = this.#block as Block;
    const candidate = block.candidate ?? block.pending;
    block.candidate = block.pending = undefined;
    this.#block = undefined;
    if (!candidate) return;
    if (block.kind === "members") this.#endMembers(candidate);
    candidate.end = at;
    this.#finish(candidate);
  }

  /** A complete candidate goes to the owner, whole. */
  #finish(candidate: Candidate): void {
    const { writer } = candidate;
    if (!candidate.hasArguments || writer.length === 0) {
      candidate.writer = emptyObject(candidate.writer);
    } else writer.finish();
    if (candidate.problem === undefined && !candidate.started) this.#ready(candidate);
    this.#flush(candidate);
    this.#place(candidate);
    if (this.#held) this.#held.candidates.push(candidate);
    else this.#settle(candidate);
  }

  #settle(candidate: Candidate): void {
    if (candidate.problem) this.#owner.refused(candidate);
    else this.#owner.end(candidate, candidate.end - candidate.start);
  }

  /** The list has ended as a list should. */
  #endHeld(): void {
    const candidates = this.#held?.candidates ?? [];
    this.#held = undefined;
    for (const candidate of candidates) this.#settle(candidate);
  }

  /** The list is damaged or cut: the calls before share its fate, unless they could stand without it. */
  #breakHeld(isCut: boolean): void {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const { candidates } = held;
    // What is known of the open call goes out first, as it would have in smaller chunks.
    this.#sendDelta();
    if (isCut && held.standsWhenCut) {
      for (const candidate of candidates) this.#settle(candidate);
      if (!this.#block) this.#beginBlock(role.Call, candidates.at(-1)?.end ?? this.machine.position);
      return;
    }
    // Damage behind the last call is that call's, so that it is listed with its text.
    if (!this.#block && candidates.length > 0) {
      const last = candidates.pop() as Candidate;
      this.#beginBlock(role.Call, last.start);
      (this.#block as unknown as Block).candidate = last;
    }
    for (const candidate of candidates) {
      candidate.refuse(isCut ? "truncated" : "malformed", "the list it stands in is not complete, so none of it runs");
      this.#owner.refused(candidate);
    }
  }

  /** Offsets of a finished candidate become offsets of the text that was passed. */
  #place(candidate: Candidate): void {
    const { start, end } = this.#span(candidate.start, candidate.end);
    candidate.placed = { start, end, raw: this.#slice(Math.max(candidate.start, this.#prefillEnd), candidate.end) };
  }

  #ready(candidate: Candidate): void {
    // What stands before it goes out first.
    if (this.#recovery && this.#waiting.length > 0) return;
    if (candidate.started || candidate.problem || !this.#owner.mayStart(candidate)) return;
    candidate.started = true;
    this.#owner.start(candidate);
  }

  /** A candidate that was not to start before may start now. */
  retryStart(): void {
    const candidate = this.#block?.candidate;
    if (candidate?.hasArguments && candidate.name !== undefined) this.#ready(candidate);
    this.#sendDelta();
  }

  #sendDelta(): void {
    const candidate = this.#block?.candidate;
    if (candidate) this.#flush(candidate);
  }

  #flush(candidate: Candidate): void {
    if (!candidate.started || candidate.holds) return;
    const delta = candidate.writer.take();
    if (delta !== "" && !candidate.writer.contradicts) this.#owner.delta(candidate, delta);
  }

  // ----- Parameters given one by one -----

  #beginMembers(candidate: Candidate): JsonWriter {
    if (!candidate.hasArguments) {
      candidate.hasArguments = true;
      candidate.writer.beginObject();
      this.#ready(candidate);
    }
    this.#sink = candidate.writer;
    return candidate.writer;
  }

  #endMembers(candidate: Candidate): void {
    for (const [key, texts] of this.#repeated) this.#writeMarkup(candidate, key, texts);
    this.#repeated.clear();
    if (candidate.hasArguments) candidate.writer.endObject();
  }

  #endKey(start: number, at: number): void {
    const block = this.#block as Block;
    if (block.kind === "members") this.#beginMembers(this.#candidate(start));
    const key = this.#captured.trim();
    if (this.#path.length > 0) this.#path[this.#path.length - 1] = key;
    else this.#key = key;
    this.#writeKey(key, start, at);
  }

  #writeKey(key: string, start: number, at: number): void {
    this.#sink?.beginString(start, true);
    this.#sink?.text(key);
    this.#sink?.endString(at);
  }

  /** A value begins; inside an array it has a place of its own. */
  #beginItem(): void {
    const top = this.#path[this.#path.length - 1];
    if (typeof top === "number") this.#path[this.#path.length - 1] = top + 1;
  }

  #enter(first: string | number): void {
    if (this.#block?.kind !== "members") return;
    this.#beginItem();
    this.#path.push(first);
  }

  #isParameterText(code: number): boolean {
    if (code === role.JsonText || code === role.Verbatim) return true;
    return code === role.Text || code === role.StringText || code === role.Markup;
  }

  #typeHere(): TextType | undefined {
    const name = this.#block?.candidate?.name;
    if (name === undefined) return undefined;
    if (this.#path.length === 0) return this.#owner.parameterType(name, this.#key);
    const root = this.#owner.schemaOf(name);
    return root === undefined ? undefined : textTypeOf(schemaAt(root, [this.#key, ...this.#path]), root);
  }

  #beginText(code: number, at: number): void {
    this.#captured = "";
    this.#beginItem();
    this.#type = this.#typeHere();
    this.#streams = this.#type?.streams ?? false;
    // What the wire calls a string is one, where no schema says otherwise.
    if (code === role.StringText && (this.#type === undefined || this.#type.inferred)) this.#streams = true;
    if (this.#streams) this.#sink?.beginString(at, false);
  }

  #endText(at: number): void {
    if (this.#streams) return this.#sink?.endString(at);
    const candidate = this.#block?.candidate;
    if (this.#type === undefined || this.#type.inferred) return this.#json(inferText(this.#captured));
    const typed = typeText(this.#captured, this.#type);
    if ("json" in typed) {
      for (const kind of typed.repairs ?? []) candidate?.repair({ kind, level: "safe", ...this.#span(at, at) });
      return this.#json(typed.json);
    }
    candidate?.refuse("type-mismatch", `the value of "${this.#key}": ${typed.mismatch}`);
    this.#json("null");
  }

  // ----- Parameters that are tags -----

  /** Texts of parameters that may be given again; they go out when the call ends. */
  readonly #repeated = new Map<string, string[]>();

  #beginMarkup(at: number): void {
    this.#captured = "";
    this.#type = this.#typeHere();
    this.#streams = this.#type?.streams ?? false;
    if (!this.#streams) return;
    this.#writeKey(this.#key, at, at);
    this.#sink?.beginString(at, false);
  }

  #endMarkup(at: number): void {
    if (this.#streams) {
      this.#sink?.endString(at);
      const { prefix = "" } = this.#format.markup ?? {};
      if (prefix === "" || !this.#slice(this.#valueStart, at).includes(prefix)) return;
      this.#block?.candidate?.refuse("type-mismatch", `the value of "${this.#key}" is a string, and holds tags`);
    } else if (mayRepeat(this.#type)) {
      const before = this.#repeated.get(this.#key);
      if (before) before.push(this.#captured);
      else this.#repeated.set(this.#key, [this.#captured]);
    } else this.#writeMarkup(this.#candidate(at), this.#key, [this.#captured]);
  }

  #writeMarkup(candidate: Candidate, key: string, texts: readonly string[]): void {
    const root = candidate.name === undefined ? undefined : this.#owner.schemaOf(candidate.name);
    const schema = root === undefined ? undefined : propertySchema(root, root, key);
    const value = readMarkup(texts, schema, root ?? true, this.#format.markup ?? plainMarkup);
    if ("mismatch" in value) {
      candidate.refuse(value.tooDeep ? "too-deep" : "type-mismatch", `the value of "${key}": ${value.mismatch}`);
    }
    this.#sink = candidate.writer;
    this.#writeKey(key, this.#valueStart, this.#valueEnd);
    candidate.writer.json("json" in value ? value.json : "null");
  }

  /** The arguments are written in another language: the format brings who reads it. */
  #endBody(start: number, at: number): void {
    const candidate = this.#candidate(at);
    candidate.hasArguments = true;
    const root = candidate.name === undefined ? undefined : this.#owner.schemaOf(candidate.name);
    const { readBody } = this.#format;
    const body = readBody?.(this.#captured, root) ?? { problem: "the format brings no reader for its body" };
    (this.#block as Block).kind = "arguments";
    if ("problem" in body) {
      candidate.refuse(body.reason ?? "malformed", body.problem);
      return;
    }
    this.#ready(candidate);
    candidate.writer.json(body.json);
    candidate.writer.finish();
    for (const kind of body.repairs ?? []) candidate.repair({ kind, level: "safe", ...this.#span(start, at) });
  }

  /** A tool that takes one text needs no key. Without a name, the format says which tools are meant. */
  #beginOnlyText(at: number): void {
    const candidate = this.#candidate(at);
    const { names, keysOf } = this.#hints;
    const { unnamed = [] } = this.#format;
    candidate.name ??= unnamed.find((name) => names?.includes(name)) ?? unnamed[0];
    const name = candidate.name ?? "";
    const keys = [...(keysOf(name) ?? [])];
    if (keys.length === 1 && this.#owner.parameterType(name, keys[0])?.streams) {
      this.#beginMembers(candidate);
      this.#sink?.beginString(at, true);
      this.#sink?.text(keys[0]);
      this.#sink?.endString(at);
      this.#sink?.beginString(at, false);
      return;
    }
    this.#sink = undefined;
    if (names && !names.includes(name)) candidate.refuse("unknown-tool", `"${name}" is not among the tools`);
    else candidate.refuse("type-mismatch", `the call holds plain text, and "${name}" does not take one text alone`);
  }

  /** Text that nothing has closed may have been cut, unless the model said itself that it had come to its end. */
  #endOnlyText(at: number): void {
    this.#sink?.endString(at);
    if (!this.#mayBeCut || at < this.#store.end) return;
    this.truncated = true;
    this.#block?.candidate?.refuse("truncated", "nothing closes the text of the call, so more may have been coming");
  }

  #endJsonText(start: number, at: number): void {
    const text = this.#captured.trim();
    if (parseJson(text) !== undefined) return this.#json(text);
    // The wire said JSON and it is none: text, which the schema may still want.
    this.#sink?.beginString(start, false);
    this.#sink?.text(this.#captured);
    this.#sink?.endString(at);
  }

  #endPythonNumber(start: number, at: number): void {
    const json = pythonNumberToJson(this.#captured);
    if (json !== undefined) return this.#sink?.literal(json, start, at);
    this.#block?.candidate?.refuse("type-mismatch", `${this.#captured} is no finite number`);
    this.#sink?.literal("null", start, at);
  }

  #json(json: string): void {
    this.#block?.candidate?.writer.json(json);
  }

  // ----- Damage -----

  #damage(final: boolean, whole: boolean): void {
    const { machine } = this;
    if (this.#triggerAt >= 0) {
      this.trigger = { start: this.#triggerAt, end: machine.position };
      return;
    }
    if (this.#held) this.#breakHeld(final && machine.ranOut);
    const block = this.#block;
    if (!block) {
      // No reading is left and nothing was open: the grammar does not speak of this text.
      this.#roles.length = 0;
      if (!machine.resumeAfterDamage(machine.position)) this.#becomePlain(machine.safePosition);
      return;
    }
    if (final && machine.ranOut) {
      this.#cut(block);
      return;
    }
    if (machine.guarded && this.#makeRecovery) {
      this.#beginRecovery(block, final, whole);
      return;
    }
    this.#panic(block, "malformed", this.#explain(block), machine.position);
  }

  /** The text ended inside a call: nothing is completed, nothing runs. */
  #cut(block: Block): void {
    this.truncated = true;
    if (block.listed && block.pending) this.#confirm(block);
    this.#fail(block, "truncated", `the text ends inside the call; ${this.#explain(block)}`);
    this.#endDamage(this.#store.end);
    this.#becomePlain(this.#store.end);
  }

  #panic(block: Block, reason: RejectionReason, message: string, position: number): void {
    this.#fail(block, reason, message);
    this.#roles.length = 0;
    this.#isLost = !this.machine.resumeAfterDamage(position);
  }

  #fail(block: Block, reason: RejectionReason, message: string): void {
    block.failed = true;
    block.candidate ??= block.pending ?? new Candidate(block.takenEnd, block.variant);
    block.pending = undefined;
    block.candidate.refuse(reason, message);
  }

  /** Reading goes on: what was damaged ends here. */
  #endDamage(at: number): void {
    const block = this.#block;
    this.#block = undefined;
    this.#sink = undefined;
    const candidate = block?.candidate;
    if (!candidate) return;
    this.#flush(candidate);
    candidate.end = at;
    this.#place(candidate);
    this.#owner.refused(candidate);
  }

  /** A second pass over the call, which only runs on damage: what would have been legal where it stops. */
  #explain(block: Block): string {
    const at = this.machine.position;
    if (at - block.start > explainedCharsMax) return "it cannot be read on";
    const text = this.#store.slice(block.start, Math.min(at + 1, this.#store.end));
    return expectedAt(this.#program, this.#hints, text, at - block.start);
  }

  #beginRecovery(block: Block, final: boolean, whole: boolean): void {
    const guarded = this.#roles.findIndex(({ code }) => code === role.Payload || code === role.Arguments);
    this.#roles.length = guarded + 1;
    this.#roles[guarded].at = this.#roles[guarded].start;
    const candidate = block.candidate ?? block.pending;
    if (candidate) this.#readAgain(candidate, block.kind === "payload");
    block.candidate = block.kind === "arguments" ? candidate : undefined;
    block.pending = undefined;
    let sink: ValueSink;
    if (block.kind === "payload") {
      this.#rereading = candidate;
      this.#payload = this.#newPayload(block, block.deliveredEnd);
      sink = this.#payload;
    } else sink = this.#argumentsSink(candidate as Candidate);
    this.#sink = sink;
    const make = this.#makeRecovery as MakeRecovery;
    const recovery = make(sink, {
      base: block.valueStart,
      ends: this.#program.ends,
      placeAt: (path) => this.#placeAt(block, path),
    });
    this.#recovery = recovery;
    this.#waiting = [];
    block.takenEnd = block.deliveredEnd;
    recovery.push(this.#store.slice(block.valueStart, this.#store.end));
    if (final && recovery.state === "reading") recovery.finish(whole);
  }

  #nameOf(block: Block): string {
    return (block.candidate ?? block.pending)?.name ?? "";
  }

  /** What stands at a path of the payload: the envelope above, the arguments below. */
  #placeAt(block: Block, path: Path): PayloadPlace {
    const { keys } = this.#format;
    let inArguments: Path | undefined = path;
    if (block.kind === "payload") {
      const inItem = typeof path[0] === "number" ? path.slice(1) : path;
      if (inItem.length === 0) return keys.name === "*" ? undefined : { keys: envelopeKeys(keys) };
      const isArguments = keys.name === "*" || keys.arguments.includes(String(inItem[0]));
      inArguments = isArguments ? inItem.slice(1) : undefined;
    }
    const schema = inArguments && this.#owner.schemaOf(this.#nameOf(block));
    return schema === undefined || inArguments === undefined ? undefined : { schema, path: inArguments };
  }

  #readAgain(candidate: Candidate, nameInPayload: boolean): void {
    const { started, holds } = candidate;
    this.#flush(candidate);
    candidate.writer = candidate.writer.again(started && !holds);
    candidate.problem = undefined;
    candidate.repairs = [];
    if (!nameInPayload) return;
    candidate.besideArguments.length = 0;
    candidate.hasArguments = false;
    candidate.name = candidate.wireId = undefined;
  }

  #endRecovery(recovery: PayloadRecovery): void {
    const block = this.#block as Block;
    this.#recovery = undefined;
    // Read again, it is no object that could be the call which had begun.
    const lost = this.#rereading;
    this.#rereading = undefined;
    // Read again, the list would end inside a call before: what stands behind that call is not to be read.
    const endsBefore = recovery.end < Math.max(block.deliveredEnd, lost?.started ? lost.start : 0);
    if (lost?.started) {
      lost.refuse("contradicts-sent", "the damaged call can only be read against what has already been sent");
      lost.end = endsBefore ? this.machine.position : recovery.end;
      this.#finish(lost);
      if (endsBefore) block.takenEnd = lost.end;
    }
    const complete = this.#waiting;
    this.#waiting = [];
    const last = block.candidate ?? block.pending;
    const read = last && !complete.includes(last) ? [...complete, last] : complete;
    if (recovery.state === "failed" || endsBefore) {
      this.#shareRepairs(block, read, recovery);
      for (const candidate of complete) this.#deliver(block, candidate);
      const at = Math.max(recovery.failure?.at ?? 0, this.machine.position);
      this.#panic(block, "malformed", recovery.failure?.message ?? "it cannot be repaired", at);
      return;
    }
    if (recovery.endedBy === "end-of-text") this.truncated ||= recovery.closersMissing > 0;
    this.#shareRepairs(block, read, recovery);
    if (recovery.contradicts) for (const candidate of read) candidate.writer.contradicts = true;
    if (block.kind === "arguments") block.candidate = last;
    if (block.listed) {
      block.pending = undefined;
      for (const candidate of read) this.#deliver(block, candidate);
    } else for (const candidate of complete) this.#deliver(block, candidate);
    this.machine.resumeBehindPayload(recovery.end);
  }

  /** Each candidate carries the repairs that stand in it, or before it and after the one before. */
  #shareRepairs(block: Block, candidates: Candidate[], recovery: PayloadRecovery): void {
    const depth = block.kind === "arguments" ? 0 : block.listed ? 2 : 1;
    const envelopeOnly = recovery.endedBy === "marker" && recovery.closersMissing <= depth;
    let owner = 0;
    for (const repair of recovery.repairs) {
      while (owner < candidates.length - 1 && repair.start >= candidates[owner].end) owner++;
      // With the format's own closing marker behind it, nothing can be missing from complete arguments.
      const closers = repair.kind === "missing-closer" && envelopeOnly;
      const shared: Repair = closers ? { ...repair, kind: "missing-envelope-closer", level: "safe" } : repair;
      candidates[owner]?.repair({ ...shared, ...this.#span(repair.start, repair.end) });
    }
  }
}

/** No arguments were given: an empty object. */
function emptyObject(before: JsonWriter): JsonWriter {
  const writer = before.length === 0 ? before : new JsonWriter();
  writer.beginObject();
  writer.endObject();
  return writer;
}

const envelopes = new WeakMap<PayloadKeys, ReadonlySet<string>>();

/** The keys of an envelope; `type` is what several interfaces add. */
function envelopeKeys(keys: PayloadKeys): ReadonlySet<string> {
  let known = envelopes.get(keys);
  if (!known) {
    known = new Set([...keys.name, ...keys.arguments, ...keys.id, "type"]);
    envelopes.set(keys, known);
  }
  return known;
}
