import type { Repair, RepairKind } from "../contract/repairs.ts";
import type { JsonSchema } from "../contract/types.ts";
import type { RulesAt } from "../json-repair/index.ts";
import type { ValueSink } from "../machine/value-sink.ts";
import type { Block, ReaderState, TextEnd } from "./state.ts";

/** Reads a damaged payload; what the recovery room offers, as far as the driver needs it. */
export interface PayloadRecovery {
  push(chunk: string): void;
  finish(final: boolean): void;
  readonly state: "reading" | "done" | "failed";
  readonly end: number;
  readonly repairs: readonly Repair[];
  readonly closersMissing: number;
  /** Before the closers that are missing a value is complete, and they belong in one place only. */
  readonly endsAfterValue: boolean;
  /** Whether inner quotes are the only damage of `text`, which begins at `base`, and leave one reading. */
  hasOneReading(text: string, base: number, rulesAt: RulesAt): boolean;
  /** Behind the value, on its line, stands what is no marker. */
  readonly textFollows: boolean;
  readonly endedBy: "value" | "marker" | "end-of-text";
  readonly failure: { at: number; message: string } | undefined;
  /** What has been reported to the sink is no longer how the text should be read. */
  readonly contradicts: boolean;
}

/** Steps from the top of the payload down to a value inside it. */
export type Path = readonly (string | number)[];

/** What a place of the payload may hold: the keys of the envelope, or a place of the arguments' schema. */
export type PayloadPlace = { keys: ReadonlySet<string> } | { schema: JsonSchema; path: Path } | undefined;

export interface RecoveryOptions {
  /** Offset of the first character fed. */
  base: number;
  /** Literals that may follow the payload and are no part of it. */
  ends: readonly string[];
  placeAt(path: Path): PayloadPlace;
  /** Called once, when `contradicts` becomes true: the sink has all that stands before. */
  onContradiction(): void;
}

export type MakeRecovery = (sink: ValueSink, options: RecoveryOptions) => PayloadRecovery;

/** The JSON of a value, and what was done to read it. */
export interface RepairedValue {
  readonly json: string;
  readonly repairs: readonly RepairKind[];
}

/** Repairs, as they are given to the driver: `recovery` from `toolpeg/recovery`. */
export interface Recovery {
  /** Reads a damaged payload. */
  readonly read: MakeRecovery;
  /**
   * Takes over where strict reading of a payload has failed.
   * @internal
   */
  readonly begin: (state: ReaderState, block: Block, end: TextEnd) => void;
  /**
   * What was read is delivered, or refused.
   * @internal
   */
  readonly end: (state: ReaderState, recovery: PayloadRecovery) => void;
  /**
   * A damaged list or object that is a value of the arguments, whole and with one reading; undefined: it has none.
   * @internal
   */
  readonly readValue: (text: string, schema: JsonSchema, path: Path) => RepairedValue | undefined;
  /**
   * A damaged Python call whose strings hold quotes is made, where they leave one reading; false: they do not.
   * @internal
   */
  readonly readPythonCall: (state: ReaderState, block: Block, at: number) => boolean;
  /** What is known of JSON that is not finished; undefined when that is nothing. */
  readonly readPartial: (json: string) => unknown;
}
