/** What extraction may know of the tools: it bounds where a value ends, and nothing else. */
export interface Hints {
  /** Names of the offered tools; undefined: unknown. */
  readonly names: readonly string[] | undefined;
  /** The declared parameters of a tool; undefined: unknown. */
  keysOf(name: string | undefined): ReadonlySet<string> | undefined;
  /** Whether a tool takes a parameter, which it may not have declared by its name. `isCertain`: what names it is no text. */
  takesKey?(name: string | undefined, key: string, isCertain: boolean): boolean;
  /** Whether what begins at an offset closes a pair of tags that is open; undefined: any closer does. */
  closesPair?(start: number): boolean;
  /** What is complete of a payload that was cut counts. Default false. */
  readonly readsCut?: boolean;
}

/** The keys that a tool declares, in a list; made once for calls of the same tool. */
export class DeclaredKeys {
  readonly #hints: Hints;
  #keys: readonly string[] | undefined;
  #owner: string | undefined;

  constructor(hints: Hints) {
    this.#hints = hints;
  }

  /** Undefined: they are not known. */
  of(name: string): readonly string[] | undefined {
    if (name !== this.#owner) {
      const keys = this.#hints.keysOf(name);
      this.#keys = keys && [...keys];
      this.#owner = name;
    }
    return this.#keys;
  }
}
