import { allFormats, distinctiveOpeners, type FormatId } from "../generated/all.ts";
import { recovery } from "./blocks/make-recovery.ts";
import { type Explanation, explain as explainMessage } from "./explain.ts";
import { chooseFormats, type FormatChoice, type FormatName } from "./formats/choose-formats.ts";
import type { Format } from "./formats/format.ts";
import { announceRegistry } from "./formats/known-registry.ts";
import { findByModel } from "./formats/model-name.ts";
import { createRegistry } from "./formats/registry.ts";
import type { CoreExtractOptions, CoreParseOptions, MessageOptions } from "./message/options.ts";
import { otherFormatFinder } from "./message/other-format.ts";
import { soundReaderOf } from "./message/sound-message.ts";
import type { ExtractResult } from "./output/result.ts";
import type { CallOf, TypedEvent, TypedOptions, TypedParser, TypedResult } from "./output/typed-tools.ts";
import {
  type EventStream,
  type PushParser,
  readStream,
  type StreamOptions,
  type TextSource,
  transformStream,
} from "./output/wrap-streams.ts";
import * as core from "./parse.ts";
import { type PolicyInput, withValidator } from "./validation/policy.ts";
import {
  areUnchanged,
  prepareTools,
  type SeenTools,
  seeTools,
  type ToolDefinition,
  type ToolSet,
} from "./validation/tools.ts";
import { validateSchema } from "./validation/validate-schema.ts";

export type { FormatChoice, FormatId, FormatName };

/** All formats, by id or alias. */
export const formats = createRegistry(allFormats);
announceRegistry(formats);

/** Options of `parse` and `createParser`. */
export interface ParseOptions extends Omit<CoreParseOptions, "format"> {
  /** Formats by id, alias or value. A list competes by position. */
  format: FormatChoice;
}

/** Options of `extract` and `createExtractor`. */
export interface ExtractOptions extends Omit<CoreExtractOptions, "format"> {
  /** Formats by id, alias or value. A list competes by position. */
  format: FormatChoice;
}

/** What the root entry brings beyond the core: formats by name, the validator, the recovery. */
function complete<Options extends ParseOptions | ExtractOptions>(options: Options) {
  if (typeof options !== "object" || options === null) {
    throw new TypeError('options are missing: give at least { format: "hermes", tools: [...] }');
  }
  const { format } = options;
  if (format === undefined || format === null)
    throw new TypeError('options.format is missing: give an id such as "hermes"');
  const chosen = chooseFormats(format, formats, (options as ParseOptions).intent ?? false);
  return { recovery, findOtherFormat, ...options, format: chosen };
}

const findOtherFormat = otherFormatFinder(formats, distinctiveOpeners);

/** Frozen, so that it is completed once and not for every message. */
const rootPolicy = Object.freeze({ validate: validateSchema });

function completeParse(options: ParseOptions): CoreParseOptions {
  const completed = complete(options) as CoreParseOptions;
  completed.soundReader = soundReaderOf;
  completed.policy = options.policy === undefined ? rootPolicy : withValidator(options.policy, validateSchema);
  return completed;
}

/** What the options of a message say was done for the last ones: most programs give the same each time, but for the tools. */
class LastOptions {
  #given: Readonly<Record<string, unknown>> = {};
  #count = 0;
  #tools: SeenTools = [];
  #prepared: core.PreparedForDrivers | undefined;
  /** What was prepared for other tools and otherwise the same options. */
  #byTools = new WeakMap<ToolSet, core.PreparedForDrivers>();

