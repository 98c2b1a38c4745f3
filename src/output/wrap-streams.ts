import { checkValues, isFunction, isObjectWith } from "../contract/option-values.ts";
import type { ParseEvent } from "../contract/types.ts";
import { mergeDeltas } from "./merge-deltas.ts";
import type { ParseResult } from "./result.ts";

/** What the wrappers need of a parser: they add nothing to what it reads. */
export interface PushParser<Event, Result> {
  push(chunk: string): Event[];
  end(info?: { finishReason?: string }): Event[];
  result(): Result;
  /** What an event turns out to be, where that is known later. */
  settled?(event: Event): Promise<Event> | undefined;
}

/** Anything that yields strings: an array, a generator, a Node stream with an encoding, a web stream. */
export type TextSource = Iterable<string> | AsyncIterable<string> | ReadableStream<string>;

/** What a stream needs beyond the options of a parser. */
export interface StreamOptions {
  /** Ends the reading: the consumer gets the signal's reason, the source is stopped. Default: none. */
  signal?: AbortSignal | undefined;
  /** Asked once, when the source has ended: a server says only then why the model stopped. */
  finishReasonAtEnd?: (() => string | undefined) | undefined;
}

/** The events of one message, and after the last of them its result. */
export interface EventStream<Event = ParseEvent, Result = ParseResult> extends AsyncIterableIterator<Event> {
  /** The same as `parse` of the whole text. Throws before the stream has been read to its end. */
  result(): Result;
  /** Itself: the events are there once. */
  [Symbol.asyncIterator](): EventStream<Event, Result>;
}

const streamValues = {
  signal: isObjectWith("an AbortSignal", "aborted"),
  finishReasonAtEnd: isFunction("() => string | undefined"),
};

/**
 * Reads a source as fast as its events are taken and no faster: a chunk is asked for when the events of the last one
 * are gone. Where the source fails, the events before the failure are delivered, then its error; a call that was open
 * is not ended. A consumer that stops early stops the source.
 */
export function readStream<Event, Result>(
  source: TextSource,
  parser: PushParser<Event, Result>,
  options: StreamOptions,
): EventStream<Event, Result> {
  checkValues(options, streamValues);
  const events = eventsOf(chunksOf(source, options.signal), parser, options);
  const stream = Object.assign(events, { result: () => parser.result() });
  return stream as unknown as EventStream<Event, Result>;
}

async function* eventsOf<Event>(
  chunks: Iterable<string> | AsyncIterable<string>,
  parser: PushParser<Event, unknown>,
  { signal, finishReasonAtEnd }: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  const settled = (event: Event) => {
    const later = parser.settled?.(event);
    return later === undefined ? event : unlessAborted(() => later, signal);
  };
  signal?.throwIfAborted();
  for await (const chunk of chunks) {
    for (const event of mergeDeltas(parser.push(textOf(chunk)))) {
      yield settled(event);
      signal?.throwIfAborted();
    }
  }
  for (const event of mergeDeltas(parser.end(endInfo(finishReasonAtEnd)))) yield settled(event);
}

/**
 * A parser as a web transform stream. Back pressure is the stream's own; a signal that aborts errors both sides, and
 * what was open then is not ended.
 */
export function transformStream<Event>(
  parser: PushParser<Event, unknown>,
  options: StreamOptions,
): TransformStream<string, Event> {
  checkValues(options, streamValues);
  const { signal, finishReasonAtEnd } = options;
  let stopListening = (): void => {};
  return new TransformStream<string, Event>({
    start(controller) {
      signal?.throwIfAborted();
      const abort = () => controller.error(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      stopListening = () => signal?.removeEventListener("abort", abort);
    },
    transform: (chunk, controller) => passOn(mergeDeltas(parser.push(textOf(chunk))), parser, controller),
    flush(controller) {
      stopListening();
      return passOn(mergeDeltas(parser.end(endInfo(finishReasonAtEnd))), parser, controller);
    },
  });
}

/** Hands events over, in order; a promise only where one of them has to be waited for. */
function passOn<Event>(
  events: readonly Event[],
  parser: PushParser<Event, unknown>,
  controller: TransformStreamDefaultController<Event>,
): Promise<void> | undefined {
  for (const [at, event] of events.entries()) {
    const later = parser.settled?.(event);
    if (later !== undefined) {
      return later.then((known) => {
        controller.enqueue(known);
        return passOn(events.slice(at + 1), parser, controller);
      });
    }
    controller.enqueue(event);
  }
  return undefined;
}

function endInfo(finishReasonAtEnd: (() => string | undefined) | undefined): { finishReason?: string } {
  const finishReason = finishReasonAtEnd?.();
  return finishReason === undefined ? {} : { finishReason };
}

function textOf(chunk: unknown): string {
  if (typeof chunk === "string") return chunk;
  throw new TypeError(`the source yields ${kindOf(chunk)}, not strings: ${insteadOf(chunk)}`);
}

function kindOf(chunk: unknown): string {
  if (chunk instanceof Uint8Array) return "bytes";
  return isCompletionChunk(chunk) ? "chunks of a completion" : chunk === null ? "null" : typeof chunk;
}

function isCompletionChunk(chunk: unknown): boolean {
  return typeof chunk === "object" && chunk !== null && "choices" in chunk;
}

function insteadOf(chunk: unknown): string {
  return isCompletionChunk(chunk)
    ? "give each to fromChatCompletionChunk(chunk, parser), or the stream to rewriteChatCompletionChunks(stream, parser), " +
        'both of "toolpeg/openai"'
    : 'pipe it through new TextDecoderStream(), or call setEncoding("utf8") on a Node stream';
}

function chunksOf(source: TextSource, signal: AbortSignal | undefined): Iterable<string> | AsyncIterable<string> {
  if (typeof source === "string") {
    throw new TypeError("parseStream() takes chunks, not a string: use parse(text, options)");
  }
  if (typeof source !== "object" || source === null) {
    throw new TypeError(`parseStream() takes an iterable of strings, not ${source === null ? "null" : typeof source}`);
  }
  if (Symbol.asyncIterator in source) return abortable(() => source[Symbol.asyncIterator](), signal);
  if (Symbol.iterator in source) return source;
  // Some browsers have web streams that are not iterable.
  if (typeof (source as ReadableStream).getReader === "function") return abortable(() => readerOf(source), signal);
  throw new TypeError("parseStream() takes an iterable of strings, or a stream of them");
}

function readerOf(stream: ReadableStream<string>): AsyncIterator<string> {
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<string>>,
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** A source that can be left although its next chunk never comes. */
function abortable(open: () => AsyncIterator<string>, signal: AbortSignal | undefined): AsyncIterable<string> {
  if (signal === undefined) return { [Symbol.asyncIterator]: open };
  return {
    [Symbol.asyncIterator]() {
      const iterator = open();
      return {
        next: () =>
          unlessAborted(() => Promise.resolve(iterator.next()), signal).catch((error) => {
            // A generator that waits stops only after its wait, so that is not awaited, and its error is dropped.
            if (signal.aborted) Promise.resolve(iterator.return?.()).catch(() => {});
            throw error;
          }),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

/** What work comes to, or the reason of the signal as soon as that aborts; where it has, the work does not begin. */
function unlessAborted<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
