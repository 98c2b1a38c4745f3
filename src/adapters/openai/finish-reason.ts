import type { ChatFinishReason } from "./shapes.ts";

/**
 * Why the message ended, as the interface says it. `tool_calls` is said only when there is a call, whatever the server
 * said; a cut or filtered message stays one although there are calls in it, so that the host can refuse the turn.
 */
export function finishReasonOf(given: string | undefined, hasCalls: boolean): ChatFinishReason {
  if (given === "length" || given === "content_filter") return given;
  return hasCalls ? "tool_calls" : "stop";
}
