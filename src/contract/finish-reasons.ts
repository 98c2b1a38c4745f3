/**
 * Why a model stopped, in the words of OpenAI, Anthropic (`stop_reason`), Gemini (`finishReason`), Mistral, the Responses
 * interface, TGI and llama.cpp. Case and the kind of dash do not count.
 */
const cut = new Set([
  "length",
  "limit",
  "max_length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
  "model_context_window_exceeded",
  "incomplete",
  "content_filter",
]);
const stopped = new Set(["stop", "end_turn", "eos", "eos_token"]);

/** Whether a token limit or a filter ended the message: more may have been coming. */
export const isCutReason = (reason: string | undefined): boolean => reason !== undefined && cut.has(wordOf(reason));

/** Whether the model ended the message itself. */
export const isStopReason = (reason: string | undefined): boolean =>
  reason !== undefined && stopped.has(wordOf(reason));

const wordOf = (reason: string) => reason.toLowerCase().replaceAll("-", "_");
