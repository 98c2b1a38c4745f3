import { isCutReason, isFilterReason } from "../../contract/finish-reasons.ts";
import type { ParseEvent } from "../../contract/types.ts";
import type { ChatFinishReason } from "./shapes.ts";

/** Sees whether a message has nothing in it although calls were refused: then it does not end as `stop`. */
export class RefusedMessage {
  #hasRefusal = false;
  #isSaid = false;

  /** Takes an event of the message. */
  see(event: ParseEvent): void {
    if (event.type === "call-rejected") this.#hasRefusal = true;
    else if (event.type === "text-delta") this.#isSaid ||= event.text.trim() !== "";
    else if (event.type === "call-end") this.#isSaid = true;
  }

  /** Something stands in it that no event says. */
  seeOther(): void {
    this.#isSaid = true;
  }

  get isWithheld(): boolean {
    return this.#hasRefusal && !this.#isSaid;
  }
}

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
