import { ofAnotherTurn } from "../adapters/calls-across-gaps.ts";
import { joinMembers } from "../adapters/joined-members.ts";
import { endedArguments, type NativeRefusal, objectText, refusalOf } from "../adapters/native-arguments.ts";
import { noArguments, unnamed } from "../adapters/native-calls.ts";
import { finishReasonOf } from "../adapters/openai/finish-reason.ts";
import { isOfOthers, otherFields, otherOfChoice, piecesOfChoice } from "../adapters/openai/incoming-text.ts";
import type { ChatToolCallDelta } from "../adapters/openai.ts";
import { type PushParser, ServerMessageReader } from "../adapters/server-message.ts";
import type { ParseEvent, Rejection } from "../index.ts";
import type { Body } from "./chat-request.ts";
import type { ReplyEvent } from "./reply-event.ts";
import type { ServerChoice } from "./server-chunk.ts";

export interface ChoiceOptions {
  /** The number that clients know the choice by. */
  choice: number;
  /** Undefined: no tool is on offer, so all is text. */
  parser: PushParser | undefined;
  /** Text after something refused waits for the end, so that what was refused can be shown in its place. */
  waits: boolean;
  /** A call was asked for: text waits until one has come. */
  holds: boolean;
  /** The client takes pieces of calls that the upstream has read itself. */
  takesPieces: boolean;
  /** The only tools that may be called, where the client narrows them: none is an empty list. */
  only: readonly string[] | undefined;
  /** Ids of the calls of the conversation. */
  taken: readonly string[];
  /** So many calls the client takes; the others are left out. */
  callsMax: number;
  /** One call at a time was asked for. */
  single: boolean;
  /** The client has text of an earlier try. */
  follows: boolean;
  /** What was refused in it. */
  unanswered: readonly Rejection[] | undefined;
}

/** A call that the upstream has read itself, while it arrives. */
interface NativeCall {
  id: string;
  name: string;
  argumentsText: string;
  /** Pieces that wait, because the call may be left out or the text may have given it; undefined: they have gone out. */
  held: ChatToolCallDelta[] | undefined;
  /** It is one of a custom tool, whose arguments are a text. */
  isCustom: boolean;
  /** It stands in the turn of somebody else. */
  isOfOthers: boolean;
}

/** Reads one choice of a reply, once for each time that the model is asked. */
export class ChoiceReading {
  readonly #options: ChoiceOptions;
  readonly reader: ServerMessageReader;
  readonly #natives = new Map<number, NativeCall>();
  #held: ReplyEvent[] | undefined;
  #saidAnything: boolean;
  #stopSequence: string | undefined;
  #original: Body | undefined;
  /** What the upstream gave as the end; undefined: it has not ended. */
  finishReason: string | undefined;
  /** Calls that went out, or will. */
  calls = 0;

  constructor(options: ChoiceOptions) {
    this.#options = options;
    this.#held = options.holds ? [] : undefined;
    this.#saidAnything = options.follows;
    this.reader = new ServerMessageReader({
      parser: options.parser,
      live: false,
      waits: options.waits,
      only: options.only,
      taken: options.taken,
      follows: options.follows,
      single: options.single,
      unanswered: options.unanswered ?? [],
    });
  }

