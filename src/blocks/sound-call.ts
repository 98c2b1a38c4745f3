import type { Hints, Machine } from "../machine/machine.ts";
import { roleCodes as role, variantShift, wholeObjectRole } from "../machine/roles.ts";
import { trimJson } from "../values/json-text.ts";
import { holdsRefusedString } from "../values/quoted-values.ts";
import type { TextType } from "../values/text-type.ts";
import type { ReaderOwner } from "./reader-owner.ts";
import type { ReaderState, RoleHandlers } from "./state.ts";

/** What a sound call needs to know of the tools and of the format. */
export interface SoundSource {
  readonly format: ReaderState["format"];
  readonly handlers: RoleHandlers;
  readonly machine: Machine;
  readonly hints: Hints;
  readonly tools: Pick<ReaderOwner, "parameterType" | "unquotingOf" | "schemaOf">;
}

/** A parameter of a tool, read once: how its text is typed, and its key as JSON. */
interface Parameter {
  readonly type: TextType | undefined;
  readonly json: string;
}

/**
 * A call whose block is whole and sound, read from the log of the machine in one pass: the second way to read what
 * {@link ReaderState} and its steps read. It never answers otherwise: whatever it does not know, `read` gives back, and
 * the first way reads it.
 */
export class SoundCall {
  readonly source: SoundSource;
  text = "";
  start = 0;
  end = 0;
  variant = 0;
  name: string | undefined;
  /** The arguments, as JSON and as a value. */
  json = "";
  value: Record<string, unknown> = {};
  members = 0;
  depth = 0;
  /** The JSON object that holds all of it, or all of its arguments; -1: none does. */
  objectStart = -1;
  objectEnd = -1;
  /** Parameters that may be given again: each comes after the others, as where it is given again. */
  #last: (() => boolean)[] = [];
  #lastKeys: string[] = [];
  readonly #parameters = new Map<string, Map<string, Parameter>>();

  constructor(source: SoundSource) {
    this.source = source;
  }

  /**
   * Reads the call that opens at an entry of the log.
   *
   * @returns the entry after it; -1: the first way has to read it.
   */
  read(text: string, from: number): number {
    const { machine, handlers } = this.source;
    const { log, logTop } = machine;
    const opened = log[from];
    if ((opened & 0x1ff) !== role.Call << 1) return -1;
    this.text = text;
    this.start = log[from + 1];
    this.variant = opened >> (variantShift + 1);
    this.name = undefined;
    this.json = "";
    this.members = 0;
    this.#isMembers = false;
    this.objectStart = -1;
    // A call that was given back may have left some.
    if (this.#last.length > 0) this.#last = [];
    if (this.#lastKeys.length > 0) this.#lastKeys = [];
    let at = from + 2;
    while (at < logTop && log[at] !== (opened | 1)) {
      const entry = log[at];
      if (entry === role.Name << 1) {
        if (this.name !== undefined || log[at + 2] !== (entry | 1)) return -1;
        if (!this.names(trimJson(text.slice(log[at + 1], log[at + 3])))) return -1;
        at += 4;
        continue;
      }
      const step = handlers[entry >> 1]?.sound;
      if (step === undefined || (entry & 1) !== 0) return -1;
      at = step(this, log, at);
      if (at < 0) return -1;
    }
    if (at >= logTop || this.name === undefined || !this.#finish()) return -1;
    this.end = log[at + 1];
    return at + 2;
  }

  /** Takes the name; false: there is no such tool. */
  names(name: string): boolean {
    this.name = name;
    return this.source.tools.schemaOf(name) !== undefined;
  }

  #finish(): boolean {
    if (!this.#last.every((write) => write())) return false;
    if (this.json === "") this.#begin();
    if (this.#isMembers) this.json += "}";
    return true;
  }

  #isMembers = false;

  #begin(): void {
    this.#isMembers = true;
    this.value = {};
    this.json = "{";
    this.depth = 1;
  }

  /** How a parameter is typed; undefined: there is no such tool. */
  parameter(key: string): Parameter {
    const name = this.name as string;
    let known = this.#parameters.get(name);
    if (known === undefined) this.#parameters.set(name, (known = new Map()));
    let parameter = known.get(key);
    if (parameter === undefined) {
      parameter = { type: this.source.tools.parameterType(name, key), json: JSON.stringify(key) };
      // Keys that nothing declares are the model's, and there is no end to them.
      if (this.source.hints.keysOf(name)?.has(key)) known.set(key, parameter);
    }
    return parameter;
  }

  /** A parameter with its value; false: the first way has to say what is wrong with it. */
  member(key: string, json: string, value: unknown, members = 0, depth = 0): boolean {
    if (this.json === "") this.#begin();
    if (value === undefined || key === "__proto__" || Object.hasOwn(this.value, key)) return false;
    this.json += `${this.members === 0 ? "" : ","}${this.parameter(key).json}:${json}`;
    this.value[key] = value;
    this.members += 1 + members;
    if (depth >= this.depth) this.depth = depth + 1;
    return true;
  }

  /** A parameter that may be given again is written when the call ends. */
  memberAtEnd(key: string, write: () => boolean): boolean {
    if (this.#lastKeys.includes(key)) return false;
    if (this.json === "") this.#begin();
    this.#lastKeys.push(key);
    this.#last.push(write);
    return true;
  }

  /** The object that stands at an offset: see {@link Machine.takeObject}. */
  takeObject(start: number): ReturnType<Machine["takeObject"]> {
    const object = this.source.machine.takeObject(start);
    this.objectStart = start;
    this.objectEnd = start + object.text.length;
    return object;
  }

  /** All arguments, which stood in the text as one object. */
  whole(json: string, value: Record<string, unknown>, members: number, depth: number): boolean {
    if (this.json !== "") return false;
    const unquoting = this.source.tools.unquotingOf?.(this.name as string);
    if (unquoting !== undefined && holdsRefusedString(value, unquoting.allowed)) return false;
    this.#isMembers = false;
    this.json = json;
    this.value = value;
    this.members = members;
    this.depth = depth;
    return true;
  }
}

/** Whether a role holds one whole object and nothing else. */
export function holdsWholeObject(log: readonly number[], at: number): boolean {
  return (
    log[at + 2] === wholeObjectRole << 1 &&
    log[at + 4] === ((wholeObjectRole << 1) | 1) &&
    log[at + 6] === (log[at] | 1)
  );
}
