import { randomWord } from "../../adapters/call-ids.ts";
import { JsonText } from "../../adapters/json-text.ts";
import type { RequestMessage } from "../../adapters/openai.ts";
import { isObject } from "../../contract/is-object.ts";
import { GrowingText } from "../../machine/growing-text.ts";
import {
  type Body,
  type ChatRequest,
  type FunctionTool,
  invalid,
  listMember,
  member,
  onlyTools,
  type ResponseFormat,
  type ToolChoice,
  without,
} from "../chat-request.ts";
import type { ProblemDetails } from "../problem.ts";
import type { ReplyCall, ReplyEvent } from "../reply-event.ts";
import { cachedTokensOf, type Usage } from "../server-chunk.ts";
import { type Protocol, type ReplyWriter, serverEvent } from "./protocol.ts";

/** Members that are read, or that only Anthropic's own servers know. Others are the server's own, such as `min_p`. */
const ownKeys = [
  ...["model", "messages", "system", "tools", "tool_choice", "stream", "stop_sequences", "metadata", "thinking"],
  ...["output_config", "output_format", "cache_control", "container", "context_management", "mcp_servers"],
  ...["service_tier", "inference_geo", "speed", "betas", "anthropic_version", "anthropic_beta"],
];

/** Anthropic's `/v1/messages`. */
export const anthropicMessages: Protocol = {
  name: "anthropic.messages",
  takesPieces: false,
  read(body) {
    const choice = isObject(body.tool_choice) ? body.tool_choice : {};
    const { tools, toolChoice } = chosen(listMember(body, "tools").map(functionTool), choice);
    const metadata = isObject(body.metadata) ? body.metadata : {};
    return {
      model: member(body, "model", "string") ?? "",
      messages: messagesOf(body),
      tools,
      toolChoice,
      parallel: choice.disable_parallel_tool_use !== true,
      responseFormat: responseFormat(body),
      stream: member(body, "stream", "boolean") ?? false,
      streamUsage: true,
      rest: without(
        {
          stop: body.stop_sequences,
          user: metadata.user_id,
          ...without(body, ownKeys),
        },
        [],
      ),
    };
  },
  write: (request) => new AnthropicWriter(request),
  problem: ({ status, message }) => ({
    type: "error",
    error: { type: errorTypes[status] ?? errorTypeOf(status), message },
  }),
};

const errorTypes: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const errorTypeOf = (status: number) => (status < 500 ? "invalid_request_error" : "api_error");

function functionTool(tool: Body): FunctionTool {
  const { type, name, description, input_schema: parameters } = tool;
  if (type !== undefined && type !== null && type !== "custom") {
    throw invalid(
      `the tool ${JSON.stringify(name)} of type ${JSON.stringify(type)} is one that Anthropic runs`,
      "tools",
    );
  }
  return { type: "function", function: without({ name, description, parameters }, []) as FunctionTool["function"] };
}

/** The form of the answer, in the place of today and of its beta. */
function responseFormat({ output_config: config, output_format: beta }: Body): ResponseFormat | undefined {
  const format = isObject(config) && isObject(config.format) ? config.format : beta;
  if (!isObject(format) || format.type !== "json_schema") return undefined;
  return { type: "json_schema", json_schema: { name: "answer", schema: format.schema } };
}

function chosen(tools: FunctionTool[], choice: Body): { tools: FunctionTool[]; toolChoice: ToolChoice } {
  switch (choice.type) {
    case "none":
      return { tools, toolChoice: "none" };
    case "any":
      if (tools.length === 0) throw invalid("tool_choice asks for a call, and there are no tools", "tool_choice");
      return { tools, toolChoice: "required" };
    case "tool":
      return { tools: onlyTools(tools, [String(choice.name)]), toolChoice: { name: String(choice.name) } };
    case undefined:
    case "auto":
      return { tools, toolChoice: "auto" };
    default:
      throw invalid(`tool_choice cannot be of type ${JSON.stringify(choice.type)}`, "tool_choice");
  }
}

function messagesOf(body: Body): RequestMessage[] {
  const messages: RequestMessage[] = [];
  if (body.system) messages.push({ role: "system", content: contentOf(body.system) });
  for (const message of listMember(body, "messages")) {
    const blocks = blocksOf(message.content);
    if (message.role === "assistant") messages.push(assistantMessage(blocks));
    else messages.push(...userMessages(String(message.role), blocks));
  }
  return messages;
}

