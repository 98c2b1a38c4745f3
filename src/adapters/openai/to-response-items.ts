import { checkOptionsOf, checkResult } from "../../contract/option-values.ts";
import type { ParseResult } from "../../output/result.ts";
import { randomWord } from "../call-ids.ts";
import { itemValues } from "./option-values.ts";
import type { ResponseItem } from "./shapes.ts";

/**
 * The result as the `output` of the Responses API: reasoning, message, calls, each only if there is one.
 *
 * @param options.id What the ids of the items end with. Default: random.
 */
export function toResponseItems(
  result: Pick<ParseResult, "calls" | "content" | "reasoning" | "truncated">,
  options: { id?: string | undefined } = {},
): ResponseItem[] {
  checkResult("toResponseItems", result);
  checkOptionsOf("toResponseItems", options, itemValues);
  const id = options.id ?? randomWord();
  const items: ResponseItem[] = [];
  if (result.reasoning !== "") {
    const content = [{ type: "reasoning_text" as const, text: result.reasoning }];
    items.push({ type: "reasoning", id: `rs_${id}`, summary: [], content, status: "completed" });
  }
  if (result.content !== "") {
    const content = [{ type: "output_text" as const, text: result.content, annotations: [] as [] }];
    const status = result.truncated ? "incomplete" : "completed";
    items.push({ type: "message", id: `msg_${id}`, role: "assistant", status, content });
  }
  for (const [n, call] of result.calls.entries()) {
    items.push({
      type: "function_call",
      id: `fc_${id}_${n}`,
      call_id: call.id,
      name: call.name,
      arguments: call.argumentsText,
      status: "completed",
    });
  }
  return items;
}
