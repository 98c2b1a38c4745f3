import { checkGiven, checkList } from "../contract/option-values.ts";
import { nearestName } from "../contract/suggest.ts";
import type { Node, Rejection, ToolCall } from "../contract/types.ts";
import type { Format } from "../formats/format.ts";
import { toRejectedToolCall } from "../rendering/rejected-tool-call.ts";
import type { ToolDefinition } from "../validation/tools.ts";

/**
 * What becomes of a message in which calls were refused.
 * - `"feed-back"`: the model gets the reason, in the way of the stack.
 * - `"retry"`: the model is asked again with `format.correction`, at most `maxRetries` times; then it is fed back, or written
 *   as text where the stack has no place for an invalid call. Not beside a call that passed: that one runs.
 * - `"drop"`: the call is left out. A message that is empty without it does not end as `stop`.
 * - `"text"`: the text of the call becomes content, in its place. Where nothing of it can be shown, it is dropped.
 */
export type RefusalHandling = "feed-back" | "retry" | "drop" | "text";

/** What is known when it is decided. */
export interface RefusalContext {
  /** The calls of the same message that passed. */
  readonly calls: readonly ToolCall[];
  /** What a person sees of the message. */
  readonly content: string;
  /** How often the model has been asked again for this message. */
  readonly retries: number;
  /** The tools that were on offer. */
  readonly tools: readonly ToolDefinition[];
  /** The format that calls are written in: `format.correction(rejections)`. */
  readonly format: Format;
}

/** A handling, or a function that picks one for each message. */
export type OnRefusal =
  | RefusalHandling
  | ((rejections: readonly Rejection[], context: RefusalContext) => RefusalHandling);

const handlings: readonly RefusalHandling[] = ["feed-back", "retry", "drop", "text"];

/** @throws TypeError for what is no handling */
export function checkHandling(given: unknown): RefusalHandling {
  if (handlings.includes(given as RefusalHandling)) return given as RefusalHandling;
  if (given instanceof Promise) throw new TypeError("onRefusal must answer at once: it gave a promise");
  const near = typeof given === "string" ? nearestName(given, handlings) : undefined;
  const hint = near === undefined ? `one of ${handlings.join(", ")}, or a function` : `did you mean "${near}"?`;
  throw new TypeError(`onRefusal cannot be ${JSON.stringify(given)}: ${hint}`);
}

/** How often the model is asked again by default. */
const defaultMaxRetries = 1;

/** What is read of a message for the decision. */
interface Refusing {
  readonly refusals: readonly Rejection[];
  readonly calls: readonly ToolCall[];
  readonly natives: { readonly passed: boolean };
  readonly content: string;
  /** Whether anything is seen of the message where its refused calls are shown. */
  readonly showsAny: boolean;
  /** It says nothing, and the refusals are those of the try before. */
  readonly saysNothing: boolean;
}

/**
 * What becomes of a message that has ended. `"retry"` only where the model may be asked once more: not beside a call that
 * passed, of the text or read by the server, not when `isFinal` (the message was filtered, or failed), and not after a try that
 * says nothing.
 */
export function decideRefusal(
  {
    onRefusal = "feed-back",
    maxRetries = defaultMaxRetries,
  }: { onRefusal?: OnRefusal | undefined; maxRetries?: number | undefined },
  message: Refusing,
  facts: { tools: readonly ToolDefinition[]; format: Format; retries: number; isFinal: boolean },
): RefusalHandling {
  const { refusals, calls, natives, content } = message;
  if (refusals.length === 0) return "drop";
  const { tools, format, retries, isFinal } = facts;
  const context = { calls, content, retries, tools, format };
  const handling = typeof onRefusal === "function" ? checkHandling(onRefusal(refusals, context)) : onRefusal;
  // Turns that the model made up are not shown: what stands there alone is left out, so that the message does not end as sound.
  if (handling === "text" && !message.showsAny && calls.length === 0 && !natives.passed) return "drop";
  if (handling !== "retry") return handling;
  const mayAsk = calls.length === 0 && !natives.passed && !isFinal && !message.saysNothing;
  return mayAsk && retries < maxRetries ? "retry" : "feed-back";
}

/**
 * The rejections that a host has to answer for: those whose text is not seen by anyone. What stayed text is seen. When
 * there is nothing to see at all, every rejection counts, a draft in the thoughts too.
 */
export function refusalsOf(
  rejected: readonly Rejection[],
  result: { nodes: readonly Node[]; calls: readonly unknown[]; content: string },
): Rejection[] {
  checkList("refusalsOf", rejectionsOfParse, rejected);
  const what = "as its second argument the result of `parse`";
  checkGiven("refusalsOf", what, result, { nodes: "array", calls: "array", content: "string" });
  const { nodes, calls, content } = result;
  const hidden = nodes.filter(({ type }) => type === "rejected");
  const swallowed = rejected.filter(
    // What the model made up of turns that are not its own is nothing that it should make again.
    ({ reason, start, end }) =>
      (reason as string) !== "after-turn" && overlaps(hidden, start, Math.max(end, start + 1)),
  );
  const isEmpty = calls.length === 0 && content.trim() === "";
  return swallowed.length === 0 && isEmpty ? [...rejected] : swallowed;
}

const rejectionsOfParse = "a list of rejections, such as `rejected` of a result";

/** Whether one of the nodes, which stand in order, has a character of the span. */
function overlaps(nodes: readonly Node[], start: number, end: number): boolean {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodes[middle].end <= start) low = middle + 1;
    else high = middle;
  }
  return low < nodes.length && nodes[low].start < end;
}

/** What a person reads where a refusal cannot be given to the model. */
export function refusalText(rejections: readonly Rejection[]): string {
  checkList("refusalText", rejectionsOfParse, rejections);
  return rejections
    .map((rejection) => {
      const { name, error } = toRejectedToolCall(rejection);
      return `[A tool call${name === "invalid" ? "" : ` of ${JSON.stringify(name)}`} was refused and not run: ${error}]`;
    })
    .join("\n");
}
