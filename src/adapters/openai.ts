/**
 * `toolpeg/openai`: results and events in the shapes of the OpenAI interface, and its chunks into a parser.
 *
 * @module
 */
export { uniqueCallIds } from "./call-ids.ts";
export { fromChatCompletionChunk, type PushParser, rewriteChatCompletionChunks } from "./openai/from-chunks.ts";
export type {
  ChatChunk,
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
export { type ChunkOptions, toChatCompletionChunks } from "./openai/to-chunks.ts";
export { type MessageOptions, toChatCompletionChoice, toChatCompletionMessage } from "./openai/to-message.ts";
export { toResponseItems } from "./openai/to-response-items.ts";
export { type RequestMessage, type TextMessage, toTextMessages } from "./openai/to-text-messages.ts";
export type { PastResult, PromptFormat, RenderResult } from "./past-messages.ts";
