import type { Format } from "../../formats/format.ts";
import type { ToolDefinition } from "../../gate/tools.ts";
import { addUsage } from "../add-usage.ts";
import { MessageReader } from "../message-reader.ts";
import { type CallWishes, defaultRenderResult, type RenderResult } from "../past-messages.ts";
import { checkReadingOptions, openParser, promptFormatOf, type ReadingOptions } from "../reading.ts";
import { decideRefusal, refusalText } from "../refusals.ts";
import { type ChoiceEnd, ChunkRewriter } from "./chunk-rewriter.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { reasoningOf, textOf } from "./incoming-text.ts";
import type { ChatChunk, IncomingChunk, IncomingCompletion, IncomingMessageChoice } from "./shapes.ts";
import { ChatStreamError, endedEarly } from "./stream-error.ts";
import { toToolCall } from "./to-message.ts";
import { type RequestMessage, toTextMessages } from "./to-text-messages.ts";

/** How completions are given tools. */
export interface ToolCompletionsOptions extends ReadingOptions {
  /**
   * `"text"` (default): tools, past calls and results are told as text, and the server sees no tools.
   * `"native"`: the request stays as it is; for a server whose chat template writes the tools but that reads no calls.
   */
  prompt?: "text" | "native" | undefined;
  /** How a result is told to the model. Default: JSON in `<tool_response>` tags. */
  renderResult?: RenderResult | undefined;
  /** Put the reasoning into `reasoning_content`. Default true. */
  reasoning?: boolean | undefined;
  /** Send calls while they are read. UNSAFE, as in `toChatCompletionChunks`. Default false. */
  provisional?: boolean | undefined;
}

/** What is read of a request; everything else is sent on. */
export interface CompletionRequest {
  model?: string;
  messages: readonly RequestMessage[];
  // biome-ignore lint/suspicious/noExplicitAny: the types of several packages must fit
  tools?: readonly any[] | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  tool_choice?: any;
  parallel_tool_calls?: boolean | null;
  response_format?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  [key: string]: any;
}

/** Sends a request to the server and gives its completion. */
export type SendCompletion<Completion extends IncomingCompletion> = (
  request: CompletionRequest,
) => Completion | PromiseLike<Completion>;

/** Sends a request to the server and gives the chunks of its stream. */
export type SendStream = (
  request: CompletionRequest,
) => AsyncIterable<IncomingChunk> | PromiseLike<AsyncIterable<IncomingChunk>>;

/** Completions with tools, of a server that only completes text. */
export interface ToolCompletions {
  /**
   * A whole completion: the request is told as text and sent, the calls of the answer become `tool_calls`.
   * @throws ChatStreamError when the server's answer is an error; whatever `send` throws
   */
  complete<Completion extends IncomingCompletion>(
    request: CompletionRequest,
    send: SendCompletion<Completion>,
  ): Promise<Completion>;
  /** The same as chunks. Throws what `rewriteChatCompletionChunks` throws, when it comes to it. */
  stream(request: CompletionRequest, send: SendStream): AsyncGenerator<ChatChunk>;
}

/**
 * Gives tools to a server that only completes text, in the shapes of the OpenAI interface: what a proxy does between its
 * client and its server, and what a program does around `client.chat.completions.create`.
 *
 * A refused call cannot be handed on in this shape: a client would run it. So by default (`onRefusal: "feed-back"`) the
 * model is asked again, and when that does not help the refusal is text. Where no tool is on offer, the answer is
 * passed on untouched.
 *
 * @throws TypeError on misuse: at once for the options, with the request for tools that `parse` would refuse
 */
export function toolCompletions(options: ToolCompletionsOptions): ToolCompletions {
  checkReadingOptions(options, "toolCompletions", ["prompt", "renderResult", "reasoning", "provisional"]);
  return {
    async complete(request, send) {
      const exchange = new Exchange(options, request);
      let usage: unknown;
      for (let retries = 0; ; retries++) {
        const completion = await send(exchange.request);
        if (completion.error !== undefined && completion.error !== null) throw new ChatStreamError(completion.error);
        if (exchange.tools.length === 0) return completion;
        usage = addUsage(usage, completion.usage);
        const choices = exchange.readChoices(completion.choices ?? [], retries);
        if (choices === undefined) continue;
        return { ...completion, choices, ...(usage === undefined ? {} : { usage }) };
      }
    },
    stream: (request, send) => streamed(new Exchange(options, request), options, send),
  };
}

