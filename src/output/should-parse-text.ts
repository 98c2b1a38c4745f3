/** A reply as an API hands it out; only what says that calls came apart from the text is looked at. */
export interface NativeReply {
  readonly tool_calls?: readonly unknown[] | null | undefined;
  readonly toolCalls?: readonly unknown[] | null | undefined;
  /** The older field of one call. */
  readonly function_call?: unknown;
}

/** What was asked for; only a response format is looked at. */
export interface NativeRequest {
  readonly response_format?: unknown;
  readonly responseFormat?: unknown;
}

/**
 * Whether the text of a reply should be parsed at all. Not when the API has delivered calls itself: they would run
 * twice. Not when a response format was asked for: then JSON in the text is the answer, and `{"name": "Ada", "age": 25}`
 * is a person, not a call. A response format of type `text` is none.
 *
 * @param reply the message of the reply
 * @param request what was sent, if a response format may have been in it
 */
export function shouldParseText(reply: NativeReply, request: NativeRequest = {}): boolean {
  if (reply.tool_calls?.length || reply.toolCalls?.length || reply.function_call) return false;
  const asked = request.response_format ?? request.responseFormat;
  if (asked === undefined || asked === null) return true;
  return typeof asked === "object" ? (asked as { type?: unknown }).type === "text" : asked === "text";
}
