import type { ParseEvent } from "../../runtime/types.ts";
import type { ChatChunk, ChatToolCallDelta, IncomingChunk, IncomingContentPart } from "./shapes.ts";
import { type ChunkOptions, ChunkWriter } from "./to-chunks.ts";

/** What is needed of a parser: `createParser` makes one. */
export interface PushParser {
  /** Reads the next chunk and returns what happened. */
  push(chunk: string): ParseEvent[];
  /** The message has ended. */
  end(info?: { finishReason?: string }): ParseEvent[];
}

/**
 * Feeds a chunk of a server to a parser, be it of a chat completion or of a plain text completion.
 *
 * The finish reason of the server ends the parser; where a server sends none, call `parser.end()` behind the last
 * chunk. Reasoning that the server has split off itself comes out as `reasoning-delta`, without passing the parser.
 * Calls that the server has read itself are left to the caller. Text behind the finish reason comes out as it is.
 *
 * @param choice which of several choices the parser reads. Default 0.
 * @returns the events, in order
 */
export function fromChatCompletionChunk(chunk: IncomingChunk, parser: PushParser, choice = 0): ParseEvent[] {
  const found = chunk.choices?.find((one) => (one.index ?? 0) === choice);
  if (found === undefined) return [];
  const content = found.delta?.content ?? found.text ?? "";
  const parts = typeof content === "string" ? [{ text: content }] : content;
  const reasoning = found.delta?.reasoning_content ?? found.delta?.reasoning ?? parts.map(thinkingOf).join("");
  const text = parts.map((part) => part.text ?? "").join("");
  const events: ParseEvent[] = reasoning === "" ? [] : [{ type: "reasoning-delta", text: reasoning }];
  if (text !== "" && ended.has(parser)) events.push({ type: "text-delta", text });
  else if (text !== "") events.push(...parser.push(text));
  if (found.finish_reason) {
    events.push(...parser.end({ finishReason: found.finish_reason }));
    ended.add(parser);
  }
  return events;
}

/** Parsers that a finish reason has ended. What a server sends behind it is shown as it is, and makes no calls. */
const ended = new WeakSet<PushParser>();

function thinkingOf({ thinking }: IncomingContentPart): string {
  return typeof thinking === "object" && thinking !== null
    ? thinking.map(({ text }) => text ?? "").join("")
    : (thinking ?? "");
}

/**
 * A streamed completion whose text holds calls, as one whose chunks hold them: what a proxy does. Id, model and time are
 * the server's unless `options` names others. Calls that the server has read itself are passed on as they are.
 */
export async function* rewriteChatCompletionChunks(
  chunks: AsyncIterable<IncomingChunk> | Iterable<IncomingChunk>,
  parser: PushParser,
  options: Omit<ChunkOptions, "finishReason"> = {},
): AsyncGenerator<ChatChunk> {
  let writer: ChunkWriter | undefined;
  let finishReason: string | undefined;
  const open = (chunk: IncomingChunk): ChunkWriter =>
    new ChunkWriter({
      ...options,
      id: options.id ?? chunk.id,
      model: options.model ?? chunk.model,
      created: options.created ?? chunk.created,
      finishReason: () => finishReason,
    });
  for await (const chunk of chunks) {
    if (writer === undefined) {
      writer = open(chunk);
      yield writer.begin();
    }
    const found = chunk.choices?.find((one) => (one.index ?? 0) === 0);
    finishReason = found?.finish_reason ?? finishReason;
    for (const event of fromChatCompletionChunk(chunk, parser)) yield* writer.write(event);
    for (const delta of found?.delta?.tool_calls ?? []) yield writer.writeNative(delta as ChatToolCallDelta);
  }
  if (writer === undefined) {
    writer = open({});
    yield writer.begin();
  }
  for (const event of parser.end()) yield* writer.write(event);
  yield writer.end();
}
