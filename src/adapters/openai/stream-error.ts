/** A server's stream has failed: what came before it is whole, what was open never comes. */
export class ChatStreamError extends Error {
  override readonly name = "ChatStreamError";
  /** What the server said; undefined when its stream just ended. */
  readonly error: unknown;

  constructor(error: unknown, message = messageOf(error)) {
    super(message);
    this.error = error;
  }
}

/** Whether a chunk says that the server has failed. */
export const isFailure = (chunk: { error?: unknown } | null | undefined): chunk is { error: unknown } =>
  chunk?.error !== undefined && chunk.error !== null;

function messageOf(error: unknown): string {
  if (typeof error === "string") return `the server failed: ${error}`;
  const said = (error as { message?: unknown } | null)?.message;
  return `the server failed: ${typeof said === "string" ? said : JSON.stringify(error)}`;
}

/** The stream has ended, and no finish reason says that the message has. */
export function endedEarly(): ChatStreamError {
  return new ChatStreamError(
    undefined,
    "the server's stream ended without a finish reason, so the message may not be whole; ask again",
  );
}
