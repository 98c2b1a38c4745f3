import type { ToolCall } from "../runtime/types.ts";
import type { HarnessResult } from "../testing/engine.ts";

/** One reply and what was made of it. */
export interface Reading {
  /** File name, with a line for JSONL; `stdin`. */
  source: string;
  /** The reply's own id, from JSONL. */
  id?: string | number;
  text: string;
  /** The format that was asked for, where it was one. */
  format: string | undefined;
  /** What was asked for, as a person may read it. */
  formatLabel: string;
  result: HarnessResult & { telemetry?: unknown };
  /** Calls; without tools, candidates. */
  calls: ToolCall[];
  /** Were there tools to check the calls against? */
  validated: boolean;
}

/** A reading as data, for `--json` and `--jsonl`: everything a script may want, nothing that is not JSON. */
export function recordOf(reading: Reading): Record<string, unknown> {
  const { result } = reading;
  return {
    source: reading.source,
    ...(reading.id === undefined ? {} : { id: reading.id }),
    validated: reading.validated,
    [reading.validated ? "calls" : "candidates"]: reading.calls,
    content: result.content,
    reasoning: result.reasoning,
    rejected: result.rejected,
    truncated: result.truncated,
    ...(result.telemetry === undefined ? {} : { telemetry: telemetryData(result.telemetry) }),
  };
}

function telemetryData(telemetry: unknown): unknown {
  const { record } = telemetry as { record?: () => unknown };
  return typeof record === "function" ? record.call(telemetry) : telemetry;
}
