import type { ToolFacts } from "../blocks/reader-owner.ts";
import { isErrorReason } from "../contract/finish-reasons.ts";
import type { Node, ParseEvent, Rejection, ToolCall } from "../contract/types.ts";
import type { GrowingText } from "../machine/growing-text.ts";
import type { ParseResult } from "../output/result.ts";
import { CallsAcrossGaps } from "./calls-across-gaps.ts";
import { NativeCalls } from "./native-calls.ts";
import { refusalsOf } from "./refusals.ts";

/** What is needed of a parser: `createParser` makes one. */
export interface PushParser {
  /** Reads the next chunk and returns what happened. */
  push(chunk: string): ParseEvent[];
  /** The message has ended. */
  end(info?: { finishReason?: string }): ParseEvent[];
  /** What the message came to. Without it no refusal can be handled. */
  result?(): ParseResult | undefined;
  /**
   * What an event turns out to be, where a tool's check answers later.
   * @internal
   */
  settled?(event: ParseEvent): Promise<ParseEvent> | undefined;
  /**
   * The text that was pushed, where the parser keeps it.
   * @internal
   */
  readonly written?: GrowingText;
  /**
   * What is known of the tools on offer.
   * @internal
   */
  readonly tools?: ToolFacts | undefined;
  /**
   * A call may still come of the text so far.
   * @internal
   */
  readonly isUndecided?: boolean;
  /**
   * A parser of the same message that begins outside of what the prompt has opened.
   * @internal
   */
  afterThoughts?(): PushParser;
}

export interface ServerMessageOptions {
  /** Undefined: no tool is on offer or the text is the answer, so all of it is text. */
  parser: PushParser | undefined;
  /** Starts and deltas of calls are wanted, not only their ends. */
  live: boolean;
  /** Text after something refused waits for the end, so that what was refused can be shown in its place. */
  waits: boolean;
  /** The only tools that may be called, where the caller has chosen: none is an empty list. */
  only?: readonly string[] | undefined;
}

/**
 * Reads one message of a server: text that goes through the parser, and what else the server sends. Calls come out once,
 * and none that is put together across something that is no text.
 */
export class ServerMessageReader {
  #parser: PushParser | undefined;
  readonly #live: boolean;
  readonly #waits: boolean;
  #gaps: CallsAcrossGaps;
  #hasThoughts = false;
  readonly natives: NativeCalls;
  /** The calls that came out. */
  readonly calls: ToolCall[] = [];
  readonly #rejected: Rejection[] = [];
  /** Calls of the text after a native one: it may come once more. */
  #held: ParseEvent[] = [];
  readonly #started = new Set<number>();
  /** Length of the text that came out. */
  #saidChars = 0;
  #isWaiting = false;
  #ended = false;

  constructor({ parser, live, waits, only }: ServerMessageOptions) {
    this.#parser = parser;
    this.natives = new NativeCalls(() => this.#parser?.tools, only);
    this.#gaps = new CallsAcrossGaps(parser?.written);
    this.#live = live;
    this.#waits = waits;
  }

  /** The text of the message, as the model wrote it. */
  get text(): string {
    return this.#gaps.text;
  }

  /** Whether a call may still come of the text so far. */
  get isUndecided(): boolean {
    return !this.#ended && this.#parser?.isUndecided === true;
  }

  /** Whether a native call that comes now may be one of the text's. */
  get mayRepeat(): boolean {
    return this.natives.mayRepeat || this.isUndecided;
  }

  get ended(): boolean {
    return this.#ended;
  }

  push(text: string): ParseEvent[] {
    const events = this.#pushed(text);
    return events === undefined ? this.#say(text) : this.#take(events);
  }

  /** The same for a parser that takes checks which answer later: they have answered. */
  async pushSettled(text: string): Promise<ParseEvent[]> {
    const events = this.#pushed(text);
    return events === undefined ? this.#say(text) : this.#take(await this.#settled(events));
  }

  /** What a piece of text comes to; undefined: no parser reads it. */
  #pushed(text: string): ParseEvent[] | undefined {
    if (text === "") return [];
    // What a server sends after the end of a message is shown as it is, and makes no calls.
    const parser = this.#ended ? undefined : this.#parser;
    if (parser?.written === undefined) this.#gaps.add(text);
    return parser?.push(text);
  }

