import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { InvalidToolCall } from "@langchain/core/messages/tool";
import { isCutReason, isFilterReason } from "../../contract/finish-reasons.ts";
import type { ParseEvent, Rejection } from "../../contract/types.ts";
import type { Format } from "../../formats/format.ts";
import type { ToolDefinition } from "../../validation/tools.ts";
import { parseJson } from "../../values/json-text.ts";
import { randomWord } from "../call-ids.ts";
import { begunText, contentPieces, ExecutedCalls, splitThoughts } from "../content-pieces.ts";
import { endedArguments, type NativeRefusal, refusalOf } from "../native-arguments.ts";
import { unnamed } from "../native-calls.ts";
import { isOfOthers } from "../openai/incoming-text.ts";
import { type CallWishes, defaultRenderResult, type RenderResult } from "../past-messages.ts";
import { openParser, promptFormatOf, type ReadingOptions } from "../reading-options.ts";
import { decideRefusal, refusalText } from "../refusals.ts";
import { ServerMessageReader } from "../server-message.ts";
import { roleOf, toInvalidCall, toTextConversation, type WrittenCall } from "./messages.ts";

export const nameOf = (tool: ToolDefinition): unknown =>
  (tool as { function?: { name?: unknown } }).function?.name ?? (tool as { name?: unknown }).name;

export interface ExchangeOptions extends ReadingOptions {
  prompt?: "text" | "native" | undefined;
  renderResult?: RenderResult | undefined;
}

/** What a request asks for. */
export interface Asked extends CallWishes {
  tools: readonly ToolDefinition[];
  /** The only tools that may be called, where the caller has chosen: none is an empty list. */
  only: readonly string[] | undefined;
  answersInJson: boolean;
  /** So many calls the host takes; the others are left out. */
  callsMax: number;
  /** Of the model, for formats that go by it. */
  model: string;
}

