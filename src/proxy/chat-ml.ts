import { textOf } from "../adapters/content-pieces.ts";
import type { TextMessage } from "../adapters/openai.ts";

/** A conversation as the text that a model completes, and where it has to stop. */
export interface Prompt {
  prompt: string;
  /** Texts at which the upstream ends the reply, beside those that the client names. */
  stop?: readonly string[];
}

/** A conversation in ChatML, which the Qwen, Hermes and many other templates are. */
export function chatMlPrompt(messages: readonly TextMessage[]): Prompt {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${textOf(content as string)}<|im_end|>\n`);
  return { prompt: `${turns.join("")}<|im_start|>assistant\n`, stop: ["<|im_end|>"] };
}
