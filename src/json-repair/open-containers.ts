import { CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN } from "./characters.ts";

/** Steps from the top value down to a value inside it. */
export type Path = readonly (string | number)[];

/** What a schema may say of a value, as far as a repair asks. */
export type ExpectedType = "string" | "number" | "integer" | "boolean" | "null" | "object" | "array";

/** An object or array that is open. */
export interface Container {
  isObject: boolean;
  /** The character that closes it. */
  closer: number;
  /** Absolute offset of its opener. */
  start: number;
  /** Whether the sink was notified of it: the first member decides whether braces hold an object or a set. */
  announced: boolean;
  /** The text never opened it: members without braces. */
  implied: boolean;
  /** The key whose value is being read. */
  key: string;
  /** Number of values that have begun in it. */
  count: number;
  /** Keys that were sent to the sink. */
  seen: string[] | Set<string> | undefined;
  /** Whether a key without quotes was read in it; then another one is no surprise. */
  bareKeys: boolean;
  /** Keys it may have by schema; `null` until they are asked for. */
  allowed: ReadonlySet<string> | undefined | null;
  // Index of the innermost container, this one included, that each closer would close: no walk down the stack.
  nearestBrace: number;
  nearestBracket: number;
  nearestParen: number;
}

/** Up to here a list of keys is searched faster than a set is built. */
const listedKeysMax = 8;

/** Nothing has been read of it: braces may still turn out to hold a set. */
export function isFresh(container: Container): boolean {
  return container.count === 0 && !container.announced && !container.implied;
}

/** Was this key read before in the container? */
export function hasKey(container: Container, key: string): boolean {
  const { seen } = container;
  if (seen === undefined) return false;
  return Array.isArray(seen) ? seen.includes(key) : seen.has(key);
}

/** Takes note of a key; false when the container had it already. */
export function noteKey(container: Container, key: string): boolean {
  if (hasKey(container, key)) return false;
  if (container.seen === undefined) container.seen = [key];
  else if (!Array.isArray(container.seen)) container.seen.add(key);
  else if (container.seen.length < listedKeysMax) container.seen.push(key);
  else container.seen = new Set(container.seen).add(key);
  return true;
}

/** What is asked of a schema while a value is read. */
export interface SchemaQuestions {
  /** Keys that the object at a path declares by schema; `undefined` when nothing is known. */
  allowedKeys?: (path: Path) => ReadonlySet<string> | undefined;
  /** The type that the schema gives the value at a path. Digits with leading zeros, big numbers and `8,000` need it. */
  typeAt?: (path: Path) => ExpectedType | undefined;
  /** Whether the value at a path may be this text: a word without quotes may lack them. */
  textAt?: (path: Path, text: string) => "listed" | "any" | undefined;
}

/** The open containers, outermost first, on a stack of their own. */
export class OpenContainers {
  readonly stack: Container[] = [];
  readonly #schema: SchemaQuestions;

  constructor(schema: SchemaQuestions) {
    this.#schema = schema;
  }

  get top(): Container | undefined {
    return this.stack[this.stack.length - 1];
  }

  push(isObject: boolean, closer: number, start: number): Container {
    const below = this.top;
    const index = this.stack.length;
    const container: Container = {
      isObject,
      closer,
      start,
      announced: false,
      implied: false,
      key: "",
      count: 0,
      seen: undefined,
      bareKeys: false,
      allowed: null,
      nearestBrace: closer === CLOSE_BRACE ? index : (below?.nearestBrace ?? -1),
      nearestBracket: closer === CLOSE_BRACKET ? index : (below?.nearestBracket ?? -1),
      nearestParen: closer === CLOSE_PAREN ? index : (below?.nearestParen ?? -1),
    };
    this.stack.push(container);
    return container;
  }

  /** Index of the container that `closer` closes when those above `level` are closed already, or -1. */
  nearest(level: number, closer: number): number {
    const container = this.stack[level];
    if (container === undefined) return -1;
    if (closer === CLOSE_BRACE) return container.nearestBrace;
    return closer === CLOSE_BRACKET ? container.nearestBracket : container.nearestParen;
  }

  /** Keys that the schema declares for the object at `level`; `undefined` when nothing is known. */
  allowedAt(level: number): ReadonlySet<string> | undefined {
    const container = this.stack[level];
    if (container === undefined || this.#schema.allowedKeys === undefined) return undefined;
    if (container.allowed === null) container.allowed = this.#schema.allowedKeys(this.#path(level));
    return container.allowed;
  }

  /** What the schema says of the value that comes next. */
  expectedType(): ExpectedType | undefined {
    return this.#schema.typeAt?.(this.#path(this.stack.length));
  }

  /** Whether the value that comes next may be this text. */
  legalText(text: string): "listed" | "any" | undefined {
    return this.#schema.textAt?.(this.#path(this.stack.length), text);
  }

  #path(length: number): Path {
    const path: (string | number)[] = [];
    for (let level = 0; level < length; level++) {
      const container = this.stack[level];
      // The value below the top container has not begun, so it is not counted yet.
      const index = level === this.stack.length - 1 ? container.count : container.count - 1;
      path.push(container.isObject ? container.key : index);
    }
    return path;
  }
}