function blocksOf(content: unknown): Body[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function assistantMessage(blocks: readonly Body[]): RequestMessage {
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, input }) => ({
      id: String(id),
      type: "function",
      function: { name: String(name), arguments: JSON.stringify(input ?? {}) },
    }));
  // What a model thought in an earlier turn is not shown to it again, as in the templates of the models.
  const said = blocks.filter(({ type }) => !["tool_use", "thinking", "redacted_thinking"].includes(String(type)));
  return { role: "assistant", content: contentOf(said), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

/** Results come first: they answer the calls of the message before. */
function userMessages(role: string, blocks: readonly Body[]): RequestMessage[] {
  const results = blocks.filter(({ type }) => type === "tool_result");
  const said = blocks.filter(({ type }) => type !== "tool_result");
  const messages: RequestMessage[] = results.map((block) => {
    const given = contentOf(block.content ?? "");
    const isText = typeof given === "string";
    const error = isText ? `Error: ${given}` : [{ type: "text", text: "Error:" }, ...(given as Body[])];
    const content = block.is_error ? error : given;
    return { role: "tool", tool_call_id: String(block.tool_use_id), content };
  });
  if (said.length > 0 || results.length === 0) messages.push({ role, content: contentOf(said) });
  return messages;
}

/** A content as chat completions write it. */
function contentOf(content: unknown): unknown {
  const parts = blocksOf(content).map((block) => {
    if (typeof block.text === "string") return { type: "text", text: block.text };
    if (block.type === "image" && isObject(block.source)) {
      const { type, url, media_type, data } = block.source;
      return { type: "image_url", image_url: { url: type === "url" ? url : `data:${media_type};base64,${data}` } };
    }
    throw invalid(`content of type ${JSON.stringify(block.type)} cannot be passed on`, "messages");
  });
  const onlyText = parts.every((part) => part.type === "text");
  return onlyText ? parts.map((part) => ("text" in part ? part.text : "")).join("\n") : parts;
}

type Kind = "text" | "thinking";

const stopReasons: Record<string, string> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

class AnthropicWriter implements ReplyWriter {
  readonly streamType = "text/event-stream";
  readonly #request: ChatRequest;
  readonly #message: Body & { content: Body[] };
  #open: Kind | undefined;
  /** Of the open block in a whole answer: a stream keeps nothing of what it has sent. */
  #text = new GrowingText();
  #index = -1;
  readonly #usage: Body = { input_tokens: 0, output_tokens: 0 };

  constructor(request: ChatRequest) {
    this.#request = request;
    this.#message = {
      id: `msg_${randomWord()}`,
      type: "message",
      role: "assistant",
      model: request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: this.#usage,
    };
  }

  write(event: ReplyEvent): string {
    switch (event.type) {
      case "head":
        if (event.head.model !== "") this.#message.model = event.head.model;
        return this.#event("message_start", { message: { ...this.#message, content: [], usage: { ...this.#usage } } });
      case "text":
      case "refusal":
        return this.#write("text", event.text);
      case "reasoning":
        return this.#write("thinking", event.text);
      case "call":
        return this.#close() + this.#call(event.call);
      case "finish":
        this.#message.stop_reason = event.stopSequence === undefined ? stopReasons[event.reason] : "stop_sequence";
        this.#message.stop_sequence = event.stopSequence ?? null;
        return this.#close();
      case "usage":
        Object.assign(this.#usage, messagesUsage(event.usage));
        return "";
      default:
        return "";
    }
  }

  end(): string {
    const { stop_reason, stop_sequence } = this.#message;
    return (
      this.#event("message_delta", { delta: { stop_reason, stop_sequence }, usage: this.#usage }) +
      this.#event("message_stop", {})
    );
  }

  fail(problem: ProblemDetails): string {
    return serverEvent(anthropicMessages.problem(problem), "error");
  }

  whole(): Body {
    return this.#message;
  }

  #write(kind: Kind, delta: string): string {
    let out = "";
    if (this.#open !== kind) {
      out += this.#close();
      this.#open = kind;
      const block = kind === "text" ? { type: kind, text: "" } : { type: kind, thinking: "", signature: "" };
      out += this.#start(block);
    }
    if (!this.#request.stream) this.#text.add(delta);
    return out + this.#delta({ type: `${kind}_delta`, [kind]: delta });
  }

  #call({ id, name, argumentsText }: ReplyCall): string {
    const out =
      this.#start({ type: "tool_use", id, name, input: {} }) +
      this.#delta({ type: "input_json_delta", partial_json: argumentsText });
    const block = this.#message.content.at(-1);
    if (block !== undefined) block.input = new JsonText(argumentsText);
    return out + this.#event("content_block_stop", { index: this.#index });
  }

  #start(block: Body): string {
    this.#index++;
    if (!this.#request.stream) this.#message.content.push(block);
    return this.#event("content_block_start", { index: this.#index, content_block: { ...block } });
  }

  #delta(delta: Body): string {
    return this.#event("content_block_delta", { index: this.#index, delta });
  }

  #close(): string {
    if (this.#open === undefined) return "";
    const block = this.#message.content.at(-1);
    if (block !== undefined) block[this.#open] = this.#text.toString();
    this.#text = new GrowingText();
    this.#open = undefined;
    return this.#event("content_block_stop", { index: this.#index });
  }

  #event(type: string, members: Body): string {
    return this.#request.stream ? serverEvent({ type, ...members }, type) : "";
  }
}

/** Anthropic counts what came from the cache apart from the input. */
function messagesUsage(usage: Usage): Body {
  const { prompt_tokens = 0, completion_tokens = 0 } = usage;
  const cached = cachedTokensOf(usage);
  return {
    input_tokens: prompt_tokens - (cached ?? 0),
    output_tokens: completion_tokens,
    ...(cached === undefined ? {} : { cache_read_input_tokens: cached }),
  };
}
