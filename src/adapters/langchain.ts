/**
 * `toolpeg/langchain`: tools for chat models of LangChain that write their calls as text. Needs `@langchain/core`.
 *
 * @module
 */
export { type RejectedToolCall, toRejectedToolCall } from "../rendering/rejected-tool-call.ts";
export { uniqueCallIds } from "./call-ids.ts";
export { ToolCallChatModel, type ToolCallChatModelFields, type ToolCallOptions } from "./langchain/chat-model.ts";
export {
  type ParsedMessage,
  ToolCallOutputParser,
  type ToolCallOutputParserFields,
} from "./langchain/output-parser.ts";
export type { CallWishes, InstructionText, PastResult, PromptFormat, RenderResult } from "./past-messages.ts";
export type { ReadingOptions } from "./reading-options.ts";
export type { OnRefusal, RefusalContext, RefusalHandling } from "./refusals.ts";
