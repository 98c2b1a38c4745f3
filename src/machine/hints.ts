/** What extraction may know of the tools: it bounds where a value ends, and nothing else. */
export interface Hints {
  /** Names of the offered tools; undefined: unknown. */
  readonly names: readonly string[] | undefined;
  /** The declared parameters of a tool; undefined: unknown. */
  keysOf(name: string | undefined): ReadonlySet<string> | undefined;
  /** The same in lists, where more than one message is read with these. */
  readonly keys?: DeclaredKeys;
  /** Whether a tool takes a parameter, which it may not have declared by its name. `isCertain`: what names it is no text. */
  takesKey?(name: string | undefined, key: string, isCertain: boolean): boolean;
  /** Whether what begins at an offset closes a pair of tags that is open; undefined: any closer does. */
  closesPair?(start: number): boolean;
  /** What is complete of a payload that was cut counts. Default false. */
  readonly readsCut?: boolean;
}

/** The keys that tools declare, in lists; each is made once. */
export class DeclaredKeys {
  readonly #keysOf: Hints["keysOf"];
  readonly #lists = new Map<string, readonly string[]>();
  /** Whose were asked for last. A text from the beginning: see `room.ts`. */
  #owner = "";
  #keys: readonly string[] | undefined;

  constructor(keysOf: Hints["keysOf"]) {
    this.#keysOf = keysOf;
    this.#keys = this.#listOf("");
  }

  /** Undefined: they are not known. */
  of(name: string): readonly string[] | undefined {
    if (name !== this.#owner) {
      this.#owner = name;
      this.#keys = this.#lists.get(name) ?? this.#listOf(name);
    }
    return this.#keys;
  }

  #listOf(name: string): readonly string[] | undefined {
    const keys = this.#keysOf(name);
    if (keys === undefined) return undefined;
    const list = [...keys];
    this.#lists.set(name, list);
    return list;
  }
}
