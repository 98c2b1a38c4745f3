import { randomWord } from "../../adapters/call-ids.ts";
import { joinMembers } from "../../adapters/joined-members.ts";
import { otherOfChoice } from "../../adapters/openai/incoming-text.ts";
import type { ChatDelta, ChatFinishReason, ChatToolCallDelta } from "../../adapters/openai.ts";
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
  without,
} from "../chat-request.ts";
import type { ProblemDetails } from "../problem.ts";
import type { ReplyCall, ReplyEvent, ReplyHead } from "../reply-event.ts";
import type { Usage } from "../server-chunk.ts";
import { type Protocol, type ReplyWriter, serverEvent } from "./protocol.ts";

const ownKeys = [
  "messages",
  "model",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "stream",
  "stream_options",
  "functions",
  "function_call",
];

/** `/v1/chat/completions`. */
export const chatCompletions: Protocol = {
  name: "chat.completions",
  takesPieces: true,
  keepsQuery: true,
  read(body) {
    if (Array.isArray(body.functions) || isObject(body.function_call)) {
      throw invalid("`functions` is the old form of `tools`: send `tools`", "functions");
    }
    const messages = listMember(body, "messages");
    for (const message of messages) {
      if (typeof message.role !== "string") throw invalid("every message needs a `role`", "messages");
      for (const call of listMember(message, "tool_calls")) checkPastCall(call);
    }
    const { tools, toolChoice, allowed } = chosenTools(listMember(body, "tools").map(functionTool), body.tool_choice);
    const streamOptions = isObject(body.stream_options) ? body.stream_options : {};
    return {
      model: member(body, "model", "string") ?? "",
      messages: messages as unknown as ChatRequest["messages"],
      tools,
      toolChoice,
      allowed,
      parallel: member(body, "parallel_tool_calls", "boolean") ?? true,
      responseFormat: isObject(body.response_format) ? (body.response_format as ResponseFormat) : undefined,
      stream: member(body, "stream", "boolean") ?? false,
      streamUsage: streamOptions.include_usage === true,
      rest: {
        ...without(body, ownKeys),
        ...(isObject(body.stream_options) ? { stream_options: body.stream_options } : {}),
      },
    };
  },
  write: (request) => new ChatWriter(request),
  problem: openaiProblem,
};

