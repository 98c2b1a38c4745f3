import type { ExtractEvent, ParseEvent, Provisional } from "./contract/types.ts";
import type { Message } from "./message/message.ts";
import {
  type CoreExtractOptions,
  type CoreParseOptions,
  checkOptions,
  type MessageOptions,
  optionNames,
} from "./message/options.ts";
import { extractMessage, PreparedMessages } from "./message/prepared-messages.ts";
import type { ExtractResult, ParseResult } from "./output/result.ts";

/** Reads one message as it arrives. */
export interface Parser {
  /**
   * Reads the next chunk; it may be cut anywhere, also inside a surrogate pair.
   * @returns what happened, in order; never throws on model text
   */
  push(chunk: string): ParseEvent[];
  /** The message has ended. Later calls return nothing. */
  end(info?: { finishReason?: string }): ParseEvent[];
  /** The same as `parse` of the joined chunks. Throws before `end()`. */
  result(): ParseResult;
  /** What is known of an open call's arguments: for display, never to be run. */
  partial(index: number): Provisional<unknown> | undefined;
}

/** Reads one message as it arrives: extraction alone. */
export interface Extractor {
  /**
   * Reads the next chunk; it may be cut anywhere, also inside a surrogate pair.
   * @returns what happened, in order; never throws on model text
   */
  push(chunk: string): ExtractEvent[];
  /** The message has ended. Later calls return nothing. */
  end(info?: { finishReason?: string }): ExtractEvent[];
  /** The same as `extract` of the joined chunks. Throws before `end()`. */
  result(): ExtractResult;
  /** What is known of an open candidate's arguments: for display. */
  partial(index: number): Provisional<unknown> | undefined;
}

/** Formats, tools and policy, read once: for messages that have them in common. */
export interface Prepared<Options = MessageOptions, Result = ParseResult, AParser = Parser> {
  /**
   * Reads a whole message, as `parse` does.
   * @param own What this message has of its own: `prefill`, `finishReason`, `intent`, `id` and their like.
   */
  parse(text: string, own?: Options): Result;
  /** The same for tools whose check answers later: a promise of the result. */
  parseAsync(text: string, own?: Options): Promise<Result>;
  /** Makes a parser for one message that arrives in chunks. */
  createParser(own?: Options): AParser;
}

/** What the streams of the root entry are made of as well. */
export interface PreparedForDrivers extends Prepared {
  /** A parser for a driver that can wait: `settled(event)` says what an event turns out to be. */
  createWaitingParser(): Parser & Pick<Message, "settled">;
}

/**
 * Does once what does not depend on the text.
 *
 * @throws TypeError on misuse: unknown options, invalid schemas, duplicate tool names; and without a validator, unless the
 * policy says `schema: "off"`.
 */
export function prepare(options: CoreParseOptions): Prepared {
  return prepareForDrivers(options);
}

/** The same, for streams that are driven here as well: a driver that can wait says what an event turns out to be. */
export function prepareForDrivers(options: CoreParseOptions): PreparedForDrivers {
  checkOptions(options, optionNames.parse);
  const messages = new PreparedMessages(options);
  const begin = (own: MessageOptions | undefined, emits: boolean, takesLater = false): Message => {
    if (own !== undefined) checkOptions(own, optionNames.message);
    return messages.message(own, emits, takesLater);
  };
  return {
    parse(text, own) {
      if (own !== undefined) checkOptions(own, optionNames.message);
      return messages.sound(text, own) ?? readWhole(messages.message(own, false), text);
    },
    parseAsync: async (text, own) => readWholeLater(begin(own, false, true), text),
    createParser: (own) => begin(own, true),
    createWaitingParser: () => begin(undefined, true, true),
  };
}

function readWhole(message: Message, text: string): ParseResult {
  message.push(text);
  message.end();
  return message.result();
}

async function readWholeLater(message: Message, text: string): Promise<ParseResult> {
  message.push(text);
  message.end();
  await message.allSettled();
  return message.result();
}

/**
 * Reads a whole message.
 *
 * @param text What the model wrote.
 * @returns calls that passed validation, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: unknown options, invalid schemas, duplicate tool names; and without a validator, unless the
 * policy says `schema: "off"`.
 */
export function parse(text: string, options: CoreParseOptions): ParseResult {
  return prepare(options).parse(text);
}

/**
 * Reads a whole message whose tools may check later: a schema library's object with an asynchronous refinement.
 *
 * @returns a promise of what `parse` returns. It fails on misuse, as `parse` throws.
 */
export async function parseAsync(text: string, options: CoreParseOptions): Promise<ParseResult> {
  return prepare(options).parseAsync(text);
}

/**
 * Makes a parser for one message that arrives in chunks.
 *
 * @throws TypeError on misuse: unknown options, invalid schemas, duplicate tool names, no validator.
 */
export function createParser(options: CoreParseOptions): Parser {
  return prepare(options).createParser();
}

/**
 * Reads a whole message: extraction alone. No allowlist, no schema, nothing executable.
 *
 * @param text What the model wrote.
 * @returns candidates, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: unknown options.
 */
export function extract(text: string, options: CoreExtractOptions): ExtractResult {
  checkOptions(options, optionNames.extract);
  const message = extractMessage(options, false);
  message.push(text);
  message.end();
  return asExtractResult(message.result());
}

/**
 * Makes an extractor for one message that arrives in chunks.
 *
 * @throws TypeError on misuse, as `extract`.
 */
export function createExtractor(options: CoreExtractOptions): Extractor {
  checkOptions(options, optionNames.extract);
  const message = extractMessage(options, true);
  return {
    push: (chunk) => message.push(chunk).map(asExtractEvent),
    end: (info) => message.end(info).map(asExtractEvent),
    result: () => asExtractResult(message.result()),
    partial: (index) => message.partial(index),
  };
}

function asExtractResult({ calls, content, reasoning, rejected, nodes, truncated }: ParseResult): ExtractResult {
  return { candidates: calls, content, reasoning, rejected, nodes, truncated };
}

function asExtractEvent(event: ParseEvent): ExtractEvent {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return event;
    case "call-start":
      return { ...event, type: "candidate-start" };
    case "call-args-delta":
      return { ...event, type: "candidate-args-delta" };
    case "call-end":
      return { type: "candidate-end", index: event.index, candidate: event.call };
    case "call-rejected":
      return { ...event, type: "candidate-rejected" };
  }
}
