import type { Rejection } from "../contract/types.ts";
import type { ToolDefinition } from "../validation/tools.ts";
import type { FormatData } from "./format-data.ts";

/** What can be rendered: a call of a result, or anything with a name and arguments. */
export interface RenderableCall {
  /** Of the tool; not empty. */
  readonly name: string;
  /** Default: none. */
  readonly arguments?: Readonly<Record<string, unknown>> | null | undefined;
  /** The same as JSON text; keeps the digits of big numbers. Ignored where it says something else. */
  readonly argumentsText?: string | undefined;
  /** The id in formats whose example shows one; `wireId`, what the model itself wrote, goes first. */
  readonly id?: string | undefined;
  /** The id as the model wrote it. */
  readonly wireId?: string | undefined;
}

/** What a correction needs to know of a refusal. */
export type Correctable = Pick<Rejection, "reason" | "message" | "name">;

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
  /** The message that asks the model to make a refused call, or several, again. */
  correction(rejections: Correctable | readonly Correctable[]): string;
}
