import type { RejectionReason } from "../contract/reasons.ts";

/**
 * The format cannot carry a call as it is: no text would give it back. `reason` says why: what validation would say of
 * the text; `changed`, when it would be read as something else; `no-template`, when the format has no way to write it.
 */
export class RenderError extends Error {
  override readonly name = "RenderError";
  /** A {@link RejectionReason}, `changed` or `no-template`. */
  readonly reason: RejectionReason | "changed" | "no-template";

  constructor(reason: RejectionReason | "changed" | "no-template", message: string) {
    super(message);
    this.reason = reason;
  }
}
