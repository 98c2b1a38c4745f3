import type { Format } from "../../formats/format.ts";
import type { PolicyInput } from "../../gate/policy.ts";
import type { ToolDefinition } from "../../gate/tools.ts";
import type { Parser } from "../../parse.ts";
import type { Rejection } from "../../runtime/types.ts";
import type { TelemetryRecord } from "../../streaming/telemetry.ts";
import { createParser, type FormatChoice, formatForModel, formats } from "../../toolpeg.ts";
import { uniqueCallIds } from "../call-ids.ts";
import { defaultRenderResult, type RenderResult } from "../past-messages.ts";
import { finishWord, rewriteFinishReason } from "./finish-reason.ts";
import { ContentFolder, PartWriter } from "./part-writer.ts";
import type { CallOptions, FinishReason, GenerateResult, LanguageModel, Part, StreamResult } from "./shapes.ts";
import { offeredTools, toTextPrompt, wantsCall } from "./text-prompt.ts";

/** How the text of a model is read, and its past calls are shown to it. */
export interface ToolCallMiddlewareOptions {
  /** What the model writes: an id, alias or format, a list of them, or `"auto"`. */
  format: FormatChoice;
  /** What may run; default fail-closed. */
  policy?: PolicyInput | undefined;
  /** One record per message, without model text. */
  onTelemetry?: ((record: TelemetryRecord) => void) | undefined;
  /** Everything that looked like a call and is none: for a log, or for `format.correction(rejection)`. */
  onRejection?: ((rejection: Rejection) => void) | undefined;
  /**
   * `"text"` (default): tools, past calls and results are told as text, and the model's server sees no tools.
   * `"native"`: the prompt stays as it is; for a server whose chat template writes the tools but that reads no calls.
   */
  prompt?: "text" | "native" | undefined;
  /** The format that calls are told in. Default: the first of `format`; for `"auto"`, the one known for the model. */
  promptFormat?: string | Format | undefined;
  /** How a result is told to the model. Default: JSON in `<tool_response>` tags. */
  renderResult?: RenderResult | undefined;
  /** What the chat template has already opened, such as `<think>\n`. */
  prefill?: string | undefined;
  /** The opener of formats whose opener is configurable. */
  marker?: string | undefined;
  /** The model signalled that it wants a tool. Default: when the tool choice asks for a call. */
  intent?: boolean | undefined;
  /** Makes the ids of one message. Default: ids that are unique in a conversation. */
  callIds?: (() => (n: number) => string) | undefined;
}

/** A middleware for `wrapLanguageModel` of `ai` 5, 6 and 7. */
export interface ToolCallMiddleware {
  // Each major version of `ai` has types of its own for the same calls, and no common one.
  // biome-ignore lint/suspicious/noExplicitAny: must fit the types of three packages at once
  readonly specificationVersion: any;
  /** Reads a whole reply. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly wrapGenerate: (options: any) => Promise<any>;
  /** Reads a reply that is streamed. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly wrapStream: (options: any) => Promise<any>;
}

/** What a call of the model needs on both sides. */
interface Exchange {
  options: CallOptions;
  read(emit: (part: Part) => void): MessageReader;
}

/** Reads the text of one message into parts. */
class MessageReader {
  readonly #parser: Parser;
  readonly #keepsText: boolean;
  readonly parts: PartWriter;
  #text = "";

  constructor(parser: Parser, parts: PartWriter, keepsText: boolean) {
    this.#parser = parser;
    this.parts = parts;
    this.#keepsText = keepsText;
  }

