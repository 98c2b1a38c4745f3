import type { ResponseUsage } from "../../adapters/openai/response-shapes.ts";
import { ResponseWriter } from "../../adapters/openai/response-writer.ts";
import type { RequestMessage } from "../../adapters/openai.ts";
import { isObject } from "../../contract/is-object.ts";
import {
  type Body,
  type ChatRequest,
  type FunctionTool,
  invalid,
  listMember,
  member,
  type ResponseFormat,
  without,
} from "../chat-request.ts";
import type { ProblemDetails } from "../problem.ts";
import type { ReplyEvent } from "../reply-event.ts";
import { cachedTokensOf, type Usage } from "../server-chunk.ts";
import { chosenTools, openaiProblem } from "./chat-completions.ts";
import { type Protocol, type ReplyWriter, serverEvent } from "./protocol.ts";

/** What would need a memory of earlier responses. Nothing is stored here. */
const remembered = ["previous_response_id", "conversation", "prompt", "background"];

/** Members that are read, or that say nothing to a model server. Others are the server's own, such as `top_k`. */
const ownKeys = [
  ...remembered,
  ...["input", "instructions", "model", "tools", "tool_choice", "parallel_tool_calls", "max_tool_calls", "text"],
  ...["reasoning", "max_output_tokens", "stream", "stream_options", "store", "include", "metadata", "truncation"],
  ...["context_management", "prompt_cache_retention", "top_logprobs"],
];

/** `/v1/responses`, as far as it can be said to a model without a memory. */
export const responses: Protocol = {
  name: "responses",
  takesPieces: false,
  keepsQuery: true,
  read(body) {
    for (const key of remembered) {
      if (body[key]) throw invalid(`\`${key}\` needs a memory of earlier responses, and nothing is stored here`, key);
    }
    const text = isObject(body.text) ? body.text : {};
    const reasoning = isObject(body.reasoning) ? body.reasoning : {};
    const { tools, toolChoice, allowed } = chosenTools(listMember(body, "tools").map(functionTool), body.tool_choice);
    return {
      model: member(body, "model", "string") ?? "",
      messages: messagesOf(body),
      tools,
      toolChoice,
      allowed,
      parallel: member(body, "parallel_tool_calls", "boolean") ?? true,
      responseFormat: isObject(text.format) ? responseFormat(text.format) : undefined,
      stream: member(body, "stream", "boolean") ?? false,
      streamUsage: true,
      rest: without(
        {
          max_tokens: body.max_output_tokens,
          reasoning_effort: reasoning.effort,
          ...without(body, ownKeys),
        },
        [],
      ),
    };
  },
  write: (request, body) => new ResponsesReply(request, body),
  problem: openaiProblem,
};

function functionTool(tool: Body): FunctionTool {
  if (tool.type !== "function") {
    throw invalid(
      `a tool of type ${JSON.stringify(tool.type)} cannot be given to the model: only functions can`,
      "tools",
    );
  }
  const { name, description, parameters } = tool;
  return { type: "function", function: without({ name, description, parameters }, []) as FunctionTool["function"] };
}

function responseFormat(format: Body): ResponseFormat | undefined {
  const { type, ...schema } = format;
  if (type === "json_schema") return { type, json_schema: schema };
  return type === undefined || type === "text" ? undefined : { type: String(type) };
}

function messagesOf(body: Body): RequestMessage[] {
  const messages: RequestMessage[] = [];
  const instructions = member(body, "instructions", "string");
  if (instructions !== undefined) messages.push({ role: "system", content: instructions });
  if (typeof body.input === "string") return [...messages, { role: "user", content: body.input }];
  for (const item of listMember(body, "input")) {
    const last = messages.at(-1);
    switch (item.type ?? "message") {
      case "message":
        messages.push({ role: String(item.role), content: contentOf(item.content) });
        break;
      case "function_call": {
        const called = { name: String(item.name), arguments: String(item.arguments ?? "{}") };
        const call = { id: String(item.call_id), type: "function", function: called };
        // The calls of one turn, and what was said before them, are one message.
        if (last?.role === "assistant") last.tool_calls = [...(last.tool_calls ?? []), call];
        else messages.push({ role: "assistant", content: null, tool_calls: [call] });
        break;
      }
      case "function_call_output":
        messages.push({ role: "tool", tool_call_id: String(item.call_id), content: contentOf(item.output) });
        break;
      case "reasoning":
        // What a model thought in an earlier turn is not shown to it again, as in the templates of the models.
        break;
      default:
        throw invalid(`input of type ${JSON.stringify(item.type)} cannot be given to the model`, "input");
    }
  }
  return messages;
}

