/**
 * How sure a repair is. `safe`: one reading only, nothing added, nothing lost. `truncated`: the text ended inside a
 * value; what is there is right, more may be missing. `guess`: two or more readings, a rule picked one.
 */
export type RepairLevel = "safe" | "truncated" | "guess";

/** The levels of a whole value, best first: the worst repair in it decides. */
export type ValueLevel = "none" | RepairLevel;

/** Levels in order, so that the worst of a list can be taken. */
const levelRank: Readonly<Record<ValueLevel, number>> = { none: 0, safe: 1, truncated: 2, guess: 3 };

/** Every kind of repair there is: one per kind of damage. `docs/recovery.md` has an example of each. */
export const repairKinds = [
  // White space and noise around the value
  "odd-blank", // BOM, no-break and zero-width blanks between tokens
  "escaped-blank", // a typed backslash and n between tokens
  "fence",
  "surrounding-prose",
  "trailing-marker",
  "comment",
  "ellipsis",
  "escaped-document", // escaped once too often as a whole
  "assignment", // `r = {...};` or JSONP
  // Strings: raw characters and escapes
  "raw-control-character",
  "escaped-apostrophe",
  "invalid-escape",
  "invalid-unicode-escape",
  "unescaped-backslashes",
  "swallowed-quote", // the last backslash swallows the closing quote
  // Strings: where do they end?
  "inner-quote",
  "quote-style", // single, smart, backtick
  "triple-quote",
  "doubled-quote",
  "missing-closing-quote",
  "missing-opening-quote",
  "missing-key-quote",
  "adjacent-strings",
  "string-prefix", // r'..', b'..'
  // Literals, numbers, bare words
  "literal-spelling", // True, None, other case
  "undefined",
  "non-finite-number",
  "number-spelling", // +8, .8, 8.
  "number-as-text", // leading zeros, hexadecimal, 8_000, fractions
  "thousands-comma",
  "precision",
  "bare-word",
  "bare-key",
  "constructor-call",
  "tuple",
  // Commas, colons, closers
  "extra-comma",
  "array-hole",
  "missing-comma",
  "missing-colon",
  "semicolon",
  "missing-value",
  "missing-closer",
  "missing-envelope-closer",
  "missing-inner-closer",
  "wrong-closer",
  "surplus-closer",
  "closed-too-early",
  "doubled-brace", // `{{...}}`, as templates escape a brace
  "missing-braces", // members without braces
  "stray-word", // a word between members that belongs to none
  "several-documents",
  "duplicate-key",
  // Cut texts
  "cut-key",
  "cut-string",
  "cut-number",
  "cut-literal",
  "cut-comment",
  // Around a call, by the grammar of its format
  "missing-open-marker",
  "missing-close-marker",
  "missing-value-closer",
  "missing-last-closer",
  "argument-key", // the arguments stand under another word than the format's own
  "empty-arguments", // null or an empty string stands for no arguments
  "encoded-arguments", // the arguments came as a string that holds one JSON object
  "quoted-scalar", // a number, a boolean or null in quotes where no string is allowed
  "quoted-container", // an object or array in quotes where no string is allowed
  "coerced", // policy.schema "coerce" changed a type
] as const;

/** One member of the closed list {@link repairKinds}. */
export type RepairKind = (typeof repairKinds)[number];

/** Kinds that choose between two readings of a call. It is `ambiguous`, unless the policy lists the kind. */
export const readingRepairs: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-value-closer"]);

/** One edit that made a value readable. `start` and `end` are UTF-16 offsets into the text that was passed. */
export interface Repair {
  /** From the closed list of `docs/recovery.md`. */
  kind: RepairKind;
  level: RepairLevel;
  /** Offset of the first character it is about. */
  start: number;
  /** Offset after the last; the same as `start` where something was missing. */
  end: number;
}

/** The worst level of a list of repairs, `none` for an empty list. */
export function worstLevel(repairs: readonly Repair[]): ValueLevel {
  let worst: ValueLevel = "none";
  for (const repair of repairs) if (levelRank[repair.level] > levelRank[worst]) worst = repair.level;
  return worst;
}
