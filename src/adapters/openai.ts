/**
 * `toolpeg/openai`: results and events in the shapes of the OpenAI interface, and its chunks into a parser. Clients whose
 * code does not change take `toolpeg/proxy`.
 *
 * @module
 */
export { type RejectedToolCall, toRejectedToolCall } from "../rendering/rejected-tool-call.ts";
export { uniqueCallIds } from "./call-ids.ts";
export { fromChatCompletionChunk, type RewriteOptions, rewriteChatCompletionChunks } from "./openai/from-chunks.ts";
export type { ResponseEvent, ResponseObject, ResponseOutputItem, ResponseUsage } from "./openai/response-shapes.ts";
export type {
  ChatChunk,
  ChatChunkChoice,
  ChatDelta,
  ChatFinishReason,
  ChatMessage,
  ChatToolCall,
  ChatToolCallDelta,
  IncomingChoice,
  IncomingChunk,
  IncomingContentPart,
  IncomingToolCallDelta,
  ResponseFunctionCall,
  ResponseItem,
  ResponseMessage,
  ResponseReasoning,
} from "./openai/shapes.ts";
export { ChatStreamError } from "./openai/stream-error.ts";
export { type ChunkOptions, toChatCompletionChunks } from "./openai/to-chunks.ts";
export {
  type ChatChoice,
  type MessageOptions,
  toChatCompletionChoice,
  toChatCompletionMessage,
} from "./openai/to-message.ts";
export { type ResponseEventOptions, toResponseEvents } from "./openai/to-response-events.ts";
export { toResponseItems } from "./openai/to-response-items.ts";
export {
  type RequestMessage,
  type TextMessage,
  type TextMessagesOptions,
  toTextMessages,
} from "./openai/to-text-messages.ts";
export type { CallWishes, InstructionText, PastResult, PromptFormat, RenderResult } from "./past-messages.ts";
export { refusalsOf, refusalText } from "./refusals.ts";
export type { PushParser } from "./server-message.ts";
