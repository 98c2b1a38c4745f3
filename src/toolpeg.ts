import { allFormats } from "../generated/all.ts";
import type { Format } from "./formats/define-format.ts";
import { createRegistry, findFormatForModel } from "./formats/registry.ts";
import { validateSchema } from "./gate/validate-schema.ts";
import * as core from "./parse.ts";
import { recovery } from "./streaming/recovery.ts";
import type { CoreExtractOptions, CoreParseOptions } from "./streaming/options.ts";
import type { ExtractResult, ParseResult } from "./streaming/result.ts";

/** All formats, by id or alias. */
export const formats = createRegistry(allFormats);

/** A format by id, alias or value; a list; or `"auto"`. */
export type FormatChoice = string | Format | readonly (string | Format)[];

/** Options of `parse` and `createParser`. */
export type ParseOptions = Omit<CoreParseOptions, "format"> & { format: FormatChoice };

/** Options of `extract` and `createExtractor`. */
export type ExtractOptions = Omit<CoreExtractOptions, "format"> & { format: FormatChoice };

const one = (choice: string | Format): Format => (typeof choice === "string" ? formats.get(choice) : choice);

/** What the root entry brings beyond the core: formats by name, the validator, the recovery. */
function complete<Options extends ParseOptions | ExtractOptions>(options: Options) {
  const { format } = options;
  if (format === undefined) throw new TypeError('options.format is missing: give an id such as "hermes"');
  const chosen = typeof format === "object" && Symbol.iterator in format ? [...format].map(one) : one(format as string | Format);
  return { recovery, ...options, format: chosen };
}

function completeParse(options: ParseOptions): CoreParseOptions {
  return { ...complete(options), policy: { validate: validateSchema, ...options.policy } } as CoreParseOptions;
}

/**
 * Reads a whole message.
 *
 * @param text What the model wrote.
 * @returns calls that passed the gate, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: an unknown format, invalid schemas, duplicate tool names.
 */
export function parse(text: string, options: ParseOptions): ParseResult {
  return core.parse(text, completeParse(options));
}

/** Makes a parser for one message that arrives in chunks; `push` and `end` return the events. */
export function createParser(options: ParseOptions): core.Parser {
  return core.createParser(completeParse(options));
}

/** Reads a whole message: phase one alone. No allowlist, no schema, nothing executable. */
export function extract(text: string, options: ExtractOptions): ExtractResult {
  return core.extract(text, complete(options) as CoreExtractOptions);
}

/** Makes an extractor for one message that arrives in chunks. */
export function createExtractor(options: ExtractOptions): core.Extractor {
  return core.createExtractor(complete(options) as CoreExtractOptions);
}

/** The format a model speaks, by its name: `formatForModel("Qwen/Qwen3-32B")`. Undefined when none is known. */
export function formatForModel(model: string): Format | undefined {
  return findFormatForModel(formats, model);
}
