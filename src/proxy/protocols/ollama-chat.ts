import { answerJson, JsonText } from "../../adapters/json-text.ts";
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
  type ResponseFormat,
  without,
} from "../chat-request.ts";
import type { ProblemDetails } from "../problem.ts";
import type { ReplyCall, ReplyEvent } from "../reply-event.ts";
import type { Usage } from "../server-chunk.ts";
import type { Protocol, ReplyWriter } from "./protocol.ts";

/** Ollama's `/api/chat`. */
export const ollamaChat: Protocol = {
  name: "ollama.chat",
  takesPieces: false,
  /** Without messages a model is only loaded, or with `keep_alive` 0 unloaded: the upstream has its own. */
  ready({ model, messages, keep_alive }) {
    if (messages !== undefined && !(Array.isArray(messages) && messages.length === 0)) return undefined;
    const done_reason = keep_alive === 0 ? "unload" : "load";
    const message = { role: "assistant", content: "" };
    return { model, created_at: new Date().toISOString(), message, done: true, done_reason };
  },
  read(body) {
    const options = isObject(body.options) ? body.options : {};
    return {
      model: member(body, "model", "string") ?? "",
      messages: messagesOf(body),
      tools: listMember(body, "tools").map(functionTool),
      toolChoice: "auto",
      parallel: true,
      responseFormat: responseFormat(body.format),
      stream: member(body, "stream", "boolean") ?? true,
      streamUsage: true,
      rest: without(
        {
          max_tokens: options.num_predict,
          temperature: options.temperature,
          top_p: options.top_p,
          top_k: options.top_k,
          min_p: options.min_p,
          seed: options.seed,
          stop: options.stop,
          presence_penalty: options.presence_penalty,
          frequency_penalty: options.frequency_penalty,
          ...thinking(body.think),
        },
        [],
      ),
    };
  },
  write: (request) => new OllamaWriter(request),
  problem: ({ message }) => ({ error: message }),
};

/** What the servers of open models call it. */
function thinking(think: unknown): Body {
  if (typeof think === "boolean") return { chat_template_kwargs: { enable_thinking: think } };
  return typeof think === "string" ? { reasoning_effort: think } : {};
}

function functionTool(tool: Body): FunctionTool {
  if (!isObject(tool.function)) throw invalid("a tool needs its `function`", "tools");
  return { type: "function", function: without(tool.function, []) as FunctionTool["function"] };
}

function responseFormat(format: unknown): ResponseFormat | undefined {
  if (format === "json") return { type: "json_object" };
  return isObject(format) ? { type: "json_schema", json_schema: { name: "answer", schema: format } } : undefined;
}

/** Ollama's calls have no ids, so a result answers the first call of its tool, or else the first that is open. */
function messagesOf(body: Body): RequestMessage[] {
  let made = 0;
  let open: { id: string; name: string }[] = [];
  return listMember(body, "messages").map((message) => {
    const role = String(message.role);
    if (role === "tool") {
      const position = Math.max(
        open.findIndex(({ name }) => name === (message.tool_name ?? message.name)),
        0,
      );
      const [answered] = open.splice(position, 1);
      return { role, tool_call_id: answered?.id ?? "", content: message.content ?? "" };
    }
    const calls = listMember(message, "tool_calls").map((call) => {
      const called = isObject(call.function) ? call.function : {};
      const name = String(called.name);
      return {
        id: `call_${made++}`,
        type: "function",
        function: { name, arguments: JSON.stringify(called.arguments ?? {}) },
      };
    });
    if (role === "assistant") open = calls.map(({ id, function: { name } }) => ({ id, name }));
    return {
      role,
      content: withImages(message.content, message.images),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  });
}

function withImages(content: unknown, images: unknown): unknown {
  if (!Array.isArray(images) || images.length === 0) return content ?? "";
  const parts = images.map((image) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${image}` } }));
  return [{ type: "text", text: String(content ?? "") }, ...parts];
}

class OllamaWriter implements ReplyWriter {
  readonly streamType = "application/x-ndjson";
  readonly #request: ChatRequest;
  readonly #began = performance.now();
  #first: number | undefined;
  #created = "";
  /** Of a whole answer, as the calls: a stream keeps nothing of what it has sent. */
  readonly #text = new GrowingText();
  readonly #thinking = new GrowingText();
  readonly #calls: ReplyCall[] = [];
  #reason = "stop";
  #usage: Usage | undefined;

  constructor(request: ChatRequest) {
    this.#request = request;
  }

  write(event: ReplyEvent): string {
    this.#first ??= performance.now();
    switch (event.type) {
      case "head":
        this.#created = new Date(event.head.created * 1000).toISOString();
        return "";
      case "text":
      case "refusal":
        return this.#say(event.text);
      case "reasoning":
        if (!this.#request.stream) this.#thinking.add(event.text);
        return this.#line({ content: "", thinking: event.text });
      case "call":
        if (!this.#request.stream) this.#calls.push(event.call);
        return this.#line({ content: "", tool_calls: [toolCall(event.call)] });
      case "finish":
        this.#reason = event.reason === "tool_calls" ? "stop" : event.reason;
        // Few clients look at the reason: none of them takes a message that is empty for an answer.
        return event.dropped === undefined ? "" : this.#say(event.dropped);
      case "usage":
        this.#usage = event.usage;
        return "";
      default:
        return "";
    }
  }

  end(): string {
    return `${JSON.stringify(this.#last({ role: "assistant", content: "" }))}\n`;
  }

  fail(problem: ProblemDetails): string {
    return `${JSON.stringify(ollamaChat.problem(problem))}\n`;
  }

  whole(): Body {
    const thinking = this.#thinking.toString();
    return this.#last({
      role: "assistant",
      content: this.#text.toString(),
      ...(thinking === "" ? {} : { thinking }),
      ...(this.#calls.length > 0 ? { tool_calls: this.#calls.map(toolCall) } : {}),
    });
  }

  #say(text: string): string {
    if (!this.#request.stream) this.#text.add(text);
    return this.#line({ content: text });
  }

  #line(message: Body): string {
    if (!this.#request.stream) return "";
    const { model } = this.#request;
    return `${answerJson({ model, created_at: this.#created, message: { role: "assistant", ...message }, done: false })}\n`;
  }

  #last(message: Body): Body {
    const now = performance.now();
    const nanoseconds = (from: number, to: number) => Math.round((to - from) * 1e6);
    const first = this.#first ?? now;
    return {
      model: this.#request.model,
      created_at: this.#created,
      message,
      done: true,
      done_reason: this.#reason,
      total_duration: nanoseconds(this.#began, now),
      load_duration: 0,
      prompt_eval_count: this.#usage?.prompt_tokens ?? 0,
      prompt_eval_duration: nanoseconds(this.#began, first),
      eval_count: this.#usage?.completion_tokens ?? 0,
      eval_duration: nanoseconds(first, now),
    };
  }
}

function toolCall({ name, argumentsText }: ReplyCall): Body {
  return { function: { name, arguments: new JsonText(argumentsText) } };
}
