import { prepareTools, type ToolDefinition, type ToolSet } from "../gate/tools.ts";
import type { FormatData } from "../runtime/format.ts";

const cache = new WeakMap<ToolSet, WeakMap<FormatData, string>>();

/**
 * The part of a system prompt that teaches a model to call these tools in this format: shared text, the example of the
 * format's header, and each tool with its parameters as JSON Schema. Computed once per format and tool set: the same
 * array with the same definitions in it gives the same string.
 *
 * @throws TypeError for tools that `parse` would refuse as well.
 */
export function instructionOf(format: FormatData, tools: readonly ToolDefinition[]): string {
  const set = prepareTools(tools);
  let texts = cache.get(set);
  if (!texts) {
    texts = new WeakMap();
    cache.set(set, texts);
  }
  let text = texts.get(format);
  if (text === undefined) {
    text = compose(format, set);
    texts.set(format, text);
  }
  return text;
}

function compose(format: FormatData, { list }: ToolSet): string {
  if (list.length === 0) return "There are no tools to call. Answer in plain text.";
  const described = list.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema }),
  );
  return [
    "You can call tools. Each line is one tool, with its parameters as JSON Schema:",
    described.join("\n"),
    `${howToCall(format)}\n\nUse the names of the tools above; the example's are made up. Give every required parameter, and
none that is not declared. Write calls as they stand here, not in quotes, code fences or your reasoning. Say nothing
of a result before you have it. When no tool is needed, answer in plain text.`,
  ].join("\n\n");
}

/** How a call looks, for prompts and corrections. */
export function howToCall(format: FormatData): string {
  const many =
    format.template?.between === undefined ? "One call per message." : "Several calls may follow each other.";
  const alone =
    format.mode !== "primary" || format.flags.includes("whole-message") ? " Write nothing else in that message." : "";
  return `To call a tool, write exactly this form. ${many}${alone}\n\n${format.example}`;
}
