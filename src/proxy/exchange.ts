import { addUsage } from "../adapters/add-usage.ts";
import { otherOfChunk } from "../adapters/openai/incoming-text.ts";
import { openParser } from "../adapters/reading-options.ts";
import { decideRefusal, type RefusalHandling, refusalText } from "../adapters/refusals.ts";
import type { PushParser } from "../adapters/server-message.ts";
import { isCutReason } from "../contract/finish-reasons.ts";
import type { Rejection, TelemetryRecord } from "../index.ts";
import type { Body, ChatRequest } from "./chat-request.ts";
import { ChoiceReading } from "./choice-reading.ts";
import type { Conversation } from "./conversation.ts";
import type { ChosenFormat } from "./format-of-request.ts";
import type { ProxySettings } from "./options.ts";
import { Problem } from "./problem.ts";
import type { ReplyEvent } from "./reply-event.ts";
import type { ServerChunk, Usage } from "./server-chunk.ts";
import { complete, type Passage, type UpstreamReply } from "./upstream.ts";

/** What is counted for the log. */
export interface ExchangeCounts {
  calls: number;
  refused: number;
  retries: number;
  unmet: boolean;
  usage: Usage | undefined;
  telemetry: TelemetryRecord[];
}

/** What an exchange is about. */
interface ExchangeFacts {
  request: ChatRequest;
  conversation: Conversation;
  chosen: ChosenFormat | undefined;
  takesPieces: boolean;
  /** For whoever runs the proxy. */
  note(text: string): void;
}

/** One request and its answer, the times included that the model is asked again. */
export class Exchange {
  readonly #request: ChatRequest;
  readonly #conversation: Conversation;
  /** Undefined: the request has nothing to do with tools. */
  readonly #chosen: ChosenFormat | undefined;
  readonly #passage: Passage;
  readonly #settings: ProxySettings;
  readonly #takesPieces: boolean;
  readonly #note: (text: string) => void;
  /** A parser that no choice has yet. */
  #spare: PushParser | undefined;
  readonly #readings = new Map<number, ChoiceReading>();
  /** Choices of which an earlier try has sent text. */
  readonly #followed = new Set<number>();
  /** What was refused in the try before, for which the model was asked again. */
  readonly #unanswered = new Map<number, readonly Rejection[]>();
  /** Of the times that the model was asked before, and of this one. */
  #earlierUsage: Usage | undefined;
  #attemptUsage: Usage | undefined;
  readonly #extra: Body = {};
  /** Headers of the upstream's first answer. */
  headers: Headers | undefined;
  readonly counts: ExchangeCounts = { calls: 0, refused: 0, retries: 0, unmet: false, usage: undefined, telemetry: [] };

  constructor(given: ExchangeFacts, passage: Passage, settings: ProxySettings) {
    this.#request = given.request;
    this.#conversation = given.conversation;
    this.#chosen = given.chosen;
    this.#takesPieces = given.takesPieces;
    this.#note = given.note;
    this.#passage = passage;
    this.#settings = settings;
    // Tools that cannot be read are the client's fault: that is said before anything is sent.
    this.#spare = this.#parser();
  }

  /**
   * Asks the model.
   *
   * @returns the events of the reply, those of one piece of the upstream's answer together
   * @throws Problem, before the first event or after any
   */
  async begin(): Promise<AsyncGenerator<ReplyEvent[]>> {
    const first = await this.#ask(this.#conversation.first());
    return this.#run(first);
  }

  async #ask(body: Record<string, unknown>): Promise<UpstreamReply> {
    const reply = await complete(this.#conversation.path, body, this.#passage, this.#settings);
    this.headers ??= reply.headers;
    return reply;
  }

  async *#run(first: UpstreamReply): AsyncGenerator<ReplyEvent[]> {
    try {
      yield* this.#read(first);
    } catch (error) {
      // What is known of the text comes before the error; an open call never comes.
      yield [...this.#readings.values()].flatMap((reading) => reading.fail(this.#isAllText));
      throw error;
    }
  }

