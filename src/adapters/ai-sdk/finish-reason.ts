import type { FinishReason } from "./shapes.ts";

/** The word for why the model stopped, whatever the specification. */
export function finishWord(reason: FinishReason): string {
  return typeof reason === "string" ? reason : reason.unified;
}

/**
 * Why the model stopped, as the parser is given it. In an object, `other` stands for every word that the SDK has no word for,
 * and for none: there the server's own word counts.
 */
export function endWord(reason: FinishReason): string | undefined {
  return typeof reason !== "string" && reason.unified === "other" ? reason.raw : finishWord(reason);
}

export interface Outcome {
  /** Calls for the SDK to run or to fail, native ones among them. */
  calls: number;
  /** The only thing that the message held was dropped. */
  isDropped: boolean;
}

/**
 * `tool-calls` exactly when there are calls: the SDK runs tools on it. A cut, filtered or failed message keeps its reason
 * although there are calls in it.
 */
export function rewriteFinishReason(reason: FinishReason, { calls, isDropped }: Outcome): FinishReason {
  const word = finishWord(reason);
  if (word === "length" || word === "content-filter" || word === "error") return reason;
  const rewritten = calls > 0 ? "tool-calls" : isDropped ? "other" : word === "tool-calls" ? "stop" : word;
  return typeof reason === "string" ? rewritten : { ...reason, unified: rewritten };
}
