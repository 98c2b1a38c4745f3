import type { IncomingContentPart } from "./shapes.ts";

type Content = string | readonly IncomingContentPart[] | null | undefined;

/** The visible text of a content. */
export function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

/** The thoughts that a server has split off: in a field of their own, or as parts of the content. */
export function reasoningOf(
  message: { content?: Content; reasoning_content?: string | null; reasoning?: string | null } | null | undefined,
): string {
  const field = message?.reasoning_content ?? message?.reasoning;
  if (field !== undefined && field !== null) return field;
  const content = message?.content;
  return typeof content === "string" ? "" : (content ?? []).map(thinkingOf).join("");
}

function thinkingOf({ thinking }: IncomingContentPart): string {
  return typeof thinking === "object" && thinking !== null
    ? thinking.map(({ text }) => text ?? "").join("")
    : (thinking ?? "");
}