  async *#read(first: UpstreamReply): AsyncGenerator<ReplyEvent[]> {
    let isBegun = false;
    for await (const batch of first.batches) {
      const events: ReplyEvent[] = [];
      for (const chunk of batch) {
        if (!isBegun) events.push(this.#head(chunk));
        isBegun = true;
        events.push(...this.#take(chunk));
      }
      if (events.length > 0) yield events;
    }
    // An answer without a choice says nothing, whole or streamed.
    if (this.#readings.size === 0) throw cutShort();
    for (const [choice, reading] of [...this.#readings]) yield* this.#finish(choice, reading);
    const { usage } = this.counts;
    if (usage !== undefined) yield [{ type: "usage", usage }];
  }

  /** @param only the choice that was asked for once more: the chunk holds no other */
  #take(chunk: ServerChunk, only?: number): ReplyEvent[] {
    const events: ReplyEvent[] = [];
    for (const given of chunk.choices ?? []) {
      const choice = only ?? given.index ?? 0;
      let reading = this.#readings.get(choice);
      if (reading === undefined) {
        reading = this.#open(choice);
        this.#readings.set(choice, reading);
      }
      events.push(...reading.push(given));
    }
    this.#count(chunk);
    Object.assign(this.#extra, otherOfChunk(chunk));
    if (chunk.isLast) this.#checkEnded([...this.#readings.values()]);
    return events;
  }

  #head({ id, model = this.#request.model, created = Math.floor(Date.now() / 1000) }: ServerChunk): ReplyEvent {
    return { type: "head", head: { id, model, created, extra: this.#extra } };
  }

  #count({ usage }: ServerChunk): void {
    // Some servers repeat the usage in every chunk: the last one counts.
    if (usage !== undefined && usage !== null) this.#attemptUsage = usage;
    this.counts.usage = addUsage(this.#earlierUsage, this.#attemptUsage) as Usage | undefined;
  }

  /** A stream that ends without saying why may have stopped anywhere: nothing is made of what is open. */
  #checkEnded(readings: readonly ChoiceReading[]): void {
    if (readings.length === 0 || readings.some(({ finishReason }) => finishReason === undefined)) throw cutShort();
  }

  /** Ends one choice; where its calls were refused, or one is missing, the model is asked again first. */
  async *#finish(choice: number, first: ChoiceReading): AsyncGenerator<ReplyEvent[]> {
    let reading = first;
    for (let retries = 0; ; retries++) {
      yield reading.end();
      const refusals = this.#refusals(reading);
      const handling = refusals.length === 0 ? undefined : this.#handling(reading, refusals, retries);
      const correction = this.#correction(reading, refusals, handling, retries);
      if (correction === undefined) {
        yield this.#close(reading, refusals, handling);
        // It has said all: another choice may fail.
        this.#readings.delete(choice);
        return;
      }
      this.counts.retries++;
      this.#earlierUsage = this.counts.usage;
      this.#attemptUsage = undefined;
      const reply = await this.#ask(this.#conversation.again(reading.reader.written, correction));
      this.#readings.delete(choice);
      if (reading.hasSent) this.#followed.add(choice);
      this.#unanswered.set(choice, refusals);
      for await (const batch of reply.batches) {
        yield batch.flatMap((chunk) => this.#take(chunk, choice));
      }
      const next = this.#readings.get(choice);
      if (next === undefined) throw cutShort();
      reading = next;
    }
  }

  /** What was refused and has to be answered for. */
  #refusals(reading: ChoiceReading): Rejection[] {
    const { result, refusals, natives } = reading.reader;
    if (result !== undefined) this.counts.telemetry.push(result.telemetry.record());
    for (const rejection of [...(result?.rejected ?? []), ...natives.refused]) {
      this.#settings.onRejection?.(rejection);
      if (rejection.reason === "other-format") this.#note(`${this.#request.model.slice(0, 200)}: ${rejection.message}`);
    }
    if (!reading.reader.saysNothing) this.counts.refused += refusals.length;
    return refusals;
  }

  /** What is written to the model when it is asked again; undefined: it is not. */
  #correction(
    reading: ChoiceReading,
    refusals: readonly Rejection[],
    handling: RefusalHandling | undefined,
    retries: number,
  ): string | undefined {
    if (handling !== undefined) return handling === "retry" ? this.#chosen?.format.correction(refusals) : undefined;
    const mayRetry = retries < this.#settings.maxRetries && !isCutReason(reading.finishReason);
    return mayRetry && this.#needsCall && reading.calls === 0 ? missingCall(this.#request.toolChoice) : undefined;
  }

  #close(reading: ChoiceReading, refusals: readonly Rejection[], handling: RefusalHandling | undefined): ReplyEvent[] {
    this.counts.calls += reading.calls;
    this.counts.unmet ||= this.#needsCall && reading.calls === 0;
    const isShown = handling === "text" || this.#isAllText;
    const notice = !isShown && handling === "feed-back" ? refusalText(refusals) : "";
    const isEmpty = !reading.saidAnything && reading.calls === 0;
    return reading.close(isShown, notice, handling === "drop" && isEmpty ? refusalText(refusals) : undefined);
  }

  /** What becomes of what was refused; `"retry"` only where the model may be asked again. */
  #handling(reading: ChoiceReading, refusals: readonly Rejection[], retries: number): RefusalHandling {
    if (this.#isAllText) return "text";
    const { onRefusal, maxRetries } = this.#settings;
    const { calls, natives, content, showsAny, saysNothing } = reading.reader;
    const { finishReason } = reading;
    const decide = () =>
      decideRefusal(
        // A refused call cannot stand in these protocols, so what is fed back goes to the model from here.
        { onRefusal: onRefusal === "feed-back" ? "retry" : onRefusal, maxRetries },
        { refusals, calls, natives, content, showsAny, saysNothing },
        {
          tools: this.#conversation.offered,
          format: (this.#chosen as ChosenFormat).format,
          retries,
          // What was cut would be cut again, and what was filtered is not asked for twice.
          isFinal: isCutReason(finishReason),
        },
      );
    try {
      return decide();
    } catch (error) {
      // Nothing but a function of whoever runs the proxy throws here: the log says what, the client that it was not its fault.
      this.#note(`onRefusal failed: ${(error as Error)?.message ?? error}`);
      const message = "the onRefusal of the proxy failed; its log says why";
      throw new Problem({ status: 500, message, type: "api_error", code: "on_refusal_failed" });
    }
  }

  /** The text of the model is read for calls. */
  get #isReading(): boolean {
    return this.#chosen !== undefined && this.#request.tools.length > 0;
  }

  /** Nothing is on offer, so nothing was asked for: the text is shown as it is. */
  get #isAllText(): boolean {
    return this.#conversation.offered.length === 0;
  }

