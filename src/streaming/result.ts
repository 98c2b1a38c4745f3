import type { Candidate, Node, Rejection, ToolCall } from "../runtime/types.ts";
import type { Telemetry } from "./telemetry.ts";

/** What a message turned out to be. */
export interface ParseResult {
  /** Passed the gate: the only thing a host may run. */
  calls: ToolCall[];
  /** What a person should see. */
  content: string;
  reasoning: string;
  /** Everything that looked like a call and is none, one reason each. */
  rejected: Rejection[];
  /** Tile the text: no gap, no overlap. */
  nodes: Node[];
  /** The text ended inside a call, or the finish reason said so. */
  truncated: boolean;
  telemetry: Telemetry;
}

/** What phase one finds: nothing has been checked, nothing may run. */
export interface ExtractResult {
  candidates: Candidate[];
  content: string;
  reasoning: string;
  /** What was damaged. */
  rejected: Rejection[];
  nodes: Node[];
  truncated: boolean;
}
