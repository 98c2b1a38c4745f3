import type { ListedTool, ListTools } from "../contract/tool-listings.ts";
import { type Keywords, keywordsOf } from "./keywords.ts";

/** Tools as function types, in the namespace `functions`. */
export const typescriptListing: ListTools = (tools) =>
  `namespace functions {\n\n${tools.map(typescriptOf).join("")}} // namespace functions`;

function requiredOf(schema: Keywords): readonly unknown[] {
  return Array.isArray(schema.required) ? schema.required : [];
}

function typescriptOf({ name, description, schema }: ListedTool): string {
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
