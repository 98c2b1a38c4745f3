import type { Candidate, Node, Rejection, ToolCall } from "../contract/types.ts";
import type { Telemetry } from "./telemetry.ts";

/** What a message turned out to be. */
export interface ParseResult {
  /** Passed validation: the only thing a host may run. */
  calls: ToolCall[];
  /** What a person should see. */
  content: string;
  /** What stands in thinking blocks. */
  reasoning: string;
  /** Everything that looked like a call and is none, one reason each. */
  rejected: Rejection[];
  /** How many rejections there were, where `retain: "calls"` has not kept all of them. */
  rejectedCount?: number;
  /** Tile the text: no gap, no overlap. */
  nodes: Node[];
  /** The text ended inside a call, or the finish reason said so. */
  truncated: boolean;
  /** Counts of all this, made when they are asked for. */
  telemetry: Telemetry;
}

/** What extraction finds: nothing has been checked, nothing may run. */
export interface ExtractResult {
  /** What looks like a call and could be read; nothing else has been asked of it. */
  candidates: Candidate[];
  /** What a person should see. */
  content: string;
  /** What stands in thinking blocks. */
  reasoning: string;
  /** What was damaged. */
  rejected: Rejection[];
  /** Tile the text: no gap, no overlap. */
  nodes: Node[];
  /** The text ended inside a candidate, or the finish reason said so. */
  truncated: boolean;
}