  get #needsCall(): boolean {
    const { toolChoice } = this.#request;
    return !this.#isAllText && toolChoice !== "auto" && toolChoice !== "none";
  }

  #parser(): PushParser | undefined {
    if (!this.#isReading || this.#chosen === undefined) return undefined;
    const { reading } = this.#chosen;
    const { prefill, intent } = this.#conversation.parseOptions;
    const policy = this.#request.parallel ? reading.policy : { ...reading.policy, calls: "first" as const };
    return openParser(
      { ...reading, prefill: reading.prefill ?? prefill, intent: reading.intent ?? intent, policy },
      {
        tools: this.#conversation.offered,
        intent: this.#needsCall,
        answersInJson: this.#conversation.answersInJson,
        // Who is asked again is asked by a message of the user.
        begun: this.counts.retries === 0 ? this.#conversation.begun : undefined,
      },
    );
  }

  #open(choice: number): ChoiceReading {
    const { onRefusal } = this.#settings;
    const isTextShown = onRefusal === "text" || typeof onRefusal === "function" || this.#isAllText;
    const parser = this.#spare ?? this.#parser();
    this.#spare = undefined;
    return new ChoiceReading({
      choice,
      parser,
      waits: isTextShown,
      holds: this.#needsCall,
      takesPieces: this.#takesPieces,
      only: this.#only,
      taken: this.#conversation.callIds,
      callsMax: this.#callsMax,
      single: !this.#request.parallel || this.#settings.policy?.calls === "first",
      follows: this.#followed.has(choice),
      unanswered: this.#unanswered.get(choice),
    });
  }

  get #only(): readonly string[] | undefined {
    const { toolChoice, allowed } = this.#request;
    if (toolChoice === "none") return [];
    return typeof toolChoice === "object" ? [toolChoice.name] : allowed;
  }

  /** It holds for calls that the upstream has read itself, too. */
  get #callsMax(): number {
    return this.#request.parallel ? Number.POSITIVE_INFINITY : 1;
  }
}

function missingCall(toolChoice: ChatRequest["toolChoice"]): string {
  const which = typeof toolChoice === "object" ? `the tool ${JSON.stringify(toolChoice.name)}` : "one of your tools";
  return `Your last message called no tool. Call ${which} now, in the form that you were given, and write nothing else.`;
}

function cutShort(): Problem {
  const message = "the upstream's answer ended before its end";
  return new Problem({ status: 502, message, type: "api_error", code: "upstream_cut" });
}
