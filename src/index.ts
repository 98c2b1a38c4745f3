/**
 * toolpeg: a model's text in, tool calls out.
 *
 * @module
 */

export { rejectionReasons } from "./contract/reasons.ts";
export { repairKinds, type ValueLevel } from "./contract/repairs.ts";
export type { ListedTool, ListTools, ToolListing, ToolListings } from "./contract/tool-listings.ts";
export type { ExplainedCandidate, Explanation, Stage } from "./explain.ts";
export type { Correctable } from "./formats/format.ts";
export type { BodyLanguage, PayloadKeys, ReadBody, RoleHandler, RoleHandlerTable } from "./formats/format-data.ts";
export type { FormatRegistry } from "./formats/registry.ts";
export { type RepairJsonOptions, type RepairJsonResult, repairJson } from "./json-repair/index.ts";
export type { Stop } from "./machine/expected.ts";
export { cleanContent } from "./output/clean-content.ts";
export { type NativeReply, type NativeRequest, shouldParseText } from "./output/should-parse-text.ts";
export type { CallOf, FromSchema, TypedEvent, TypedOptions, TypedParser, TypedResult } from "./output/typed-tools.ts";
export type { EventStream, StreamOptions, TextSource } from "./output/wrap-streams.ts";
export type * from "./public-types.ts";
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
