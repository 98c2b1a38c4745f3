import { SoundCall } from "../blocks/sound-call.ts";
import type { RoleHandlers } from "../blocks/state.ts";
import type { Node, ToolCall } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import { Machine } from "../machine/machine.ts";
import { hasUnit, type ReadySet, readyProgram, unitsAt } from "../machine/program.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { CandidateFacts } from "../validation/check-call.ts";
import type { Alternative } from "./alternative.ts";
import type { CallValidator } from "./call-validator.ts";
import { type MessageSets, messageSets } from "./message-sets.ts";

/** What a message holds that is plain text and sound calls. */
export interface SoundMessage {
  readonly calls: ToolCall[];
  readonly content: string;
  readonly nodes: Node[];
}

interface FoundCall extends CandidateFacts {
  name: string;
  start: number;
  end: number;
  variant: number;
}

/** A longer message is mostly text, and its calls are the smaller part of the work. */
const charsMax = 65_536;

/**
 * The second way to read a message: the whole text at once, one format, plain text and calls that are whole, sound and
 * pass validation. Most messages are that. It never answers otherwise than the first way, {@link MessageReader}: of anything
 * else that it meets it says nothing, and the first way reads all of the text. `test/sound-message.test.ts` compares both.
 */
export class SoundReader {
  readonly #format: FormatData;
  readonly #validator: CallValidator;
  readonly #sets: MessageSets;
  readonly #machine: Machine;
  readonly #call: SoundCall;
  readonly #notPlain: ReadySet;
  readonly #openers: readonly string[];
  readonly #entry: number;
  readonly #variants: readonly string[];
  /** A validator of the host may read another message. */
  #isBusy = false;
  #found: FoundCall[] = [];
  #nodes: Node[] = [];
  #nodesEnd = 0;
  #content = "";

