import type { ListedTool, ListTools } from "../contract/tool-listings.ts";
import { keywordsOf, shown } from "./keywords.ts";

/** Tools as tags, and tags for each of their parameters. */
export const parameterTagListing: ListTools = (tools) => tools.map(tagsOf).join("\n");

function tagsOf({ name, description, schema }: ListedTool): string {
  const { properties, required, type: _type, ...others } = keywordsOf(shown(schema));
  const lines = ["<function>", `<name>${name}</name>`];
  if (description !== undefined) lines.push(`<description>${description}</description>`);
  lines.push("<parameters>");
  for (const [key, value] of Object.entries(keywordsOf(properties))) {
    lines.push("<parameter>", `<name>${key}</name>`);
    for (const [keyword, said] of Object.entries(keywordsOf(value))) lines.push(tagOf(keyword, said));
    lines.push("</parameter>");
  }
  if (required !== undefined) lines.push(tagOf("required", required));
  for (const [keyword, said] of Object.entries(others)) lines.push(tagOf(keyword, said));
  lines.push("</parameters>", "</function>");
  return lines.join("\n");
}

function tagOf(keyword: string, said: unknown): string {
  return `<${keyword}>${typeof said === "string" ? said : JSON.stringify(said)}</${keyword}>`;
}