/** A content as chat completions write it. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? "";
  const parts = content.filter(isObject).map((part) => {
    if (part.type === "refusal") return { type: "text", text: String(part.refusal) };
    if (typeof part.text === "string") return { type: "text", text: part.text };
    if (part.type === "input_image" && typeof part.image_url === "string") {
      return { type: "image_url", image_url: without({ url: part.image_url, detail: part.detail }, []) };
    }
    throw invalid(`content of type ${JSON.stringify(part.type)} cannot be passed on`, "input");
  });
  const onlyText = parts.every((part) => part.type === "text");
  return onlyText ? parts.map((part) => ("text" in part ? part.text : "")).join("") : parts;
}

/** Members of the request that a response repeats, with what they are by default. */
const echoed: Body = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
  user: null,
};

class ResponsesReply implements ReplyWriter {
  readonly streamType = "text/event-stream";
  readonly #request: ChatRequest;
  readonly #echo: Body;
  #writer: ResponseWriter | undefined;
  #finish = "stop";
  #usage: Usage | undefined;

  constructor(request: ChatRequest, body: Body) {
    this.#request = request;
    const keys = Object.keys(echoed);
    this.#echo = Object.fromEntries(keys.map((key) => [key, body[key] ?? echoed[key]]));
    // Said of this response, whatever was asked.
    this.#echo.store = false;
  }

  write(event: ReplyEvent): string {
    if (event.type === "head") {
      const { model, created } = event.head;
      this.#writer = new ResponseWriter({ model, created, echo: this.#echo });
      return this.#events(this.#writer.begin());
    }
    const writer = this.#writer as ResponseWriter;
    switch (event.type) {
      case "text":
        return this.#events(writer.text(event.text));
      case "reasoning":
        return this.#events(writer.reasoning(event.text));
      case "refusal":
        return this.#events(writer.refusal(event.text));
      case "call":
        return this.#events(writer.call(event.call));
      case "finish":
        this.#finish = event.reason;
        return "";
      case "usage":
        this.#usage = event.usage;
        return "";
      default:
        return "";
    }
  }

  end(): string {
    return this.#events((this.#writer as ResponseWriter).end(this.#finish, responseUsage(this.#usage)));
  }

  fail({ code, type, message }: ProblemDetails): string {
    this.#writer ??= new ResponseWriter({ model: this.#request.model, echo: this.#echo });
    return this.#events(this.#writer.fail(code ?? type, message));
  }

  whole(): Body {
    const writer = this.#writer as ResponseWriter;
    writer.end(this.#finish, responseUsage(this.#usage));
    return writer.response;
  }

  #events(events: { type: string }[]): string {
    return this.#request.stream ? events.map((event) => serverEvent(event, event.type)).join("") : "";
  }
}

function responseUsage(usage: Usage | undefined): ResponseUsage | undefined {
  if (usage === undefined) return undefined;
  const read = usage.prompt_tokens ?? 0;
  const written = usage.completion_tokens ?? 0;
  const { completion_tokens_details: details } = usage;
  return {
    input_tokens: read,
    input_tokens_details: { cached_tokens: cachedTokensOf(usage) ?? 0 },
    output_tokens: written,
    output_tokens_details: { reasoning_tokens: isObject(details) ? Number(details.reasoning_tokens ?? 0) : 0 },
    total_tokens: usage.total_tokens ?? read + written,
  };
}
