import type { JsonSchema } from "./types.ts";

/**
 * How a prompt lists tools. A closed list, for `{{tools ...}}` in the `prompt` of a header:
 *
 * - `json`: a line of JSON for each, with name, description and parameters.
 * - `function-json`: the same in the envelope of the OpenAI interface.
 * - `function-json-array`: those in one array.
 * - `tool-tags`: a line of JSON for each between `<tool>` and `</tool>`.
 * - `typescript`: a function type for each, in the namespace `functions`.
 * - `parameter-tags`: tags for each, and for each of its parameters.
 * - `headings`: a heading for each, its description and its parameters as JSON.
 */
export const toolListings = [
  "json",
  "function-json",
  "function-json-array",
  "tool-tags",
  "typescript",
  "parameter-tags",
  "headings",
] as const;

/** How a prompt lists tools: what `{{tools ...}}` of a header may name. */
export type ToolListing = (typeof toolListings)[number];

/** What is said of a tool. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** A way to list tools. */
export type ListTools = (tools: readonly ListedTool[]) => string;

/** Ways that a format brings, since few prompts have them. */
export type ToolListings = { readonly [Listing in ToolListing]?: ListTools };

/** The places of a prompt that are filled in. */
export const promptPlaces = /\{\{(?:tools ([a-z-]+)|(example))\}\}/;
