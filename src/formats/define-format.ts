import type { ToolDefinition } from "../gate/tools.ts";
import { correctionOf } from "../rendering/correction.ts";
import { instructionOf } from "../rendering/instruction.ts";
import { type RenderableCall, renderCalls } from "../rendering/render-calls.ts";
import type { FormatData } from "../runtime/format.ts";
import type { Rejection } from "../runtime/types.ts";

/** A compiled format as a value: what its grammar says, and what can be written in it. */
export interface Format extends FormatData {
  /**
   * The text of a message that makes this call. Reading it gives the call back, or this throws a `RenderError` whose
   * `reason` says why no text would. TypeError: no name, or arguments that are no JSON object.
   */
  renderCall(call: RenderableCall): string;
  /** The same for several calls, in their order. No calls give the empty text. */
  renderCalls(calls: readonly RenderableCall[]): string;
  /** The part of a system prompt that teaches a model to call these tools. Computed once per tool set. */
  instruction(tools: readonly ToolDefinition[]): string;
  /** The message that asks the model to make a refused call again. */
  correction(rejection: Pick<Rejection, "reason" | "message" | "name">): string;
}

/** Makes the value of a format from what its grammar was compiled to. Called by generated modules. */
export function defineFormat(data: FormatData): Format {
  return {
    ...data,
    renderCall: (call) => renderCalls(data, [call]),
    renderCalls: (calls) => renderCalls(data, calls),
    instruction: (tools) => instructionOf(data, tools),
    correction: (rejection) => correctionOf(data, rejection),
  };
}
