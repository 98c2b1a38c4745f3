import type { Repair } from "../contract/repairs.ts";
import type { BesideKey } from "../values/candidate.ts";

/** What is known of a candidate when its text has been read. */
export interface CandidateFacts {
  name: string | undefined;
  /** The arguments as JSON text. */
  argumentsText: string;
  /** What `argumentsText` parses to, where it has been parsed before. */
  value?: Record<string, unknown> | undefined;
  /** Object members written to `argumentsText`: more than the parsed value has means a duplicate key. */
  members: number;
  /** Deepest nesting of the arguments, the object itself being 1. */
  depth: number;
  /** Length of the payload as the model wrote it, in UTF-16 units. */
  chars: number;
  repairs: readonly Repair[];
  /** Keys that stood beside the name and are not the documented arguments. */
  beside?: readonly BesideKey[];
  /** An envelope was given, and no arguments in it. */
  argumentsMissing?: boolean;
  /** Where the arguments stand in the text, for repairs made here. */
  start?: number;
  end?: number;
}
