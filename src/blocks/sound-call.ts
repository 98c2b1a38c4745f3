import type { Hints } from "../machine/hints.ts";
import { type JsonObject, readJsonObject } from "../machine/json-object.ts";
import type { BlockLog } from "../machine/recognised-block.ts";
import { roleCodes as role, variantShift, wholeObjectRole } from "../machine/roles.ts";
import type { TextType } from "../values/declared-type.ts";
import { jsonString, trimJson } from "../values/json-text.ts";
import { holdsRefusedString, type Unquoting } from "../values/quoted-values.ts";
import { rootAlternatives } from "../values/root-alternatives.ts";
import type { PlainValue } from "../values/text-to-value.ts";
import type { ToolFacts } from "./reader-owner.ts";
import type { ReaderState, RoleHandlers } from "./state.ts";

/** What a sound call needs to know of the tools and of the format. */
export interface SoundSource {
  readonly format: ReaderState["format"];
  readonly handlers: RoleHandlers;
  readonly hints: Hints;
  readonly tools: ToolFacts;
  /** What validates the calls refuses all that their schemas refuse. */
  readonly checksAll: boolean;
}

/** A parameter of a tool, read once: its key, as it is written as well, and how its text is typed. */
export interface Parameter {
  readonly key: string;
  /** The key with its colon. */
  readonly json: string;
  readonly type: TextType | undefined;
  readonly isDeclared: boolean;
  /** What its text means depends on which shape of arguments the others leave. */
  readonly dependsOnOthers: boolean;
  /** What a reader of text has found out about it, by the code of the role. */
  readonly texts: (SoundText | undefined)[];
}

/** How a text of one role is typed, where it is a parameter. */
export interface SoundText {
  readonly type: TextType;
  /** The kinds of which it may be as JSON writes it: see `readPlain`. */
  readonly plainKinds: number;
  /** See `choicesOf`. */
  readonly choices: readonly string[];
  /** It may be given again: it comes after the others, as where it is given again. */
  readonly isList: boolean;
}

/** A tool, and those of its parameters that have come. */
interface KnownTool {
  readonly name: string;
  readonly parameters: Map<string, Parameter>;
  /** The same, as they have come: most calls give them in the same order. */
  readonly inOrder: Parameter[];
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
  /** The id that the model wrote, and whether it stands before the arguments. */
  wireId: string | undefined;
  isIdBefore = true;
  /** The arguments, as JSON and as a value. */
  json = "";
  value: Record<string, unknown> = {};
  members = 0;
  depth = 0;
  /**
   * The values that are more than numbers, words and plain text (see `isPlainText`): strings, and others as JSON. The arguments as JSON are
   * joined of many pieces: to search in them would copy them.
   */
  strings = noTexts;
  jsons = noTexts;
  /** The JSON object that holds all of it, or all of its arguments; -1: none does. */
  objectStart = -1;
  objectEnd = -1;
  /** Parameters that come after the others, and what their values are. */
  readonly #last: Parameter[] = [];
  readonly #lastValues: PlainValue[] = [];
  readonly #tools = new Map<string, KnownTool>();
  #tool: KnownTool | undefined;
  /** How many parameters this call has asked for. */
  #given = 0;
  #block: BlockLog | undefined;
  /** The entry of the call that holds the list which is read. */
  #listedIn = 0;

  constructor(source: SoundSource) {
    this.source = source;
  }

