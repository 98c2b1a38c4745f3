/** Why a constraint says less, or more, than the tools do. Each is explained in `docs/constraints.md`. */
export const noteCodes = [
  "boundary",
  "bounds",
  "count",
  "free-keys",
  "keyword",
  "narrowed",
  "no-reasoning",
  "one-of",
  "one-call",
  "order",
  "pattern",
  "prose",
  "reserved-text",
  "unwritable",
] as const;

/** One of {@link noteCodes}. */
export type NoteCode = (typeof noteCodes)[number];

/** One place where the constraint and the tools differ, or where a choice of the caller narrows what may be written. */
export interface ConstraintNote {
  /** The tool and the way into its arguments: `get_weather/days/[]`; empty: the message as a whole. */
  readonly path: string;
  readonly code: NoteCode;
  /** A sentence for people. */
  readonly message: string;
}

/** Notes that only repeat what an option or the format asks for: they leave a constraint exact. */
const askedFor: ReadonlySet<NoteCode> = new Set(["reserved-text", "one-call"]);

export class Notes {
  readonly list: ConstraintNote[] = [];
  readonly #known = new Set<string>();

  add(path: string, code: NoteCode, message: string): void {
    const key = `${code} ${path} ${message}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push({ path, code, message });
  }

  get exact(): boolean {
    return this.list.every(({ code }) => askedFor.has(code));
  }
}
