import { checkOptionsOf, checkResult } from "../../contract/option-values.ts";
import type { ToolCall } from "../../contract/types.ts";
import type { ParseResult } from "../../output/result.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { choiceValues, messageValues } from "./option-values.ts";
import type { ChatFinishReason, ChatMessage, ChatToolCall } from "./shapes.ts";

/** What goes into a message. */
export interface MessageOptions {
  /** Put the reasoning into `reasoning_content`, which is not OpenAI's own. Default true; it is left out when empty. */
  reasoning?: boolean | undefined;
}

/** The result as the `message` of a chat completion. Only calls that passed validation are in it. */
export function toChatCompletionMessage(
  result: Pick<ParseResult, "calls" | "content" | "reasoning">,
  options: MessageOptions = {},
): ChatMessage {
  checkResult("toChatCompletionMessage", result);
  checkOptionsOf("toChatCompletionMessage", options, messageValues);
  const { calls, content, reasoning } = result;
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls.map(toToolCall) } : {}),
    ...(reasoning !== "" && options.reasoning !== false ? { reasoning_content: reasoning } : {}),
  };
}

/** A choice of a chat completion. */
export interface ChatChoice {
  index: number;
  message: ChatMessage;
  finish_reason: ChatFinishReason;
  logprobs: null;
}

/**
 * The result as a `choice` of a chat completion: the message, and why it ended. One that is empty because its calls were
 * refused ends with `content_filter`, not with `stop`.
 */
export function toChatCompletionChoice(
  result: Pick<ParseResult, "calls" | "content" | "reasoning"> & Partial<Pick<ParseResult, "rejected">>,
  options: MessageOptions & {
    /** What the server said. Default: unknown. */
    finishReason?: string | undefined;
  } = {},
): ChatChoice {
  checkResult("toChatCompletionChoice", result);
  checkOptionsOf("toChatCompletionChoice", options, choiceValues);
  const { finishReason, ...own } = options;
  const { calls, content, rejected = [] } = result;
  const isWithheld = rejected.length > 0 && content.trim() === "";
  return {
    index: 0,
    message: toChatCompletionMessage(result, own),
    finish_reason: finishReasonOf(finishReason, calls.length > 0, isWithheld),
    logprobs: null,
  };
}

export function toToolCall({ id, name, argumentsText }: ToolCall): ChatToolCall {
  return { id, type: "function", function: { name, arguments: argumentsText } };
}
