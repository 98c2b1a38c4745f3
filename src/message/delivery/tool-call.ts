import type { ToolCall } from "../../contract/types.ts";
import type { FormatData } from "../../formats/format-data.ts";
import type { CallVerdict } from "../../validation/check-call.ts";

/** What a call is beside its arguments. */
type CallPlace = Pick<ToolCall, "id" | "index" | "name" | "start" | "end"> & {
  readonly wireId?: string | undefined;
  readonly variant?: string | undefined;
};

/** The call of a verdict that lets it pass. */
export function toolCall(
  { id, index, name, start, end, wireId, variant }: CallPlace,
  format: FormatData,
  verdict: CallVerdict & { readonly ok: true },
): ToolCall {
  const call: ToolCall = {
    id,
    index,
    name,
    arguments: verdict.arguments,
    argumentsText: verdict.argumentsText,
    format: format.id,
    repairs: verdict.repairs,
    start,
    end,
  };
  if (wireId !== undefined && wireId !== id) call.wireId = wireId;
  if (variant !== undefined) call.variant = variant;
  if (verdict.written !== undefined) call.written = verdict.written;
  return call;
}

/** The id of the n-th call where neither the host nor the wire gives one. */
export const defaultId = (n: number): string => firstIds[n] ?? `call_${n}`;

/** Most messages have no more calls. */
const firstIds: readonly string[] = ["call_0", "call_1", "call_2", "call_3"];
