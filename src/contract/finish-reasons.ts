/**
 * Why a model stopped, in the words of OpenAI, Anthropic (`stop_reason`), Gemini (`finishReason`), Bedrock, Cohere, Mistral,
 * DeepSeek, watsonx, the Responses interface, vLLM, TGI, llama.cpp and LM Studio. A part of the word is enough, since servers vary them:
 * `max_tokens`, `MAX_TOKENS`, `max-output-tokens`.
 */
const filtered = /filter|guardrail|refusal|safety|toxic|recitation|block|prohibited|spii/i;
const cut =
  /length|limit|max.|exceeded|abort|cancel|time.?out|error|failed|incomplete|not.finished|pause|insufficient|interrupt|malformed|repetition|unloaded|user.?stopped|^other$/i;
const stopped = /^(stop|end.turn|eos(.token)?)$/i;

/** Most messages give no reason, and a pattern costs more when it is first used than all else that is asked for one. */
function says(reason: unknown, pattern: RegExp): boolean {
  const text = finishReasonText(reason);
  return text !== "" && pattern.test(text);
}

/** Whether a filter ended the message. */
export const isFilterReason = (reason: unknown): boolean => says(reason, filtered);

/** Whether a token limit, a filter or the server ended the message: more may have been coming. */
export const isCutReason = (reason: unknown): boolean => says(reason, cut) || isFilterReason(reason);

/** Whether the server has failed: what was open will never come. */
export const isErrorReason = (reason: unknown): boolean => says(reason, /error|failed/i);

/** Whether the model ended the message itself. `tool_calls` does not say so: vLLM writes it over `length` where it has read a call. */
export const isStopReason = (reason: unknown): boolean => says(reason, stopped);

/**
 * The reason as it was written; nothing until a message has ended. SGLang's own interface says
 * `{"type": "length", "length": 512}`, the AI SDK `{"unified": "length", "raw": "max_tokens"}`.
 */
export function finishReasonText(reason: unknown): string {
  const given = reason as { type?: unknown; unified?: unknown } | null | undefined;
  const word = given?.unified ?? given?.type ?? reason;
  return typeof word === "string" ? word : "";
}
