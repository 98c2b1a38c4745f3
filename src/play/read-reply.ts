import type { Explanation } from "../explain.ts";
import { explain, type Format, formats, type ParseOptions } from "../index.ts";
import { messageOf } from "./field.tsx";
import { ownFormat, type PlayState } from "./state.ts";

/** What the fields of the page say, as options; `problem` when one of them is not as it should be. */
export interface Reading {
  options?: ParseOptions;
  explanation?: Explanation;
  validated: boolean;
  problem?: string;
}

/** Reads the reply of the page. */
export function readReply(state: PlayState, own: Format | undefined): Reading {
  let validated = false;
  try {
    const options = optionsOf(state, own);
    validated = options.tools.length > 0;
    return { options, explanation: explain(state.text, options), validated };
  } catch (error) {
    return { validated, problem: messageOf(error) };
  }
}

function optionsOf(state: PlayState, own: Format | undefined): ParseOptions {
  const { format, prefill, finishReason, intent } = state;
  if (format === ownFormat && own === undefined)
    throw new Error("your grammar does not compile: look at the Grammar tab");
  const tools = toolsOf(state.tools);
  const policy = state.policy.trim() === "" ? {} : jsonOf(state.policy, "the policy");
  // Without tools it is shown what would be called; nothing is checked.
  const open = tools.length === 0 ? { unknownTool: "pass", schema: "off" } : {};
  return {
    format: format === ownFormat ? (own as Format) : format,
    tools,
    policy: { ...open, ...(policy as object) },
    ...(prefill === "" ? {} : { prefill: prefill.replaceAll("\\n", "\n") }),
    ...(finishReason === "" ? {} : { finishReason }),
    ...(intent ? { intent } : {}),
  } as ParseOptions;
}

/** The tools of a field: an array, or an object that holds one as `tools`, as a request body does. */
export function toolsOf(text: string): ParseOptions["tools"] {
  if (text.trim() === "") return [];
  const value = jsonOf(text, "the tools field");
  const tools = Array.isArray(value) ? value : (value as { tools?: unknown } | null)?.tools;
  if (Array.isArray(tools)) return tools;
  throw new Error('the tools field holds no tools: write an array such as [{"name": "read_dial"}]');
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${messageOf(error)}`);
  }
}

/** The format that the page can write in: the chosen one, or the one that was detected. */
export function writableFormat(state: PlayState, reading: Reading, own: Format | undefined): Format | undefined {
  if (state.format === ownFormat) return own;
  if (state.format !== "auto") return formats.get(state.format);
  const found = reading.explanation?.candidates[0]?.format;
  return found === undefined ? undefined : formats.get(found);
}
