import { standsAlone } from "../../contract/stands-alone.ts";
import type { Format } from "../../formats/format.ts";
import { toRejectedToolCall } from "../../rendering/rejected-tool-call.ts";
import type { ToolDefinition } from "../../validation/tools.ts";
import {
  type CallWishes,
  type InstructionText,
  type PromptFormat,
  type RenderResult,
  renderedResult,
  renderPastCalls,
  textBeforeCalls,
  toolInstruction,
  withInstruction,
} from "../past-messages.ts";
import type { RefusedMark } from "./part-writer.ts";
import type { CallOptions, Part, PromptMessage, ToolPart } from "./shapes.ts";

/** The function tools of a call as the parser takes them. Tools that the provider runs itself are not among them. */
export function offeredTools(options: CallOptions): ToolDefinition[] {
  const { tools = [] } = options;
  const only = chosenTools(options);
  return tools
    .filter((tool) => isFunction(tool) && only?.includes(tool.name) !== false)
    .map(({ name, description, inputSchema }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { parameters: inputSchema as object }),
    })) as ToolDefinition[];
}

/** The names of the only tools that may be called, where the host has chosen. */
export function chosenTools({ toolChoice }: CallOptions): readonly string[] | undefined {
  if (toolChoice?.type === "none") return [];
  return toolChoice?.type === "tool" ? [String(toolChoice.toolName)] : undefined;
}

const isFunction = (tool: ToolPart) => tool.type === "function";

/** What was asked of the model beside the tools. */
export function callWishes({ toolChoice }: CallOptions): CallWishes {
  if (toolChoice?.type === "required") return { toolChoice: "required" };
  if (toolChoice?.type === "tool") return { toolChoice: { name: String(toolChoice.toolName) } };
  return {};
}

/** Whether JSON was asked for as the answer. */
export function answersInJson({ responseFormat }: CallOptions): boolean {
  return (responseFormat as { type?: unknown } | undefined)?.type === "json";
}

export interface TextPromptOptions {
  format: PromptFormat & Pick<Format, "correction">;
  tools: readonly ToolDefinition[];
  renderResult: RenderResult;
  instruction: InstructionText | undefined;
}

/**
 * The call options for a model that gets its tools as text: the tools stand in the system message, past calls as the
 * model wrote them, results as text of the user.
 */
export function toTextPrompt(options: CallOptions, textOptions: TextPromptOptions): CallOptions {
  const { format, tools, instruction } = textOptions;
  const prompt = tellResults(options.prompt, textOptions).map((message) =>
    message.role === "assistant" ? tellCalls(message, format) : message,
  );
  const { tools: given = [], toolChoice, ...rest } = options;
  const providerTools = given.filter((tool) => !isFunction(tool));
  const said = toolInstruction(format, tools, { ...callWishes(options), instruction });
  return {
    ...rest,
    ...(providerTools.length > 0 ? { tools: providerTools } : {}),
    prompt: said === "" ? prompt : instructed(prompt, said),
  };
}

/** The refusal that a call of an earlier message stands for. */
function refusedMark(part: Part): RefusedMark | undefined {
  const options = part.providerOptions as { toolpeg?: { refused?: RefusedMark } } | undefined;
  return options?.toolpeg?.refused;
}

/**
 * For a server that writes calls with its own template: a refused call of an earlier message is one of the tool that was
 * meant, without arguments, and its result says why it was not run.
 */
export function withoutRefusedCalls(options: CallOptions): CallOptions {
  const refused = refusedCalls(options.prompt);
  if (refused.size === 0) return options;
  const prompt = options.prompt.map((message) => {
    if (typeof message.content === "string") return message;
    const content = message.content.map((part) => {
      const mark = refused.get(part.toolCallId);
      if (mark === undefined) return part;
      const { name, error } = toRejectedToolCall(mark);
      if (part.type === "tool-call") return { ...part, toolName: name, input: {} };
      if (part.type !== "tool-result") return part;
      return { ...part, toolName: name, output: { type: "error-text", value: `not run: ${error}` } };
    });
    return { ...message, content };
  });
  return { ...options, prompt };
}

