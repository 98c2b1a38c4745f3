/**
 * What the middleware reads and writes of the AI SDK's language model interface. The parts used here are the same in the
 * specifications V2, V3 and V4, except for the finish reason, which is a word in V2 and an object since. They are
 * our own, so that one middleware serves all three; the tests hold them against the real packages.
 */

/** One part of a prompt message, of a result's content, or of a stream. */
export interface Part {
  type: string;
  [key: string]: unknown;
}

export interface PromptMessage {
  role: string;
  content: string | Part[];
  providerOptions?: unknown;
}

export interface ToolPart {
  type: string;
  name: string;
  description?: string;
  inputSchema?: unknown;
}

/** The options of `doGenerate` and `doStream`. */
export interface CallOptions {
  prompt: PromptMessage[];
  tools?: ToolPart[];
  toolChoice?: { type: string; toolName?: string };
  abortSignal?: AbortSignal;
  [key: string]: unknown;
}

export type FinishReason = string | { unified: string; raw?: string | undefined };

export interface GenerateResult {
  content: Part[];
  finishReason: FinishReason;
  providerMetadata?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface StreamResult {
  stream: ReadableStream<Part>;
  [key: string]: unknown;
}

export interface LanguageModel {
  modelId: string;
  doGenerate(options: CallOptions): PromiseLike<GenerateResult>;
  doStream(options: CallOptions): PromiseLike<StreamResult>;
}
