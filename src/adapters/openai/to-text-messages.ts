import { isObject } from "../../contract/is-object.ts";
import { checkList, checkOptionsOf } from "../../contract/option-values.ts";
import { standsAlone } from "../../contract/stands-alone.ts";
import { chooseFormats, type FormatName } from "../../formats/choose-formats.ts";
import type { FormatRegistry } from "../../formats/registry.ts";
import type { ToolDefinition } from "../../validation/tools.ts";
import { contentPieces } from "../content-pieces.ts";
import {
  type CallWishes,
  defaultRenderResult,
  type InstructionText,
  type PromptFormat,
  type RenderResult,
  renderedResult,
  renderPastCalls,
  textBeforeCalls,
  toolInstruction,
  withInstruction,
} from "../past-messages.ts";
import { conversationValues } from "./option-values.ts";

/** A message of a request, as far as it is looked at. Parts other than text are passed on, and so are members such as `name`. */
export interface RequestMessage {
  role: string;
  content?: unknown;
  tool_calls?: readonly { id?: string; function?: { name: string; arguments: string } }[] | null;
  tool_call_id?: string;
}

/** A message that any chat template can write. Members of the message that it was are kept, but for its calls. */
export interface TextMessage {
  role: string;
  content: unknown;
  [member: string]: unknown;
}

/** How a conversation is written. */
export interface TextMessagesOptions extends CallWishes {
  /** Writes calls and instruction: a format, or with `formats` its id or alias. */
  format: PromptFormat | FormatName;
  /** The registry that ids are looked up in: `import { formats } from "toolpeg"`. */
  formats?: FormatRegistry | undefined;
  /** The tools on offer; none, then nothing is said of tools. */
  tools?: readonly ToolDefinition[] | undefined;
  /** How a result is written. Default: JSON in `<tool_response>` tags. */
  renderResult?: RenderResult | undefined;
  /** The text that teaches the model its tools, or a function that makes it. Default: `format.instruction(tools)`. */
  instruction?: InstructionText | undefined;
}

/**
 * A conversation for a model that gets its tools as text: the tools stand in the system message, past calls as the
 * model wrote them, results as text of the user, with the pictures and files they show as parts behind it. What a proxy
 * sends to its server.
 *
 * @throws TypeError for a format that is an id, where no registry is given to look it up in
 */
export function toTextMessages(messages: readonly RequestMessage[], options: TextMessagesOptions): TextMessage[] {
  checkList("toTextMessages", 'a list of messages such as { role: "user", content: "Hi." }', messages);
  checkOptionsOf("toTextMessages", options, conversationValues);
  const { format: chosen, formats, tools = [], renderResult = defaultRenderResult, ...said } = options;
  const format = typeof chosen === "string" ? (chooseFormats(chosen, formats, false) as PromptFormat) : chosen;
  const names = new Map<string, string>();
  const out: TextMessage[] = [];
  let results: TextMessage | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      const id = message.tool_call_id ?? "";
      const text = renderedResult(renderResult, { id, name: names.get(id) ?? "", output: resultText(message.content) });
      // Results of one turn are one message: many templates need user and assistant to alternate.
      if (results === undefined) out.push((results = { role: "user", content: "" }));
      results.content = withResult(results.content, text, shownParts(message.content));
      continue;
    }
    results = undefined;
    const calls = (message.tool_calls ?? []).flatMap(({ id, function: called }) => {
      if (called === undefined) return [];
      if (id !== undefined) names.set(id, called.name);
      const { arguments: given } = called;
      const written = typeof given === "string" ? { argumentsText: given } : {};
      return [{ id, name: called.name, arguments: parsed(given), ...written }];
    });
    const { tool_calls: _, ...kept } = message;
    if (calls.length === 0) {
      out.push({
        ...kept,
        role: message.role === "developer" ? "system" : message.role,
        content: message.content ?? "",
      });
      continue;
    }
    // A model that saw text beside such a call would write what counts as none.
    const content = standsAlone(format) ? "" : message.content;
    const text = textBeforeCalls(plainText(content)) + renderPastCalls(format, calls);
    const shown = contentPieces(content).flatMap(({ parts = [] }) => parts);
    out.push({ ...kept, content: shown.length === 0 ? text : [{ type: "text", text }, ...shown] });
  }
  const instruction = toolInstruction(format, tools, said);
  return instruction === "" ? out : instructed(out, instruction);
}

function instructed(messages: TextMessage[], instruction: string): TextMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: instruction }, ...messages];
  return [{ role: "system", content: withInstruction(plainText(first.content), instruction) }, ...rest];
}

/** What the user says goes on with a result; what it shows stands behind its text. */
function withResult(said: unknown, text: string, shown: readonly unknown[]): unknown {
  const parts = typeof said === "string" ? [] : (said as unknown[]);
  const before = typeof said === "string" && said !== "" ? `${said}\n` : "";
  if (parts.length + shown.length === 0) return before + text;
  return [...parts, { type: "text", text: before + text }, ...shown];
}

/** Pictures and files of a content, in the shape that the parts of a user have as well. */
const shownParts = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? content.filter((part) => isObject(part) && typeof part.text !== "string") : [];

/** Some clients give back the value that a tool has given, and no text of it. */
function resultText(content: unknown): string {
  const isValue = content !== undefined && content !== null && typeof content !== "string" && !Array.isArray(content);
  return isValue ? (JSON.stringify(content) ?? "") : plainText(content);
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

/** Some clients keep the arguments as an object. What is no JSON stays as it was written. */
function parsed(json: unknown): unknown {
  if (typeof json !== "string") return json;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