  push(text: string): void {
    if (this.#keepsText) this.#text += text;
    this.parts.write(this.#parser.push(text));
  }

  /** Ends the message; returns what it came to. */
  end(finishReason?: FinishReason): TelemetryRecord {
    this.parts.write(this.#parser.end(finishReason === undefined ? {} : { finishReason: finishWord(finishReason) }));
    const result = this.#parser.result();
    if (this.#keepsText) this.parts.sayRest(this.#text, result.nodes);
    this.parts.close();
    return result.telemetry.record();
  }
}

/**
 * Gives tools to a model that writes its calls as text: `wrapLanguageModel({ model, middleware })`.
 *
 * A `tool-call` is sent only after the gate has said yes; its `tool-input-*` parts come live before it. A call that is
 * refused after its input has begun ends the input and sends no `tool-call`; the SDK runs nothing. What the message came
 * to is in `providerMetadata.toolpeg`.
 *
 * @throws TypeError on misuse: at once for the options, with the model's call for tools that `parse` would refuse.
 */
export function toolCallMiddleware(options: ToolCallMiddlewareOptions): ToolCallMiddleware {
  const { format, policy, prefill, marker } = options;
  // Made for its complaints alone: a misspelt format should not wait for the first message.
  createParser({ format, policy, prefill, marker, tools: [] });
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }: { params: CallOptions; model: LanguageModel }) => {
      const exchange = prepare(options, params, model);
      return readResult(await model.doGenerate(exchange.options), exchange);
    },
    wrapStream: async ({ params, model }: { params: CallOptions; model: LanguageModel }): Promise<StreamResult> => {
      const exchange = prepare(options, params, model);
      const { stream, ...rest } = await model.doStream(exchange.options);
      return { ...rest, stream: stream.pipeThrough(readParts(exchange)) };
    },
  };
}

function prepare(options: ToolCallMiddlewareOptions, params: CallOptions, model: LanguageModel): Exchange {
  const tools = offeredTools(params);
  const { format, policy, onTelemetry, prefill, marker, intent = wantsCall(params) } = options;
  const id = (options.callIds ?? uniqueCallIds)();
  const showsRejected = tools.length === 0;
  const retain = showsRejected ? "all" : "calls";
  const parser = createParser({ format, tools, policy, onTelemetry, prefill, marker, intent, id, retain });
  const onRejection = (rejection: Rejection) => options.onRejection?.(rejection);
  return {
    options: options.prompt === "native" ? params : asText(options, params, tools, model),
    read: (emit) => new MessageReader(parser, new PartWriter({ emit, onRejection, showsRejected }), showsRejected),
  };
}

function asText(
  options: ToolCallMiddlewareOptions,
  params: CallOptions,
  tools: ToolDefinition[],
  model: LanguageModel,
): CallOptions {
  const { renderResult = defaultRenderResult } = options;
  return toTextPrompt(params, { format: promptFormat(options, model), tools, renderResult });
}

function promptFormat({ format, promptFormat: chosen }: ToolCallMiddlewareOptions, model: LanguageModel): Format {
  const first = chosen ?? (typeof format === "object" && Symbol.iterator in format ? format[0] : format);
  if (typeof first !== "string") return first;
  if (first !== "auto") return formats.get(first);
  const known = formatForModel(model.modelId);
  if (known !== undefined) return known;
  throw new TypeError(`no format is known for the model "${model.modelId}": name one in promptFormat`);
}

/** The content of a whole result, read: text through the parser, everything else in its place. */
function readResult(result: GenerateResult, exchange: Exchange): GenerateResult {
  const folder = new ContentFolder();
  const reader = exchange.read((part) => folder.add(part));
  let nativeCalls = false;
  for (const part of result.content) {
    if (part.type === "text") {
      reader.push(part.text as string);
      continue;
    }
    reader.parts.close();
    nativeCalls ||= part.type === "tool-call";
    folder.content.push(part);
  }
  const record = reader.end(result.finishReason);
  return {
    ...result,
    content: folder.content,
    finishReason: rewriteFinishReason(result.finishReason, reader.parts.calls, nativeCalls),
    providerMetadata: { ...result.providerMetadata, toolpeg: record },
  };
}

/** The parts of a stream, read: text through the parser, everything else in its place. */
function readParts(exchange: Exchange): TransformStream<Part, Part> {
  let emit: (part: Part) => void = () => {};
  const reader = exchange.read((part) => emit(part));
  let nativeCalls = false;
  let finished = false;
  return new TransformStream<Part, Part>({
    start(controller) {
      emit = (part) => controller.enqueue(part);
    },
    transform(part) {
      switch (part.type) {
        case "text-start":
        case "text-end":
          // The blocks of the model's text are not the blocks of what it says.
          return;
        case "text-delta":
          return reader.push(part.delta as string);
        case "finish": {
          finished = true;
          const given = part.finishReason as FinishReason;
          const record = reader.end(given);
          const finishReason = rewriteFinishReason(given, reader.parts.calls, nativeCalls);
          emit({ ...part, finishReason, providerMetadata: { ...(part.providerMetadata as object), toolpeg: record } });
          return;
        }
        case "raw":
        case "response-metadata":
        case "stream-start":
          return emit(part);
        default:
          nativeCalls ||= part.type === "tool-call";
          reader.parts.close();
          emit(part);
      }
    },
    flush() {
      if (!finished) reader.end();
    },
  });
}
