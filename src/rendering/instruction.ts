import { onceFor } from "../contract/once-for.ts";
import { standsAlone } from "../contract/stands-alone.ts";
import { promptPlaces, type ToolListing } from "../contract/tool-listings.ts";
import type { FormatData } from "../formats/format-data.ts";
import { prepareTools, type Tool, type ToolDefinition, type ToolSet } from "../validation/tools.ts";
import { exampleCall } from "./example-call.ts";
import { listTools } from "./list-tools.ts";

const textsOf = onceFor((set: ToolSet) => onceFor((format: FormatData) => compose(format, set)));

/**
 * The part of a system prompt that teaches a model to call these tools in this format: what its models are documented to
 * get, or else shared text; each tool with its parameters, and a call of one of them as an example. Computed once per
 * format and tool set: the same array with the same definitions in it gives the same string.
 *
 * @throws TypeError for tools that `parse` would refuse as well.
 */
export const instructionOf = (format: FormatData, tools: readonly ToolDefinition[]): string =>
  textsOf(prepareTools(tools))(format);

function compose(format: FormatData, { list }: ToolSet): string {
  if (list.length === 0) return "There are no tools to call. Answer in plain text.";
  return fill(format.prompt ?? sharedPrompt(format), format, list);
}

/** What models without a documented prompt get. */
function sharedPrompt(format: FormatData): string {
  return `You can call tools. Each line is one tool, with its parameters as JSON Schema:

{{tools json}}

${howToCall(format, "{{example}}")}

That is an example: take the tool that is needed, with values of your own. Give every required parameter, and none that is
not declared. Write calls as they stand here, not in quotes, code fences or your reasoning. Say nothing of a result
before you have it. When no tool is needed, answer in plain text.`;
}

/** A prompt with its places filled in. What goes in is not looked at again. */
function fill(prompt: string, format: FormatData, tools: readonly Tool[]): string {
  let out = "";
  let rest = prompt;
  for (let found = promptPlaces.exec(rest); found !== null; found = promptPlaces.exec(rest)) {
    const [place, listing] = found;
    out += rest.slice(0, found.index);
    out +=
      listing === undefined ? exampleCall(format, tools) : listTools(listing as ToolListing, tools, format.listings);
    rest = rest.slice(found.index + place.length);
  }
  return out + rest;
}

/** How a call looks, for prompts and corrections. */
export function howToCall(format: FormatData, example = format.example): string {
  const many =
    format.template?.between === undefined ? "One call per message." : "Several calls may follow each other.";
  const alone = standsAlone(format) ? " Write nothing else in that message." : "";
  return `To call a tool, write exactly this form. ${many}${alone}\n\n${example}`;
}
