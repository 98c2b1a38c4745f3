import type { TelemetryRecord } from "../index.ts";
import type { Usage } from "./server-chunk.ts";

/** One request, as a line of JSON. It holds no text of client or model, no header and no credential. */
export interface LogRecord {
  /** When the request came, as ISO 8601. */
  time: string;
  /** The client's `x-request-id`, or one of our own; the answer carries it too. */
  id: string;
  method: string;
  path: string;
  /** How the client speaks; absent for requests that are passed on. */
  protocol?: string;
  model?: string;
  /** Id of the format that calls are written in. */
  format?: string;
  /** What whoever runs the proxy should know, of the upstream's model above all, a sentence each; each comes once. */
  notes?: string[];
  stream?: boolean;
  /** Of the answer; 499: the client left before it had one. */
  status: number;
  /** The client left within a stream. */
  aborted?: boolean;
  /** Code of the error, where there was one, within a stream too. */
  error?: string;
  /** Until the first byte of the answer's body. */
  first_ms?: number;
  duration_ms: number;
  /** Calls in the answer. */
  calls?: number;
  /** Calls that were refused. */
  refused?: number;
  /** How often the model was asked again. */
  retries?: number;
  /** A call was asked for and none came. */
  tool_choice_unmet?: boolean;
  usage?: Usage;
  /** One record per message of the model, those that were asked for again included. */
  telemetry?: TelemetryRecord[];
}
