import { validateSchema } from "../../gate/validate-schema.ts";
import { repairJson } from "../../recovery/index.ts";
import type { JsonSchema } from "../../runtime/types.ts";

/** What is used of the SDK's argument. */
export interface RepairRequest<ToolCall extends { toolName: string; input: string }> {
  toolCall: ToolCall;
  /** The schema of a tool, as the SDK gives it. */
  inputSchema: (options: { toolName: string }) => unknown;
  error: { name?: string };
}

/**
 * For `experimental_repairToolCall` of `generateText` and `streamText`: mends the arguments of a native call whose JSON is
 * damaged. Only repairs that are sure are made, as `parse` makes them; arguments that are cut, doubtful or unfit for the
 * tool's schema stay refused, and so do names that are not offered.
 */
export async function repairToolCall<ToolCall extends { toolName: string; input: string }>({
  toolCall,
  inputSchema,
  error,
}: RepairRequest<ToolCall>): Promise<ToolCall | null> {
  if (error.name === "AI_NoSuchToolError") return null;
  const schema = (await inputSchema({ toolName: toolCall.toolName })) as JsonSchema;
  const read = repairJson(toolCall.input, { schema });
  if (!read.ok || !read.complete || read.level !== "safe") return null;
  if (typeof read.value !== "object" || read.value === null || Array.isArray(read.value)) return null;
  if (validateSchema(schema, read.value) !== true) return null;
  return { ...toolCall, input: JSON.stringify(read.value) };
}
