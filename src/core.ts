/**
 * `toolpeg/core`: formats as values, no schema validator, no recovery of its own, no run-time dependency.
 *
 * @module
 */

export type { Recovery } from "./blocks/payload-recovery.ts";
export type { RejectionReason } from "./contract/reasons.ts";
export type { Repair, RepairKind, RepairLevel } from "./contract/repairs.ts";
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
export { defineFormat, type FormatDefinition } from "./formats/define-format.ts";
export type { Format, RenderableCall } from "./formats/format.ts";

export type { FormatData } from "./formats/format-data.ts";
export type {
  CoreExtractOptions,
  CoreParseOptions,
  MessageOptions,
  ReadOptions,
} from "./message/options.ts";
export type { ExtractResult, ParseResult } from "./output/result.ts";
export type { Telemetry, TelemetryRecord, ToolResultStatus } from "./output/telemetry.ts";
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
export type {
  FallbackPolicy,
  Policy,
  PolicyInput,
  RepairPolicy,
  Validate,
  ValidateOptions,
} from "./validation/policy.ts";
export type { FunctionDefinition, SchemaSource, ToolDefinition } from "./validation/tools.ts";
