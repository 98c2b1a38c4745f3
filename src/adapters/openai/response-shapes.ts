import type { ResponseItem } from "./shapes.ts";

/** A response of the Responses API, as far as it is ours to say. What the request said is repeated beside it. */
export interface ResponseObject {
  id: string;
  object: "response";
  created_at: number;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  error: { code: string; message: string } | null;
  incomplete_details: { reason: "max_output_tokens" | "content_filter" } | null;
  model: string;
  output: ResponseOutputItem[];
  usage: ResponseUsage | null;
  [echoed: string]: unknown;
}

/** Tokens that were read and written, in the words of the Responses API. */
export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** An item while it is written. */
export type ResponseOutputItem = Omit<ResponseItem, "status" | "content"> & {
  status: "in_progress" | "completed" | "incomplete";
  content?: unknown[];
  arguments?: string;
};

/** An event of a streamed response. */
export interface ResponseEvent {
  type: string;
  sequence_number: number;
  [member: string]: unknown;
}
