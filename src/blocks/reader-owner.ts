import type { RejectionReason } from "../contract/reasons.ts";
import type { JsonSchema } from "../contract/types.ts";
import type { Candidate } from "../values/candidate.ts";
import type { TextType } from "../values/declared-type.ts";
import type { Unquoting } from "../values/quoted-values.ts";

/** What happens to the findings of a reader. Spans are offsets of the text that was passed, prefill not counted. */
export interface FindingsOwner {
  /** Content or reasoning; pieces of one run follow each other. */
  text(kind: "content" | "reasoning", piece: string, start: number): void;
  /** A call begins here, for certain. */
  blockBegins(isLoose: boolean): void;
  /** A run of content or reasoning has ended. */
  textEnd(kind: "content" | "reasoning", start: number, end: number): void;
  /** Whether a candidate of this name may start now, and its deltas go out. */
  mayStart(candidate: Candidate): boolean;
  start(candidate: Candidate): void;
  delta(candidate: Candidate, text: string): void;
  /** A candidate is complete: the owner says what becomes of it. */
  end(candidate: Candidate, chars: number): void;
  /** A candidate is damaged or cut. */
  refused(candidate: Candidate): void;
  /** Calls that no marker opens follow; they wait for the end. */
  beginUnmarked(): void;
  /** Those calls are judged. */
  endUnmarked(): void;
  /** Looks like a call, stays text. */
  listed(reason: RejectionReason, message: string, span: { start: number; end: number; raw: string }): void;
}

/** What a reader asks of the tools; of a call without a name nothing is known. */
export interface ToolFacts {
  /** How a parameter of a tool is typed when it arrives as text; undefined in extraction alone. */
  parameterType(name: string | undefined, key: string): TextType | undefined;
  /** What may be read out of quotes in the arguments of a tool; undefined: nothing. */
  unquotingOf(name: string | undefined): Unquoting | undefined;
  /** The schema of a tool; undefined: unknown. */
  schemaOf(name: string | undefined): JsonSchema | undefined;
}

/** Who takes the findings of a reader, and knows the tools. */
export interface ReaderOwner extends FindingsOwner {
  readonly tools: ToolFacts;
  /** A candidate stands whole in the prefill: it was made before, and says only who reads the place. */
  isMade(candidate: Candidate): void;
}
