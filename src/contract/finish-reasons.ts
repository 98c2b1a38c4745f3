/**
 * Why a model stopped, in the words of OpenAI, Anthropic (`stop_reason`), Gemini (`finishReason`), Mistral, DeepSeek, watsonx,
 * the Responses interface, vLLM, TGI and llama.cpp. Case and the kind of dash do not count.
 */
const cut = new Set([
  "length",
  "limit",
  "max_length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
  "model_context_window_exceeded",
  "max_completion_tokens",
  "token_limit",
  "time_limit",
  "incomplete",
  "content_filter",
  "safety",
  "recitation",
  "insufficient_system_resource",
  "abort",
  "aborted",
  "cancelled",
  "timeout",
]);
const stopped = new Set(["stop", "end_turn", "eos", "eos_token"]);

/** Whether a token limit, a filter or the server ended the message: more may have been coming. */
export const isCutReason = (reason: unknown): boolean => cut.has(wordOf(reason));

/** Whether the model ended the message itself. */
export const isStopReason = (reason: unknown): boolean => stopped.has(wordOf(reason));

/** SGLang's own interface says `{"type": "length", "length": 512}`; until a message has ended, the reason is null. */
function wordOf(reason: unknown): string {
  const word = typeof reason === "object" && reason !== null ? (reason as { type?: unknown }).type : reason;
  return typeof word === "string" ? word.toLowerCase().replaceAll("-", "_") : "";
}