  constructor({ format, validator }: Alternative) {
    this.#format = format;
    this.#validator = validator;
    this.#sets = messageSets([format], undefined, validator.policy.quoted, validator.hints.names);
    this.#notPlain = unitsAt([...this.#sets.specials.keys()], 0);
    this.#openers = [...this.#sets.openers];
    const { entries, variants } = format.program;
    this.#entry = entries.block;
    this.#variants = variants;
    // What has left the window is never asked for: all of the text is in it.
    this.#machine = new Machine(readyProgram(format.program), validator.hints, 0, () => "");
    this.#machine.isDriven = true;
    this.#call = new SoundCall({
      format,
      handlers: (format.handlers ?? {}) as RoleHandlers,
      machine: this.#machine,
      hints: validator.hints,
      tools: validator,
    });
  }

  /** Reads a whole message; undefined: the first way has to. */
  read(text: string): SoundMessage | undefined {
    if (this.#isBusy || typeof text !== "string" || text.length > charsMax) return undefined;
    this.#isBusy = true;
    this.#found = [];
    this.#nodes = [];
    this.#nodesEnd = 0;
    this.#content = "";
    this.#machine.load(text);
    try {
      const calls = this.#readAll(text) ? this.#validated() : undefined;
      return calls && { calls, content: this.#content, nodes: this.#nodes };
    } finally {
      this.#isBusy = false;
      this.#machine.load("");
    }
  }

  #readAll(text: string): boolean {
    // Most messages begin with a letter or a marker.
    const isPlain = text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f;
    const first = isPlain ? 0 : text.search(notBlank);
    if (first < 0 || this.#sets.beginners.includes(text[first])) return false;
    for (let at = 0; at < text.length; ) {
      const opener = this.#openerFrom(text, at);
      if (opener < 0) return false;
      this.#addText(text, at, opener);
      if (opener === text.length) break;
      const end = this.#readBlock(text, opener);
      if (end <= opener) return false;
      at = end;
    }
    this.#addFraming(text.length);
    return this.#found.length > 0;
  }

  /** Where plain text ends: at an opener, or with the text. -1: it holds something else. */
  #openerFrom(text: string, from: number): number {
    const { notPlain, specials, tagStarts, longestSpecial } = this.#sets;
    for (let at = from; ; at++) {
      // A search costs more than looking at a few units.
      const near = Math.min(text.length, at + nearUnits);
      while (at < near && !hasUnit(this.#notPlain, text.charCodeAt(at))) at++;
      if (at === near && at < text.length) {
        notPlain.lastIndex = at;
        at = notPlain.test(text) ? notPlain.lastIndex - 1 : text.length;
      }
      if (at === text.length) return at;
      if (startsWithOne(text, at, specials.get(text[at]) as readonly string[])) return -1;
      if (text[at] === "<" && startsWithOne(text.slice(at, at + longestSpecial).toLowerCase(), 0, tagStarts)) return -1;
      if (startsWithOne(text, at, this.#openers)) return at;
      // What the text ends in may be the beginning of a marker.
      if (at + longestSpecial > text.length) return -1;
    }
  }

  #addText(text: string, start: number, end: number): void {
    const piece = text.slice(start, end);
    if (!notSpace.test(piece)) return;
    this.#content += piece;
    this.#addFraming(start);
    this.#nodes.push({ type: "content", start, end });
    this.#nodesEnd = end;
  }

  #addFraming(end: number): void {
    if (end > this.#nodesEnd) this.#nodes.push({ type: "framing", start: this.#nodesEnd, end });
  }

  /** Where the block that opens at an offset ends; -1: it is not sound. */
  #readBlock(text: string, start: number): number {
    const machine = this.#machine;
    machine.enterWhole(this.#entry, start);
    if (machine.run(true) !== "done" || machine.logTop === 0 || machine.safeLog !== machine.logTop) return -1;
    for (let at = 0; at < machine.logTop; ) {
      at = this.#call.read(text, at);
      if (at < 0 || !this.#take()) return -1;
    }
    return machine.position;
  }

  /** What has been read is a call, if validation says so. */
  #take(): boolean {
    const { json, value, members, depth, start, end, variant } = this.#call;
    const name = this.#call.name as string;
    const index = this.#found.length;
    if (index >= this.#validator.policy.maxCalls || end <= start) return false;
    const chars = end - start;
    this.#found.push({ name, argumentsText: json, value, members, depth, chars, repairs, start, end, variant });
    this.#addFraming(start);
    this.#nodes.push({ type: "call", start, end, index });
    this.#nodesEnd = end;
    return true;
  }

  /** The calls, when all of the message has been read; undefined: validation refuses one. */
  #validated(): ToolCall[] | undefined {
    const calls: ToolCall[] = [];
    for (const facts of this.#found) {
      const verdict = this.#validator.verdictOn(facts);
      if (!verdict.ok) return undefined;
      const call: ToolCall = {
        id: `call_${calls.length}`,
        index: calls.length,
        name: facts.name,
        arguments: verdict.arguments,
        argumentsText: verdict.argumentsText,
        format: this.#format.id,
        repairs: verdict.repairs,
        start: facts.start,
        end: facts.end,
      };
      if (facts.variant > 0) call.variant = this.#variants[facts.variant - 1];
      calls.push(call);
    }
    return calls;
  }
}

function startsWithOne(text: string, at: number, literals: readonly string[]): boolean {
  for (let one = 0; one < literals.length; one++) if (text.startsWith(literals[one], at)) return true;
  return false;
}

/** A search for less than this is not worth its beginning. */
const nearUnits = 64;

const repairs: readonly never[] = [];
const notSpace = /\S/;
/** What stands in `blanks` of grammars/shared/json.peggy, and nothing else. */
const notBlank = /[^\s\x85\u180e\u200b-\u200f\u2060]/;

const readers = new WeakMap<CallValidator, SoundReader | null>();

/** The second way for a format, tools and a policy, made once; undefined: they leave it nothing to read. */
export function soundReaderOf(alternative: Alternative): SoundReader | undefined {
  const { validator } = alternative;
  let reader = readers.get(validator);
  if (reader === undefined) {
    reader = maySuit(alternative) ? new SoundReader(alternative) : null;
    readers.set(validator, reader);
  }
  return reader ?? undefined;
}

function maySuit({ format, validator }: Alternative): boolean {
  const { schema, calls } = validator.policy;
  // Where a short name may stand, what is known of a tool is known by that as well.
  if (role.ShortName in (format.handlers ?? {})) return false;
  if (format.mode !== "primary" || format.starts !== undefined || format.leads === "") return false;
  return schema === "reject" && calls === "all" && !validator.asksLibraries && validator.hints.names !== undefined;
}
