import type { IncomingChoice, IncomingChunk } from "../adapters/openai.ts";
import { type Body, isObject } from "./chat-request.ts";

/** One of the replies that a chunk brings pieces of, with what is passed on beside the text. */
export interface ServerChoice extends IncomingChoice {
  logprobs?: unknown;
  delta?: (NonNullable<IncomingChoice["delta"]> & { refusal?: string | null }) | null;
  /** vLLM: which stop sequence it was. */
  stop_reason?: unknown;
  /** Of a reply that came whole: the choice as the upstream wrote it. */
  whole?: Body;
}

/** A chunk of a stream, or a whole completion told as one. */
export interface ServerChunk extends Omit<IncomingChunk, "choices"> {
  choices?: readonly ServerChoice[] | null;
  usage?: Usage | null;
  system_fingerprint?: unknown;
  service_tier?: unknown;
  /** Not the upstream's: its stream has ended without saying so. */
  cut?: boolean;
}

/** Tokens that were read and written. */
export interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
  total_tokens?: number;
  [detail: string]: unknown;
}

/** A whole completion, of chat or of text, as one chunk. */
export function chunkOfCompletion(completion: Body): ServerChunk {
  const choices = Array.isArray(completion.choices) ? completion.choices.filter(isObject) : [];
  return {
    ...completion,
    choices: choices.map((choice, position) => {
      const { message, ...rest } = choice;
      const whole = { index: position, ...choice };
      return { ...whole, ...rest, whole, delta: isObject(message) ? deltaOf(message) : null } as ServerChoice;
    }),
  };
}

function deltaOf(message: Body): Body {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return { ...message, tool_calls: calls.map((call, index) => ({ index, ...call })) };
}