/** The refusals that calls of earlier messages stand for, by the id of the call. */
function refusedCalls(prompt: readonly PromptMessage[]): ReadonlyMap<unknown, RefusedMark> {
  const refused = new Map<unknown, RefusedMark>();
  for (const message of prompt) {
    if (message.role !== "assistant") continue;
    for (const part of partsOf(message)) {
      const mark = part.type === "tool-call" ? refusedMark(part) : undefined;
      if (mark !== undefined) refused.set(part.toolCallId, mark);
    }
  }
  return refused;
}

function instructed(prompt: PromptMessage[], instruction: string): PromptMessage[] {
  const [first, ...rest] = prompt;
  if (first?.role !== "system") return [{ role: "system", content: instruction }, ...prompt];
  return [{ ...first, content: withInstruction(String(first.content), instruction) }, ...rest];
}

function partsOf(message: PromptMessage): Part[] {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

/** The provider has not run it itself. */
const isOwnCall = ({ type, providerExecuted }: Part): boolean => type === "tool-call" && providerExecuted !== true;

/** Calls in a message of the model become text; those that the provider ran itself stay. */
function tellCalls(message: PromptMessage, format: TextPromptOptions["format"]): PromptMessage {
  const content: Part[] = [];
  let calls: Part[] = [];
  const flush = () => {
    if (calls.length === 0) return;
    const past = calls.map((part) => ({
      name: String(part.toolName),
      id: String(part.toolCallId),
      arguments: part.input,
    }));
    say(renderPastCalls(format, past));
    calls = [];
  };
  const say = (text: string) => {
    const last = content.at(-1);
    const before = last?.type === "text" ? String(last.text) : "";
    const after = textBeforeCalls(before).slice(before.length);
    content.push({ type: "text", text: (before.endsWith("\n") && after === "\n" ? "" : after) + text });
  };
  const parts = partsOf(message);
  // A model that saw text beside such a call would write what counts as none.
  const areAlone = standsAlone(format) && parts.some(isOwnCall);
  for (const part of parts) {
    const refused = part.type === "tool-call" ? refusedMark(part) : undefined;
    if (areAlone && part.type === "text") continue;
    if (refused !== undefined) {
      flush();
      // As the model wrote it, so that it sees what the correction is about.
      say(refused.raw);
    } else if (isOwnCall(part)) calls.push(part);
    else {
      flush();
      content.push(part);
    }
  }
  flush();
  return { ...message, content };
}

/** Messages with results become messages of the user, one for each turn: many templates need alternating roles. */
function tellResults(prompt: readonly PromptMessage[], options: TextPromptOptions): PromptMessage[] {
  const refused = refusedCalls(prompt);
  const asText = (part: Part): Part[] => {
    const mark = refused.get(part.toolCallId);
    if (mark === undefined) return tellResult(part, options.renderResult);
    return [{ type: "text", text: `${options.format.correction(mark)}\n` }];
  };
  const out: PromptMessage[] = [];
  let open: PromptMessage | undefined;
  for (const message of prompt) {
    if (message.role === "tool") {
      const parts = partsOf(message);
      const others = parts.filter((part) => part.type !== "tool-result");
      if (others.length > 0) out.push({ ...message, content: others });
      const written = parts.filter((part) => part.type === "tool-result").flatMap(asText);
      if (written.length === 0) continue;
      if (open === undefined) out.push((open = { role: "user", content: [] }));
      (open.content as Part[]).push(...written);
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

/** A result as text, with the files that it holds behind it. */
function tellResult(part: Part, renderResult: RenderResult): Part[] {
  const output = part.output as Part | undefined;
  const text = renderedResult(renderResult, {
    name: String(part.toolName),
    id: String(part.toolCallId),
    output: outputValue(output),
  });
  const shown = output?.type === "content" ? (output.value as Part[]).filter(isFile) : [];
  const files = shown.map(({ data, mediaType, filename }) => ({
    type: "file",
    data,
    mediaType,
    ...(filename === undefined ? {} : { filename }),
  }));
  return [{ type: "text", text: `${text}\n` }, ...files];
}

/** A file whose data is there; one with an address alone would have to be fetched for a model that fetches none. */
function isFile({ data, mediaType }: Part): boolean {
  const isThere = typeof data === "string" || data instanceof Uint8Array || (data as Part | undefined)?.type === "data";
  return isThere && typeof mediaType === "string";
}

/** What a result holds, as a value that can be written as text; files are named in it. */
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