  prepared(options: ParseOptions): core.PreparedForDrivers {
    const { format, policy, intent, tools } = Object(options) as ParseOptions;
    const isKnown = this.#prepared !== undefined && this.#isSameButForTools(Object(options));
    if (isKnown && areUnchanged(this.#tools, tools)) return this.#prepared as core.PreparedForDrivers;
    const known = isKnown ? this.#byTools.get(prepareTools(tools)) : undefined;
    const prepared = known ?? core.prepareForDrivers(completeParse(options));
    // What else may be changed in place is read each time.
    if (policy === undefined && !(typeof format === "object" && Symbol.iterator in format)) {
      if (!isKnown) {
        this.#given = { ...options, format, intent };
        this.#count = Object.keys(options).length;
        this.#byTools = new WeakMap();
      }
      if (known === undefined) this.#byTools.set(prepareTools(tools), prepared);
      this.#tools = seeTools(tools);
      this.#prepared = prepared;
    }
    return prepared;
  }

  #isSameButForTools(options: ParseOptions): boolean {
    const given = this.#given;
    if (options.format !== given.format || options.policy !== undefined || options.intent !== given.intent)
      return false;
    let count = 0;
    for (const key in options) {
      count++;
      if (key !== "tools" && (options as unknown as Readonly<Record<string, unknown>>)[key] !== given[key])
        return false;
    }
    return count === this.#count;
  }
}

const lastOptions = new LastOptions();

/**
 * Reads a whole message.
 *
 * @param text What the model wrote.
 * @returns calls that passed validation, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: an unknown format, invalid schemas, duplicate tool names.
 */
export function parse<
  const Tools extends readonly ToolDefinition[],
  const Policy extends PolicyInput | undefined = undefined,
>(text: string, options: TypedOptions<ParseOptions, Tools, Policy>): TypedResult<CallOf<Tools, Policy>> {
  return lastOptions.prepared(options as ParseOptions).parse(text) as TypedResult<CallOf<Tools, Policy>>;
}

/**
 * Reads a whole message whose tools may check later: a schema library's object with an asynchronous refinement.
 *
 * @returns a promise of what `parse` returns. It fails on misuse, as `parse` throws.
 */
export async function parseAsync<
  const Tools extends readonly ToolDefinition[],
  const Policy extends PolicyInput | undefined = undefined,
>(text: string, options: TypedOptions<ParseOptions, Tools, Policy>): Promise<TypedResult<CallOf<Tools, Policy>>> {
  const result = await core.parseAsync(text, completeParse(options as ParseOptions));
  return result as TypedResult<CallOf<Tools, Policy>>;
}

/**
 * Does once what does not depend on the text: `prepare(options).parse(text)` is `parse(text, options)`, and costs less
 * each time.
 *
 * @throws TypeError on misuse: an unknown format, invalid schemas, duplicate tool names.
 */
export function prepare<
  const Tools extends readonly ToolDefinition[],
  const Policy extends PolicyInput | undefined = undefined,
>(
  options: TypedOptions<ParseOptions, Tools, Policy>,
): core.Prepared<MessageOptions, TypedResult<CallOf<Tools, Policy>>, TypedParser<CallOf<Tools, Policy>>> {
  const given = options as ParseOptions;
  const byIntent = [core.prepare(completeParse(given))];
  // What `"auto"` stands for depends on the intent of the message.
  const preparedFor = (own: MessageOptions | undefined): core.Prepared => {
    const { intent } = own ?? {};
    if (given.format !== "auto" || intent === undefined || intent === (given.intent ?? false)) return byIntent[0];
    byIntent[1] ??= core.prepare(completeParse({ ...given, intent }));
    return byIntent[1];
  };
  const prepared: core.Prepared = {
    parse: (text, own) => preparedFor(own).parse(text, own),
    parseAsync: (text, own) => preparedFor(own).parseAsync(text, own),
    createParser: (own) => preparedFor(own).createParser(own),
  };
  return prepared as core.Prepared<
    MessageOptions,
    TypedResult<CallOf<Tools, Policy>>,
    TypedParser<CallOf<Tools, Policy>>
  >;
}

/**
 * Makes a parser for one message that arrives in chunks; `push` and `end` return the events.
 *
 * @throws TypeError on misuse: an unknown format, invalid schemas, duplicate tool names.
 */
export function createParser<
  const Tools extends readonly ToolDefinition[],
  const Policy extends PolicyInput | undefined = undefined,
>(options: TypedOptions<ParseOptions, Tools, Policy>): TypedParser<CallOf<Tools, Policy>> {
  return lastOptions.prepared(options as ParseOptions).createParser() as TypedParser<CallOf<Tools, Policy>>;
}

/**
 * Reads a whole message: extraction alone. No allowlist, no schema, nothing executable.
 *
 * @param text What the model wrote.
 * @returns candidates, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: an unknown format, or names that are missing where tags are tool names.
 */
export function extract(text: string, options: ExtractOptions): ExtractResult {
  return core.extract(text, complete(options) as CoreExtractOptions);
}

/**
 * Reads a whole message like {@link parse} and says how: every candidate, where the grammar stopped and what it
 * expected, what recovery did, who said no. For people who look for a cause; slower than `parse`. Without `tools` it is
 * {@link extract} that is explained: the calls of the result are candidates, and nothing of them was checked.
 */
export function explain(text: string, options: ParseOptions | (ExtractOptions & { tools?: undefined })): Explanation {
  if (options?.tools === undefined)
    return explainMessage(text, complete(options as ExtractOptions) as CoreExtractOptions);
  return explainMessage(text, completeParse(options));
}

/**
 * Makes an extractor for one message that arrives in chunks.
 *
 * @throws TypeError on misuse, as `extract`.
 */
export function createExtractor(options: ExtractOptions): core.Extractor {
  return core.createExtractor(complete(options) as CoreExtractOptions);
}

/**
 * The format a model speaks, by its name: `formatForModel("Qwen/Qwen3-32B")`. Owner, size, packaging (`-FP8`, `-GGUF`)
 * and what a fine-tune adds may differ from the listed names. Undefined when no model of that family is listed.
 */
export function formatForModel(model: string): Format | undefined {
  return findByModel(formats, model);
}

/** The parser of a stream: what answers later is waited for. */
function waitingParser<Tools extends readonly ToolDefinition[], Policy extends PolicyInput | undefined>(
  options: ParseOptions,
): PushParser<TypedEvent<CallOf<Tools, Policy>>, TypedResult<CallOf<Tools, Policy>>> {
  return lastOptions.prepared(options).createWaitingParser() as unknown as PushParser<
    TypedEvent<CallOf<Tools, Policy>>,
    TypedResult<CallOf<Tools, Policy>>
  >;
}

/**
 * Reads a message from a source of chunks; `result()` of what comes back holds the result after the last event.
 *
 * @param source An iterable or async iterable of strings, or a web stream of them. Its chunks may be cut anywhere.
 * @returns the events, made as they are asked for. An error of the source, or the reason of an aborted `signal`, is
 * thrown to the consumer after the events before it; a call that was open then has not been ended and never will be.
 * @throws TypeError on misuse, at once.
 */
export function parseStream<
  const Tools extends readonly ToolDefinition[],
  const Policy extends PolicyInput | undefined = undefined,
>(
  source: TextSource,
  options: TypedOptions<ParseOptions & StreamOptions, Tools, Policy>,
): EventStream<TypedEvent<CallOf<Tools, Policy>>, TypedResult<CallOf<Tools, Policy>>> {
  const { signal, finishReasonAtEnd, ...rest } = options;
  const parser = waitingParser<Tools, Policy>(rest as ParseOptions);
  return readStream(source, parser, { signal, finishReasonAtEnd });
}

/**
 * A web transform stream from the chunks of one message to its events: `text.pipeThrough(toolCallTransform(options))`.
 * An
 * aborted `signal` errors the stream.
 *
 * @throws TypeError on misuse, at once.
 */
export function toolCallTransform<
  const Tools extends readonly ToolDefinition[],
  const Policy extends PolicyInput | undefined = undefined,
>(
  options: TypedOptions<ParseOptions & StreamOptions, Tools, Policy>,
): TransformStream<string, TypedEvent<CallOf<Tools, Policy>>> {
  const { signal, finishReasonAtEnd, ...rest } = options;
  const parser = waitingParser<Tools, Policy>(rest as ParseOptions);
  return transformStream(parser, { signal, finishReasonAtEnd });
}
