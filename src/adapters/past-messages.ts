import { isObject } from "../contract/is-object.ts";
import { show } from "../contract/option-values.ts";
import type { Format } from "../formats/format.ts";
import { fenceAfter, lineBreak, type OpenMarks, opensLine } from "../message/text/fence-lines.ts";
import { walkValue } from "../validation/json-walk.ts";
import type { ToolDefinition } from "../validation/tools.ts";

/** What a format must be able to write for a conversation to be written as text. */
export type PromptFormat = Pick<Format, "renderCalls" | "instruction"> &
  Partial<Pick<Format, "example" | "triggers" | "unmarkedLeads">>;

/** A call of an earlier message. */
export interface PastCall {
  name: string;
  arguments: unknown;
  id?: string | undefined;
  /** The arguments as they were written: numbers keep the digits that JavaScript's do not. */
  argumentsText?: string | undefined;
}

/** What the host got from a tool. */
export interface PastResult {
  name: string;
  id: string;
  /** Text as it is, anything else as JSON. */
  output: unknown;
}

/** How a result is written for the model. */
export type RenderResult = (result: PastResult) => string;

/**
 * Earlier calls as the model would have written them. What the format cannot carry (a value that holds its own closing
 * marker, arguments that are no object) is written as JSON, so that a conversation never breaks on its own past.
 */
export function renderPastCalls(format: PromptFormat, calls: readonly PastCall[]): string {
  const past = calls.map((call) => ({ ...call, arguments: isNothing(call.arguments) ? {} : call.arguments }));
  try {
    if (past.every(hasObject)) return format.renderCalls(past);
  } catch (error) {
    // Anything else is misuse, or a fault of ours.
    if ((error as Error).name !== "RenderError") throw error;
  }
  return past.map(({ name, arguments: given }) => JSON.stringify({ name, arguments: given })).join("\n");
}

/** What stands before calls, ended by a line break: a fence that the text leaves open would quote them, so it is closed. */
export function textBeforeCalls(said: string): string {
  if (said === "") return "";
  let open: OpenMarks | undefined;
  for (const line of said.split(lineBreak)) open = fenceAfter(open, line, opensLine);
  // In a list or a quotation, the closer stands where the opener does.
  const closer = open === undefined ? "" : `${(open.before ?? "").replace(/[^\s>]/g, " ")}${open.marks}\n`;
  return `${said}${closer !== "" && said.endsWith("\n") ? "" : "\n"}${closer}`;
}

const isNothing = (value: unknown) => value === undefined || value === null || value === "";

/** Whether the arguments are an object of JSON: a number that has overflowed is in none. */
const hasObject = <Call extends PastCall>(call: Call): call is Call & { arguments: Record<string, unknown> } =>
  isObject(call.arguments) && walkValue(call.arguments, () => true).nonFinite === undefined;

/** The form that most chat templates of open models use for results. */
export const defaultRenderResult: RenderResult = ({ name, output }) =>
  `<tool_response>\n${JSON.stringify({ name, content: output ?? null })}\n</tool_response>`;

/** A result as it is written for the model. */
export function renderedResult(renderResult: RenderResult, result: PastResult): string {
  const text: unknown = renderResult(result);
  if (typeof text === "string") return text;
  throw new TypeError(`renderResult must give a string, not ${show(text)}`);
}

/** What was asked of the model beside the tools. */
export interface CallWishes {
  /** `"required"`: some tool must be called; a name: that one. Default `"auto"`. */
  toolChoice?: "auto" | "required" | { name: string } | undefined;
  /** Whether a message may make several calls. Default true. */
  parallel?: boolean | undefined;
}

/**
 * The text that teaches a model its tools, or a function that makes it of the tools on offer. A function says the wishes
 * itself; to a text they are added.
 */
export type InstructionText =
  | string
  | ((tools: readonly ToolDefinition[], context: CallWishes & { format: PromptFormat }) => string);

/** What the system message says of tools; empty when none is on offer. */
export function toolInstruction(
  format: PromptFormat,
  tools: readonly ToolDefinition[],
  { instruction, ...wishes }: CallWishes & { instruction?: InstructionText | undefined },
): string {
  if (tools.length === 0) return "";
  if (typeof instruction === "function") {
    const text: unknown = instruction(tools, { ...wishes, format });
    if (typeof text === "string") return text;
    throw new TypeError(`instruction must give a string, not ${show(text)}`);
  }
  const { toolChoice, parallel } = wishes;
  const said = [instruction ?? format.instruction(tools)];
  if (toolChoice === "required") said.push("This time a tool must be called.");
  else if (typeof toolChoice === "object") {
    said.push(`This time the tool ${JSON.stringify(toolChoice.name)} must be called.`);
  }
  if (parallel === false) said.push("Make at most one call in this message.");
  return said.join("\n\n");
}

/** A system text with the instruction of the tools after it. */
export function withInstruction(system: string, instruction: string): string {
  if (instruction === "") return system;
  return system === "" ? instruction : `${system}\n\n${instruction}`;
}
