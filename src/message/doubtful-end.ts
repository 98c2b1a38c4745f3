import type { RepairKind } from "../contract/repairs.ts";
import type { Candidate } from "../values/candidate.ts";

/** Repairs that say where a call ends: what follows may say that it ended elsewhere. */
const movesEnd: ReadonlySet<RepairKind> = new Set<RepairKind>([
  "inner-quote",
  "missing-closer",
  "missing-envelope-closer",
  "missing-close-marker",
]);

/** Those that put in braces which may stand further on. */
const closes: ReadonlySet<RepairKind> = new Set<RepairKind>(["missing-closer", "missing-envelope-closer"]);

/** Whether it is a repair that says where the call ends. */
export function endIsRepaired({ repairs }: Candidate): boolean {
  return repairs.some(({ kind }) => movesEnd.has(kind));
}

/**
 * What follows a call whose end is a repair: it may be the rest of one of its strings, if it ends a string and a container
 * that it has not begun. Where braces were put in, a brace alone is what may have been missing.
 */
export class DoubtfulEnd {
  readonly #needsQuote: boolean;
  /** Brackets that the text has opened, and whether the last thing in it was a quote. */
  #depth = 0;
  #isAfterQuote = false;
  /** Something other than framing follows: then a closer is not that of the call, a little late. */
  hasText = false;

  constructor({ repairs }: Candidate) {
    this.#needsQuote = !repairs.some(({ kind }) => closes.has(kind));
  }

  /** Where the next piece of the text contradicts the repair; -1: nowhere. */
  contradictedAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      this.hasText ||= unit.trim() !== "";
      if (unit === '"' || unit === "'") this.#isAfterQuote = true;
      else if (unit === "}" || unit === "]") {
        if (this.#depth === 0 && (this.#isAfterQuote || !this.#needsQuote)) return at;
        this.#depth = Math.max(0, this.#depth - 1);
      } else if (unit.trim() !== "") {
        if (unit === "{" || unit === "[") this.#depth++;
        this.#isAfterQuote = false;
      }
    }
    return -1;
  }
}