  push(given: ServerChoice): ReplyEvent[] {
    const { choice } = this.#options;
    const events: ReplyEvent[] = [];
    const { delta } = given;
    const isWhole = given.whole !== undefined;
    if (isOfOthers(delta)) this.reader.endTurn();
    if (given.logprobs) events.push({ type: "logprobs", choice, logprobs: given.logprobs });
    for (const { kind, text, parts } of piecesOfChoice(given)) {
      if (kind === "text") events.push(...this.#repliesOf(this.reader.push(text)));
      else if (kind !== "reasoning") {
        this.reader.gap(kind === "refusal" || parts !== undefined);
        if (kind === "refusal") events.push(...this.#say({ type: "refusal", choice, text }));
        if (parts !== undefined) events.push(...this.#say({ type: "parts", choice, parts }));
      } else {
        this.reader.thoughts(text);
        events.push({ type: "reasoning", choice, text });
      }
    }
    const others = isWhole ? undefined : otherFields(delta);
    if (others !== undefined) events.push(...this.#hold({ type: "other", choice, delta: others }));
    for (const native of delta?.tool_calls ?? []) events.push(...this.#native(native as ChatToolCallDelta, isWhole));
    if (!isWhole) this.#original = joinMembers(this.#original, otherOfChoice(given));
    if (given.finish_reason) {
      this.finishReason = given.finish_reason;
      if (typeof given.stop_reason === "string") this.#stopSequence = given.stop_reason;
      this.#original = given.whole ?? this.#original;
      events.push(...this.end());
    }
    return events;
  }

  /** The message has ended. Later calls return nothing. */
  end(): ReplyEvent[] {
    if (this.reader.ended) return [];
    this.finishReason ??= "stop";
    const sent = this.#endSentNatives();
    // What is held comes after the text's: it may be one of those.
    const ofText = this.#repliesOf(this.reader.end(this.finishReason));
    return [...sent, ...ofText, ...this.#endHeldNatives()];
  }

  /** The stream has failed: text that waited comes out, an open call never does. */
  fail(withRefused: boolean): ReplyEvent[] {
    const { choice } = this.#options;
    // Those that are whole may stand in the text as well.
    for (const { name, argumentsText, held } of this.#natives.values())
      if (held === undefined) this.reader.natives.takeNative(name, argumentsText);
    const events = [...this.#release(), ...this.#repliesOf(this.reader.fail())];
    const rest = this.reader.rest(withRefused);
    return rest === "" ? events : [...events, { type: "text", choice, text: rest }];
  }

  /** Text has gone out, in this try or before. */
  get hasSent(): boolean {
    return this.#saidAnything;
  }

  /** What a person sees of the message so far. */
  get saidAnything(): boolean {
    return this.#saidAnything || (this.#held?.length ?? 0) > 0;
  }

  /**
   * The end of the choice: pending text, the text about refusals, and why it ended.
   *
   * @param dropped The text about refusals that left the message empty, where it is not said: it counts as filtered.
   */
  close(withRefused: boolean, notice: string, dropped?: string): ReplyEvent[] {
    const { choice } = this.#options;
    const events = this.#release();
    const rest = this.reader.rest(withRefused);
    if (rest !== "") events.push(...this.#say({ type: "text", choice, text: rest }));
    if (notice !== "") events.push({ type: "text", choice, text: this.#saidAnything ? `\n${notice}` : notice });
    const reason = finishReasonOf(this.finishReason, this.calls > 0, dropped !== undefined);
    events.push({
      type: "finish",
      choice,
      reason,
      stopSequence: reason === "stop" ? this.#stopSequence : undefined,
      original: this.#original,
      dropped,
    });
    return events;
  }

  #repliesOf(events: readonly ParseEvent[]): ReplyEvent[] {
    const { choice } = this.#options;
    return events.flatMap((event): ReplyEvent[] => {
      switch (event.type) {
        case "text-delta":
          return this.#say({ type: "text", choice, text: event.text });
        case "reasoning-delta":
          return [{ type: "reasoning", choice, text: event.text }];
        case "call-end": {
          const { id, name, argumentsText } = event.call;
          return this.#call({ type: "call", choice, call: { id, name, argumentsText } });
        }
        default:
          return [];
      }
    });
  }

  #say(event: ReplyEvent): ReplyEvent[] {
    if (this.#held === undefined) this.#saidAnything = true;
    return this.#hold(event);
  }

  /** What waits for a call that was asked for. */
  #hold(event: ReplyEvent): ReplyEvent[] {
    if (this.#held === undefined) return [event];
    this.#held.push(event);
    return [];
  }

  #call(...events: ReplyEvent[]): ReplyEvent[] {
    if (!this.#takesCall) return [];
    this.calls++;
    return [...this.#release(), ...events];
  }

  get #takesCall(): boolean {
    return this.calls < this.#options.callsMax;
  }

  #release(): ReplyEvent[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#saidAnything ||= held.length > 0;
    return held;
  }

  /** @param isWhole The answer came whole: nothing is gained by sending the call before its end. */
  #native(given: ChatToolCallDelta, isWhole: boolean): ReplyEvent[] {
    const { choice, takesPieces, only } = this.#options;
    const { natives } = this.reader;
    const delta = natives.pieceOf(given);
    const { custom } = given as CustomCallDelta;
    let call = this.#natives.get(delta.index);
    if (call === undefined) {
      const { mayRepeat, turnHasEnded: isOfOthers } = this.reader;
      const waits = isWhole || !takesPieces || mayRepeat || isOfOthers || !this.#takesCall || only !== undefined;
      const held = waits ? [] : undefined;
      call = { id: delta.id ?? "", name: "", argumentsText: "", held, isCustom: custom !== undefined, isOfOthers };
      this.#natives.set(delta.index, call);
      natives.see();
      this.reader.gap();
      if (!waits) this.calls++;
    }
    call.name += delta.function?.name ?? custom?.name ?? "";
    call.argumentsText += delta.function?.arguments ?? custom?.input ?? "";
    if (call.held === undefined) return [...this.#release(), { type: "native", choice, delta }];
    call.held.push(delta);
    return [];
  }

  /** Calls that the upstream has read itself are whole now. */
  #endSentNatives(): ReplyEvent[] {
    const { choice } = this.#options;
    const events: ReplyEvent[] = [];
    for (const [index, call] of this.#natives) {
      if (call.held !== undefined) continue;
      this.reader.natives.takeNative(call.name, call.argumentsText);
      if (this.#lacksArguments(call)) events.push({ type: "native", choice, delta: noArguments(index) });
    }
    return events;
  }

  /** The same for those that may be the text's, or no choice of the caller's. */
  #endHeldNatives(): ReplyEvent[] {
    const { choice, takesPieces } = this.#options;
    const { natives } = this.reader;
    const events: ReplyEvent[] = [];
    for (const [index, call] of this.#natives) {
      const { id, name, argumentsText: written, held } = call;
      if (held === undefined) continue;
      const whyNot = this.#refusalOf(call);
      if (whyNot !== undefined) this.reader.refuseNative(name, written, whyNot);
      else if (natives.takeRepeated(name, written)) continue;
      else if (takesPieces) {
        if (!natives.takeNative(name, written)) continue;
        const deltas = this.#lacksArguments(call) ? [...held, noArguments(index)] : held;
        events.push(...this.#call(...deltas.map((delta) => ({ type: "native" as const, choice, delta }))));
      } else {
        const object = objectText(written, this.finishReason);
        const why = refusalOf(object, this.finishReason);
        if (why !== undefined) this.reader.refuseNative(name, written, why);
        else if (natives.takeNative(name, written))
          events.push(...this.#call({ type: "call", choice, call: { id, name, argumentsText: object } }));
      }
    }
    return events;
  }

  /** Why a call does not go on, whatever its arguments. */
  #refusalOf({ name, isCustom, isOfOthers }: NativeCall): NativeRefusal | undefined {
    const { natives } = this.reader;
    if (isOfOthers) return ofAnotherTurn;
    if (!natives.isChosen(name)) return natives.unchosen;
    // Pieces go on as they are.
    if (this.#options.takesPieces) return undefined;
    if (isCustom) return { reason: "malformed", message: "it calls a custom tool, and only functions are on offer" };
    return name === "" ? unnamed : undefined;
  }

  #lacksArguments({ name, argumentsText, isCustom }: NativeCall): boolean {
    return name !== "" && !isCustom && endedArguments(argumentsText, this.finishReason) !== argumentsText;
  }
}

/** A piece of a call of a custom tool. */
interface CustomCallDelta {
  custom?: { name?: string; input?: string };
}
