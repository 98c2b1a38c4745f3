import type { ToolCall } from "../contract/types.ts";

/** What says which call a piece belongs to. */
interface CallPiece {
  readonly index?: number | undefined;
  readonly id?: string | null | undefined;
  readonly function?: { readonly name?: string | null } | null | undefined;
}

/**
 * Tells calls apart that a server has read itself and also left in the text: those two are one call. Two equal calls of
 * the same kind stay two.
 */
export class NativeCalls {
  /** Of calls that were delivered from the text and have met no equal of the other kind. */
  readonly #fromText = new Map<string, number>();
  readonly #native = new Map<string, number>();

  /** Whether a native call has begun. */
  any = false;

  /** The last call that was begun under each index of the server, with its id. */
  readonly #begun = new Map<number | undefined, { number: number; id: string }>();
  #count = 0;

  /**
   * The number of the call that a piece belongs to, from 0 on. Some servers leave the index out, and some begin every call
   * under the same one: then another id beside a name is another call.
   */
  numberOf({ index, id, function: called }: CallPiece): number {
    const found = this.#begun.get(index);
    const isOther = id !== undefined && id !== null && id !== "" && id !== found?.id && Boolean(called?.name);
    if (found !== undefined && (found.id === "" || !isOther)) {
      found.id ||= id ?? "";
      return found.number;
    }
    const number = this.#count++;
    this.#begun.set(index, { number, id: id ?? "" });
    return number;
  }

  /** Whether a native call may be one that the text has already given. */
  get mayRepeat(): boolean {
    return this.#fromText.size > 0;
  }

  /** A native call has begun. */
  see(): void {
    this.any = true;
  }

  /** A call of the text; false: it has been made as a native one. */
  takeText(call: Pick<ToolCall, "name" | "argumentsText">): boolean {
    const key = keyOf(call.name, call.argumentsText);
    if (takeOne(this.#native, key)) return false;
    this.#fromText.set(key, (this.#fromText.get(key) ?? 0) + 1);
    return true;
  }

  /** A native call that is whole; false: the text has given it. */
  takeNative(name: string, argumentsText: string): boolean {
    this.any = true;
    const key = keyOf(name, argumentsText);
    if (takeOne(this.#fromText, key)) return false;
    this.#native.set(key, (this.#native.get(key) ?? 0) + 1);
    return true;
  }
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count === 0) return false;
  if (count === 1) counts.delete(key);
  else counts.set(key, count - 1);
  return true;
}

function keyOf(name: string, argumentsText: string): string {
  try {
    const value: unknown = JSON.parse(argumentsText === "" ? "{}" : argumentsText);
    return JSON.stringify([name, value], (_key, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
        : member,
    );
  } catch {
    // Damaged arguments are equal to nothing but themselves.
    return `${name} ${argumentsText}`;
  }
}
