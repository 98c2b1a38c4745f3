import type { RejectionReason } from "../contract/reasons.ts";
import type { Violation } from "../contract/types.ts";

/** A refusal by validation. */
export interface CallRefusal {
  ok: false;
  reason: RejectionReason;
  /** What happened and what to do, in one or two sentences. */
  message: string;
  /** For `schema`, where the validator says it: each place that does not fit. */
  violations?: readonly Violation[];
}

/** Names and paths of a model are clipped in messages. */
const quotedCharsMax = 60;

/** Says no. */
export function refuse(reason: RejectionReason, message: string): CallRefusal {
  return { ok: false, reason, message };
}

/** A text of the model, as long as a message bears. */
export function clip(text: string): string {
  return text.length > quotedCharsMax ? `${text.slice(0, quotedCharsMax)}...` : text;
}

/** The same between quotation marks. */
export function quote(name: string): string {
  return JSON.stringify(clip(name));
}
