import { checkGiven } from "../../contract/option-values.ts";
import type { JsonSchema } from "../../contract/types.ts";
import { repairJson } from "../../json-repair/index.ts";
import { checkCall } from "../../validation/check-call.ts";
import { resolvePolicy } from "../../validation/policy.ts";
import { prepareTools, type ToolDefinition } from "../../validation/tools.ts";
import { validateSchema } from "../../validation/validate-schema.ts";
import { allowedBy } from "../../values/allowed-values.ts";
import { objectJsonIn } from "../../values/arguments-reader.ts";
import { measureJson } from "../../values/json-text.ts";
import { unquoteAll } from "../../values/quoted-values.ts";
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
 * damaged, or that stands in quotes. Only repairs that are sure are made, as `parse` makes them, and validation decides: arguments that are cut,
 * doubtful or unfit for the tool's schema stay refused, and so do names that are not offered, sensitive keys, and what the
 * middleware has refused before.
 */
export async function repairToolCall<ToolCall extends { toolName: string; input: string }>(
  request: RepairRequest<ToolCall>,
): Promise<ToolCall | null> {
  const what = "what the SDK gives: experimental_repairToolCall: repairToolCall";
  checkGiven("repairToolCall", what, request, { toolCall: "object", inputSchema: "function" });
  const { toolCall, inputSchema, error } = request;
  if (error?.name === "AI_NoSuchToolError") return null;
  const { toolName, input } = toolCall;
  if (isRefusedInput(input)) return null;
  const parameters = (await inputSchema({ toolName })) as JsonSchema;
  const read = repairJson(input, { schema: parameters });
  if (!read.ok || !read.complete || read.repairs.some(({ kind }) => kind === "escaped-document")) return null;
  const { value: found, level } = read;
  // What is JSON as it stands is taken as it is written: the value no longer shows a key that was given twice.
  const written = level === "none" ? input : JSON.stringify(found);
  const json = typeof found === "string" ? objectJsonIn(found) : objectJsonIn(written);
  if (json === undefined) return null;
  const tools = prepareTools([{ name: toolName, parameters } as ToolDefinition]);
  const argumentsText = withoutQuotes(json, tools.get(toolName)?.schema);
  const value: unknown = JSON.parse(argumentsText);
  const { members, depth } = measureJson(argumentsText);
  const verdict = checkCall(
    { name: toolName, argumentsText, members, depth, chars: input.length, repairs: read.repairs },
    tools,
    resolvePolicy({ validate: validateSchema }, "primary"),
  );
  // Digits that a number cannot hold would be others.
  return verdict.ok && !losesDigits(value) ? { ...toolCall, input: verdict.argumentsText } : null;
}

/** Values in quotes where no string is allowed are what they say, as in the calls that `parse` reads. */
function withoutQuotes(json: string, schema: JsonSchema | undefined): string {
  if (schema === undefined) return json;
  return unquoteAll(json, { allowed: allowedBy(schema), kinds: ["quoted-scalar", "quoted-container"] })?.json ?? json;
}

function losesDigits(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(losesDigits);
}
