import type { Candidate } from "../../values/candidate.ts";
import type { AlternativeReading } from "../readings/alternative-reading.ts";
import type { Disambiguation } from "../readings/disambiguation.ts";
import type { TextFlow } from "./text-flow.ts";

/** The first call of a block that may be half of one: what it has taken along may be text around it, as brackets that are too many. */
export const halfCallOf = ({ candidates, alternative: { validator } }: AlternativeReading): Candidate | undefined =>
  candidates.find(
    ({ problem, repairs, name }) =>
      problem !== undefined ||
      !validator.offers(name) ||
      repairs.some(({ kind, level }) => level !== "safe" || kind === "surplus-closer"),
  );

/**
 * A pair of tags quotes half a call as it quotes text, also where that call takes along what closes the pair and the next call. A whole
 * one holds the closer in its values.
 *
 * @returns what closes the pair; undefined: nothing in the block does
 */
export function pairClosedIn(
  { around, budget, region }: TextFlow,
  { start }: Candidate,
  { alternative: { validator } }: AlternativeReading,
  settledAt: number,
): { start: number; end: number } | undefined {
  if (region.kind !== "quoted" || !budget.mayReadTwice) return undefined;
  return around.closePairIn(start, settledAt, validator.hints.names ?? [""]);
}

/** What has closed the quotation, or the thoughts, around half a call may as well be text of that call: what closes it would say so. */
export function leaveHalf({ region }: TextFlow, { alternatives }: Disambiguation): void {
  for (const { format } of alternatives) region.sink.openCall(format);
}
