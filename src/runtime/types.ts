import type { RejectionReason } from "./reasons.ts";
import type { Repair } from "./repairs.ts";

declare const provisional: unique symbol;

/** What is known of a value that is not finished. Branded, so that it cannot be passed where arguments are run. */
export type Provisional<T> = T & { readonly [provisional]: true };

/** A JSON Schema, or what a schema library hands out as one. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** A slice of the text. Nodes tile the text: no gap, no overlap. Offsets are UTF-16 units. */
export interface Node {
  type: "content" | "reasoning" | "framing" | "call" | "rejected";
  start: number;
  end: number;
  /** For `call`: its index. */
  index?: number;
  /** For `rejected`: why. */
  reason?: RejectionReason;
}

/** A call that passed the gate: the only thing a host may run. */
export interface ToolCall<Name extends string = string, Arguments = Record<string, unknown>> {
  id: string;
  /** The id the model wrote, where it could not be taken as `id`. */
  wireId?: string;
  index: number;
  name: Name;
  arguments: Arguments;
  /** The arguments as JSON text: the deltas of the call, joined. Digits of big numbers are kept here. */
  argumentsText: string;
  format: string;
  variant?: string;
  repairs: Repair[];
  start: number;
  end: number;
}

/** Phase one's finding: looks like a call, nothing has been checked. */
export interface Candidate extends ToolCall {}

/** Something that looked like a call and is none. */
export interface Rejection {
  reason: RejectionReason;
  message: string;
  name?: string;
  start: number;
  end: number;
  raw: string;
  /** What could be read of the arguments, for display only. */
  partial?: Provisional<unknown>;
  repairs?: Repair[];
}

/** What happens while a text is read. See `docs/streaming.md` for the promise behind each. */
export type ParseEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "call-start"; index: number; id: string; name: string }
  | { type: "call-args-delta"; index: number; delta: string }
  | { type: "call-end"; index: number; call: ToolCall }
  | { type: "call-rejected"; index?: number; rejection: Rejection };

/** The extractor's events: the same with `candidate` for `call`. */
export type ExtractEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "candidate-start"; index: number; id: string; name: string }
  | { type: "candidate-args-delta"; index: number; delta: string }
  | { type: "candidate-end"; index: number; candidate: Candidate }
  | { type: "candidate-rejected"; index?: number; rejection: Rejection };
