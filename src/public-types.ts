/** The types that `toolpeg` and `toolpeg/core` both export. */

export type { Recovery } from "./blocks/recovery-types.ts";
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
export type { Format, RenderableCall } from "./formats/format.ts";
export type { FormatData } from "./formats/format-data.ts";
export type { MessageOptions, ReadOptions } from "./message/options.ts";
export type { ExtractResult, ParseResult } from "./output/result.ts";
export type { Telemetry, TelemetryRecord, ToolResultStatus } from "./output/telemetry.ts";
export type { Extractor, Parser, Prepared } from "./parse.ts";
export type {
  FallbackPolicy,
  Policy,
  PolicyInput,
  RepairPolicy,
  Validate,
  ValidateOptions,
} from "./validation/policy.ts";
export type { FunctionDefinition, SchemaSource, ToolDefinition } from "./validation/tools.ts";
