/**
 * `toolpeg/ai-sdk`: tools for models that write their calls as text, in the Vercel AI SDK 5, 6 and 7.
 *
 * @module
 */
export { type RejectedToolCall, toRejectedToolCall } from "../rendering/rejected-tool-call.ts";
export { type ToolCallMiddleware, toolCallMiddleware } from "./ai-sdk/middleware.ts";
export type { ToolCallMiddlewareOptions } from "./ai-sdk/options.ts";
export { type RepairRequest, repairToolCall } from "./ai-sdk/repair-tool-call.ts";
export { uniqueCallIds } from "./call-ids.ts";
export type { CallWishes, InstructionText, PastResult, PromptFormat, RenderResult } from "./past-messages.ts";
export type { ReadingOptions } from "./reading-options.ts";
export type { OnRefusal, RefusalContext, RefusalHandling } from "./refusals.ts";
