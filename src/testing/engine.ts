/** What the harness needs of an engine: the four functions of the package, so that any build of it can be checked. */
import type { ExtractEvent, Node, ParseEvent, Rejection, ToolCall } from "../contract/types.ts";

/** An event of extraction or validation. */
export type HarnessEvent = ParseEvent | ExtractEvent;

/** The part of a result that the harness looks at. `calls` is validation's, `candidates` extraction's. */
export interface HarnessResult {
  calls?: ToolCall[];
  candidates?: ToolCall[];
  content: string;
  reasoning: string;
  rejected: Rejection[];
  nodes: Node[];
  truncated: boolean;
}

/** A parser or an extractor. */
export interface HarnessParser {
  /** Reads the next chunk. */
  push(chunk: string): HarnessEvent[];
  /** The message has ended. */
  end(info?: { finishReason?: string }): HarnessEvent[];
  /** What it turned out to be. */
  result(): HarnessResult;
}

// biome-ignore lint/suspicious/noExplicitAny: an engine's options are its own; the harness passes on what a case says.
type EngineOptions = any;

/** The functions of a build of the package. Without the last two, extraction alone is not checked. */
export interface Engine {
  /** Reads a whole message. */
  parse(text: string, options: EngineOptions): HarnessResult;
  /** Reads one in chunks. */
  createParser(options: EngineOptions): HarnessParser;
  /** Extraction of a whole message. */
  extract?(text: string, options: EngineOptions): HarnessResult;
  /** Extraction in chunks. */
  createExtractor?(options: EngineOptions): HarnessParser;
}

/** One way to run an engine: the format and the options of one case, extraction or both steps. */
export interface Run {
  whole(text: string, info?: { finishReason?: string }): HarnessResult;
  stream(): HarnessParser;
}
