import type { IncomingChoice, IncomingContentPart, IncomingToolCallDelta } from "./shapes.ts";

type Content = string | readonly IncomingContentPart[] | null | undefined;

/** The visible text of a content; nothing, where it is none. */
export function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .map((part) => (typeof part === "string" ? part : typeof part?.text === "string" ? part.text : ""))
    .join("");
}

const partsOf = (content: unknown): readonly (string | IncomingContentPart | null)[] =>
  Array.isArray(content) ? content : [];

/** The thoughts that a server has split off: in a field of their own, or as parts of the content. */
export function reasoningOf(
  message: { content?: Content; reasoning_content?: string | null; reasoning?: string | null } | null | undefined,
): string {
  const field = message?.reasoning_content ?? message?.reasoning;
  if (field !== undefined && field !== null) return typeof field === "string" ? field : "";
  return partsOf(message?.content).map(thinkingOf).join("");
}

function thinkingOf(part: string | IncomingContentPart | null): string {
  if (typeof part !== "object") return "";
  const thinking = part?.thinking;
  return typeof thinking === "string" ? thinking : textOf(thinking);
}

/** Calls that a server has read itself: `tool_calls`, or the one `function_call` of older servers, which has no id. */
export function nativeCallsOf(delta: IncomingChoice["delta"]): readonly IncomingToolCallDelta[] {
  if (delta?.tool_calls) return delta.tool_calls;
  const called = delta?.function_call;
  if (!called) return [];
  return [{ index: 0, ...(called.name ? { id: "function_call" } : {}), type: "function", function: called }];
}
