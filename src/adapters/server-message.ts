import type { ToolFacts } from "../blocks/reader-owner.ts";
import { isCutReason, isErrorReason } from "../contract/finish-reasons.ts";
import type { Node, ParseEvent, Rejection, ToolCall } from "../contract/types.ts";
import type { GrowingText } from "../machine/growing-text.ts";
import type { ParseResult } from "../output/result.ts";
import { CallsAcrossGaps } from "./calls-across-gaps.ts";
import type { NativeRefusal } from "./native-arguments.ts";
import { NativeCalls } from "./native-calls.ts";
import { refusalsOf, refusalText } from "./refusals.ts";

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
  afterThoughts?(): PushParser | undefined;
  /**
   * Thoughts that a server has split off as the model wrote them; undefined where they would not be thoughts alone.
   * @internal
   */
  asThoughts?(text: string): string | undefined;
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
  /** Ids that no call goes out under which the server has read itself: those of the conversation. */
  taken?: readonly string[] | undefined;
  /** The host has text of an earlier try, and joins the two. */
  follows?: boolean;
  /** One call at a time was asked for: the others are no faults. */
  single?: boolean;
  /** What was refused in the try before. One that says nothing leaves it to be answered for. */
  unanswered?: readonly Rejection[];
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
  /** Those that the server has split off; undefined when something else stands in the message. */
  #thoughts: string | undefined = "";
  readonly natives: NativeCalls;
  /** The calls that came out. */
  readonly calls: ToolCall[] = [];
  readonly #rejected: Rejection[] = [];
  /** Calls of the text after a native one: it may come once more. */
  #held: ParseEvent[] = [];
  readonly #started = new Set<number>();
  /** Length of the text that came out. */
  #saidChars = 0;
  /** Text that came beside what is undecided: it may stand behind something that is refused. */
  #heldText = "";
  #isWaiting = false;
  #isInterrupted = false;
  #ended = false;
  readonly #single: boolean;
  readonly #unanswered: readonly Rejection[];
  /** Something is seen of the message that is no text. */
  #showsOther = false;

  /** What stands before the first text. */
  #lead: string;

  constructor({
    parser,
    live,
    waits,
    only,
    taken,
    follows = false,
    single = false,
    unanswered = [],
  }: ServerMessageOptions) {
    this.#single = single;
    this.#unanswered = unanswered;
    this.#lead = follows ? "\n" : "";
    this.#parser = parser;
    this.natives = new NativeCalls(() => this.#parser?.tools, only, taken);
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

  /** Whether text came out. */
  get hasSaid(): boolean {
    return this.#saidChars > 0;
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
    if (text.trim() !== "") this.#thoughts = undefined;
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

  /** A call that the server has read itself does not go on: a refusal like any other, of which the text holds nothing. */
  refuseNative(name: string, argumentsText: string, why: NativeRefusal): Rejection {
    const at = this.length;
    const raw = `{"name": ${JSON.stringify(name)}, "arguments": ${argumentsText.trim() || "{}"}}`;
    const rejection: Rejection = { ...why, ...(name === "" ? {} : { name }), start: at, end: at, raw };
    this.natives.refused.push(rejection);
    return rejection;
  }

  /** Something that is no text stands here. @param isSeen A person sees it. */
  gap(isSeen = false): void {
    this.#showsOther ||= isSeen;
    this.#thoughts = undefined;
    this.#gaps.mark();
  }

  /** What follows is the turn of somebody else: text without calls. */
  endTurn(): void {
    this.#gaps.endTurn();
  }

  get turnHasEnded(): boolean {
    return this.#gaps.turnHasEnded;
  }

  /**
   * Thoughts that the server has split off stand here. Where they come before any text, what the prompt has opened for them
   * is closed.
   */
  thoughts(text: string): void {
    const isFirst = !this.#hasThoughts && this.#gaps.length === 0 && !this.natives.any && !this.turnHasEnded;
    this.#hasThoughts = true;
    const parser = isFirst ? this.#parser?.afterThoughts?.() : undefined;
    if (parser !== undefined) {
      this.#parser = parser;
      this.#gaps = new CallsAcrossGaps(parser.written);
    }
    if (this.#thoughts !== undefined) this.#thoughts += text;
    this.#gaps.mark();
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
    const parser = this.#parser;
    if (parser === undefined) return [];
    const thoughts = isCutReason(finishReason) ? undefined : this.#thoughts && parser.asThoughts?.(this.#thoughts);
    const info = finishReason === undefined ? {} : { finishReason };
    if (thoughts === undefined || thoughts === "") return parser.end(info);
    // Nothing else stands in the message: a call in its thoughts is refused as where the model's text has them.
    return [...parser.push(thoughts), ...parser.end(info)].flatMap((event): ParseEvent[] => {
      if (event.type === "call-rejected") return [event];
      return event.type === "call-end" ? [{ type: "call-rejected", rejection: inThoughts(event.call, this.text) }] : [];
    });
  }

  /** The stream has failed: text that was held back comes out, an open call never does. */
  fail(): ParseEvent[] {
    if (this.#ended) return [];
    const events = this.interrupt();
    this.#ended = true;
    return [...events, ...this.#take(this.#parser?.end({ finishReason: "error" }) ?? [])];
  }

  /** The server has failed, and may go on: what it says is read as before, but nothing is a call that was not whole before. */
  interrupt(): ParseEvent[] {
    this.#isInterrupted = true;
    return this.#deliver(this.#held.splice(0));
  }

  /** What the message came to, when it has ended; undefined when no parser has read it. */
  get result(): ParseResult | undefined {
    return this.#ended ? this.#parser?.result?.() : undefined;
  }

  /** The refusals that have to be answered for, when the message has ended. */
  get refusals(): Rejection[] {
    if (!this.#ended) return [];
    return this.saysNothing ? [...this.#unanswered] : this.#ownRefusals;
  }

  /** Whether the try is nothing at all, so that what was refused before it is not answered for. */
  get saysNothing(): boolean {
    const { calls, natives, content } = this;
    const isEmpty = calls.length === 0 && !natives.passed && content.trim() === "" && !this.#showsOther;
    return this.#unanswered.length > 0 && isEmpty && this.#ownRefusals.length === 0;
  }

  get #ownRefusals(): Rejection[] {
    const { content, result, natives } = this;
    const nodes = result?.nodes ?? [];
    const calls = this.calls.length === 0 && !natives.passed ? [] : [true];
    const all = new Set([...refusalsOf(this.#rejected, { nodes, content, calls }), ...this.#gaps.refused]);
    const untold = [...all].filter((one) => !natives.hasMade(one) && !(this.#single && one.reason === "not-first"));
    return [...untold, ...this.#answerableNatives].sort((one, other) => one.start - other.start);
  }

  get #answerableNatives(): readonly Rejection[] {
    const { natives } = this;
    // Of a message that has failed nothing is made: nobody has to answer for its calls.
    if (this.#isInterrupted) return [];
    const isAnswered = this.calls.length > 0 || natives.passed || this.content.trim() !== "";
    return natives.areUnwanted && isAnswered ? [] : natives.refused;
  }

  /** What a person sees of the message, when it has ended. */
  get content(): string {
    return this.#ended ? (this.result?.content ?? this.text) : "";
  }

  /** Whether anything is seen of the message, when it has ended and its refused calls are shown. */
  get showsAny(): boolean {
    return this.#answerableNatives.length > 0 || `${this.content}${this.#restOfText(true)}`.trim() !== "";
  }

  /** The message as the model wrote it, with calls that the server has read itself and that do not go on. */
  get written(): string {
    return [this.text, ...this.natives.refused.map(({ raw }) => raw)].filter((text) => text !== "").join("\n");
  }

  /**
   * The text that has waited, when the message has ended; with or without that of refused calls. Of those that the server has
   * read itself it is said that they were.
   */
  rest(withRefused: boolean): string {
    const rest = this.#restOfText(withRefused);
    const notice = withRefused ? refusalText(this.#answerableNatives) : "";
    return this.led(notice !== "" && (rest !== "" || this.#saidChars > 0) ? `${rest}\n${notice}` : rest + notice);
  }

  /** A text set apart from that of an earlier try, where it is the first. */
  led(text: string): string {
    if (text === "") return "";
    const lead = this.#lead;
    this.#lead = "";
    return lead + text;
  }

  /** How much the model has written. */
  get length(): number {
    return this.#gaps.length;
  }

  /**
   * How much is shown before each call, by its id.
   *
   * @param natives How much was written before each call that the server has read itself, by its id, in the order of the message.
   */
  shownBefore(withRefused: boolean, natives: ReadonlyMap<string, number>): Map<string, number> {
    const before = new Map<string, number>();
    const { result } = this;
    if (result === undefined) return before;
    const idsByStart = new Map(this.calls.map(({ start, id }) => [start, id]));
    const isShown = this.#shown(withRefused);
    const waiting = [...natives].reverse();
    let chars = 0;
    for (const node of result.nodes) {
      const { type, start, end } = node;
      const shown = isShown(node);
      for (let native = waiting.at(-1); native !== undefined && native[1] < end; native = waiting.at(-1)) {
        before.set(native[0], shown ? chars + Math.max(0, native[1] - start) : chars);
        waiting.pop();
      }
      const id = type === "call" ? idsByStart.get(start) : undefined;
      if (id !== undefined) before.set(id, chars);
      else if (shown) chars += end - start;
    }
    for (const [id] of waiting) before.set(id, chars);
    return before;
  }

  #shown(withRefused: boolean): (node: Node) => boolean {
    const crossing = new Set(this.#gaps.refused.map(({ start }) => start));
    return ({ type, start }) =>
      type === "content" || (withRefused && (type === "rejected" || (type === "call" && crossing.has(start))));
  }

  #restOfText(withRefused: boolean): string {
    const { result } = this;
    if (result === undefined || !this.#isWaiting) return "";
    const text = this.text;
    let said = this.#saidChars;
    const left = result.nodes.filter(this.#shown(withRefused)).map(({ type, start, end }) => {
      const from = type === "content" ? Math.min(start + said, end) : start;
      said -= from - start;
      return text.slice(from, end);
    });
    return left.join("");
  }

  #take(given: readonly ParseEvent[]): ParseEvent[] {
    const events = this.#isInterrupted ? given : this.#gaps.check(given);
    // A refusal may come after the text behind it.
    this.#isWaiting ||= this.#waits && events.some(({ type }) => type === "call-rejected");
    const out = this.#waits && this.isUndecided ? [] : this.#say(this.#heldText);
    if (out.length > 0) this.#heldText = "";
    for (const event of events) {
      switch (event.type) {
        case "text-delta":
          if (this.#waits && this.isUndecided) this.#heldText += event.text;
          else out.push(...this.#say(event.text));
          break;
        case "reasoning-delta":
          out.push(event);
          break;
        case "call-start":
        case "call-args-delta":
          // A call that may turn out to have been made already is not begun.
          if (!this.#live || this.#isInterrupted || (this.natives.any && !this.#started.has(event.index))) break;
          this.#started.add(event.index);
          out.push(event);
          break;
        case "call-end":
          if (this.#isInterrupted) out.push(this.#rejectedEvent(event.index, interruptedCall(event.call, this.text)));
          else if (this.natives.any && !this.#started.has(event.index)) this.#held.push(event);
          else out.push(...this.#deliver([event]));
          break;
        case "call-rejected":
          if (!this.#isInterrupted) this.#rejected.push(event.rejection);
          out.push(this.#rejectedEvent(event.index, event.rejection));
      }
    }
    return out;
  }

  #rejectedEvent(index: number | undefined, rejection: Rejection): ParseEvent {
    const hasStarted = index !== undefined && this.#started.has(index);
    return { type: "call-rejected", ...(hasStarted ? { index } : {}), rejection };
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
    if (this.#isWaiting || text === "") return [];
    this.#saidChars += text.length;
    return [{ type: "text-delta", text: this.led(text) }];
  }
}

/** A call that comes when its message has failed. */
const interruptedCall = (call: ToolCall, text: string): Rejection =>
  refusedCall(call, text, { reason: "truncated", message: "the server failed before the message had ended" });

/** A call in thoughts that the server has split off. */
const inThoughts = (call: ToolCall, text: string): Rejection =>
  refusedCall(call, text, { reason: "in-reasoning", message: "a call inside reasoning is none" });

function refusedCall({ name, start, end }: ToolCall, text: string, why: NativeRefusal): Rejection {
  return { ...why, name, start, end, raw: text.slice(start, end) };
}