async function* streamed(
  exchange: Exchange,
  { reasoning, provisional }: ToolCompletionsOptions,
  send: SendStream,
): AsyncGenerator<ChatChunk> {
  if (exchange.tools.length === 0) return yield* untouched(await send(exchange.request));
  let retries = 0;
  let asksAgain = false;
  const rewriter = new ChunkRewriter({
    reasoning,
    provisional,
    open: () => exchange.parser(),
    waits: exchange.waits,
    settle(reader, finishReason) {
      const end = exchange.settle(reader, finishReason, retries);
      asksAgain = end === undefined;
      return end;
    },
  });
  for (let usage: unknown; ; retries++) {
    asksAgain = false;
    for await (const chunk of await send(exchange.request)) {
      if (chunk.usage !== undefined && chunk.usage !== null) usage = addUsage(usage, chunk.usage);
      const counted = chunk.usage === undefined || chunk.usage === null ? chunk : { ...chunk, usage };
      for (const one of rewriter.take(counted)) {
        // The counts of an answer that is asked for again are told with the next one's.
        if (asksAgain && one.usage !== undefined) delete one.usage;
        if (one.choices.length > 0 || one.usage !== undefined) yield one;
      }
      if (rewriter.failed) throw rewriter.failed;
    }
    yield* rewriter.close();
    if (rewriter.failed) throw rewriter.failed;
    if (!asksAgain) return;
    rewriter.reopen(0);
  }
}

/** Chunks as the server sent them; its failures are errors all the same. */
async function* untouched(chunks: AsyncIterable<IncomingChunk>): AsyncGenerator<ChatChunk> {
  const open = new Set<number>();
  let any = false;
  for await (const chunk of chunks) {
    if (chunk.error !== undefined && chunk.error !== null) throw new ChatStreamError(chunk.error);
    for (const { index = 0, finish_reason } of chunk.choices ?? []) {
      any = true;
      if (finish_reason) open.delete(index);
      else open.add(index);
    }
    yield chunk as ChatChunk;
  }
  if (!any || open.size > 0) throw endedEarly();
}

/** One request, and how its answers are read. */
class Exchange {
  readonly #options: ToolCompletionsOptions;
  readonly #given: CompletionRequest;
  readonly tools: readonly ToolDefinition[];
  readonly #format: () => Format;
  /** What is sent next. */
  request: CompletionRequest;

  constructor(options: ToolCompletionsOptions, request: CompletionRequest) {
    this.#options = options;
    this.#given = request;
    this.tools = offeredTools(request);
    this.#format = () => promptFormatOf(options, request.model ?? "");
    this.request = options.prompt === "native" ? request : this.#asText();
    // Complains of tools and schemas before anything is sent.
    this.parser();
  }

  #asText(): CompletionRequest {
    const { messages, tools, tool_choice, parallel_tool_calls, ...rest } = this.#given;
    const others = (tools ?? []).filter((tool) => tool?.type !== "function");
    return {
      ...rest,
      ...(others.length > 0 ? { tools: others } : {}),
      messages: toTextMessages(messages, {
        format: this.#format(),
        tools: this.tools,
        renderResult: this.#options.renderResult ?? defaultRenderResult,
        instruction: this.#options.instruction,
        ...callWishes(this.#given),
      }),
    };
  }

  get waits(): boolean {
    const { onRefusal = "feed-back" } = this.#options;
    return onRefusal !== "feed-back" && onRefusal !== "retry";
  }

