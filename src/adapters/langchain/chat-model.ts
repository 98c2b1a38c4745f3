import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import {
  type AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import { OutputParserException } from "@langchain/core/output_parsers";
import { type ChatGeneration, ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { isObject } from "../../contract/is-object.ts";
import { checkValues, oneOf, show } from "../../contract/option-values.ts";
import type { ToolCall } from "../../contract/types.ts";
import type { StandardCheck } from "../../validation/standard-check.ts";
import { standardCheck, type ToolDefinition } from "../../validation/tools.ts";
import { addUsage } from "../add-usage.ts";
import { joinMembers } from "../joined-members.ts";
import { finishReasonOf } from "../openai/finish-reason.ts";
import type { CallWishes, RenderResult } from "../past-messages.ts";
import { checkReadingOptions, promptValues, type ReadingOptions, readingOptionNames } from "../reading-options.ts";
import { AnswerChunk, ContentBlocks, contentOf } from "./answer-chunk.ts";
import { type Asked, type Attempt, Exchange, nameOf, Said } from "./exchange.ts";
import {
  allWrittenCalls,
  callPieces,
  finishReasonIn,
  otherKwargs,
  toLangChainCall,
  type WrittenCall,
} from "./messages.ts";

/** How the text of a chat model is read, and its past calls are shown to it. */
export interface ToolCallChatModelFields extends ReadingOptions, Omit<BaseChatModelParams, "maxRetries"> {
  /** The model that writes its calls as text. */
  model: BaseChatModel;
  /**
   * `"text"` (default): tools, past calls and results are written as text, and the model's server gets no tools.
   * `"native"`: messages and tools stay as they are; for a server whose chat template writes the tools but that reads no
   * calls.
   */
  prompt?: "text" | "native" | undefined;
  /** How a result is written for the model. Default: JSON in `<tool_response>` tags. */
  renderResult?: RenderResult | undefined;
}

/** What a call of the model may say beside the messages: what `bindTools` binds. */
export interface ToolCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
  /** Whether a message may make several calls. Default true. */
  parallel_tool_calls?: boolean;
  response_format?: unknown;
}

/**
 * Gives tools to a chat model that writes its calls as text: `new ToolCallChatModel({ model, format })`, then `bindTools`,
 * `withStructuredOutput`, or any agent.
 *
 * Only calls that passed validation are in `tool_calls`; in a stream each comes as one `tool_call_chunk`, after validation has
 * said yes. Agents of LangChain do not look at `invalid_tool_calls`, so by default a refused call makes the model be asked
 * again, and when that does not help the refusal is text; it is in `invalid_tool_calls` too. What the message came to is in
 * `response_metadata.toolpeg`.
 *
 * @throws TypeError on misuse: at once for the options, with the call for tools that `parse` would refuse
 */
export class ToolCallChatModel extends BaseChatModel<ToolCallOptions> {
  override lc_serializable = false;
  override lc_namespace = ["toolpeg", "langchain"];
  readonly #fields: ToolCallChatModelFields;
  readonly #model: BaseChatModel;
  /** Whether a tool must be called when a call of the model does not say. */
  #toolChoice: "auto" | "required" = "auto";

  static override lc_name(): string {
    return "ToolCallChatModel";
  }

  constructor(fields: ToolCallChatModelFields) {
    const { model, prompt, renderResult, ...rest } = fields ?? {};
    const isReading = (key: string) => (readingOptionNames as readonly string[]).includes(key);
    const entries = Object.entries(rest);
    super(Object.fromEntries(entries.filter(([key]) => !isReading(key))));
    const reading = Object.fromEntries(entries.filter(([key]) => isReading(key) || !baseFields.includes(key)));
    checkReadingOptions(reading as unknown as ReadingOptions, "ToolCallChatModel");
    checkValues({ prompt, renderResult }, promptValues, "");
    if (typeof model?._generate !== "function") {
      throw new TypeError(
        "ToolCallChatModel needs a chat model in `model`; one that options were bound to is none: bind them to this one",
      );
    }
    this.#fields = fields;
    this.#model = model;
  }

  /** What LangChain calls this kind of model. */
  override _llmType(): string {
    return "toolpeg";
  }

  /** The model with tools on offer. */
  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<ToolCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ToolCallOptions> {
    // As it is sent: a cache tells tools apart by what is written of them, and nothing is written of LangChain's own.
    return this.withConfig({ ...kwargs, tools: tools.map(toolOf) } as Partial<ToolCallOptions>) as never;
  }

  /** A chain that gives what the schema makes of the arguments of one call; the model is instructed to make it. */
  // biome-ignore lint/suspicious/noExplicitAny: one body for the overloads of the base
  override withStructuredOutput(schema: any, config?: any): any {
    const asking = new ToolCallChatModel(this.#fields);
    asking.#toolChoice = "required";
    const chain = BaseChatModel.prototype.withStructuredOutput.call(asking, schema, config);
    const check = standardCheck(schema);
    if (check === undefined) return chain;
    // No tool stands behind the call that would make what the schema says.
    const made = config?.includeRaw
      ? async (given: { parsed: unknown }) => ({
          ...given,
          parsed: await schemaValue(check, given.parsed).catch(() => null),
        })
      : (given: unknown) => schemaValue(check, given);
    // biome-ignore lint/suspicious/noExplicitAny: one body for the overloads of the base
    return (chain as Runnable<any, any>).pipe(made).withConfig({ runName: "StructuredOutput" });
  }

  /** Reads a whole reply. Called by LangChain. */
  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const asked = this.#asked(options);
    const exchange = new Exchange(this.#fields, messages, asked);
    const said = new Said();
    let usage: unknown;
    for (let retries = 0; ; retries++) {
      options.signal?.throwIfAborted();
      const { generations: given, llmOutput } = await this.#model._generate(
        exchange.messages,
        this.#innerOptions(options),
      );
      const generations: ChatGeneration[] = [];
      for (const generation of given) {
        const isOneOf = given.length > 1;
        usage = addUsage(isOneOf ? undefined : usage, (generation.message as AIMessage).usage_metadata);
        const attempt = exchange.attempt(retries, isOneOf);
        const read = await readGeneration(attempt, generation, isOneOf ? new Said() : said, asked.callsMax, usage);
        if (read === undefined) exchange.askAgain(attempt.reader);
        else generations.push(read);
      }
      if (generations.length < given.length) continue;
      return { generations, ...(llmOutput === undefined ? {} : { llmOutput }) };
    }
  }

  /** Reads a reply that is streamed. Called by LangChain. */
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const asked = this.#asked(options);
    const exchange = new Exchange(this.#fields, messages, asked);
    const blocks = new ContentBlocks();
    for (let retries = 0; ; retries++) {
      options.signal?.throwIfAborted();
      const attempt = exchange.attempt(retries);
      let given: string | undefined;
      const metadata: Record<string, unknown> = {};
      let probabilities: Record<string, unknown> | undefined;
      let others: AIMessageChunk | undefined;
      let natives: AIMessageChunk | undefined;
      try {
        for await (const { message, generationInfo } of this.#chunks(exchange.messages, options)) {
          given = finishReasonIn(message, generationInfo) ?? given;
          if (generationInfo !== undefined) {
            const { prompt, completion, logprobs, ...info } = generationInfo;
            Object.assign(metadata, info);
            if (isObject(logprobs)) probabilities = joinMembers(probabilities, logprobs);
          }
          Object.assign(metadata, message.response_metadata);
          const said = new Said();
          await attempt.take(message, said);
          const additional_kwargs = otherKwargs(message);
          if (Object.keys(additional_kwargs).length > 0) others = joined(others, { content: "", additional_kwargs });
          const pieces = callPieces(message, natives?.tool_call_chunks);
          if (pieces.length > 0) {
            attempt.seeNative();
            natives = joined(natives, { content: "", tool_call_chunks: pieces });
          }
          const chunk = chunkOf(said, blocks, message);
          if (chunk !== undefined) yield await reported(chunk, runManager);
        }
      } catch (error) {
        const said = new Said();
        attempt.fail(said);
        const chunk = chunkOf(said, blocks);
        if (chunk !== undefined) yield await reported(chunk, runManager);
        throw error;
      }
      const written: readonly WrittenCall[] = natives?.tool_call_chunks ?? [];
      const said = new Said();
      const ended = await attempt.finish(given, written, said);
      const last = chunkOf(said, blocks);
      if (last !== undefined) yield await reported(last, runManager);
      if (ended.asksAgain) {
        exchange.askAgain(attempt.reader);
        continue;
      }
      const passed = ended.passed.map(({ hasOpenEnd, call, ...piece }) => ({
        ...piece,
        args: piece.args || (piece.isCustomTool ? "" : "{}"),
      }));
      const calls = [...attempt.reader.calls.map(wholeChunk), ...passed].slice(0, asked.callsMax);
      for (const [at, call] of calls.entries()) {
        const numbered = { ...call, type: "tool_call_chunk" as const, index: blocks.last + 1 + at };
        yield await reported(new AnswerChunk({ content: "", tool_call_chunks: [numbered as never] }), runManager);
      }
      const end = new AnswerChunk({
        content: "",
        additional_kwargs: others?.additional_kwargs ?? {},
        response_metadata: {
          ...metadata,
          ...(probabilities === undefined ? {} : { logprobs: probabilities }),
          ...ending(attempt, given, calls.length),
        },
        invalid_tool_calls: attempt.invalid,
      });
      yield await reported(end, runManager);
      return;
    }
  }

  /** The chunks of the model; its whole answer where it cannot stream, or must not. */
  async *#chunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): AsyncGenerator<{ message: AIMessage; generationInfo?: Record<string, unknown> | undefined }> {
    const inner = this.#innerOptions(options);
    const streams = this.#model._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks;
    if (streams && !this.#model.disableStreaming) {
      for await (const { message, generationInfo } of this.#model._streamResponseChunks(messages, inner)) {
        // LangChain joins the chunks of a stream to one message: that is the first of those that were asked for.
        if (!generationInfo?.completion) yield { message: message as AIMessageChunk, generationInfo };
      }
      return;
    }
    const [{ message, generationInfo }] = (await this.#model._generate(messages, inner)).generations;
    yield { message: message as AIMessage, generationInfo };
  }

  /** What tells answers of this model from those of others in a cache. */
  override _identifyingParams(): Record<string, unknown> {
    const { model, formats, callbacks, cache, ...fields } = this.#fields as ToolCallChatModelFields & {
      callbackManager?: unknown;
    };
    return {
      ...{ ...fields, callbackManager: undefined, onRejection: undefined, onTelemetry: undefined, callIds: undefined },
      format: idsOf(fields.format),
      promptFormat: idsOf(fields.promptFormat),
      toolChoiceByDefault: this.#toolChoice,
      model: model._getSerializedCacheKeyParametersForCall({} as never),
    };
  }

  /** Counts as the inner model does. */
  override getNumTokens(content: Parameters<BaseChatModel["getNumTokens"]>[0]): Promise<number> {
    return this.#model.getNumTokens(content);
  }

  #asked(options: this["ParsedCallOptions"]): Asked {
    const { tools = [], tool_choice, parallel_tool_calls, response_format } = options as ToolCallOptions;
    const format = (response_format as { type?: unknown } | undefined)?.type;
    const wishes = wishesOf(tool_choice, this.#toolChoice);
    const definitions = tools.filter((tool) => !isOfProvider(tool)).map(toolOf);
    const { toolChoice } = wishes;
    const named = typeof toolChoice === "object" ? toolChoice.name : undefined;
    if (named !== undefined) oneOf("tool_choice", named, definitions.map(nameOf) as string[]);
    const only = isNone(tool_choice) ? [] : named === undefined ? undefined : [named];
    const isSingle = parallel_tool_calls === false;
    return {
      ...wishes,
      parallel: !isSingle,
      callsMax: isSingle ? 1 : Number.POSITIVE_INFINITY,
      only,
      tools: definitions.filter((tool) => only?.includes(nameOf(tool) as string) !== false),
      answersInJson: format !== undefined && format !== "text",
      model: String((this.#model as { model?: unknown; modelName?: unknown }).model ?? ""),
    };
  }

  #innerOptions(options: this["ParsedCallOptions"]): this["ParsedCallOptions"] {
    if (this.#fields.prompt === "native") return options;
    const { tools = [], tool_choice, parallel_tool_calls, ...rest } = options as ToolCallOptions;
    const ofProvider = tools.filter(isOfProvider);
    return { ...rest, ...(ofProvider.length === 0 ? {} : { tools: ofProvider }) } as this["ParsedCallOptions"];
  }
}

const toolOf = (tool: BindToolsInput): ToolDefinition => convertToOpenAITool(tool) as ToolDefinition;

/** Whether the provider runs a tool itself, such as a search: it has a type of its own, and no schema that could be described. */
function isOfProvider(tool: BindToolsInput): boolean {
  const { type, ...rest } = tool as Record<string, unknown>;
  const isOwn = typeof type === "string" && type !== "function" && type !== "custom";
  return isOwn && ["function", "parameters", "input_schema", "schema"].every((key) => rest[key] === undefined);
}

/** One answer of the model; undefined: it is asked again. */
async function readGeneration(
  attempt: Attempt,
  { message, generationInfo }: ChatGeneration,
  said: Said,
  callsMax: number,
  usage: unknown,
): Promise<ChatGeneration | undefined> {
  const inner = message as AIMessage;
  const given = finishReasonIn(inner, generationInfo);
  await attempt.take(inner, said);
  const written = allWrittenCalls(inner);
  if (written.length > 0) attempt.seeNative();
  const ended = await attempt.finish(given, written, said);
  if (ended.asksAgain) return undefined;
  const natives = ended.passed.flatMap(({ call }) => call ?? []);
  const calls = [...attempt.reader.calls.map(toLangChainCall), ...natives].slice(0, callsMax);
  const { reasoning } = said;
  const read = new AnswerChunk({
    content: contentOf(said.content),
    tool_calls: calls,
    invalid_tool_calls: attempt.invalid,
    additional_kwargs: { ...otherKwargs(inner), ...(reasoning === "" ? {} : { reasoning_content: reasoning }) },
    response_metadata: { ...inner.response_metadata, ...ending(attempt, given, calls.length) },
    ...(inner.id === undefined ? {} : { id: inner.id }),
    ...(usage === undefined ? {} : { usage_metadata: usage as UsageMetadata }),
  } as AIMessageChunkFields);
  return { text: said.text, message: read, ...(generationInfo === undefined ? {} : { generationInfo }) };
}

/** Chunks together. */
function joined(before: AIMessageChunk | undefined, fields: AIMessageChunkFields): AIMessageChunk {
  const chunk = new AIMessageChunk(fields);
  return before === undefined ? chunk : before.concat(chunk);
}

/** Formats as a cache key knows them. */
const idsOf = (format: unknown): unknown =>
  [format].flat().map((one) => (typeof one === "object" && one !== null ? (one as { id?: unknown }).id : one));

/** What a schema makes of the arguments of a call. */
async function schemaValue(check: StandardCheck, given: unknown): Promise<unknown> {
  const answer = (await check(given)) as { value?: unknown; issues?: readonly { message: string }[] };
  if (answer.issues === undefined) return answer.value;
  throw new OutputParserException(
    `the arguments are not what the schema asks for: ${answer.issues.map(({ message }) => message).join("; ")}`,
    JSON.stringify(given),
  );
}

/** What the base class takes of the fields. */
const baseFields: readonly string[] = [
  "cache",
  "callbacks",
  "callbackManager",
  "disableStreaming",
  "maxConcurrency",
  "metadata",
  "onFailedAttempt",
  "outputVersion",
  "tags",
  "verbose",
];

const isNone = (toolChoice: unknown): boolean =>
  toolChoice === "none" || (toolChoice as { type?: unknown } | null | undefined)?.type === "none";

function wishesOf(toolChoice: unknown, otherwise: "auto" | "required"): CallWishes {
  if (toolChoice === undefined || toolChoice === null) return { toolChoice: otherwise };
  if (toolChoice === "any" || toolChoice === "required") return { toolChoice: "required" };
  if (toolChoice === "auto" || toolChoice === "none") return { toolChoice: "auto" };
  if (typeof toolChoice === "string") return { toolChoice: { name: toolChoice } };
  const {
    type,
    function: called,
    name,
  } = toolChoice as { type?: unknown; function?: { name?: string }; name?: string };
  const named = called?.name ?? name;
  if (typeof named === "string") return { toolChoice: { name: named } };
  if (type === "any" || type === "auto" || type === "none") return wishesOf(type, otherwise);
  throw new TypeError(`tool_choice cannot be ${show(toolChoice)}: give "auto", "any", "none" or the name of a tool`);
}

const wholeChunk = ({ id, name, argumentsText }: ToolCall) => ({ id, name, args: argumentsText });

function ending(attempt: Attempt, given: string | undefined, calls: number): Record<string, unknown> {
  const { reader, isWithheld } = attempt;
  const record = reader.result?.telemetry.record();
  return {
    ...(given === undefined && calls === 0 && !isWithheld
      ? {}
      : { finish_reason: finishReasonOf(given, calls > 0, isWithheld) }),
    ...(record === undefined ? {} : { toolpeg: record }),
  };
}

/** A chunk of what is said; undefined when that is nothing. Counts and ids of the model's chunk go along. */
function chunkOf(said: Said, blocks: ContentBlocks, from?: AIMessage): AIMessageChunk | undefined {
  const { id, usage_metadata } = from ?? {};
  const { reasoning } = said;
  if (said.content.length === 0 && reasoning === "" && usage_metadata === undefined) return undefined;
  return new AnswerChunk({
    content: said.content.length === 0 ? "" : blocks.take(said.content),
    additional_kwargs: reasoning === "" ? {} : { reasoning_content: reasoning },
    ...(id === undefined ? {} : { id }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
  } as AIMessageChunkFields);
}

async function reported(
  message: AIMessageChunk,
  runManager: CallbackManagerForLLMRun | undefined,
): Promise<ChatGenerationChunk> {
  const { text } = message;
  const chunk = new ChatGenerationChunk({ message, text });
  await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
  return chunk;
}
