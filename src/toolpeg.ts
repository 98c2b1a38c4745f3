import { allFormats } from "../generated/all.ts";
import type { Format } from "./formats/define-format.ts";
import { createRegistry, findFormatForModel } from "./formats/registry.ts";
import { validateSchema } from "./gate/validate-schema.ts";
import * as core from "./parse.ts";
import type { ParseEvent } from "./runtime/types.ts";
import type { CoreExtractOptions, CoreParseOptions } from "./streaming/options.ts";
import { recovery } from "./streaming/recovery.ts";
import type { ExtractResult, ParseResult } from "./streaming/result.ts";
import {
  type EventStream,
  readStream,
  type StreamOptions,
  type TextSource,
  transformStream,
} from "./streaming/streams.ts";

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
  const chosen =
    typeof format === "object" && Symbol.iterator in format ? [...format].map(one) : one(format as string | Format);
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

/**
 * Reads a message from a source of chunks; `result()` of what comes back holds the result after the last event.
 *
 * @param source An iterable or async iterable of strings, or a web stream of them. Its chunks may be cut anywhere.
 * @returns the events, made as they are asked for. An error of the source, or the reason of an aborted `signal`, is
 * thrown to the consumer after the events before it; a call that was open then has not been ended and never will be.
 * @throws TypeError on misuse, at once.
 */
export function parseStream(source: TextSource, options: ParseOptions & StreamOptions): EventStream {
  const { signal, finishReasonAtEnd, ...rest } = options;
  return readStream(source, createParser(rest), { signal, finishReasonAtEnd });
}

/** A web transform stream from the chunks of one message to its events: `text.pipeThrough(toolCallTransform(options))`. */
export function toolCallTransform(options: ParseOptions & StreamOptions): TransformStream<string, ParseEvent> {
  const { signal, finishReasonAtEnd, ...rest } = options;
  return transformStream(createParser(rest), { signal, finishReasonAtEnd });
}