/** The body of an error, as OpenAI's clients read it. */
export function openaiProblem({ message, type, code, param }: ProblemDetails): Body {
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

function functionTool(tool: Body): FunctionTool {
  if (tool.type !== undefined && tool.type !== "function") {
    throw invalid(
      `a tool of type ${JSON.stringify(tool.type)} cannot be given to the model: only functions can`,
      "tools",
    );
  }
  if (!isObject(tool.function)) throw invalid("a tool needs its `function`", "tools");
  return { type: "function", function: without(tool.function, []) as FunctionTool["function"] };
}

/** A call of an earlier message can be written when it has a name; its arguments are JSON, as text or as it is. */
function checkPastCall(call: Body): void {
  if (call.type === "custom") throw invalid("a call of a custom tool cannot be given to the model", "messages");
  const { name, arguments: args } = isObject(call.function) ? call.function : {};
  if (typeof name !== "string") throw invalid("every call in a message needs its `function.name`", "messages");
  if (args === undefined || args === null || typeof args === "string" || isObject(args)) return;
  throw invalid("the `arguments` of a call are text that holds JSON", "messages");
}

/** What is on offer, by the `tool_choice` of the OpenAI interfaces. */
export function chosenTools(
  tools: FunctionTool[],
  given: unknown,
): Pick<ChatRequest, "tools" | "toolChoice" | "allowed"> {
  if (given === undefined || given === null || given === "auto") return { tools, toolChoice: "auto" };
  if (given === "none") return { tools, toolChoice: "none" };
  if (given === "required") {
    if (tools.length === 0) throw invalid("tool_choice asks for a call, and there are no tools", "tool_choice");
    return { tools, toolChoice: "required" };
  }
  if (isObject(given)) {
    if (given.type === "allowed_tools") {
      const allowed = isObject(given.allowed_tools) ? given.allowed_tools : given;
      const names = listMember(allowed, "tools").map(nameIn);
      const toolChoice = allowed.mode === "required" ? "required" : "auto";
      return { tools: onlyTools(tools, names), toolChoice, allowed: names };
    }
    const name = nameIn(given);
    return { tools: onlyTools(tools, [name]), toolChoice: { name } };
  }
  throw invalid(`tool_choice cannot be ${JSON.stringify(given)}`, "tool_choice");
}

function nameIn(given: Body): string {
  const name = isObject(given.function) ? given.function.name : given.name;
  if (typeof name === "string") return name;
  throw invalid("tool_choice names no tool", "tool_choice");
}

/** A stream keeps nothing of what it has sent: the texts and calls are those of a whole answer. */
interface Choice {
  text: GrowingText;
  /** Parts of the content that are none: clients take a content for a text, so they have a member of their own. */
  parts: object[];
  reasoning: GrowingText;
  refusal: GrowingText;
  calls: CallPiece[];
  logprobs: unknown;
  /** How many calls were sent, so that they are numbered without a gap. */
  sent: number;
  /** The number of each call that the upstream has read itself, by its own. */
  natives: Map<number, number>;
  finish?: Extract<ReplyEvent, { type: "finish" }>;
}

class ChatWriter implements ReplyWriter {
  readonly streamType = "text/event-stream";
  readonly #request: ChatRequest;
  readonly #choices = new Map<number, Choice>();
  #head: ReplyHead = { model: "", created: 0, extra: {} };
  #id = `chatcmpl-${randomWord()}`;
  #usage: Usage | undefined;

  constructor(request: ChatRequest) {
    this.#request = request;
  }

  write(event: ReplyEvent): string {
    if (event.type === "head") {
      this.#head = event.head;
      this.#id = event.head.id ?? this.#id;
      return "";
    }
    if (event.type === "usage") {
      this.#usage = event.usage;
      return "";
    }
    const begun = this.#choices.has(event.choice);
    const choice = this.#choice(event.choice);
    const role = begun || !this.#request.stream ? "" : this.#chunk(event.choice, { role: "assistant", content: "" });
    return role + this.#writeTo(choice, event);
  }

  #writeTo(choice: Choice, event: Exclude<ReplyEvent, { type: "head" | "usage" }>): string {
    const isWhole = !this.#request.stream;
    switch (event.type) {
      case "text":
        if (isWhole) choice.text.add(event.text);
        return this.#chunk(event.choice, { content: event.text });
      case "reasoning":
        if (isWhole) choice.reasoning.add(event.text);
        return this.#chunk(event.choice, { reasoning_content: event.text });
      case "refusal":
        if (isWhole) choice.refusal.add(event.text);
        return this.#chunk(event.choice, { refusal: event.text });
      case "call": {
        const index = choice.sent++;
        if (isWhole) choice.calls[index] = toolCall(event.call);
        return this.#chunk(event.choice, { tool_calls: [{ index, ...toolCall(event.call) }] });
      }
      case "native": {
        const { index, ...call } = event.delta;
        const known = choice.natives.get(index);
        const number = known ?? choice.sent++;
        if (isWhole) choice.calls[number] = known === undefined ? call : joinedCall(choice.calls[number], call);
        choice.natives.set(index, number);
        return this.#chunk(event.choice, { tool_calls: [{ ...event.delta, index: number }] });
      }
      case "parts":
        if (isWhole) choice.parts.push(...event.parts);
        return this.#chunk(event.choice, { content_parts: event.parts });
      case "other":
        return this.#chunk(event.choice, event.delta);
      case "logprobs":
        choice.logprobs = isObject(event.logprobs)
          ? joinMembers(isObject(choice.logprobs) ? choice.logprobs : undefined, event.logprobs)
          : (event.logprobs ?? choice.logprobs);
        return "";
      case "finish":
        choice.finish = event;
        return this.#chunk(event.choice, {}, event.reason, this.#head.extra, otherOfChoice(event.original ?? {}));
    }
  }

  end(): string {
    const usage = this.#usage;
    const last = usage === undefined ? "" : serverEvent({ ...this.#base("chat.completion.chunk"), choices: [], usage });
    return `${last}data: [DONE]\n\n`;
  }

  fail(problem: ProblemDetails): string {
    return serverEvent(openaiProblem(problem));
  }

  whole(): Body {
    const choices = [...this.#choices].sort(([left], [right]) => left - right);
    return {
      ...this.#base("chat.completion"),
      ...this.#head.extra,
      choices: choices.map(([index, choice]) => wholeChoice(index, choice)),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    };
  }

  #choice(index: number): Choice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = {
        text: new GrowingText(),
        parts: [],
        reasoning: new GrowingText(),
        refusal: new GrowingText(),
        calls: [],
        logprobs: null,
        sent: 0,
        natives: new Map(),
      };
      this.#choices.set(index, choice);
    }
    return choice;
  }

  #base(object: string): Body {
    const { created, model, extra } = this.#head;
    const { system_fingerprint, service_tier } = extra;
    return { id: this.#id, object, created, model, system_fingerprint, service_tier };
  }

  #chunk(
    index: number,
    delta: ChatDelta & { content_parts?: readonly object[] },
    reason: ChatFinishReason | null = null,
    extra: Body = {},
    beside: Body = {},
  ): string {
    if (!this.#request.stream) return "";
    const choice = this.#choices.get(index);
    // Those of a marker or a call go out with what comes after it.
    const logprobs = choice?.logprobs ?? null;
    if (choice !== undefined && delta.role === undefined) choice.logprobs = null;
    return serverEvent({
      ...this.#base("chat.completion.chunk"),
      ...extra,
      choices: [
        { ...beside, index, delta, logprobs: delta.role === undefined ? logprobs : null, finish_reason: reason },
      ],
    });
  }
}

function wholeChoice(index: number, choice: Choice): Body {
  const { calls, logprobs, finish } = choice;
  const [text, reasoning, refusal] = [choice.text, choice.reasoning, choice.refusal].map(String);
  const original = finish?.original ?? {};
  const { message, delta, text: rawText, ...rest } = original;
  return {
    ...rest,
    index,
    message: {
      ...(isObject(message) ? message : {}),
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      ...(choice.parts.length === 0 ? {} : { content_parts: choice.parts }),
      refusal: refusal === "" ? null : refusal,
      tool_calls: calls.length > 0 ? calls : undefined,
      function_call: undefined,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    },
    logprobs,
    finish_reason: finish?.reason ?? "stop",
  };
}

type CallPiece = Omit<ChatToolCallDelta, "index">;

/** A call of which another piece has come. */
function joinedCall(call: CallPiece, piece: CallPiece): CallPiece {
  const name = (call.function?.name ?? "") + (piece.function?.name ?? "");
  const args = (call.function?.arguments ?? "") + (piece.function?.arguments ?? "");
  return { ...piece, ...call, function: { ...call.function, name, arguments: args } } as CallPiece;
}

function toolCall({ id, name, argumentsText }: ReplyCall) {
  return { id, type: "function" as const, function: { name, arguments: argumentsText } };
}
