import type { ToolFacts } from "../blocks/reader-owner.ts";
import { isObject } from "../contract/is-object.ts";
import type { Rejection, ToolCall } from "../contract/types.ts";
import { randomWord } from "./call-ids.ts";
import { type NativeRefusal, readingsOf } from "./native-arguments.ts";
import type { ChatToolCallDelta } from "./openai/shapes.ts";

/** What says which call a piece belongs to. */
interface CallPiece {
  readonly index?: number | undefined;
  readonly id?: string | null | undefined;
  readonly function?: { readonly name?: string | null } | null | undefined;
}

/** Stands in the pieces of the one call of an older server, which has no id: no call goes out under it. */
export const noId = "function_call";

/** Why a call does not go on that a server has read without a name. */
export const unnamed: NativeRefusal = { reason: "malformed", message: "it names no function" };

/** What follows the pieces of a call that was sent without arguments: an empty text is no JSON. */
export const noArguments = (index: number) => ({ index, function: { arguments: "{}" } });

/**
 * Tells calls apart that a server has read itself and also left in the text: those two are one call. Two equal calls of
 * the same kind stay two. The text's are typed and mended, the server's are as it gave them, so those are read in the same
 * way before the two are compared by value.
 */
export class NativeCalls {
  readonly #tools: () => ToolFacts | undefined;
  /** Of calls that were delivered from the text and have met no equal of the other kind. */
  readonly #fromText = new UnmatchedCalls();
  readonly #native = new UnmatchedCalls();
  /** Native calls that nothing has been compared with yet. */
  readonly #unread: { name: string; argumentsText: string }[] = [];
  /** Every native call that is whole, as the server gave it. */
  readonly #made = new Set<string>();

  /** Whether a native call has begun. */
  any = false;
  /** Whether one goes on to the caller, or is one of the text's. */
  passed = false;
  /** Those that do not go on. */
  readonly refused: Rejection[] = [];

  /** The last call that was begun under each index of the server, with its id, and its name as far as it is known. */
  readonly #begun = new Map<number | undefined, { number: number; id: string; name: string }>();
  #count = 0;

  readonly #only: readonly string[] | undefined;

  /**
   * @param tools What is known of the tools on offer.
   * @param only The only tools that may be called, where the caller has chosen: none is an empty list.
   * @param taken Ids that no call goes out under: those of the conversation.
   */
  constructor(tools: () => ToolFacts | undefined, only?: readonly string[], taken?: readonly string[]) {
    this.#tools = tools;
    this.#only = only;
    this.#ids = new Set(taken);
  }

  /** Whether the caller takes calls of the tool. A server that reads calls itself need not ask what was chosen. */
  isChosen(name: string): boolean {
    return this.#only?.includes(name) !== false;
  }

  /** The caller wants no call: one that was made all the same is no fault beside an answer. */
  get areUnwanted(): boolean {
    return this.#only?.length === 0;
  }

  /** Why a call of a tool does not go on that was not chosen. */
  get unchosen(): NativeRefusal {
    const message = this.areUnwanted ? "tool_choice wants no call" : "tool_choice names another tool";
    return { reason: "unknown-tool", message };
  }

  /**
   * A piece as it goes out: under the number of its call, from 0 on. The first says the id that the call goes out under, the
   * others say none. A name comes whole or in pieces; some servers repeat it with the id in every piece, and then it is said once.
   */
  pieceOf({ id, ...piece }: CallPiece): ChatToolCallDelta {
    const begun = this.#count;
    const call = this.#callOf({ id, ...piece });
    const name = piece.function?.name ?? "";
    const isRepeated = name !== "" && name === call.name && Boolean(id) && id === call.id;
    if (!isRepeated) call.name += name;
    return {
      ...piece,
      ...(isRepeated ? { function: { ...piece.function, name: undefined } } : {}),
      ...(call.number < begun ? {} : { id: this.#freeId(call.id) }),
      index: call.number,
    } as ChatToolCallDelta;
  }

  /**
   * The call that a piece belongs to. Some servers leave the index out, and some begin every call under the same one: then
   * another id beside a name is another call.
   */
  #callOf({ index, id, function: called }: CallPiece): { number: number; id: string; name: string } {
    const found = this.#begun.get(index);
    const isOther = id !== undefined && id !== null && id !== "" && id !== found?.id && Boolean(called?.name);
    if (found !== undefined && (found.id === "" || !isOther)) {
      found.id ||= id ?? "";
      return found;
    }
    const call = { number: this.#count++, id: id ?? "", name: "" };
    this.#begun.set(index, call);
    return call;
  }

  readonly #ids: Set<string>;

  /** The id that a call goes out under: the server's, or a new one where that is empty or another call has it. */
  #freeId(written: string): string {
    const id = written !== "" && written !== noId && !this.#ids.has(written) ? written : `call_${randomWord()}`;
    this.#ids.add(id);
    return id;
  }

  /** Whether the text has given a call that a native one may be. */
  get mayRepeat(): boolean {
    return this.#fromText.size > 0;
  }

  /** A native call has begun. */
  see(): void {
    this.any = true;
  }

  /** A call of the text; false: it has been made as a native one. */
  takeText({ name, argumentsText }: Pick<ToolCall, "name" | "argumentsText">): boolean {
    const key = keyOf(name, argumentsText);
    for (const native of this.#unread.splice(0)) this.#native.add(this.#keysOf(native.name, native.argumentsText));
    if (this.#native.take([key])) return false;
    this.#fromText.add([key]);
    return true;
  }

  /** Whether the server has made a call that was refused in the text: then nobody is told that it was not made. */
  hasMade({ name, partial }: Pick<Rejection, "name" | "partial">): boolean {
    if (name === undefined || this.#made.size === 0 || !isObject(partial)) return false;
    return this.#made.has(keyOf(name, JSON.stringify(partial)));
  }

  /** A native call that is whole; false: the text has given it. */
  takeNative(name: string, argumentsText: string): boolean {
    this.any = this.passed = true;
    this.#made.add(keyOf(name, argumentsText || "{}"));
    if (this.takeRepeated(name, argumentsText)) return false;
    this.#unread.push({ name, argumentsText });
    return true;
  }

  /** Whether a native call, damaged or not, is one that the text has given: that one then has met its equal. */
  takeRepeated(name: string, argumentsText: string): boolean {
    const isRepeated = this.mayRepeat && this.#fromText.take(this.#keysOf(name, argumentsText));
    this.passed ||= isRepeated;
    return isRepeated;
  }

  #keysOf(name: string, argumentsText: string): string[] {
    const readings = readingsOf(name, argumentsText, this.#tools());
    return [...new Set(readings.map((json) => keyOf(name, json)))];
  }
}

/** Calls that have met no equal, by each of the keys that they are known by. */
class UnmatchedCalls {
  readonly #byKey = new Map<string, { isTaken: boolean }[]>();
  size = 0;

  add(keys: readonly string[]): void {
    this.size++;
    const call = { isTaken: false };
    for (const key of keys) {
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, [call]);
      else known.push(call);
    }
  }

  /** Takes a call with one of these keys, the first that is found; false: there is none. */
  take(keys: readonly string[]): boolean {
    for (const key of keys) {
      const known = this.#byKey.get(key) ?? [];
      let call = known.pop();
      while (call?.isTaken) call = known.pop();
      if (call === undefined) continue;
      call.isTaken = true;
      this.size--;
      return true;
    }
    return false;
  }
}

function keyOf(name: string, json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify([name, value], (_key, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
        : member,
    );
  } catch {
    // Too deep to be written again: equal to nothing but itself.
    return `${name} ${json}`;
  }
}
