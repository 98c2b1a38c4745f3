import type { RejectionReason } from "../contract/reasons.ts";
import type { RepairKind } from "../contract/repairs.ts";
import type { Rejection, ToolCall } from "../contract/types.ts";

/** Reasons that say the arguments did not fit what the tool declares. */
const schemaReasons: readonly RejectionReason[] = ["schema", "type-mismatch", "validator-error"];

/** What became of the call when the host ran it. */
export type ToolResultStatus = "ok" | "empty" | "error";

/** One record per message, ready to be a line of JSON. It holds no model text. */
export interface TelemetryRecord {
  /** Through which kind of format the calls came. */
  parse_mode: "primary" | "json" | "bracket" | "none";
  /** What was found came through a fallback format. */
  fallback_used: boolean;
  /** How much of the text looked like a call, refused ones included. */
  candidate_count: number;
  /** `pass`, `fail` with the reason of the first call that did not fit, or null when nothing got that far. */
  schema_validation: "pass" | "fail" | null;
  /** Why it failed: the reason of that rejection. */
  schema_failure?: string;
  /** What the host got from the tool; null until `withToolResult` says so. */
  tool_result_status: ToolResultStatus | null;
  /** Id of the format of the first call, or else of what was found; null: nothing was. */
  format: string | null;
  /** The variant of the first call; null: its format has none. */
  variant: string | null;
  /** How many calls passed validation. */
  calls: number;
  /** How many repairs of each kind the calls carry. */
  repairs: Partial<Record<RepairKind, number>>;
  /** How many rejections there are for each reason. */
  rejections: Partial<Record<RejectionReason, number>>;
  /** Length of the message in UTF-16 units. */
  chars: number;
  /** The text ended inside a call, or the finish reason said so. */
  truncated: boolean;
  /** Milliseconds by `options.clock`; absent without a clock. */
  duration_ms?: number;
}

/** What telemetry is made of; nothing is counted before somebody asks. */
export interface TelemetrySource {
  readonly calls: readonly ToolCall[];
  readonly rejected: readonly Rejection[];
  /** Rejections that were not kept, by reason. */
  readonly dropped?: ReadonlyMap<RejectionReason, number>;
  readonly candidateCount: number;
  readonly mode: "primary" | "json" | "bracket";
  readonly format: string;
  readonly chars: number;
  readonly truncated: boolean;
  readonly durationMs: number | undefined;
}

/** The telemetry of a message: built when it is read. */
export class Telemetry {
  readonly #source: TelemetrySource;
  readonly #status: ToolResultStatus | null;

  constructor(source: TelemetrySource, status: ToolResultStatus | null = null) {
    this.#source = source;
    this.#status = status;
  }

  /** The same record with what the host got from the tool. */
  withToolResult(status: ToolResultStatus): Telemetry {
    return new Telemetry(this.#source, status);
  }

  /** The record, a plain object of numbers and words. */
  record(): TelemetryRecord {
    const { calls, rejected, dropped, candidateCount, mode, chars, truncated, durationMs } = this.#source;
    const repairs: Partial<Record<RepairKind, number>> = {};
    for (const call of calls) for (const { kind } of call.repairs) repairs[kind] = (repairs[kind] ?? 0) + 1;
    const rejections: Partial<Record<RejectionReason, number>> = {};
    for (const { reason } of rejected) rejections[reason] = (rejections[reason] ?? 0) + 1;
    for (const [reason, count] of dropped ?? []) rejections[reason] = (rejections[reason] ?? 0) + count;
    const misfit = rejected.find(({ reason }) => schemaReasons.includes(reason));
    const used = candidateCount > 0;
    return {
      parse_mode: used ? mode : "none",
      fallback_used: used && mode !== "primary",
      candidate_count: candidateCount,
      schema_validation: misfit ? "fail" : calls.length ? "pass" : null,
      ...(misfit ? { schema_failure: misfit.reason } : {}),
      tool_result_status: this.#status,
      format: used ? (calls[0]?.format ?? this.#source.format) : null,
      variant: calls[0]?.variant ?? null,
      calls: calls.length,
      repairs,
      rejections,
      chars,
      truncated,
      ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    };
  }

  /** `parse_mode` of the record. */
  get parseMode(): TelemetryRecord["parse_mode"] {
    return this.record().parse_mode;
  }

  /** `fallback_used` of the record. */
  get fallbackUsed(): boolean {
    return this.record().fallback_used;
  }

  /** `candidate_count` of the record. */
  get candidateCount(): number {
    return this.#source.candidateCount;
  }

  /** `schema_validation` of the record. */
  get schemaValidation(): TelemetryRecord["schema_validation"] {
    return this.record().schema_validation;
  }

  /** `tool_result_status` of the record. */
  get toolResultStatus(): ToolResultStatus | null {
    return this.#status;
  }

  /** `duration_ms` of the record. */
  get durationMs(): number | undefined {
    return this.#source.durationMs;
  }

  /** What `JSON.stringify` writes. */
  toJSON(): TelemetryRecord {
    return this.record();
  }
}