  parser() {
    const { toolChoice = "auto" } = callWishes(this.#given);
    return openParser(this.#options, {
      tools: this.tools,
      intent: toolChoice !== "auto",
      answersInJson: answersInJson(this.#given.response_format),
    });
  }

  /** The choices of a whole completion; undefined when the model is asked again. */
  readChoices(choices: readonly IncomingMessageChoice[], retries: number): IncomingMessageChoice[] | undefined {
    const out: IncomingMessageChoice[] = [];
    for (const choice of choices) {
      const { message } = choice;
      const reader = new MessageReader({ parser: this.parser(), live: false, waits: this.waits });
      const content = message?.content ?? choice.text;
      let text = "";
      const events = [];
      for (const part of typeof content === "string" ? [{ text: content }] : (content ?? [])) {
        if (textOf([part]) === "") reader.seam();
        else events.push(...reader.push(textOf([part])));
      }
      const given = choice.finish_reason ?? "stop";
      events.push(...reader.end(given));
      let reasoning = reasoningOf(message);
      for (const event of events) {
        if (event.type === "text-delta") text += event.text;
        if (event.type === "reasoning-delta") reasoning += event.text;
      }
      const native = (message?.tool_calls ?? []).filter(
        ({ function: called }) => called === undefined || reader.natives.takeNative(called.name, called.arguments),
      );
      if (message?.function_call !== undefined && message.function_call !== null) reader.natives.see();
      const end = this.settle(reader, given, retries, choices.length);
      if (end === undefined) return undefined;
      text += end.text;
      const calls = [...reader.calls.map(toToolCall), ...native];
      const { content: _content, reasoning: _reasoning, reasoning_content, tool_calls, ...others } = message ?? {};
      const isShown = reasoning !== "" && this.#options.reasoning !== false;
      out.push({
        ...choice,
        message: {
          ...others,
          content: text === "" && calls.length > 0 ? null : text,
          ...(isShown ? { reasoning_content: reasoning } : {}),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishReasonOf(given, calls.length > 0, end.isWithheld),
      });
    }
    return out;
  }

  /**
   * What is said at the end of a message in which calls were refused; undefined: the model is asked again, and `request`
   * says how.
   */
  settle(reader: MessageReader, finishReason: string, retries: number, choices = this.#choices): ChoiceEnd | undefined {
    const { refusals } = reader;
    const { onRefusal = "feed-back", maxRetries } = this.#options;
    // This shape has no place for an invalid call, so the model is told by being asked again.
    const handling = decideRefusal({ onRefusal: onRefusal === "feed-back" ? "retry" : onRefusal, maxRetries }, reader, {
      tools: this.tools,
      format: this.#format(),
      retries,
      isFinal: finishReason === "content_filter" || choices > 1,
    });
    if (handling === "retry") {
      this.#askAgain(reader);
      return undefined;
    }
    const text = reader.rest(handling === "text");
    if (refusals.length === 0) return { text, isWithheld: false };
    const isEmpty = reader.calls.length === 0 && !reader.natives.any && (reader.result?.content.trim() ?? "") === "";
    if (handling === "feed-back") {
      // Beside a call that runs too: the model reads it in the next turn as what it has said.
      const separator = (reader.result?.content ?? "") === "" ? "" : "\n";
      return { text: `${text}${separator}${refusalText(refusals)}`, isWithheld: false };
    }
    return { text, isWithheld: handling === "drop" && isEmpty };
  }

  get #choices(): number {
    return typeof this.#given.n === "number" ? this.#given.n : 1;
  }

  #askAgain(reader: MessageReader): void {
    const correction = this.#format().correction(reader.refusals);
    const said = { role: "assistant", content: reader.text };
    this.request = {
      ...this.request,
      messages: [...this.request.messages, said, { role: "user", content: correction }],
    };
  }
}

/** The function tools that the model may call. */
function offeredTools({ tools, tool_choice }: CompletionRequest): ToolDefinition[] {
  if (tool_choice === "none") return [];
  const named = namedChoice(tool_choice);
  return (tools ?? []).filter(
    (tool) => tool?.type === "function" && (named === undefined || tool.function?.name === named),
  );
}

function namedChoice(toolChoice: unknown): string | undefined {
  return (toolChoice as { function?: { name?: string } } | null | undefined)?.function?.name;
}

function callWishes({ tool_choice, parallel_tool_calls }: CompletionRequest): CallWishes {
  const name = namedChoice(tool_choice);
  const toolChoice = name !== undefined ? { name } : tool_choice === "required" ? "required" : "auto";
  return { toolChoice, parallel: parallel_tool_calls !== false };
}

/** Whether JSON was asked for as the answer. */
function answersInJson(responseFormat: unknown): boolean {
  const type = (responseFormat as { type?: unknown } | null | undefined)?.type;
  return type !== undefined && type !== "text";
}
