import { nativeCallsOf } from "../adapters/openai/incoming-text.ts";
import type { IncomingChoice, IncomingChunk } from "../adapters/openai.ts";
import { finishReasonText } from "../contract/finish-reasons.ts";
import { isObject, objectsIn } from "../contract/is-object.ts";
import type { Body } from "./chat-request.ts";

/** One of the replies that a chunk brings pieces of, with what is passed on beside the text. */
export interface ServerChoice extends IncomingChoice {
  logprobs?: unknown;
  delta?: (NonNullable<IncomingChoice["delta"]> & { refusal?: string | null }) | null;
  /** vLLM: which stop sequence it was. */
  stop_reason?: unknown;
  /** Of a reply that came whole: the choice as the upstream wrote it. */
  whole?: Body;
}

/** A chunk of a stream, or a whole completion in the shape of one. */
export interface ServerChunk extends Omit<IncomingChunk, "choices" | "id" | "model" | "created" | "usage"> {
  id?: string | undefined;
  model?: string | undefined;
  created?: number | undefined;
  choices?: readonly ServerChoice[];
  usage?: Usage | undefined;
  system_fingerprint?: unknown;
  service_tier?: unknown;
  /** Not the upstream's: its stream has ended, with `[DONE]` or without it. */
  isLast?: boolean;
}

/** Tokens that were read and written. */
export interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
  total_tokens?: number;
  [detail: string]: unknown;
}

/** Tokens of the prompt that the upstream had in its cache; undefined where it does not say. */
export function cachedTokensOf({ prompt_tokens_details: details }: Usage): number | undefined {
  const cached = isObject(details) ? details.cached_tokens : undefined;
  return typeof cached === "number" ? cached : undefined;
}

/**
 * A chunk as it is read on: what is no choice, no delta, no call or no text is left out, since a slip of a server is no
 * reason to end a stream.
 */
export function chunkOf(given: Body): ServerChunk {
  const choices = objectsIn(given.choices);
  for (const choice of choices) {
    if (typeof choice.index !== "number") choice.index = undefined;
    if (typeof choice.text !== "string") choice.text = undefined;
    choice.finish_reason = finishReasonText(choice.finish_reason);
    // Some servers stream messages.
    if (!isObject(choice.delta) && isObject(choice.message)) choice.delta = deltaOf(choice.message);
    if (!isObject(choice.delta)) choice.delta = undefined;
    else choice.delta.tool_calls = callsIn(nativeCallsOf(choice.delta));
    if (isObject(choice.delta) && typeof choice.delta.refusal !== "string") choice.delta.refusal = undefined;
  }
  const { id, model, created, usage } = given;
  return {
    ...given,
    id: typeof id === "string" ? id : undefined,
    model: typeof model === "string" ? model : undefined,
    created: typeof created === "number" && Number.isFinite(created) ? created : undefined,
    usage: isObject(usage) ? usage : undefined,
    choices: choices as ServerChoice[],
  };
}

/** Pieces of calls; arguments that are no text are written as such. */
function callsIn(given: unknown): Body[] {
  return objectsIn(given).map((call) => {
    if (!isObject(call.function)) return { ...call, function: undefined, custom: customIn(call.custom) };
    const { name, arguments: args } = call.function;
    if (typeof args === "string" && typeof name === "string") return call;
    return {
      ...call,
      function: {
        ...call.function,
        name: typeof name === "string" ? name : undefined,
        arguments:
          args === undefined || args === null || typeof args === "string" ? (args ?? undefined) : JSON.stringify(args),
      },
    };
  });
}

/** A call of a custom tool, as far as it is one. */
function customIn(given: unknown): Body | undefined {
  if (!isObject(given)) return undefined;
  const { name, input } = given;
  return {
    ...given,
    name: typeof name === "string" ? name : undefined,
    input: typeof input === "string" ? input : undefined,
  };
}

/** A whole completion, of chat or of text, as one chunk. */
export function chunkOfCompletion(completion: Body): ServerChunk {
  const choices = objectsIn(completion.choices).map((choice, position) => {
    const { message, ...rest } = choice;
    const whole = { index: position, ...choice };
    return { ...whole, ...rest, whole, delta: isObject(message) ? deltaOf(message) : null };
  });
  return chunkOf({ ...completion, choices });
}

function deltaOf(message: Body): Body {
  const calls = objectsIn(nativeCallsOf(message));
  return { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
}
