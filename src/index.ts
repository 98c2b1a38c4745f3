/**
 * toolpeg: a model's text in, tool calls out.
 *
 * @module
 */
export type { Correctable, Format, RenderableCall } from "./formats/format.ts";
export type { FormatRegistry } from "./formats/registry.ts";
export type { FallbackPolicy, Policy, PolicyInput, RepairPolicy, Validate, ValidateOptions } from "./gate/policy.ts";
export type { FunctionDefinition, SchemaSource, ToolDefinition } from "./gate/tools.ts";
export type { Extractor, Parser, Prepared } from "./parse.ts";
export { type RepairJsonOptions, type RepairJsonResult, repairJson } from "./recovery/index.ts";

export { type RejectedToolCall, toRejectedToolCall } from "./rendering/rejected-tool-call.ts";
export { RenderError } from "./rendering/render-error.ts";
export type { Stop } from "./runtime/expected.ts";
export type { BodyLanguage, FormatData, PayloadKeys, ReadBody, RoleSteps, StepTable } from "./runtime/format.ts";
export { type RejectionReason, rejectionReasons } from "./runtime/reasons.ts";
export { type Repair, type RepairKind, type RepairLevel, repairKinds, type ValueLevel } from "./runtime/repairs.ts";
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
} from "./runtime/types.ts";
export { cleanContent } from "./streaming/clean-content.ts";
export type { ExplainedCandidate, Explanation, Stage } from "./streaming/explain.ts";
export type { MessageOptions, ReadOptions, Recovery } from "./streaming/options.ts";
export type { ExtractResult, ParseResult } from "./streaming/result.ts";
export { type NativeReply, type NativeRequest, shouldParseText } from "./streaming/should-parse-text.ts";
export type { EventStream, StreamOptions, TextSource } from "./streaming/streams.ts";
export type { Telemetry, TelemetryRecord, ToolResultStatus } from "./streaming/telemetry.ts";
export type {
  CallOf,
  FromSchema,
  TypedEvent,
  TypedOptions,
  TypedParser,
  TypedResult,
} from "./streaming/typed-tools.ts";
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
