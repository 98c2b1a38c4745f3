import type { RejectionReason } from "./reasons.ts";
import type { Repair } from "./repairs.ts";

declare const provisional: unique symbol;

/** What is known of a value that is not finished. Branded, so that it cannot be passed where arguments are run. */
export type Provisional<T> = T & { readonly [provisional]: true };

/** A JSON Schema, or what a schema library hands out as one. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** A slice of the text. Nodes tile the text: no gap, no overlap. Offsets are UTF-16 units. */
export interface Node {
  /** `framing`: markers, stop tokens and blanks, never shown. */
  type: "content" | "reasoning" | "framing" | "call" | "rejected";
  /** Offset of its first character in the text that was passed. */
  start: number;
  /** Offset after its last character. */
  end: number;
  /** For `call`: its index. */
  index?: number;
  /** For `rejected`: why. */
  reason?: RejectionReason;
}

/** A call that passed validation: the only thing a host may run. */
export interface ToolCall<Name extends string = string, Arguments = Record<string, unknown>> {
  /** Unique in the message: `options.id(index)`; without that option the model's where it stood before the arguments, else `call_<index>`. */
  id: string;
  /** The id the model wrote, where it could not be taken as `id`. */
  wireId?: string;
  /** Which started call of the message it is, counted from 0. One that was refused after its start leaves a gap. */
  index: number;
  /** Of a call, the exact name of a tool on offer, or with `unknownTool: "pass"` any; of a candidate, unchecked. */
  name: Name;
  /** Of a call, they fit the tool's schema unless the policy says `schema: "off"`; of a candidate, unchecked. */
  arguments: Arguments;
  /** Of a tool that is a schema library's object: what the model wrote, where `arguments` are what the library made of it. */
  written?: Record<string, unknown>;
  /** The arguments as JSON text: the deltas of the call, joined. Digits of big numbers are kept here. */
  argumentsText: string;
  /** Id of the format that read it. */
  format: string;
  /** Which of the format's ways to write a call it was, where it has several. */
  variant?: string;
  /** What was changed to make it readable, in the order of the text; empty: nothing. */
  repairs: Repair[];
  /** Offset of its first character in the text that was passed, in UTF-16 units. */
  start: number;
  /** Offset after its last character. */
  end: number;
}

/** Extraction's finding: looks like a call, nothing has been checked. */
export interface Candidate extends ToolCall {}

/** One thing that is wrong with the arguments of a call. */
export interface Violation {
  /** Where it stands: `arguments.list[2].key`. */
  path: string;
  /** What the schema asks for there, in words: `integer or null`, `one of "a", "b"`. */
  expected: string;
  /** What stands there instead, in words, clipped. */
  found: string;
}

/** Something that looked like a call and is none. */
export interface Rejection {
  /** From the closed list of `docs/errors.md`. */
  reason: RejectionReason;
  /** A sentence for people: what is wrong, and where. */
  message: string;
  /** The name it called, where one could be read. */
  name?: string;
  /** Offset of its first character in the text that was passed, in UTF-16 units. */
  start: number;
  /** Offset after its last character. */
  end: number;
  /** Its text, as it stands in the message. */
  raw: string;
  /** For `schema`: what is wrong, at most eight places of it. A validator of your own may not say. */
  violations?: readonly Violation[];
  /** What could be read of the arguments, for display only. */
  partial?: Provisional<unknown>;
  /** What had been changed before it was refused. */
  repairs?: Repair[];
}

/** What happens while a text is read. See `docs/streaming.md` for the promise of each. */
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
