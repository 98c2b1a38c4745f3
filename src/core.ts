/**
 * `toolpeg/core`: formats as values, no schema validator, no recovery of its own, no run-time dependency.
 *
 * @module
 */

export { defineFormat, type FormatDefinition } from "./formats/define-format.ts";
export type { CoreExtractOptions, CoreParseOptions } from "./message/options.ts";
export { createExtractor, createParser, extract, parse, parseAsync, prepare } from "./parse.ts";
export type * from "./public-types.ts";