  /**
   * Reads the call that opens at an entry of the log.
   *
   * @returns the entry after it; -1: the first way has to read it.
   */
  read(text: string, block: BlockLog, from: number): number {
    const { handlers } = this.source;
    const { log, logTop } = block;
    const opened = log[from];
    if (opened === role.Object << 1) return this.#readElement(log, from);
    if ((opened & 0x1ff) !== role.Call << 1) return -1;
    this.text = text;
    this.#block = block;
    this.start = log[from + 1];
    this.variant = opened >> (variantShift + 1);
    this.#listedIn = opened;
    if (log[from + 2] === role.Payload << 1 && log[from + 4] === role.Array << 1)
      return this.#readElement(log, from + 6);
    this.#forget();
    let at = from + 2;
    while (at < logTop && log[at] !== (opened | 1)) {
      const entry = log[at];
      if (entry === role.Name << 1) at = this.#readName(log, at);
      else if (entry === role.Id << 1) at = this.#readId(log, at);
      else {
        const step = handlers[entry >> 1]?.sound;
        if (step === undefined || (entry & 1) !== 0) return -1;
        at = step(this, log, at);
      }
      if (at < 0) return -1;
    }
    if (at >= logTop || this.name === undefined || !this.#finish()) return -1;
    this.end = log[at + 1];
    return at + 2;
  }

  #forget(): void {
    this.name = this.wireId = undefined;
    this.isIdBefore = true;
    this.json = "";
    this.members = 0;
    this.#isMembers = false;
    this.#given = 0;
    this.strings = this.jsons = noTexts;
    this.objectStart = -1;
    // A call that was given back may have left some.
    if (this.#last.length > 0) this.#last.length = this.#lastValues.length = 0;
  }

  /** A call that is an element of a list. Behind the last one the list ends, and with it the call that holds it. */
  #readElement(log: readonly number[], from: number): number {
    this.#forget();
    let at = this.source.handlers[role.Payload]?.sound?.(this, log, from) ?? -1;
    if (at < 0) return -1;
    this.start = this.objectStart;
    this.end = this.objectEnd;
    // What else is in it has been read with it.
    const { logTop } = this.#block as BlockLog;
    while (at < logTop && (log[at + 1] < this.end || log[at] !== ((role.Object << 1) | 1))) at += 2;
    if (at >= logTop) return -1;
    at += 2;
    if (log[at] === role.Object << 1) return at;
    const ends =
      log[at] === ((role.Array << 1) | 1) &&
      log[at + 2] === ((role.Payload << 1) | 1) &&
      log[at + 4] === (this.#listedIn | 1);
    return ends ? at + 6 : -1;
  }

  #readName(log: readonly number[], at: number): number {
    if (this.name !== undefined || log[at + 2] !== (log[at] | 1)) return -1;
    return this.names(trimJson(this.text.slice(log[at + 1], log[at + 3]))) ? at + 4 : -1;
  }

  /** A name may stand in an id. Behind the arguments the call has started without it. */
  #readId(log: readonly number[], at: number): number {
    if (this.wireId !== undefined || this.json !== "" || this.#last.length > 0) return -1;
    const end = log[at + 2] === role.Name << 1 ? this.#readName(log, at + 2) : at + 2;
    if (end < 0 || log[end] !== (log[at] | 1)) return -1;
    this.wireId = this.text.slice(log[at + 1], log[end + 1]).trim();
    return end + 2;
  }

  /** Takes the name; false: there is no such tool. */
  names(name: string): boolean {
    // Most calls of a message are of the same tool.
    let tool = name === this.#tool?.name ? this.#tool : this.#tools.get(name);
    if (tool === undefined) {
      if (this.source.tools.schemaOf(name) === undefined) return false;
      tool = { name, parameters: new Map(), inOrder: [] };
      this.#tools.set(name, tool);
    }
    this.name = tool.name;
    this.#tool = tool;
    return true;
  }

