import type { ToolListing } from "../contract/tool-listings.ts";
import type { JsonSchema } from "../contract/types.ts";
import type { Tool } from "../validation/tools.ts";

export type Keywords = { readonly [keyword: string]: unknown };

/** What a prompt says of the tools, in one of the ways that models know. */
export function listTools(listing: ToolListing, tools: readonly Tool[]): string {
  switch (listing) {
    case "json":
      return tools.map((tool) => JSON.stringify(described(tool))).join("\n");
    case "function-json":
      return tools.map((tool) => JSON.stringify(enveloped(tool))).join("\n");
    case "function-json-array":
      return JSON.stringify(tools.map(enveloped));
    case "tool-tags":
      return tools.map((tool) => `<tool>${JSON.stringify(described(tool))}</tool>`).join("\n");
    case "typescript":
      return `namespace functions {\n\n${tools.map(typescriptOf).join("")}} // namespace functions`;
    case "parameter-tags":
      return tools.map(tagsOf).join("\n");
    case "headings":
      return tools
        .map(({ name, description = "", schema }) => {
          return `### ${name}\nDescription: ${description}\n\nParameters: ${JSON.stringify(shown(schema))}`;
        })
        .join("\n\n");
  }
}

function described({ name, description, schema }: Tool): object {
  return { name, description, parameters: shown(schema) };
}

function enveloped(tool: Tool): object {
  return { type: "function", function: described(tool) };
}

/** Which draft a schema is written in says nothing to a model. */
function shown(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { $schema, ...rest } = schema;
  return rest;
}

export function keywordsOf(schema: unknown): Keywords {
  return typeof schema === "object" && schema !== null ? (schema as Keywords) : {};
}

function requiredOf(schema: Keywords): readonly unknown[] {
  return Array.isArray(schema.required) ? schema.required : [];
}

// ----- Types as TypeScript has them -----

function typescriptOf({ name, description, schema }: Tool): string {
  const comment = description === undefined ? "" : commentOf(description);
  const properties = Object.keys(keywordsOf(keywordsOf(schema).properties));
  const given = properties.length === 0 ? "()" : `(_: ${typeText(keywordsOf(schema), 0)})`;
  return `${comment}type ${name} = ${given} => any;\n\n`;
}

function commentOf(text: string): string {
  return `${text
    .split("\n")
    .map((line) => `// ${line}`.trimEnd())
    .join("\n")}\n`;
}

/** Deeper types are `any`. */
const depthMax = 8;

function typeText(schema: Keywords, depth: number): string {
  if (depth > depthMax) return "any";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union)) return union.map((one) => typeText(keywordsOf(one), depth + 1)).join(" | ");
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => plainType(type, schema, depth)).join(" | ");
}

function plainType(type: unknown, schema: Keywords, depth: number): string {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array": {
      const items = typeText(keywordsOf(schema.items), depth + 1);
      return items.includes(" ") ? `(${items})[]` : `${items}[]`;
    }
    case "object":
      return objectType(schema, depth);
    default:
      return schema.properties === undefined ? "any" : objectType(schema, depth);
  }
}

function objectType(schema: Keywords, depth: number): string {
  const required = requiredOf(schema);
  const members = Object.entries(keywordsOf(schema.properties)).map(([key, value]) => {
    const property = keywordsOf(value);
    const comment = typeof property.description === "string" ? commentOf(property.description) : "";
    const standard = property.default === undefined ? "" : ` // default: ${JSON.stringify(property.default)}`;
    return `${comment}${key}${required.includes(key) ? "" : "?"}: ${typeText(property, depth + 1)},${standard}\n`;
  });
  return members.length === 0 ? "object" : `{\n${members.join("")}}`;
}

// ----- Tags -----

function tagsOf({ name, description, schema }: Tool): string {
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
