import type { Repair, ValueLevel } from "../contract/repairs.ts";
import type { JsonSchema } from "../contract/types.ts";

/** What is known of a damaged value. */
export interface RepairJsonOptions {
  /** JSON Schema of the value: its keys decide where strings end, its types what digits mean. */
  schema?: JsonSchema;
  /** Keys that the top object may have, where no schema is at hand. */
  keys?: readonly string[];
  /** The text is known to be whole: its end ends a number too. Default false. */
  final?: boolean;
  /**
   * What to do with several documents in one text, such as lines of JSON: `first` or `last` takes one of them, `array` all.
   * Each is a guess. Default `refuse`.
   */
  several?: "refuse" | "first" | "last" | "array";
  /** A text without any JSON in it is a string: a guess. Default false: it is refused. */
  bareText?: boolean;
  /** How deep damaged JSON may nest. Default 1,000; strict JSON is as deep as `JSON.parse` takes it. */
  maxDepth?: number;
}

/** The value and what was done to read it, or why there is none. */
export type RepairJsonResult =
  | {
      ok: true;
      /** What `JSON.parse` would give for the mended text. */
      value: unknown;
      /** The worst of `repairs`: may a caller that fails closed use the value? */
      level: ValueLevel;
      /** Every edit, in the order of the text. */
      repairs: Repair[];
      /** The text did not end inside the value. */
      complete: boolean;
    }
  | {
      ok: false;
      /** What is wrong, such as `no-value`, `truncated` or `unexpected-character`. */
      reason: string;
      /** Where, as an offset in UTF-16 units. */
      at: number;
      /** The same for people. */
      message: string;
    };

/** There is no value. */
export function refusal(reason: string, at: number, message: string): RepairJsonResult {
  return { ok: false, reason, at, message };
}
