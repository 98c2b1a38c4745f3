/**
 * `toolpeg/core`: formats as values, no schema validator, no recovery of its own, no run-time dependency.
 *
 * @module
 */
export { defineFormat } from "./formats/define-format.ts";
export type { Format, RenderableCall } from "./formats/format.ts";
export type { FallbackPolicy, Policy, PolicyInput, RepairPolicy, Validate, ValidateOptions } from "./gate/policy.ts";
export type { FunctionDefinition, SchemaSource, ToolDefinition } from "./gate/tools.ts";
export {
  createExtractor,
  createParser,
  type Extractor,
  extract,
  type Parser,
  type Prepared,
  parse,
  parseAsync,
  prepare,
} from "./parse.ts";

export type { FormatData } from "./runtime/format.ts";
export type { RejectionReason } from "./runtime/reasons.ts";
export type { Repair, RepairKind, RepairLevel } from "./runtime/repairs.ts";
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
export type {
  CoreExtractOptions,
  CoreParseOptions,
  MessageOptions,
  ReadOptions,
  Recovery,
} from "./streaming/options.ts";
export type { ExtractResult, ParseResult } from "./streaming/result.ts";
export type { Telemetry, TelemetryRecord, ToolResultStatus } from "./streaming/telemetry.ts";
