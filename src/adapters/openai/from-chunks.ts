import { checkOptionsOf } from "../../contract/option-values.ts";
import type { ParseEvent } from "../../contract/types.ts";
import { CallsAcrossGaps } from "../calls-across-gaps.ts";
import type { PushParser } from "../server-message.ts";
import { ChunkRewriter } from "./chunk-rewriter.ts";
import { choicesOf, isOfOthers, nativeCallsOf, piecesOfChoice } from "./incoming-text.ts";
import { rewriteValues } from "./option-values.ts";
import type { ChatChunk, IncomingChunk } from "./shapes.ts";
import { ChatStreamError, isFailure } from "./stream-error.ts";
import type { ChunkOptions } from "./to-chunks.ts";

/** What is known of a parser whose chunks came one by one. */
interface Fed {
  gaps: CallsAcrossGaps;
  ended: boolean;
}

const fed = new WeakMap<PushParser, Fed>();

/**
 * Feeds a chunk of a server to a parser, be it of a chat completion or of a plain text completion.
 *
 * The finish reason of the server ends the parser; a stream that ends without one has failed, so do not end the parser
 * then. Reasoning that the server has split off itself comes out as `reasoning-delta`, without passing the parser; a call
 * that begins before it and ends after it is refused, and so is one in text of another role (`delta.role`). Calls that the
 * server has read itself are left to the caller. Text after the finish reason comes out as it is.
 *
 * @param choice which of several choices the parser reads. Default 0.
 * @returns the events, in order
 * @throws ChatStreamError for a chunk in which the server says that it has failed
 */
export function fromChatCompletionChunk(chunk: IncomingChunk, parser: PushParser, choice = 0): ParseEvent[] {
  if (isFailure(chunk)) throw new ChatStreamError(chunk.error);
  if (typeof parser?.push !== "function")
    throw new TypeError("fromChatCompletionChunk(chunk, parser): `parser` is what `createParser` makes");
  const found = choicesOf(chunk).find((one) => (one.index ?? 0) === choice);
  if (found === undefined) return [];
  let state = fed.get(parser);
  if (state === undefined) fed.set(parser, (state = { gaps: new CallsAcrossGaps(), ended: false }));
  const { gaps } = state;
  const events: ParseEvent[] = [];
  if (isOfOthers(found.delta)) gaps.endTurn();
  if (nativeCallsOf(found.delta).length > 0) gaps.mark();
  for (const { kind, text } of piecesOfChoice(found)) {
    if (kind !== "text") {
      gaps.mark();
      if (kind === "reasoning") events.push({ type: "reasoning-delta", text });
    } else if (state.ended) {
      if (text !== "") events.push({ type: "text-delta", text });
    } else {
      gaps.add(text);
      events.push(...gaps.check(parser.push(text)));
    }
  }
  if (found.finish_reason && !state.ended) {
    state.ended = true;
    events.push(...gaps.check(parser.end({ finishReason: found.finish_reason })));
  }
  return events;
}

/** How a stream is rewritten. */
export interface RewriteOptions extends Omit<ChunkOptions, "finishReason"> {}

/**
 * A streamed completion whose text holds calls, as one whose chunks hold them: what a proxy does. Id, model and time are
 * the server's unless `options` names others. Usage, log probabilities, refusals and calls that the server has read itself
 * are passed on; a call that stands in the text as well comes once.
 *
 * @param parser reads choice 0, and the text of further choices is passed on as it is; or a function that makes one for each
 * choice
 * @throws ChatStreamError when the server says that it has failed, and when the stream ends without a finish reason: after
 * the chunks that are known, and without the call that was open. An error of the source is thrown in the same way.
 */
export async function* rewriteChatCompletionChunks(
  chunks: AsyncIterable<IncomingChunk> | Iterable<IncomingChunk>,
  parser: PushParser | ((choice: number) => PushParser),
  options: RewriteOptions = {},
): AsyncGenerator<ChatChunk> {
  checkOptionsOf("rewriteChatCompletionChunks", options, rewriteValues);
  if (typeof parser !== "function" && typeof parser?.push !== "function")
    throw new TypeError(
      "rewriteChatCompletionChunks(chunks, parser, options): `parser` is what `createParser` makes, or a function that makes one for each choice",
    );
  const open = typeof parser === "function" ? parser : (choice: number) => (choice === 0 ? parser : undefined);
  const rewriter = new ChunkRewriter({ ...options, open });
  try {
    for await (const chunk of chunks) {
      yield* rewriter.take(chunk);
      if (rewriter.failed) throw rewriter.failed;
    }
  } catch (error) {
    yield* rewriter.fail(error);
    throw error;
  }
  yield* rewriter.close();
  if (rewriter.failed) throw rewriter.failed;
}
