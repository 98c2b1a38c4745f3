/**
 * `toolpeg/openai`: results and events in the shapes of the OpenAI interface, its chunks into a parser, and completions
 * with tools of a server that only completes text.
 *
 * @module
 */
export { type RejectedToolCall, toRejectedToolCall } from "../rendering/rejected-tool-call.ts";
export { uniqueCallIds } from "./call-ids.ts";
export type { PushParser } from "./message-reader.ts";
export { fromChatCompletionChunk, type RewriteOptions, rewriteChatCompletionChunks } from "./openai/from-chunks.ts";
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
  IncomingCompletion,
  IncomingContentPart,
  IncomingMessageChoice,
  IncomingToolCall,
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
export { toResponseItems } from "./openai/to-response-items.ts";
export {
  type RequestMessage,
  type TextMessage,
  type TextMessagesOptions,
  toTextMessages,
} from "./openai/to-text-messages.ts";
export {
  type CompletionRequest,
  type SendCompletion,
  type SendStream,
  type ToolCompletions,
  type ToolCompletionsOptions,
  toolCompletions,
} from "./openai/tool-completions.ts";
export type { CallWishes, InstructionText, PastResult, PromptFormat, RenderResult } from "./past-messages.ts";
export type { ReadingOptions } from "./reading.ts";
export { type OnRefusal, type RefusalContext, type RefusalHandling, refusalsOf, refusalText } from "./refusals.ts";
