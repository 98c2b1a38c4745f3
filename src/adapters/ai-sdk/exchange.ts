import type { Rejection } from "../../contract/types.ts";
import type { Format } from "../../formats/format.ts";
import type { TelemetryRecord } from "../../output/telemetry.ts";
import type { ToolDefinition } from "../../validation/tools.ts";
import { randomWord } from "../call-ids.ts";
import { begunText } from "../content-pieces.ts";
import { canRun } from "../native-arguments.ts";
import { defaultRenderResult } from "../past-messages.ts";
import { openParser, promptFormatOf } from "../reading-options.ts";
import { decideRefusal, type OnRefusal, type RefusalHandling } from "../refusals.ts";
import { ServerMessageReader } from "../server-message.ts";
import { endWord, finishWord, rewriteFinishReason } from "./finish-reason.ts";
import type { ToolCallMiddlewareOptions } from "./options.ts";
import { PartWriter } from "./part-writer.ts";
import type { CallOptions, FinishReason, LanguageModel, Part } from "./shapes.ts";
import { TextBlocks } from "./text-blocks.ts";
import {
  answersInJson,
  callWishes,
  chosenTools,
  offeredTools,
  toTextPrompt,
  withoutRefusedCalls,
} from "./text-prompt.ts";

/** One call of the model by the SDK: what is sent, and how what comes back is read; once for each attempt. */
export class Exchange {
  readonly #options: ToolCallMiddlewareOptions;
  readonly #params: CallOptions;
  readonly #model: LanguageModel;
  readonly tools: readonly ToolDefinition[];
  /** What is sent next. */
  request: CallOptions;
  #blocks = 0;
  /** What was refused in the try before. */
  #unanswered: readonly Rejection[] = [];

  constructor(options: ToolCallMiddlewareOptions, params: CallOptions, model: LanguageModel) {
    this.#options = options;
    this.#params = params;
    this.#model = model;
    this.tools = offeredTools(params);
    this.request = options.prompt === "native" ? withoutRefusedCalls(params) : this.#asText();
  }

