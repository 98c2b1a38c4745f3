import type { RequestMessage } from "../adapters/openai/to-text-messages.ts";
import { isObject } from "../contract/is-object.ts";
import { Problem } from "./problem.ts";

/** A tool as a chat completion carries it. */
export interface FunctionTool {
  type: "function";
  function: { name: string; description?: string; parameters?: object; strict?: boolean };
}

/** What a request says of tools: free, none, at least one, or this one. */
export type ToolChoice = "auto" | "none" | "required" | { name: string };

/** What a request asks of the form of the answer; as chat completions write it. */
export type ResponseFormat = { type: string; [key: string]: unknown };

/** A request of any protocol, in the words of chat completions. */
export interface ChatRequest {
  model: string;
  messages: RequestMessage[];
  tools: FunctionTool[];
  toolChoice: ToolChoice;
  /** The names of the tools that may be called, where the request narrows what is on offer to several. */
  allowed?: readonly string[] | undefined;
  /** Several calls may be made in one message. */
  parallel: boolean;
  responseFormat?: ResponseFormat | undefined;
  stream: boolean;
  /** The usage is asked for at the end of a stream. */
  streamUsage: boolean;
  /** Every other member of the upstream's request. */
  rest: Record<string, unknown>;
}

/** The body of a request, before anything is known of it. */
export type Body = Record<string, unknown>;

/** A member that must be text, a number, ... where it is given. */
export function member<Type extends "string" | "number" | "boolean">(
  body: Body,
  key: string,
  type: Type,
): (Type extends "string" ? string : Type extends "number" ? number : boolean) | undefined {
  const value = body[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== type) throw invalid(`\`${key}\` must be a ${type}`, key);
  return value as never;
}

/** A member that must be a list where it is given. */
export function listMember(body: Body, key: string): Body[] {
  const value = body[key] ?? [];
  if (!Array.isArray(value)) throw invalid(`\`${key}\` must be a list`, key);
  for (const item of value) if (!isObject(item)) throw invalid(`\`${key}\` must hold objects`, key);
  return value;
}

/** The request is not as it should be. */
export function invalid(message: string, param?: string): Problem {
  return new Problem({ status: 400, message, type: "invalid_request_error", param });
}

/** The members of an object without some of them, and without those that are undefined. */
export function without(body: Body, keys: readonly string[]): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => !keys.includes(key) && value !== undefined && value !== null),
  );
}

/** Narrows what is on offer to the tools that a request allows by name. */
export function onlyTools(tools: readonly FunctionTool[], names: readonly string[]): FunctionTool[] {
  for (const name of names) {
    if (!tools.some((tool) => tool.function.name === name)) {
      throw invalid(`tool_choice names ${JSON.stringify(name)}, which is not among the tools`, "tool_choice");
    }
  }
  return tools.filter((tool) => names.includes(tool.function.name));
}
