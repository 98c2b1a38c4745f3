import { begunText, textOf } from "../adapters/content-pieces.ts";
import { type RequestMessage, type TextMessage, toTextMessages } from "../adapters/openai.ts";
import { defaultRenderResult, toolInstruction, withInstruction } from "../adapters/past-messages.ts";
import type { Format } from "../index.ts";
import { type Body, type ChatRequest, type FunctionTool, invalid } from "./chat-request.ts";
import { constraintOf, type RequestConstraint } from "./constrain.ts";
import type { ProxySettings } from "./options.ts";

/** A message that goes to the upstream, or stands for one in a prompt. */
type SentMessage = RequestMessage | TextMessage;

/** What is sent for a request, and what is sent when the model is asked again. */
export class Conversation {
  readonly #settings: ProxySettings;
  readonly #request: ChatRequest;
  readonly #messages: readonly SentMessage[];
  readonly #constraint: RequestConstraint | undefined;
  /** The tools that the model may call now. */
  readonly offered: readonly FunctionTool[];

  constructor(request: ChatRequest, format: Format | undefined, settings: ProxySettings) {
    this.#settings = settings;
    this.#request = request;
    this.offered = request.toolChoice === "none" ? [] : request.tools;
    if (settings.send === "prompt") checkPromptable(request);
    const isHeld = format !== undefined && !this.answersInJson;
    this.#constraint = isHeld ? constraintOf(format, request, this.offered, settings) : undefined;
    const said = settings.send === "tools" ? request.messages : this.#asText(format);
    this.#messages = this.#tellsAnswer ? withSystem(said, answerInstruction(request)) : said;
  }

  /** Path of the upstream that it goes to. */
  get path(): string {
    return this.#settings.send === "prompt" ? "/completions" : "/chat/completions";
  }

  /** A response format would keep the model from calling, so beside tools it is written in the instruction and not sent. */
  get #tellsAnswer(): boolean {
    return this.answersInJson && this.offered.length > 0;
  }

  /** The client reads the text of the answer as JSON. */
  get answersInJson(): boolean {
    const { responseFormat } = this.#request;
    return responseFormat !== undefined && responseFormat.type !== "text";
  }

  /** The client has begun the answer: the upstream goes on with it. */
  get begun(): string | undefined {
    return begunText(this.#request.messages);
  }

  /** The ids of its calls: a new call has another. */
  get callIds(): readonly string[] {
    return this.#request.messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id = "" }) => id));
  }

  /** What the parser needs of how the model was held. */
  get parseOptions(): RequestConstraint["parseOptions"] {
    return this.#constraint?.parseOptions ?? {};
  }

  /** The request as it is sent. */
  first(): Body {
    return this.#body(this.#messages, this.#request.rest);
  }

  /** The request that asks one reply again, after what the model wrote and what was wrong with it. */
  again(written: string, correction: string): Body {
    const { n: _, ...rest } = this.#request.rest;
    const asked = [
      { role: "assistant", content: written },
      { role: "user", content: correction },
    ];
    return this.#body([...this.#messages, ...asked], rest);
  }

  #asText(format: Format | undefined): SentMessage[] {
    const { messages, toolChoice, parallel } = this.#request;
    if (format === undefined) return [...messages];
    const { renderResult = defaultRenderResult, instruction } = this.#settings;
    const taught = toolInstruction(format, this.offered, {
      toolChoice: toolChoice === "none" ? "auto" : toolChoice,
      parallel,
      instruction,
    });
    const unnamed = messages.findIndex(({ tool_calls }) => tool_calls?.some((call) => call.function?.name === ""));
    if (unnamed >= 0) throw invalid(`messages[${unnamed}]: a call of the conversation has no name`, "messages");
    const texts = toTextMessages(messages, { format, renderResult });
    return taught === "" ? texts : withSystem(texts, taught);
  }

  #body(messages: readonly SentMessage[], rest: Body): Body {
    const { model, stream, streamUsage, responseFormat, tools, toolChoice } = this.#request;
    const { send, upstreamToolChoice, body } = this.#settings;
    const { stream_options, ...members } = rest;
    return {
      ...(model === "" ? {} : { model }),
      ...members,
      ...(send === "prompt" ? this.#prompt(messages, members) : { messages }),
      ...(responseFormat === undefined || this.#tellsAnswer ? {} : { response_format: responseFormat }),
      ...(send === "tools" && tools.length > 0 && toolChoice !== "none" ? { tools: this.offered } : {}),
      ...(send === "tools" && upstreamToolChoice !== undefined ? { tool_choice: upstreamToolChoice } : {}),
      stream,
      ...(stream && (streamUsage || stream_options !== undefined)
        ? { stream_options: { ...(stream_options as object | undefined), include_usage: streamUsage } }
        : {}),
      ...this.#constraint?.body,
      ...body,
    };
  }

  #prompt(messages: readonly SentMessage[], members: Body): Body {
    const { prompt, stop = [] } = this.#settings.prompt(messages as readonly TextMessage[]);
    const { max_completion_tokens: most } = members;
    const given = members.stop ?? [];
    return {
      prompt,
      stop: [...(Array.isArray(given) ? given : [given]), ...stop],
      ...(most === undefined ? {} : { max_tokens: most, max_completion_tokens: undefined }),
    };
  }
}

function withSystem(messages: readonly SentMessage[], text: string): SentMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system" && first?.role !== "developer") return [{ role: "system", content: text }, ...messages];
  return [{ ...first, content: withInstruction(textOf(first.content as string), text) }, ...rest];
}

function answerInstruction({ responseFormat }: ChatRequest): string {
  const { schema } = (responseFormat?.json_schema ?? {}) as { schema?: unknown };
  const fits = schema === undefined ? "" : ` that fits this JSON Schema: ${JSON.stringify(schema)}`;
  return `When you call no tool, answer with one JSON value${fits}. Write nothing around it, and no code fence.`;
}

/** A prompt is text, and so is what comes back. */
function checkPromptable({ messages, rest }: ChatRequest): void {
  if (rest.logprobs !== undefined) throw invalid("logprobs cannot be had: the upstream completes text", "logprobs");
  const hasMedia = ({ content }: RequestMessage) =>
    Array.isArray(content) && content.some((part) => typeof part?.text !== "string");
  if (messages.some(hasMedia)) throw invalid("only text can be passed on: the upstream completes text", "messages");
}