  async #settled(events: readonly ParseEvent[]): Promise<ParseEvent[]> {
    const known: ParseEvent[] = [];
    for (const event of events) known.push((await this.#parser?.settled?.(event)) ?? event);
    return known;
  }

  /** Something that is no text stands here. */
  gap(): void {
    this.#gaps.mark();
  }

  /**
   * Thoughts that the server has split off stand here. Where they come before any text, what the prompt has opened for them
   * is closed.
   */
  thoughts(): void {
    const isFirst = !this.#hasThoughts && this.#gaps.isEmpty && !this.natives.any;
    this.#hasThoughts = true;
    const parser = isFirst ? this.#parser?.afterThoughts?.() : undefined;
    if (parser !== undefined) {
      this.#parser = parser;
      this.#gaps = new CallsAcrossGaps(parser.written);
    }
    this.gap();
  }

  /** The message has ended. Later calls return nothing. */
  end(finishReason?: string): ParseEvent[] {
    if (isErrorReason(finishReason)) return this.fail();
    const events = this.#endOf(finishReason);
    return events === undefined ? [] : [...this.#take(events), ...this.#deliver(this.#held.splice(0))];
  }

  /** The same for a parser that takes checks which answer later. */
  async endSettled(finishReason?: string): Promise<ParseEvent[]> {
    if (isErrorReason(finishReason)) return this.fail();
    const events = this.#endOf(finishReason);
    if (events === undefined) return [];
    return [...this.#take(await this.#settled(events)), ...this.#deliver(this.#held.splice(0))];
  }

  /** What the end of the message comes to; undefined: it has ended before. */
  #endOf(finishReason: string | undefined): ParseEvent[] | undefined {
    if (this.#ended) return undefined;
    this.#ended = true;
    return this.#parser?.end(finishReason === undefined ? {} : { finishReason }) ?? [];
  }

  /** The stream has failed: text that was held back comes out, an open call never does. */
  fail(): ParseEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    this.#held = [];
    const events = this.#parser?.end({ finishReason: "error" }) ?? [];
    return events.filter(({ type }) => type === "text-delta" || type === "reasoning-delta");
  }

  /** What the message came to, when it has ended; undefined when no parser has read it. */
  get result(): ParseResult | undefined {
    return this.#ended ? this.#parser?.result?.() : undefined;
  }

  /** The refusals that have to be answered for, when the message has ended. */
  get refusals(): Rejection[] {
    const { result } = this;
    if (result === undefined) return [];
    const { nodes, content } = result;
    const isEmpty = this.calls.length === 0 && !this.natives.any;
    const calls = isEmpty ? [] : [true];
    const all = new Set([...refusalsOf(this.#rejected, { nodes, content, calls }), ...this.#gaps.refused]);
    const untold = [...all].filter((one) => !this.natives.hasMade(one));
    return untold.sort((one, other) => one.start - other.start);
  }

  /** The text that has waited, when the message has ended; with or without that of refused calls. */
  rest(withRefused: boolean): string {
    const { result } = this;
    if (result === undefined || !this.#isWaiting) return "";
    const crossing = new Set(this.#gaps.refused.map(({ start }) => start));
    const isShown = ({ type, start }: Node) =>
      type === "content" || (withRefused && (type === "rejected" || (type === "call" && crossing.has(start))));
    const text = this.text;
    const shown = result.nodes.filter(isShown).map(({ start, end }) => text.slice(start, end));
    return shown.join("").slice(this.#saidChars);
  }

  #take(events: readonly ParseEvent[]): ParseEvent[] {
    const out: ParseEvent[] = [];
    for (const event of this.#gaps.check(events)) {
      switch (event.type) {
        case "text-delta":
          out.push(...this.#say(event.text));
          break;
        case "reasoning-delta":
          out.push(event);
          break;
        case "call-start":
        case "call-args-delta":
          // A call that may turn out to have been made already is not begun.
          if (!this.#live || (this.natives.any && !this.#started.has(event.index))) break;
          this.#started.add(event.index);
          out.push(event);
          break;
        case "call-end":
          if (this.natives.any && !this.#started.has(event.index)) this.#held.push(event);
          else out.push(...this.#deliver([event]));
          break;
        case "call-rejected": {
          this.#rejected.push(event.rejection);
          this.#isWaiting ||= this.#waits;
          const hasStarted = event.index !== undefined && this.#started.has(event.index);
          out.push(hasStarted ? event : { type: "call-rejected", rejection: event.rejection });
        }
      }
    }
    return out;
  }

  #deliver(events: readonly ParseEvent[]): ParseEvent[] {
    return events.filter((event) => {
      if (event.type !== "call-end") return true;
      if (!this.natives.takeText(event.call)) return false;
      this.calls.push(event.call);
      return true;
    });
  }

  #say(text: string): ParseEvent[] {
    if (this.#isWaiting) return [];
    this.#saidChars += text.length;
    return [{ type: "text-delta", text }];
  }
}