/** One request and its answers. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #asked: Asked;
  readonly #begun: string | undefined;
  /** An earlier try has said text. */
  #hasSaid = false;
  /** What was refused in it. */
  #unanswered: readonly Rejection[] = [];
  /** Ids of calls of the conversation, and of the answer: another call gets one of its own. */
  readonly #ids: Set<string>;
  /** What is sent next. */
  messages: BaseMessage[];

  constructor(options: ExchangeOptions, messages: readonly BaseMessage[], asked: Asked) {
    this.#options = options;
    this.#asked = asked;
    this.#ids = new Set(messages.flatMap((one) => (AIMessage.isInstance(one) ? one.tool_calls : []) ?? []).map(idOf));
    this.#begun = begunText(
      messages.map((one) => ({
        role: one instanceof AIMessage ? "assistant" : "",
        content: one.content,
        tool_calls: one instanceof AIMessage ? one.tool_calls : undefined,
      })),
    );
    const { instruction, renderResult = defaultRenderResult } = options;
    const { tools, toolChoice, parallel } = asked;
    this.messages =
      options.prompt === "native"
        ? [...messages]
        : toTextConversation(messages, {
            format: this.#format,
            tools,
            renderResult,
            instruction,
            toolChoice,
            parallel,
          });
  }

  get #format(): Format {
    return promptFormatOf(this.#options, this.#asked.model);
  }

  /** @param isOneOf It is one of several answers to the request: none of them makes the model be asked again. */
  attempt(retries: number, isOneOf = false): Attempt {
    const { tools, only, toolChoice, parallel, answersInJson } = this.#asked;
    const { policy } = this.#options;
    const reading =
      parallel === false ? { ...this.#options, policy: { ...policy, calls: "first" as const } } : this.#options;
    const { onRefusal = "feed-back", onRejection, maxRetries } = this.#options;
    const intent = toolChoice !== undefined && toolChoice !== "auto";
    const begun = retries === 0 ? this.#begun : undefined;
    const reader = new ServerMessageReader({
      parser:
        tools.length === 0 ? undefined : openParser(reading, { tools, intent, answersInJson, begun, waits: true }),
      live: false,
      waits: onRefusal !== "feed-back" && onRefusal !== "retry",
      only,
      follows: this.#hasSaid,
      single: parallel === false,
      unanswered: this.#unanswered,
    });
    const isOffered = (name: string) => tools.some((tool) => nameOf(tool) === name);
    return new Attempt({ reader, onRejection, isOffered, ids: this.#ids }, (isFinal) => {
      // Agents look at no invalid call, so the model is asked again, where it may call anything.
      const wanted = onRefusal === "feed-back" ? "retry" : onRefusal;
      const facts = { tools, format: this.#format, retries, isFinal: isFinal || isOneOf || tools.length === 0 };
      return decideRefusal({ onRefusal: wanted, maxRetries }, reader, facts);
    });
  }

  /** What is sent after a refusal: the message as the model wrote it, and what was wrong with it. */
  askAgain(reader: ServerMessageReader): void {
    this.#hasSaid ||= reader.hasSaid;
    this.#unanswered = reader.refusals;
    const correction = this.#format.correction(reader.refusals);
    this.messages = [...this.messages, new AIMessage(reader.written), new HumanMessage(correction)];
  }
}

const idOf = ({ id }: { id?: string | undefined }): string => id ?? "";

/**
 * A call that goes on, with an id of its own: LangChain lists one without as invalid where it puts it together, and takes one under the
 * id of another for answered.
 */
function withId<Call extends WrittenCall>(given: Call, ids: Set<string>): Call {
  const { name = "", args, call = { name, args: parseJson(args || "{}") as Record<string, unknown> } } = given;
  const id = given.id && !ids.has(given.id) ? given.id : `call_${randomWord()}`;
  ids.add(id);
  return { ...given, id, call: { ...call, id, type: "tool_call" } };
}

/** What is said of a message, or of a piece of one. */
export class Said {
  /** Text, and parts that are none. */
  readonly content: (string | object)[] = [];
  reasoning = "";

  get text(): string {
    return this.content.filter((piece) => typeof piece === "string").join("");
  }

  say(text: string): void {
    if (text !== "") this.content.push(text);
  }
}

interface AttemptFacts {
  reader: ServerMessageReader;
  onRejection: ((rejection: Rejection) => void) | undefined;
  isOffered: (name: string) => boolean;
  /** Ids that other calls have. */
  ids: Set<string>;
}

/** One answer of the model, read piece by piece. */
export class Attempt {
  readonly reader: ServerMessageReader;
  readonly #decide: (isFinal: boolean) => ReturnType<typeof decideRefusal>;
  readonly #isOffered: (name: string) => boolean;
  readonly #onRejection: ((rejection: Rejection) => void) | undefined;
  /** Refused calls that stay refused. */
  invalid: InvalidToolCall[] = [];
  isWithheld = false;
  /** Calls that the provider has executed as well: one of the text that is equal is not made. */
  readonly #executed = new ExecutedCalls();
  /** Ids of calls that the server has read itself and that do not go on. */
  readonly #ids = new Map<Rejection, string | undefined>();

  readonly #idsTaken: Set<string>;

  constructor(facts: AttemptFacts, decide: (isFinal: boolean) => ReturnType<typeof decideRefusal>) {
    this.reader = facts.reader;
    this.#isOffered = facts.isOffered;
    this.#onRejection = facts.onRejection;
    this.#idsTaken = facts.ids;
    this.#decide = decide;
  }

  /** Reads a message, or a chunk of one. */
  async take(message: BaseMessage, said: Said): Promise<void> {
    const isExecuted = this.#executed.take(message.content);
    if (isOfOthers({ role: roleOf(message) })) this.reader.endTurn();
    for (const { kind, text, parts = [] } of contentPieces(message.content, splitThoughts(message.additional_kwargs))) {
      if (isExecuted && kind !== "reasoning") this.reader.natives.see();
      if (kind === "text") this.#add(said, await this.reader.pushSettled(text));
      else if (kind !== "reasoning") {
        this.reader.gap(kind === "refusal" || parts.length > 0);
        if (kind === "refusal") said.say(text);
        said.content.push(...parts);
      } else {
        this.reader.thoughts(text);
        said.reasoning += text;
      }
    }
  }

  /** A call that the server has read itself stands here. */
  seeNative(): void {
    this.reader.gap();
    this.reader.natives.see();
  }

  /**
   * Ends the answer. What was said stays said where the model is asked again, as in a stream.
   *
   * @param written The calls that the server has read itself: those that go on come back.
   */
  async finish<Call extends WrittenCall>(
    finishReason: string | undefined,
    written: readonly Call[],
    said: Said,
  ): Promise<{ asksAgain: boolean; passed: Call[] }> {
    for (const { name, argumentsText } of this.#executed.all)
      if (this.#isOffered(name)) this.reader.natives.takeNative(name, argumentsText);
    this.#add(said, await this.reader.endSettled(finishReason));
    // They are compared with the text's when those are known.
    const passed = written
      .filter((call) => this.#passes(call, finishReason))
      .map((call) => withId(call, this.#idsTaken));
    const { refusals, content, calls, natives } = this.reader;
    const handling = this.#decide(isFilterReason(finishReason));
    if (handling === "retry") return { asksAgain: true, passed: [] };
    said.say(this.reader.rest(handling === "text"));
    if (handling === "feed-back") {
      const notice = refusalText(refusals);
      said.say(content === "" ? this.reader.led(notice) : `\n${notice}`);
    }
    // What the server says of its calls is listed, whatever becomes of the text's.
    this.invalid = this.invalidOf(handling === "drop" ? natives.refused : refusals);
    const isEmpty = calls.length === 0 && !natives.passed && content.trim() === "";
    this.isWithheld = handling === "drop" && refusals.length > 0 && isEmpty;
    return { asksAgain: false, passed };
  }

  /** The model has failed: text that was held back is said, an open call never comes. */
  fail(said: Said): void {
    this.#add(said, this.reader.fail());
    said.say(this.reader.rest(false));
  }

  /** Refused calls as a message lists them. */
  invalidOf(refusals: readonly Rejection[]): InvalidToolCall[] {
    return refusals.map((rejection) => toInvalidCall(rejection, this.#ids.get(rejection)));
  }

  /** Whether a call that the server has read itself goes on. */
  #passes({ id, name = "", args = "", ...written }: WrittenCall, finishReason: string | undefined): boolean {
    const { natives } = this.reader;
    const why = this.#refusalOf({ name, args, ...written }, finishReason);
    if (natives.isChosen(name) && natives.takeRepeated(name, args)) return false;
    if (why === undefined) return natives.takeNative(name, args);
    const rejection = this.reader.refuseNative(name, args, why);
    this.#ids.set(rejection, id);
    this.#onRejection?.(rejection);
    return false;
  }

  #refusalOf(
    { name = "", args = "", isCustomTool = false, hasOpenEnd = isCustomTool }: WrittenCall,
    finishReason: string | undefined,
  ): NativeRefusal | undefined {
    const { natives } = this.reader;
    if (!natives.isChosen(name)) return natives.unchosen;
    if (name === "") return unnamed;
    if (hasOpenEnd && isCutReason(finishReason)) return refusalOf("", finishReason);
    return isCustomTool ? undefined : refusalOf(endedArguments(args, finishReason), finishReason);
  }

  #add(said: Said, events: readonly ParseEvent[]): void {
    for (const event of events) {
      if (event.type === "text-delta") said.say(event.text);
      else if (event.type === "reasoning-delta") said.reasoning += event.text;
      else if (event.type === "call-rejected") this.#onRejection?.(event.rejection);
    }
  }
}
