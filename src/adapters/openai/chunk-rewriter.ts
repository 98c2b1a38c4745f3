import { randomWord } from "../call-ids.ts";
import { ofAnotherTurn } from "../calls-across-gaps.ts";
import { endedArguments } from "../native-arguments.ts";
import { noArguments } from "../native-calls.ts";
import { type PushParser, ServerMessageReader } from "../server-message.ts";
import {
  choicesOf,
  isOfOthers,
  nativeCallsOf,
  otherFields,
  otherOfChoice,
  otherOfChunk,
  piecesOfChoice,
  withText,
} from "./incoming-text.ts";
import type { ChatChunk, ChatToolCallDelta, IncomingChoice, IncomingChunk, IncomingToolCallDelta } from "./shapes.ts";
import { ChatStreamError, endedEarly, isFailure } from "./stream-error.ts";
import { type ChunkOptions, ChunkWriter } from "./to-chunks.ts";

export interface ChunkRewriterOptions extends Omit<ChunkOptions, "finishReason"> {
  /** Makes the parser of a choice; undefined: its text is passed on as it is. */
  open: (choice: number) => PushParser | undefined;
}

interface Choice {
  writer: ChunkWriter;
  reader: ServerMessageReader;
  finishReason: string | undefined;
  /** Calls that the server reads itself, by their number, until they are whole. */
  natives: Map<number, NativeCall>;
}

interface NativeCall {
  name: string;
  arguments: string;
  /** Pieces that wait, because it may be one of the text's; undefined: they have been sent. */
  held: ChatToolCallDelta[] | undefined;
  /** It stands in the turn of somebody else. */
  isOfOthers: boolean;
}

/** The chunks of a server with the calls of their text, choice by choice. */
export class ChunkRewriter {
  #options: ChunkRewriterOptions;
  readonly #choices = new Map<number, Choice>();
  /** Choices that have ended. */
  readonly #over = new Set<number>();
  /** Why the stream has failed. */
  failed: unknown;
  #begun = false;
  /** What the server says beside the choices, and has not come out. */
  #beside: Record<string, unknown> = {};

  constructor(options: ChunkRewriterOptions) {
    this.#options = options;
  }

