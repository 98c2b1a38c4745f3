import type { FinishReason } from "./shapes.ts";

/** The word for why the model stopped, whatever the specification. */
export function finishWord(reason: FinishReason): string {
  return typeof reason === "string" ? reason : reason.unified;
}

/**
 * `tool-calls` exactly when there are calls: the SDK runs tools on it. A cut, filtered or failed message keeps its reason
 * although there are calls in it, and the SDK then runs none.
 */
export function rewriteFinishReason(reason: FinishReason, calls: number, nativeCalls: boolean): FinishReason {
  const word = finishWord(reason);
  if (word === "length" || word === "content-filter" || word === "error") return reason;
  const rewritten = calls > 0 ? "tool-calls" : word === "tool-calls" && !nativeCalls ? "stop" : word;
  return typeof reason === "string" ? rewritten : { ...reason, unified: rewritten };
}
