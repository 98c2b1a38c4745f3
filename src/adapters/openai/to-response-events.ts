import { checkOptionsOf } from "../../contract/option-values.ts";
import type { ParseEvent } from "../../contract/types.ts";
import { RefusedMessage } from "./finish-reason.ts";
import { responseValues } from "./option-values.ts";
import type { ResponseEvent, ResponseUsage } from "./response-shapes.ts";
import { ResponseWriter } from "./response-writer.ts";

/** What a streamed response says beside its items. */
export interface ResponseEventOptions {
  /** Id of the response. Default: a random one. */
  id?: string | undefined;
  /** Name of the model. Default: empty. */
  model?: string | undefined;
  /** When the response began, in seconds since 1970. Default 0: the library has no clock. */
  created?: number | undefined;
  /** Why the model stopped, or a function that is asked after the last event: `length` makes the response incomplete. */
  finishReason?: string | (() => string | undefined) | undefined;
  /** Tokens, or a function that is asked after the last event. Default: not reported. */
  usage?: ResponseUsage | (() => ResponseUsage | undefined) | undefined;
}

/**
 * The events of one message as those of a streamed response of the Responses API, from `response.created` to
 * `response.completed`. A call goes out whole, after validation has passed it. One that is empty because its calls were refused is
 * incomplete, with `content_filter`. An error of the source is thrown to the
 * consumer: the response is then not completed.
 */
export async function* toResponseEvents(
  events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
  options: ResponseEventOptions = {},
): AsyncGenerator<ResponseEvent> {
  checkOptionsOf("toResponseEvents", options, responseValues);
  const { finishReason, usage, ...said } = options;
  const refused = new RefusedMessage();
  const writer = new ResponseWriter(said);
  yield* writer.begin();
  for await (const event of events) {
    refused.see(event);
    if (event.type === "text-delta") yield* writer.text(event.text);
    else if (event.type === "reasoning-delta") yield* writer.reasoning(event.text);
    else if (event.type === "call-end") yield* writer.call(event.call);
  }
  const given = typeof finishReason === "function" ? finishReason() : finishReason;
  const isClean = given === undefined || given === null || given === "stop" || given === "tool_calls";
  const reason = isClean && refused.isWithheld ? "content_filter" : (given ?? "stop");
  yield* writer.end(reason, typeof usage === "function" ? usage() : usage);
}
