import type { JsonSchema } from "../../contract/types.ts";
import { repairJson } from "../../json-repair/index.ts";
import { checkCall } from "../../validation/check-call.ts";
import { walkValue } from "../../validation/json-walk.ts";
import { resolvePolicy } from "../../validation/policy.ts";
import { prepareTools, type ToolDefinition } from "../../validation/tools.ts";
import { validateSchema } from "../../validation/validate-schema.ts";
import { isRefusedInput } from "./refused-input.ts";

/** What is used of the SDK's argument. */
export interface RepairRequest<ToolCall extends { toolName: string; input: string }> {
  toolCall: ToolCall;
  /** The schema of a tool, as the SDK gives it. */
  inputSchema: (options: { toolName: string }) => unknown;
  error: { name?: string };
}

/**
 * For `experimental_repairToolCall` of `generateText` and `streamText`: mends the arguments of a native call whose JSON is
 * damaged. Only repairs that are sure are made, as `parse` makes them, and validation decides: arguments that are cut,
 * doubtful or unfit for the tool's schema stay refused, and so do names that are not offered, sensitive keys, and what the
 * middleware has refused before.
 */
export async function repairToolCall<ToolCall extends { toolName: string; input: string }>({
  toolCall,
  inputSchema,
  error,
}: RepairRequest<ToolCall>): Promise<ToolCall | null> {
  if (error.name === "AI_NoSuchToolError") return null;
  const { toolName, input } = toolCall;
  if (isRefusedInput(input)) return null;
  const parameters = (await inputSchema({ toolName })) as JsonSchema;
  const read = repairJson(input, { schema: parameters });
  if (!read.ok || !read.complete) return null;
  const text = JSON.stringify(read.value);
  const { members, depth } = walkValue(read.value, () => true);
  const verdict = checkCall(
    { name: toolName, argumentsText: text, members, depth, chars: input.length, repairs: read.repairs },
    prepareTools([{ name: toolName, parameters } as ToolDefinition]),
    resolvePolicy({ validate: validateSchema }, "primary"),
  );
  // Digits that a number cannot hold would be others.
  return verdict.ok && !losesDigits(read.value) ? { ...toolCall, input: verdict.argumentsText } : null;
}

function losesDigits(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(losesDigits);
}
