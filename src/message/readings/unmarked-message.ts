import type { FormatData } from "../../formats/format-data.ts";
import type { CallVerdict } from "../../validation/check-call.ts";
import type { Candidate } from "../../values/candidate.ts";
import type { CallValidator } from "./alternative.ts";

/** A candidate that is validated with others. */
export interface PendingCandidate {
  candidate: Candidate;
  chars: number;
}

/** A candidate with its verdict. */
export interface CandidateVerdict {
  candidate: Candidate;
  verdict: CallVerdict;
}

/** The verdicts on candidates that are validated together, in their order. */
export function validatePending(
  pending: readonly PendingCandidate[],
  format: FormatData,
  validator: CallValidator,
  intent: boolean,
): CandidateVerdict[] {
  const verdicts =
    format.mode === "primary"
      ? pending.map(({ candidate, chars }) => validator.verdict(candidate, chars))
      : validator.fallbackVerdicts(pending, intent);
  return pending.map(({ candidate }, at) => ({ candidate, verdict: verdicts[at] }));
}

/** Whether a text without markers is a message of calls: one has to pass, or all, as the format says. */
export function isUnmarkedMessage(verdicts: readonly CandidateVerdict[], format: FormatData): boolean {
  const passing = verdicts.filter(({ candidate, verdict }) => !candidate.problem && verdict.ok).length;
  return passing > 0 && (passing === verdicts.length || !format.flags.includes("all-or-none"));
}
