import type { ChatFinishReason, ChatToolCallDelta } from "../adapters/openai.ts";
import type { Body } from "./chat-request.ts";
import type { Usage } from "./server-chunk.ts";

/** A call that may run: one that passed validation, or one that the upstream has read itself. */
export interface ReplyCall {
  id: string;
  name: string;
  argumentsText: string;
}

/** What the upstream says once of the whole reply. */
export interface ReplyHead {
  id?: string | undefined;
  model: string;
  created: number;
  /** Other members of its answer, or of the chunks so far. */
  extra: Body;
}

/** What happens in a reply, in the order in which clients get it. `choice` counts from 0. */
export type ReplyEvent =
  | { type: "head"; head: ReplyHead }
  | { type: "text"; choice: number; text: string }
  | { type: "reasoning"; choice: number; text: string }
  /** What the model will not do, as the upstream says it. */
  | { type: "refusal"; choice: number; text: string }
  | { type: "call"; choice: number; call: ReplyCall }
  /** A piece of a call that the upstream has read itself. Only where the protocol takes pieces. */
  | { type: "native"; choice: number; delta: ChatToolCallDelta }
  /** Parts of the content that are neither text nor thoughts: for the same. */
  | { type: "parts"; choice: number; parts: readonly object[] }
  /** Other members of a streamed piece, such as `annotations`: for clients that the upstream speaks to itself. */
  | { type: "other"; choice: number; delta: Body }
  /** Of the model's raw text, calls and markers included. */
  | { type: "logprobs"; choice: number; logprobs: unknown }
  /**
   * `original`: the upstream's own choice, of a reply that came whole; of a stream, what it says of the choice beside the message.
   * `dropped`: what left the message empty, for people.
   */
  | {
      type: "finish";
      choice: number;
      reason: ChatFinishReason;
      stopSequence?: string | undefined;
      original?: Body | undefined;
      dropped?: string | undefined;
    }
  | { type: "usage"; usage: Usage };