  take(chunk: IncomingChunk): ChatChunk[] {
    if (isFailure(chunk)) return this.fail(new ChatStreamError(chunk.error));
    if (!this.#begun) {
      this.#begun = true;
      const {
        id = chunk?.id ?? `chatcmpl-${randomWord()}`,
        model = chunk?.model,
        created = chunk?.created,
      } = this.#options;
      this.#options = { ...this.#options, id, model, created };
    }
    const out: ChatChunk[] = [];
    for (const choice of choicesOf(chunk)) out.push(...this.#takeChoice(choice));
    // Counts come in a chunk of their own, or beside the last choice.
    const usage = chunk?.usage ?? undefined;
    if (usage !== undefined) {
      if (out.length > 0) out[out.length - 1].usage = usage;
      else out.push(this.#usage(usage));
    }
    // What is said in a chunk of which nothing comes out goes along with the next.
    Object.assign(this.#beside, otherOfChunk(chunk));
    if (out.length === 0) return out;
    out[out.length - 1] = { ...this.#beside, ...out[out.length - 1] };
    this.#beside = {};
    return out;
  }

  /** The stream has ended. */
  close(): ChatChunk[] {
    const open = [...this.#choices.keys()].some((index) => !this.#over.has(index));
    return open || this.#choices.size === 0 ? this.fail(endedEarly()) : [];
  }

  /** The stream has failed: text that was held back comes out, an open call never does. */
  fail(error: unknown): ChatChunk[] {
    if (this.failed !== undefined) return [];
    this.failed = error;
    return [...this.#choices].flatMap(([index, { reader, writer, natives }]) => {
      if (this.#over.has(index)) return [];
      // Those that are whole may stand in the text as well.
      for (const { name, arguments: given, held } of natives.values())
        if (held === undefined) reader.natives.takeNative(name, given);
      return reader.fail().flatMap((event) => writer.write(event));
    });
  }

  #usage(usage: unknown): ChatChunk {
    const { id = "", created = 0, model = "" } = this.#options;
    return { id, object: "chat.completion.chunk", created, model, choices: [], usage };
  }

  #read(index: number): ServerMessageReader {
    const { open, provisional = false } = this.#options;
    return new ServerMessageReader({ parser: open(index), live: provisional, waits: false });
  }

  #takeChoice(incoming: IncomingChoice): ChatChunk[] {
    const index = incoming.index ?? 0;
    const out: ChatChunk[] = [];
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      const finishReason = () => found.finishReason;
      const writer = new ChunkWriter({ ...this.#options, finishReason }, index);
      const found: Choice = { writer, reader: this.#read(index), finishReason: undefined, natives: new Map() };
      this.#choices.set(index, (choice = found));
      out.push(choice.writer.begin());
    }
    const { writer, reader } = choice;
    const { delta } = incoming;
    if (isOfOthers(delta)) reader.endTurn();
    for (const { kind, text, parts } of piecesOfChoice(incoming)) {
      if (kind === "text") for (const event of reader.push(text)) out.push(...writer.write(event));
      else if (kind !== "reasoning") {
        reader.gap();
        if (kind === "refusal") out.push(writer.writeOther({ refusal: text }));
        if (parts !== undefined) out.push(writer.writeOther({ content_parts: parts }));
      } else {
        reader.thoughts(text);
        out.push(...writer.write({ type: "reasoning-delta", text }));
      }
    }
    for (const piece of nativeCallsOf(delta)) out.push(...this.#takeNative(choice, withText(piece)));
    const others = otherFields(delta);
    if (others !== undefined) out.push(writer.writeOther(others));
    if (incoming.finish_reason && !this.#over.has(index)) {
      this.#over.add(index);
      choice.finishReason = incoming.finish_reason;
      out.push(...this.#finish(choice, incoming.finish_reason));
    }
    const beside = otherOfChoice(incoming);
    const logprobs = incoming.logprobs ?? undefined;
    if (out.length === 0 && (logprobs ?? beside) !== undefined) out.push(writer.writeOther({}));
    if (logprobs !== undefined) out[0].choices[0].logprobs = logprobs;
    if (beside !== undefined) out[out.length - 1].choices[0] = { ...beside, ...(out.at(-1) as ChatChunk).choices[0] };
    return out;
  }

  #takeNative({ natives, reader, writer }: Choice, piece: IncomingToolCallDelta): ChatChunk[] {
    reader.gap();
    reader.natives.see();
    const sent = reader.natives.pieceOf(piece);
    let call = natives.get(sent.index);
    if (call === undefined) {
      const { mayRepeat, turnHasEnded: isOfOthers } = reader;
      call = { name: "", arguments: "", held: mayRepeat || isOfOthers ? [] : undefined, isOfOthers };
      natives.set(sent.index, call);
    }
    call.name += sent.function?.name ?? "";
    call.arguments += sent.function?.arguments ?? "";
    if (call.held === undefined) return [writer.writeNative(sent)];
    call.held.push(sent);
    return [];
  }

  #finish({ reader, writer, natives }: Choice, finishReason: string): ChatChunk[] {
    const out: ChatChunk[] = [];
    const calls = [...natives];
    const end = (index: number, { name, arguments: given }: NativeCall) => {
      const hasNone = name !== "" && endedArguments(given, finishReason) !== given;
      if (hasNone) out.push(writer.writeNative(noArguments(index)));
    };
    for (const [index, call] of calls) {
      if (call.held !== undefined) continue;
      reader.natives.takeNative(call.name, call.arguments);
      end(index, call);
    }
    // What is held comes after the text's: it may be one of those.
    for (const event of reader.end(finishReason)) out.push(...writer.write(event));
    for (const [index, call] of calls) {
      const { name, arguments: given, held, isOfOthers } = call;
      if (held === undefined) continue;
      if (isOfOthers) {
        const rejection = reader.refuseNative(name, given, ofAnotherTurn);
        out.push(...writer.write({ type: "call-rejected", rejection }));
      } else if (reader.natives.takeNative(name, given)) {
        out.push(...held.map((piece) => writer.writeNative(piece)));
        end(index, call);
      }
    }
    out.push(writer.end());
    return out;
  }
}
