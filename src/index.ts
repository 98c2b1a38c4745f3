/**
 * toolpeg: a model's text in, tool calls out.
 *
 * @module
 */

export type { Recovery } from "./blocks/payload-recovery.ts";
export { type RejectionReason, rejectionReasons } from "./contract/reasons.ts";
export { type Repair, type RepairKind, type RepairLevel, repairKinds, type ValueLevel } from "./contract/repairs.ts";
export type {
  Candidate,
  ExtractEvent,
  JsonSchema,
  Node,
  ParseEvent,
  Provisional,
  Rejection,
  ToolCall,
  Violation,
} from "./contract/types.ts";
export type { ExplainedCandidate, Explanation, Stage } from "./explain.ts";
export type { Correctable, Format, RenderableCall } from "./formats/format.ts";
export type {
  BodyLanguage,
  FormatData,
  PayloadKeys,
  ReadBody,
  RoleHandler,
  RoleHandlerTable,
} from "./formats/format-data.ts";
export type { FormatRegistry } from "./formats/registry.ts";
export { type RepairJsonOptions, type RepairJsonResult, repairJson } from "./json-repair/index.ts";
export type { Stop } from "./machine/expected.ts";
export type { MessageOptions, ReadOptions } from "./message/options.ts";
export { cleanContent } from "./output/clean-content.ts";
export type { ExtractResult, ParseResult } from "./output/result.ts";
export { type NativeReply, type NativeRequest, shouldParseText } from "./output/should-parse-text.ts";
export type { EventStream, StreamOptions, TextSource } from "./output/streams.ts";
export type { Telemetry, TelemetryRecord, ToolResultStatus } from "./output/telemetry.ts";
export type {
  CallOf,
  FromSchema,
  TypedEvent,
  TypedOptions,
  TypedParser,
  TypedResult,
} from "./output/typed-tools.ts";
export type { Extractor, Parser, Prepared } from "./parse.ts";
export { type RejectedToolCall, toRejectedToolCall } from "./rendering/rejected-tool-call.ts";
export { RenderError } from "./rendering/render-error.ts";
export {
  createExtractor,
  createParser,
  type ExtractOptions,
  explain,
  extract,
  type FormatChoice,
  type FormatId,
  type FormatName,
  formatForModel,
  formats,
  type ParseOptions,
  parse,
  parseAsync,
  parseStream,
  prepare,
  toolCallTransform,
} from "./toolpeg.ts";
export type {
  FallbackPolicy,
  Policy,
  PolicyInput,
  RepairPolicy,
  Validate,
  ValidateOptions,
} from "./validation/policy.ts";
export type { FunctionDefinition, SchemaSource, ToolDefinition } from "./validation/tools.ts";
