import type { ExtractEvent, ParseEvent, Provisional } from "./runtime/types.ts";
import { extractMessage, parseMessage } from "./streaming/message.ts";
import type { CoreExtractOptions, CoreParseOptions } from "./streaming/options.ts";
import type { ExtractResult, ParseResult } from "./streaming/result.ts";

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
  partial(index: number): Provisional<unknown>;
}

/** Reads one message as it arrives: phase one alone. */
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
  partial(index: number): Provisional<unknown>;
}

/**
 * Reads a whole message.
 *
 * @param text What the model wrote.
 * @returns calls that passed the gate, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: unknown options, invalid schemas, duplicate tool names; and without a validator, unless the
 * policy says `schema: "off"`.
 */
export function parse(text: string, options: CoreParseOptions): ParseResult {
  const message = parseMessage(options, false);
  message.push(text);
  message.end();
  return message.result();
}

/**
 * Makes a parser for one message that arrives in chunks.
 *
 * @throws TypeError on misuse: unknown options, invalid schemas, duplicate tool names, no validator.
 */
export function createParser(options: CoreParseOptions): Parser {
  return parseMessage(options, true);
}

/**
 * Reads a whole message: phase one alone. No allowlist, no schema, nothing executable.
 *
 * @param text What the model wrote.
 * @returns candidates, and everything else the text holds. Never throws on model text.
 * @throws TypeError on misuse: unknown options.
 */
export function extract(text: string, options: CoreExtractOptions): ExtractResult {
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
