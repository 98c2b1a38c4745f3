import type { ToolDefinition } from "../../gate/tools.ts";
import { type PromptFormat, type RenderResult, renderPastCalls, withInstruction } from "../past-messages.ts";
import type { CallOptions, Part, PromptMessage, ToolPart } from "./shapes.ts";

/** The function tools of a call as the parser takes them. Tools that the provider runs itself are not among them. */
export function offeredTools({ tools = [], toolChoice }: CallOptions): ToolDefinition[] {
  if (toolChoice?.type === "none") return [];
  return tools
    .filter((tool) => isFunction(tool) && (toolChoice?.type !== "tool" || tool.name === toolChoice.toolName))
    .map(({ name, description, inputSchema }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { parameters: inputSchema as object }),
    })) as ToolDefinition[];
}

const isFunction = (tool: ToolPart) => tool.type === "function";

/** The tool choices under which the model was told to call something. */
export function wantsCall({ toolChoice }: CallOptions): boolean {
  return toolChoice?.type === "required" || toolChoice?.type === "tool";
}

export interface TextPromptOptions {
  format: PromptFormat;
  tools: readonly ToolDefinition[];
  renderResult: RenderResult;
}

/**
 * The call options for a model that gets its tools as text: the tools stand in the system message, past calls as the
 * model wrote them, results as text of the user.
 */
export function toTextPrompt(options: CallOptions, { format, tools, renderResult }: TextPromptOptions): CallOptions {
  const prompt = tellResults(options.prompt, renderResult).map((message) =>
    message.role === "assistant" ? tellCalls(message, format) : message,
  );
  const { tools: given = [], toolChoice, ...rest } = options;
  const providerTools = given.filter((tool) => !isFunction(tool));
  return {
    ...rest,
    ...(providerTools.length > 0 ? { tools: providerTools } : {}),
    prompt: tools.length === 0 ? prompt : instructed(prompt, instructionOf(format, tools, options)),
  };
}

function instructionOf(format: PromptFormat, tools: readonly ToolDefinition[], options: CallOptions): string {
  const instruction = format.instruction(tools);
  return wantsCall(options) ? `${instruction}\n\nThis time a tool must be called.` : instruction;
}

function instructed(prompt: PromptMessage[], instruction: string): PromptMessage[] {
  const [first, ...rest] = prompt;
  if (first?.role !== "system") return [{ role: "system", content: instruction }, ...prompt];
  return [{ ...first, content: withInstruction(String(first.content), instruction) }, ...rest];
}

function partsOf(message: PromptMessage): Part[] {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

/** Calls in a message of the model become text; those that the provider ran itself stay. */
function tellCalls(message: PromptMessage, format: PromptFormat): PromptMessage {
  const content: Part[] = [];
  let calls: Part[] = [];
  const flush = () => {
    if (calls.length === 0) return;
    const text = renderPastCalls(
      format,
      calls.map((part) => ({ name: String(part.toolName), id: String(part.toolCallId), arguments: part.input })),
    );
    const last = content.at(-1);
    const joins = last?.type === "text" && !String(last.text).endsWith("\n");
    content.push({ type: "text", text: joins ? `\n${text}` : text });
    calls = [];
  };
  for (const part of partsOf(message)) {
    if (part.type === "tool-call" && part.providerExecuted !== true) calls.push(part);
    else {
      flush();
      content.push(part);
    }
  }
  flush();
  return { ...message, content };
}

/** Messages with results become messages of the user, one for each turn: many templates want the roles to alternate. */
function tellResults(prompt: readonly PromptMessage[], renderResult: RenderResult): PromptMessage[] {
  const out: PromptMessage[] = [];
  let open: PromptMessage | undefined;
  for (const message of prompt) {
    if (message.role === "tool") {
      const parts = partsOf(message);
      const others = parts.filter((part) => part.type !== "tool-result");
      if (others.length > 0) out.push({ ...message, content: others });
      const told = parts.filter((part) => part.type === "tool-result").map((part) => tellResult(part, renderResult));
      if (told.length === 0) continue;
      if (open === undefined) out.push((open = { role: "user", content: [] }));
      (open.content as Part[]).push(...told);
    } else if (message.role === "user" && open !== undefined) {
      (open.content as Part[]).push(...partsOf(message));
      open = undefined;
    } else {
      open = undefined;
      out.push(message);
    }
  }
  return out;
}

function tellResult(part: Part, renderResult: RenderResult): Part {
  const text = renderResult({
    name: String(part.toolName),
    id: String(part.toolCallId),
    output: outputValue(part.output as Part | undefined),
  });
  return { type: "text", text: `${text}\n` };
}

/** What a result holds, as a value that can be told as text; files are named, not shown. */
function outputValue(output: Part | undefined): unknown {
  switch (output?.type) {
    case "text":
    case "json":
      return output.value;
    case "error-text":
    case "error-json":
      return { error: output.value };
    case "execution-denied":
      return { error: output.reason ?? "the user did not allow this call" };
    case "content":
      return (output.value as Part[])
        .map((part) => (part.type === "text" ? part.text : `[${part.type} ${part.mediaType ?? ""}]`))
        .join("");
    default:
      return output ?? null;
  }
}
