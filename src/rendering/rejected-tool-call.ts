import { checkGiven } from "../contract/option-values.ts";
import type { Rejection } from "../contract/types.ts";

/** A refused call in the shape in which a host gives it to the model. Never to be run. */
export interface RejectedToolCall {
  /** As the model wrote it; `"invalid"` where no name could be read. */
  name: string;
  /** As far as they could be read; for display. */
  arguments: Record<string, unknown>;
  /** Why it was not run: the reason, and a sentence. */
  error: string;
}

/**
 * A refusal as a call that failed: what a host needs to feed it back to the model.
 *
 * @param rejection from `result.rejected`, or of a `call-rejected` event
 */
export function toRejectedToolCall(
  rejection: Pick<Rejection, "reason" | "message"> & Partial<Pick<Rejection, "name" | "partial">>,
): RejectedToolCall {
  checkGiven("toRejectedToolCall", "one of the `rejected` of a result", rejection, {
    reason: "string",
    message: "string",
  });
  const { reason, message, name, partial } = rejection;
  const isObject = typeof partial === "object" && partial !== null && !Array.isArray(partial);
  return {
    name: name === undefined || name === "" ? "invalid" : name,
    arguments: isObject ? { ...(partial as Record<string, unknown>) } : {},
    error: message === "" ? reason : `${reason}: ${message}`,
  };
}
