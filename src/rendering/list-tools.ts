import type { ListedTool, ToolListing, ToolListings } from "../contract/tool-listings.ts";
import { shown } from "./keywords.ts";

/**
 * What a prompt says of the tools, in one of the ways that models know.
 *
 * @param own the ways that the format brings
 */
export function listTools(listing: ToolListing, tools: readonly ListedTool[], own: ToolListings = {}): string {
  switch (listing) {
    case "json":
      return tools.map((tool) => JSON.stringify(described(tool))).join("\n");
    case "function-json":
      return tools.map((tool) => JSON.stringify(enveloped(tool))).join("\n");
    case "function-json-array":
      return JSON.stringify(tools.map(enveloped));
    case "tool-tags":
      return tools.map((tool) => `<tool>${JSON.stringify(described(tool))}</tool>`).join("\n");
    case "headings":
      return tools
        .map(({ name, description = "", schema }) => {
          return `### ${name}\nDescription: ${description}\n\nParameters: ${JSON.stringify(shown(schema))}`;
        })
        .join("\n\n");
    default: {
      const list = own[listing];
      if (list === undefined)
        throw new TypeError(`the format has no way to list tools as ${listing}: compile its grammar again`);
      return list(tools);
    }
  }
}

function described({ name, description, schema }: ListedTool): object {
  return { name, description, parameters: shown(schema) };
}

function enveloped(tool: ListedTool): object {
  return { type: "function", function: described(tool) };
}
