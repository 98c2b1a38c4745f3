/** `toolpeg/core`: formats as values, no schema validator, no recovery of its own, no run-time dependency. */

export { defineFormat, type Format } from "./formats/define-format.ts";
export { createExtractor, createParser, type Extractor, extract, type Parser, parse } from "./parse.ts";
