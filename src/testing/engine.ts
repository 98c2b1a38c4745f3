/** What the harness needs of an engine: the four functions of the package, so that any build of it can be checked. */
import type { ExtractEvent, Node, ParseEvent, Rejection, ToolCall } from "../runtime/types.ts";

export type HarnessEvent = ParseEvent | ExtractEvent;

/** The part of a result that the harness looks at. `calls` is phase two's, `candidates` phase one's. */
export interface HarnessResult {
  calls?: ToolCall[];
  candidates?: ToolCall[];
  content: string;
  reasoning: string;
  rejected: Rejection[];
  nodes: Node[];
  truncated: boolean;
}

export interface HarnessParser {
  push(chunk: string): HarnessEvent[];
  end(info?: { finishReason?: string }): HarnessEvent[];
  result(): HarnessResult;
}

// biome-ignore lint/suspicious/noExplicitAny: an engine's options are its own; the harness passes on what a case says.
type EngineOptions = any;

export interface Engine {
  parse(text: string, options: EngineOptions): HarnessResult;
  createParser(options: EngineOptions): HarnessParser;
  extract?(text: string, options: EngineOptions): HarnessResult;
  createExtractor?(options: EngineOptions): HarnessParser;
}

/** One way to run an engine: the format and the options of one case, phase one or both phases. */
export interface Run {
  whole(text: string, info?: { finishReason?: string }): HarnessResult;
  stream(): HarnessParser;
}