  #finish(): boolean {
    for (let at = 0; at < this.#last.length; at++) if (!this.member(this.#last[at], this.#lastValues[at])) return false;
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

  /** A parameter of the tool. */
  parameter(key: string): Parameter {
    const { name, parameters, inOrder } = this.#tool as KnownTool;
    // To be found in a map a key that was cut out of a text has to be hashed.
    const next = inOrder[this.#given++];
    const known = next?.key === key ? next : parameters.get(key);
    if (known !== undefined) return known;
    const { tools, hints } = this.source;
    const type = tools.parameterType(name, key);
    const isDeclared = hints.keysOf(name)?.has(key) === true;
    const dependsOnOthers = !type?.streams && rootAlternatives(tools.schemaOf(name)).length > 0;
    const json = `${JSON.stringify(key)}:`;
    const parameter: Parameter = { key, json, type, isDeclared, dependsOnOthers, texts: [] };
    // Keys that nothing declares are the model's, and there is no end to them.
    if (isDeclared) inOrder[parameters.set(key, parameter).size - 1] = parameter;
    return parameter;
  }

  /** A parameter that is a string without anything to be escaped; false: the first way has to say what is wrong with it. */
  plainString(parameter: Parameter, value: string): boolean {
    return this.#add(parameter, `"${value}"`, value, 0, 0);
  }

  /** The same for any string. */
  string(parameter: Parameter, value: string): boolean {
    this.strings = withText(this.strings, value);
    return this.#add(parameter, jsonString(value), value, 0, 0);
  }

  /** The same for any value. */
  member(parameter: Parameter, { json, value, members, depth }: PlainValue): boolean {
    const isScalar = typeof value !== "object" || value === null;
    if (!isScalar || typeof value === "string") this.jsons = withText(this.jsons, json);
    if (!isScalar && holdsRefusedString(value, this.#unquoting?.allowed.member(parameter.key))) return false;
    return this.#add(parameter, json, value, members, depth);
  }

  #add({ key, json: keyJson }: Parameter, json: string, value: unknown, members: number, depth: number): boolean {
    if (this.json === "") this.#begin();
    if (value === undefined || key === "__proto__" || Object.hasOwn(this.value, key)) return false;
    if (this.members > 0) this.json += ",";
    this.json += keyJson + json;
    this.value[key] = value;
    this.members += 1 + members;
    if (depth >= this.depth) this.depth = depth + 1;
    return true;
  }

  /** A parameter that may be given again is written when the call ends. */
  memberAtEnd(parameter: Parameter, value: PlainValue): boolean {
    for (const { key } of this.#last) if (key === parameter.key) return false;
    if (this.json === "") this.#begin();
    this.#last.push(parameter);
    this.#lastValues.push(value);
    return true;
  }

  /** The object that stands at an offset: see {@link BlockLog.takeObject}. */
  takeObject(start: number): JsonObject {
    return this.#standsIn((this.#block as BlockLog).takeObject(start));
  }

  /** The same for an object that has not been read in one go; undefined: it is none. */
  readObject(start: number): JsonObject | undefined {
    const object = readJsonObject(this.text, start, 0);
    return typeof object === "number" ? undefined : this.#standsIn(object);
  }

  #standsIn(object: JsonObject): JsonObject {
    this.objectStart = object.start;
    this.objectEnd = object.start + object.text.length;
    return object;
  }

  /** A string where the schema allows none may be read out of its quotes. */
  get #unquoting(): Unquoting | undefined {
    const { tools, checksAll } = this.source;
    return checksAll ? undefined : tools.unquotingOf(this.name as string);
  }

  /** All arguments, which stood in the text as one object. */
  whole(json: string, value: Record<string, unknown>, members: number, depth: number): boolean {
    if (this.json !== "") return false;
    if (holdsRefusedString(value, this.#unquoting?.allowed)) return false;
    this.#isMembers = false;
    this.jsons = withText(this.jsons, json);
    this.json = json;
    this.value = value;
    this.members = members;
    this.depth = depth;
    return true;
  }
}

/** Nothing is ever put into it. */
const noTexts: string[] = [];

function withText(texts: string[], text: string): string[] {
  if (texts === noTexts) return [text];
  texts.push(text);
  return texts;
}

/** Whether a role holds one whole object and nothing else. */
export function holdsWholeObject(log: readonly number[], at: number): boolean {
  return (
    log[at + 2] === wholeObjectRole << 1 &&
    log[at + 4] === ((wholeObjectRole << 1) | 1) &&
    log[at + 6] === (log[at] | 1)
  );
}
