/**
 * The shapes of the OpenAI interface that the adapter reads and writes. They are our own, so that users need no
 * `openai` package to compile; the tests hold them against its types.
 */

/** A call as a chat completion carries it. */
export interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** The message of a choice. */
export interface ChatMessage {
  role: "assistant";
  content: string | null;
  refusal: string | null;
  tool_calls?: ChatToolCall[];
  /** Not OpenAI's own; what vLLM, DeepSeek and others call it. */
  reasoning_content?: string;
}

/** Why a completion ended. */
export type ChatFinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** A piece of a call. */
export interface ChatToolCallDelta {
  index: number;
  id?: string;
  type?: "function";
  function?: { name?: string; arguments?: string };
}

/** What one chunk adds to the message. */
export interface ChatDelta {
  role?: "assistant";
  content?: string;
  refusal?: string;
  reasoning_content?: string;
  tool_calls?: ChatToolCallDelta[];
}

/** One choice of a chunk. */
export interface ChatChunkChoice {
  index: number;
  delta: ChatDelta;
  finish_reason: ChatFinishReason | null;
  // As the server sent it: of the tokens of the text, calls included.
  // biome-ignore lint/suspicious/noExplicitAny: passed on, not looked at
  logprobs: any;
}

/** One chunk of a streamed chat completion. */
export interface ChatChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: ChatChunkChoice[];
  // biome-ignore lint/suspicious/noExplicitAny: passed on, not looked at
  usage?: any;
}

/** What is read of a chunk that comes from a server: of a chat completion, or of a plain text completion (`text`). */
export interface IncomingChunk {
  id?: string;
  created?: number;
  model?: string;
  choices?: readonly IncomingChoice[] | null;
  usage?: unknown;
  /** What a server sends in place of a chunk when it fails in the middle. */
  error?: unknown;
}

/** A piece of a call that the server has read itself. */
export interface IncomingToolCallDelta {
  /** Some servers leave it out, or give every call the same. */
  index?: number;
  id?: string;
  type?: string;
  function?: { name?: string; arguments?: string };
}

/** A part of a content that comes in parts, as some servers send it: visible text, or thoughts. */
export interface IncomingContentPart {
  type?: string;
  text?: string | null;
  thinking?: string | readonly { text?: string | null }[] | null;
}

/** One of the replies that a chunk brings pieces of. */
export interface IncomingChoice {
  index?: number;
  text?: string | null;
  delta?: {
    /** Text of another role than the assistant's makes no calls. */
    role?: string | null;
    content?: string | IncomingContentPart | readonly IncomingContentPart[] | null;
    reasoning_content?: string | null;
    reasoning?: string | null;
    /** Thoughts under other names. */
    reasoning_text?: string | null;
    thinking?: string | null;
    reasoning_details?: readonly unknown[] | null;
    thinking_blocks?: readonly unknown[] | null;
    refusal?: string | null;
    /** Speech, in pieces. */
    audio?: unknown;
    /** Calls that the server has read itself. */
    tool_calls?: readonly IncomingToolCallDelta[] | null;
    /** The same, of older servers: one call. */
    function_call?: IncomingToolCallDelta["function"] | null;
  } | null;
  finish_reason?: string | null;
  logprobs?: unknown;
}

/** Thoughts, as an item of a response. */
export interface ResponseReasoning {
  type: "reasoning";
  id: string;
  summary: [];
  content: { type: "reasoning_text"; text: string }[];
  status: "completed";
}

/** Visible text, as an item of a response. */
export interface ResponseMessage {
  type: "message";
  id: string;
  role: "assistant";
  status: "completed" | "incomplete";
  content: { type: "output_text"; text: string; annotations: [] }[];
}

/** A call, as an item of a response. */
export interface ResponseFunctionCall {
  type: "function_call";
  id: string;
  call_id: string;
  name: string;
  arguments: string;
  status: "completed";
}

/** An item of the `output` of a response. */
export type ResponseItem = ResponseReasoning | ResponseMessage | ResponseFunctionCall;
