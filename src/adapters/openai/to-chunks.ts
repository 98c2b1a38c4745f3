import { checkOptionsOf } from "../../contract/option-values.ts";
import type { ParseEvent } from "../../contract/types.ts";
import { randomWord } from "../call-ids.ts";
import { finishReasonOf, RefusedMessage } from "./finish-reason.ts";
import { chunkValues } from "./option-values.ts";
import type { ChatChunk, ChatDelta, ChatFinishReason, ChatToolCallDelta } from "./shapes.ts";
import { toToolCall } from "./to-message.ts";

/** What the chunks say beside the calls. */
export interface ChunkOptions {
  /** Id of the completion. Default: a random one. */
  id?: string | undefined;
  /** Name of the model. Default: empty. */
  model?: string | undefined;
  /** When the completion began, in seconds since 1970. Default 0: the library has no clock. */
  created?: number | undefined;
  /** What the server said, or a function that is asked after the last event. Default: unknown. */
  finishReason?: string | (() => string | undefined) | undefined;
  /** Put the reasoning into `reasoning_content`, which is not OpenAI's own. Default true. */
  reasoning?: boolean | undefined;
  /**
   * Send calls while they are read. UNSAFE: chunks cannot be revoked, so a call that is refused later has been sent.
   * When that happens the finish reason is `stop`, never `tool_calls`; a client that does not look at it runs a call
   * that validation has refused. Default false: a call is sent whole, after validation has passed it.
   */
  provisional?: boolean | undefined;
}

/**
 * The events of one message as the chunks of a streamed chat completion, the finish reason in the last. Calls are
 * numbered from 0 without gaps.
 */
export function toChatCompletionChunks(events: Iterable<ParseEvent>, options?: ChunkOptions): Generator<ChatChunk>;
export function toChatCompletionChunks(
  events: AsyncIterable<ParseEvent>,
  options?: ChunkOptions,
): AsyncGenerator<ChatChunk>;
export function toChatCompletionChunks(
  events: Iterable<ParseEvent> | AsyncIterable<ParseEvent>,
  options: ChunkOptions = {},
): Generator<ChatChunk> | AsyncGenerator<ChatChunk> {
  checkOptionsOf("toChatCompletionChunks", options, chunkValues);
  const writer = new ChunkWriter(options);
  return Symbol.asyncIterator in events ? writeAsync(events, writer) : writeSync(events, writer);
}

function* writeSync(events: Iterable<ParseEvent>, writer: ChunkWriter): Generator<ChatChunk> {
  yield writer.begin();
  for (const event of events) yield* writer.write(event);
  yield writer.end();
}

async function* writeAsync(events: AsyncIterable<ParseEvent>, writer: ChunkWriter): AsyncGenerator<ChatChunk> {
  yield writer.begin();
  for await (const event of events) yield* writer.write(event);
  yield writer.end();
}

/** Writes the chunks of one message. */
export class ChunkWriter {
  readonly #options: ChunkOptions;
  readonly #id: string;
  readonly #choice: number;
  /** The number each call was sent under, by its index; by `native` and its index for a call of the server's own. */
  readonly #numbers = new Map<number | `native ${number}`, number>();
  #revoked = false;
  readonly #refused = new RefusedMessage();

  constructor(options: ChunkOptions, choice = 0) {
    this.#options = options;
    this.#id = options.id ?? `chatcmpl-${randomWord()}`;
    this.#choice = choice;
  }

  begin(): ChatChunk {
    return this.#chunk({ role: "assistant", content: "" });
  }

  write(event: ParseEvent): ChatChunk[] {
    this.#refused.see(event);
    switch (event.type) {
      case "text-delta":
        return [this.#chunk({ content: event.text })];
      case "reasoning-delta":
        return this.#options.reasoning === false ? [] : [this.#chunk({ reasoning_content: event.text })];
      case "call-start": {
        if (!this.#options.provisional) return [];
        const { id, name } = event;
        const index = this.#number(event.index);
        return [this.#chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })];
      }
      case "call-args-delta": {
        if (!this.#options.provisional) return [];
        const index = this.#number(event.index);
        return [this.#chunk({ tool_calls: [{ index, function: { arguments: event.delta } }] })];
      }
      case "call-end":
        // In formats that hold everything back until the end, a call may end that never started.
        if (this.#options.provisional && this.#numbers.has(event.index)) return [];
        return [this.#chunk({ tool_calls: [{ index: this.#number(event.index), ...toToolCall(event.call) }] })];
      case "call-rejected":
        if (event.index !== undefined && this.#numbers.has(event.index)) this.#revoked = true;
        return [];
    }
  }

  end(): ChatChunk {
    const { finishReason } = this.#options;
    const given = typeof finishReason === "function" ? finishReason() : finishReason;
    return this.#chunk({}, finishReasonOf(given, this.#numbers.size > 0 && !this.#revoked, this.#isWithheld));
  }

  /** A call that has been sent, or a piece of one, is something. */
  get #isWithheld(): boolean {
    return this.#numbers.size === 0 && this.#refused.isWithheld;
  }

  /** What of a server's chunk is no text and no call. */
  writeOther(delta: object): ChatChunk {
    if ("refusal" in delta) this.#refused.seeOther();
    return this.#chunk(delta as ChatDelta);
  }

  /** A piece of a call that the server has read itself, numbered among the others. */
  writeNative(delta: ChatToolCallDelta): ChatChunk {
    return this.#chunk({ tool_calls: [{ ...delta, index: this.#number(`native ${delta.index}`) }] });
  }

  #number(index: number | `native ${number}`): number {
    const known = this.#numbers.get(index);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(index, number);
    return number;
  }

  #chunk(delta: ChatDelta, finishReason: ChatFinishReason | null = null): ChatChunk {
    const { created, model } = this.#options;
    return {
      id: this.#id,
      object: "chat.completion.chunk",
      created: created ?? 0,
      model: model ?? "",
      choices: [{ index: this.#choice, delta, finish_reason: finishReason, logprobs: null }],
    };
  }
}