  /** Where one tool was chosen, the SDK takes no call of another name in its place: the model is asked again first. */
  get #onRefusal(): OnRefusal {
    const { onRefusal = "feed-back" } = this.#options;
    return onRefusal === "feed-back" && this.#params.toolChoice?.type === "tool" ? "retry" : onRefusal;
  }

  get format(): Format {
    return promptFormatOf(this.#options, this.#model.modelId);
  }

  #asText(): CallOptions {
    const { renderResult = defaultRenderResult, instruction } = this.#options;
    return toTextPrompt(this.#params, { format: this.format, tools: this.tools, renderResult, instruction });
  }

  /** Reads the answer to the request. */
  attempt(retries: number, emit: (part: Part) => void): Attempt {
    const { tools } = this;
    const { onRejection } = this.#options;
    const answers = answersInJson(this.#params);
    const { toolChoice } = callWishes(this.#params);
    const intent = toolChoice !== undefined && toolChoice !== "auto";
    const isTold = this.#onRefusal === "feed-back" && tools.length > 0;
    return new Attempt({
      reader: new ServerMessageReader({
        parser: openParser(this.#options, {
          tools,
          intent,
          answersInJson: answers,
          waits: true,
          begun: retries === 0 ? begunText(this.#params.prompt) : undefined,
        }),
        // An input that is shown live and then refused must end as a failed call: nothing else would close it.
        live: isTold,
        waits: !isTold,
        only: chosenTools(this.#params),
        unanswered: this.#unanswered,
      }),
      writer: new PartWriter({
        emit,
        onRejection: (rejection) => onRejection?.(rejection),
        offered: new Set((this.#params.tools ?? []).map(({ name }) => name)),
        nextBlock: () => this.#blocks++,
        makeId: this.#options.callIds === undefined ? () => `call_${randomWord()}` : refusedIds(this.#options.callIds),
      }),
      emit,
      isAllText: tools.length === 0,
      isOffered: (name) => tools.some((tool) => (tool as { name?: unknown }).name === name),
      handle: (reader, word) => this.#handle(reader, word, retries),
    });
  }

  #handle(reader: ServerMessageReader, word: string, retries: number): RefusalHandling {
    const { tools, format } = this;
    const isFinal = word === "content-filter" || word === "error";
    const { maxRetries } = this.#options;
    return decideRefusal({ onRefusal: this.#onRefusal, maxRetries }, reader, { tools, format, retries, isFinal });
  }

  /** What is sent after a refusal: the message as the model wrote it, and what was wrong with it. */
  askAgain(reader: ServerMessageReader): void {
    const { prompt, abortSignal } = this.request;
    abortSignal?.throwIfAborted();
    this.#unanswered = reader.refusals;
    const said = { role: "assistant", content: [{ type: "text", text: reader.written }] };
    const correction = { role: "user", content: [{ type: "text", text: this.format.correction(reader.refusals) }] };
    this.request = { ...this.request, prompt: [...prompt, said, correction] };
  }
}

const inputOf = ({ input }: Part): string => (typeof input === "string" ? input : JSON.stringify(input ?? {}));

/** Ids of refused calls that never began: far from those that the parser asks for. */
function refusedIds(callIds: () => (n: number) => string): () => string {
  const id = callIds();
  let n = firstRefusedId;
  return () => id(n++);
}

const firstRefusedId = 1_000_000;

interface AttemptOptions {
  reader: ServerMessageReader;
  writer: PartWriter;
  emit: (part: Part) => void;
  /** Nothing is on offer, so nothing was asked for: the text is shown as it is. */
  isAllText: boolean;
  /** Whether the text may call a tool. */
  isOffered: (name: string) => boolean;
  handle: (reader: ServerMessageReader, finishWord: string) => RefusalHandling;
}

/** One answer of the model, read part by part. */
export class Attempt {
  readonly #options: AttemptOptions;
  readonly reader: ServerMessageReader;
  readonly #blocks = new TextBlocks();
  /** Pieces of a native call that may be one of the text's, by its id. */
  readonly #heldInputs = new Map<unknown, Part[]>();
  /** Native calls that wait for those of the text. */
  readonly #heldCalls: Part[] = [];
  /** How much was written before each native call, by its id. */
  readonly #nativePlaces = new Map<string, number>();
  #nativeCalls = 0;
  #fedBack = 0;
  #handling: RefusalHandling = "drop";
  /** An error came; nothing is a call from there on. */
  failed = false;

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.reader = options.reader;
  }

  /** Reads one part of a stream or of a whole result. */
  async take(part: Part): Promise<void> {
    const { writer, emit } = this.#options;
    switch (part.type) {
      // The blocks of the model's text are not the blocks of what it says.
      case "text-start":
        return this.#blocks.start(part.id);
      case "text-end":
        return this.#push(this.#blocks.end(part.id));
      case "text":
        return this.#push(part.text as string);
      case "text-delta":
        return this.#push(this.#blocks.add(part.id, part.delta as string));
      case "raw":
      case "response-metadata":
      case "stream-start":
        return emit(part);
      case "error":
        this.interrupt();
        return emit(part);
      case "tool-input-start":
        if (part.providerExecuted === true) break;
        this.reader.natives.see();
        if (this.reader.mayRepeat || !this.reader.natives.isChosen(String(part.toolName)))
          this.#heldInputs.set(part.id, []);
        break;
      case "tool-call":
        return this.#takeNative(part);
    }
    const held = this.#heldInputs.get(part.id);
    if (held !== undefined && part.type.startsWith("tool-input-")) {
      this.reader.gap();
      held.push(part);
      return;
    }
    if (part.type.startsWith("reasoning")) this.reader.thoughts(String(part.text ?? part.delta ?? ""));
    else this.reader.gap(part.type === "file");
    writer.close();
    emit(part);
  }

  async #push(text: string): Promise<void> {
    this.#options.writer.write(await this.reader.pushSettled(text));
  }

  /** A call that the provider has executed as well: one of the text that is equal is not made. */
  seeExecuted({ type, providerExecuted, toolName, input }: Part): void {
    if (type !== "tool-call" || providerExecuted !== true || !this.#options.isOffered(String(toolName))) return;
    this.reader.natives.takeNative(String(toolName), inputOf({ type, input }));
  }

  #takeNative(part: Part): void {
    this.reader.gap();
    // One that was executed stays with its result.
    if (part.providerExecuted === true) return this.#pass(part);
    this.#nativePlaces.set(String(part.toolCallId), this.reader.length);
    const { natives } = this.reader;
    const name = String(part.toolName);
    natives.see();
    if (!natives.isChosen(name)) {
      this.#heldInputs.delete(part.toolCallId);
      const rejection = this.reader.refuseNative(name, inputOf(part), natives.unchosen);
      return this.#options.writer.write([{ type: "call-rejected", rejection }]);
    }
    // The text's call is the better one: it is typed and mended.
    if (this.reader.isUndecided || !canRun(inputOf(part))) this.#heldCalls.push(part);
    else this.#passNew(part);
  }

  #passHeld(): void {
    for (const part of this.#heldCalls.splice(0)) this.#passNew(part);
  }

  /** A native call, unless the text has given it. */
  #passNew(part: Part): void {
    if (this.reader.natives.takeNative(String(part.toolName), inputOf(part))) {
      this.#nativeCalls++;
      this.#pass(part.input === "" ? { ...part, input: "{}" } : part);
    } else this.#heldInputs.delete(part.toolCallId);
  }

  #pass(part: Part): void {
    const { writer, emit } = this.#options;
    writer.close();
    for (const one of this.#heldInputs.get(part.toolCallId) ?? []) emit(one);
    this.#heldInputs.delete(part.toolCallId);
    emit(part);
  }

  /** The answer has failed: no call comes out of what is left, if anything. */
  interrupt(): void {
    if (this.failed) return;
    this.failed = true;
    const { writer } = this.#options;
    writer.write(this.reader.interrupt());
    this.#passHeld();
    writer.endInputs();
    writer.close();
  }

  /** An answer that has failed is over. */
  async fail(): Promise<void> {
    this.interrupt();
    const { writer, isAllText } = this.#options;
    await this.#push(this.#blocks.endAll());
    writer.write(this.reader.fail());
    writer.say("text", this.reader.rest(isAllText));
    this.#passHeld();
    writer.close();
  }

  /** Ends the answer, and does what refusals call for, but for asking again. */
  async finish(reason: FinishReason): Promise<RefusalHandling> {
    const { writer, handle, isAllText } = this.#options;
    if (this.failed) {
      await this.fail();
      return this.#handling;
    }
    await this.#push(this.#blocks.endAll());
    writer.write(await this.reader.endSettled(endWord(reason)));
    this.#passHeld();
    this.#handling = isAllText ? "text" : handle(this.reader, finishWord(reason));
    writer.say("text", this.reader.rest(this.#handling === "text"));
    if (this.#handling === "feed-back") this.#fedBack = writer.feedBack(this.reader.refusals);
    writer.close();
    return this.#handling;
  }

  finishReason(given: FinishReason): FinishReason {
    const { reader } = this;
    const calls = this.#nativeCalls + reader.calls.length + this.#fedBack;
    const isDropped = this.#handling === "drop" && reader.refusals.length > 0 && reader.content.trim() === "";
    return rewriteFinishReason(given, { calls, isDropped });
  }

  /** How much of the text is shown before each call, by its id, when the answer has ended. */
  get shownBefore(): ReadonlyMap<string, number> {
    return this.reader.shownBefore(this.#handling === "text", this.#nativePlaces);
  }

  get record(): TelemetryRecord | undefined {
    return this.reader.result?.telemetry.record();
  }
}
