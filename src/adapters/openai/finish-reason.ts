import { isCutReason, isFilterReason } from "../../contract/finish-reasons.ts";
import type { ChatFinishReason } from "./shapes.ts";

/**
 * Why the message ended, as the interface says it. `tool_calls` is said only when there is a call, whatever the server
 * said; a cut or filtered message stays one although there are calls in it, so that the host can refuse the turn. A
 * message that is empty because something was withheld is a filtered one.
 */
export function finishReasonOf(given: string | undefined, hasCalls: boolean, isWithheld = false): ChatFinishReason {
  if (isCutReason(given)) return isFilterReason(given) ? "content_filter" : "length";
  if (hasCalls) return "tool_calls";
  return isWithheld ? "content_filter" : "stop";
}
