import type { ToolFacts } from "../../blocks/reader-owner.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { Hints } from "../../machine/hints.ts";
import type { CandidateFacts } from "../../validation/candidate-facts.ts";
import type { CallVerdict } from "../../validation/check-call.ts";
import type { Policy } from "../../validation/policy.ts";
import type { Candidate } from "../../values/candidate.ts";

/** Validation of calls; extraction alone passes everything readable. */
export interface CallValidator extends ToolFacts {
  readonly hints: Hints;
  readonly policy: Policy;
  /** Some tool is a schema library's object, which has the last word. */
  readonly asksLibraries: boolean;
  /** Whether a name may be announced. */
  offers(name: string | undefined): boolean;
  verdict(candidate: Candidate, chars: number): CallVerdict;
  /** The same for a call of which only the facts are there. */
  verdictOn(facts: CandidateFacts): CallVerdict;
  /** The verdicts on all candidates of a message in a fallback format, in their order. */
  fallbackVerdicts(candidates: readonly { candidate: Candidate; chars: number }[], intent: boolean): CallVerdict[];
}

/** One format of those that were asked for, and who judges its calls. */
export interface Alternative {
  readonly format: FormatData;
  readonly validator: CallValidator;
  /** The model signalled that a tool is needed. */
  readonly intent: boolean;
}

/** Where a block is looked for: at an opener, at the start of the message, or on lines of its own. */
export type BlockEntry = "block" | "start" | "line";

/** What framing or a block has ended begins a line: where, and to which formats; to others it is text. */
export interface BegunLine {
  readonly at: number;
  readonly to: readonly Alternative[];
}

/** Where a line has so begun to a format; -1: it has not. */
export const lineBegunFor = ({ at, to }: BegunLine, alternative: Alternative): number =>
  to.includes(alternative) ? at : -1;
