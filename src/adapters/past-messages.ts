import type { Format } from "../formats/format.ts";

/** What a format must be able to write for a conversation to be told as text. */
export type PromptFormat = Pick<Format, "renderCalls" | "instruction">;

/** A call of an earlier message. */
export interface PastCall {
  name: string;
  arguments: unknown;
  id?: string | undefined;
}

/** What the host got from a tool. */
export interface PastResult {
  name: string;
  id: string;
  /** Text as it is, anything else as JSON. */
  output: unknown;
}

/** How a result is told to the model. */
export type RenderResult = (result: PastResult) => string;

/**
 * Earlier calls as the model would have written them. What the format cannot carry (a value that holds its own closing
 * marker, say) is told as JSON, so that a conversation never breaks on its own past.
 */
export function renderPastCalls(format: PromptFormat, calls: readonly PastCall[]): string {
  const renderable = calls.map(({ name, arguments: given, id }) => ({ name, arguments: asObject(given), id }));
  try {
    return format.renderCalls(renderable);
  } catch (error) {
    // Anything else is misuse, or a fault of ours.
    if ((error as Error).name !== "RenderError") throw error;
    return renderable.map(({ name, arguments: given }) => JSON.stringify({ name, arguments: given })).join("\n");
  }
}

function asObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

/** The form that most chat templates of open models use for results. */
export const defaultRenderResult: RenderResult = ({ name, output }) =>
  `<tool_response>\n${JSON.stringify({ name, content: output ?? null })}\n</tool_response>`;

/** A system text with the instruction of the tools behind it. */
export function withInstruction(system: string, instruction: string): string {
  return system === "" ? instruction : `${system}\n\n${instruction}`;
}
