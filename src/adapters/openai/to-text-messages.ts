import type { ToolDefinition } from "../../gate/tools.ts";
import {
  defaultRenderResult,
  type PromptFormat,
  type RenderResult,
  renderPastCalls,
  withInstruction,
} from "../past-messages.ts";

/** A message of a request, as far as it is looked at. Parts other than text are passed on. */
export interface RequestMessage {
  role: string;
  content?: unknown;
  tool_calls?: readonly { id?: string; function?: { name: string; arguments: string } }[] | null;
  tool_call_id?: string;
}

/** A message that any chat template can write. */
export interface TextMessage {
  role: string;
  content: unknown;
}

/**
 * A conversation for a model that gets its tools as text: the tools stand in the system message, past calls as the
 * model wrote them, results as text of the user. What a proxy sends to its server.
 *
 * @param options.format Writes calls and instruction.
 * @param options.tools The tools on offer; none, then nothing is said of tools.
 * @param options.renderResult How a result is told. Default: JSON in `<tool_response>` tags.
 */
export function toTextMessages(
  messages: readonly RequestMessage[],
  options: { format: PromptFormat; tools?: readonly ToolDefinition[] | undefined; renderResult?: RenderResult },
): TextMessage[] {
  const { format, tools = [], renderResult = defaultRenderResult } = options;
  const names = new Map<string, string>();
  const out: TextMessage[] = [];
  let results: TextMessage | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      const id = message.tool_call_id ?? "";
      const text = renderResult({ id, name: names.get(id) ?? "", output: plainText(message.content) });
      // Results of one turn are one message: many templates want user and assistant to alternate.
      if (results !== undefined) results.content = `${results.content}\n${text}`;
      else out.push((results = { role: "user", content: text }));
      continue;
    }
    results = undefined;
    const calls = (message.tool_calls ?? []).flatMap(({ id, function: called }) => {
      if (called === undefined) return [];
      if (id !== undefined) names.set(id, called.name);
      return [{ id, name: called.name, arguments: parsed(called.arguments) }];
    });
    if (calls.length === 0) {
      out.push({ role: message.role === "developer" ? "system" : message.role, content: message.content ?? "" });
      continue;
    }
    const said = plainText(message.content);
    const text = renderPastCalls(format, calls);
    out.push({ role: message.role, content: said === "" ? text : `${said}\n${text}` });
  }
  return tools.length === 0 ? out : instructed(out, format.instruction(tools));
}

function instructed(messages: TextMessage[], instruction: string): TextMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: instruction }, ...messages];
  return [{ role: "system", content: withInstruction(plainText(first.content), instruction) }, ...rest];
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
