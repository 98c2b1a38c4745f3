import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import type { InvalidToolCall, ToolCall as LangChainToolCall, ToolCallChunk } from "@langchain/core/messages/tool";
import { finishReasonText } from "../../contract/finish-reasons.ts";
import { isObject } from "../../contract/is-object.ts";
import type { Rejection, ToolCall } from "../../contract/types.ts";
import { toRejectedToolCall } from "../../rendering/rejected-tool-call.ts";
import { parseJson } from "../../values/json-text.ts";
import { randomWord } from "../call-ids.ts";
import { type RequestMessage, type TextMessagesOptions, toTextMessages } from "../openai/to-text-messages.ts";

/** A conversation for a model that gets its tools as text; messages in which nothing is to be written stay as they are. */
export function toTextConversation(messages: readonly BaseMessage[], options: TextMessagesOptions): BaseMessage[] {
  return toTextMessages(messages.map(toRequest), options).map(({ role, content, from }) => {
    const given = from as BaseMessage | undefined;
    if (given !== undefined && content === given.content && !hasCalls(given)) return given;
    // biome-ignore lint/suspicious/noExplicitAny: the content was a message's and is one again
    const fields = { content: content as any, ...(given?.name === undefined ? {} : { name: given.name }) };
    if (role === "system") return new SystemMessage(fields);
    return role === "assistant" ? new AIMessage(fields) : new HumanMessage(fields);
  });
}

/** A call in any of the places where LangChain keeps one: providers send them all. */
function hasCalls(message: BaseMessage): boolean {
  const { tool_calls, invalid_tool_calls } = message as Partial<AIMessage>;
  const { tool_calls: raw, function_call } = message.additional_kwargs;
  return [tool_calls, invalid_tool_calls, raw].some((calls) => (calls ?? []).length > 0) || function_call !== undefined;
}

function toRequest(message: BaseMessage): RequestMessage & { from?: BaseMessage } {
  const { content } = message;
  switch (message.getType()) {
    case "system":
      return { role: "system", content, from: message };
    case "tool": {
      const { tool_call_id, status } = message as ToolMessage;
      return { role: "tool", content: status === "error" ? errorContent(content) : content, tool_call_id };
    }
    case "ai": {
      const calls = ((message as AIMessage).tool_calls ?? []).map(({ id, name, args }) => ({
        ...(id === undefined ? {} : { id }),
        function: { name, arguments: JSON.stringify(args) },
      }));
      return { role: "assistant", content, from: message, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case "generic": {
      const { role } = message as ChatMessage;
      return { role: rolesOfModel.includes(role) ? "assistant" : role, content, from: message };
    }
    default:
      return { role: "user", content, ...(message.getType() === "human" ? { from: message } : {}) };
  }
}

const rolesOfModel: readonly string[] = ["assistant", "ai", "model"];

/** A result that is an error says so, where its text does not. */
function errorContent(content: BaseMessage["content"]): unknown {
  if (typeof content !== "string") return [{ type: "text", text: "Error: " }, ...content];
  return /^\s*error/i.test(content) ? content : `Error: ${content}`;
}

/** Whose message it is, in the words of the provider where LangChain has none. */
export const roleOf = (message: BaseMessage): string =>
  ChatMessage.isInstance(message) ? message.role : message.getType();

/**
 * The calls that a server has read itself, with their arguments as they were written: LangChain completes those of chunks, and
 * some servers give the last of a message that was cut as far as it came.
 */
export function writtenCalls(message: AIMessage): WrittenCall[] {
  const { tool_calls: calls = [], additional_kwargs } = message;
  const chunks = (message as Partial<AIMessageChunk>).tool_call_chunks ?? [];
  const raw = (additional_kwargs.tool_calls ?? []).map((one) => ({
    id: one.id,
    args: String(one.function?.arguments),
  }));
  const written: WrittenCall[] = chunks.length > 0 ? [...chunks] : raw.filter(({ args }) => isObject(parseJson(args)));
  return calls.map((call, index) => {
    const { id, name, args } = call;
    const at = written.findIndex((one) => one.id === id);
    const parsed = { args: JSON.stringify(args), hasOpenEnd: index === calls.length - 1 };
    const found = at < 0 ? parsed : written.splice(at, 1)[0];
    return { ...found, id, name, call };
  });
}

/** What a provider says beside content, thoughts and calls. */
export function otherKwargs({ additional_kwargs }: BaseMessage): Record<string, unknown> {
  const { tool_calls, reasoning_content, ...others } = additional_kwargs;
  return others;
}

/** The same, and those of which LangChain could not read the arguments. */
export function allWrittenCalls(message: AIMessage): WrittenCall[] {
  return [
    ...writtenCalls(message),
    ...(message.invalid_tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args })),
  ];
}

/** The same as pieces of a stream: in one, too, some models give calls whole, and may repeat those that they have given. */
export function callPieces(message: AIMessage, given: readonly ToolCallChunk[] = []): ToolCallChunk[] {
  const { tool_call_chunks: pieces = [] } = message as Partial<AIMessageChunk>;
  if (pieces.length > 0) return pieces;
  return allWrittenCalls(message)
    .filter(({ id }) => id === undefined || given.every((piece) => piece.id !== id))
    .map(({ call: _, ...piece }) => ({ ...piece, type: "tool_call_chunk" }) as ToolCallChunk);
}

/** A call that the server has read itself, its arguments as they were written. */
export interface WrittenCall {
  id?: string | undefined;
  name?: string | undefined;
  args?: string | undefined;
  /** The arguments are a text. */
  isCustomTool?: boolean | undefined;
  /** The arguments do not say where they end. */
  hasOpenEnd?: boolean | undefined;
  /** As LangChain gives it. */
  call?: LangChainToolCall | undefined;
}

/** A call as a message of LangChain has it, with what the model wrote: the tool makes of it what its schema says. */
export function toLangChainCall({ id, name, arguments: made, written: args = made }: ToolCall): LangChainToolCall {
  return { type: "tool_call", id, name, args };
}

/**
 * A refused call as a message of LangChain has it: listed, and never run. Its arguments are no JSON and no beginning of
 * any: LangChain completes what it can.
 */
export function toInvalidCall(rejection: Rejection, id = `call_${randomWord()}`): InvalidToolCall {
  const { name, error } = toRejectedToolCall(rejection);
  return { type: "invalid_tool_call", id, name, args: `not run: ${error}`, error };
}

/** Why the model stopped, wherever a provider says it of a message or of a chunk. */
export function finishReasonIn(message: BaseMessage, generationInfo?: Record<string, unknown>): string | undefined {
  const { response_metadata, additional_kwargs } = message;
  for (const place of [generationInfo, response_metadata, additional_kwargs]) {
    // A reason says more than the status of a response, which is "incomplete" for a limit and for a filter.
    const said = [...reasonKeys.map((key) => place?.[key]), ...reasonHolders.map((key) => reasonOf(place?.[key]))];
    const reason = [...said, place?.status].find((word) => finishReasonText(word) !== "");
    if (reason !== undefined) return finishReasonText(reason);
  }
  return undefined;
}

const reasonKeys = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"];
/** The Responses interface, and Bedrock in a stream, say it in an object. */
const reasonHolders = ["incomplete_details", "messageStop"];

function reasonOf(holder: unknown): unknown {
  const { reason, stopReason } = (holder ?? {}) as { reason?: unknown; stopReason?: unknown };
  return reason ?? stopReason;
}
