import type { JsonSchema } from "../contract/types.ts";
import type { FormatData } from "../formats/format-data.ts";
import type { Tool } from "../validation/tools.ts";
import { type Keywords, keywordsOf } from "./keywords.ts";
import { renderCalls } from "./render-calls.ts";

/**
 * How a call looks, by one of the tools on offer: a model copies what it sees, so a made-up tool would be called. The
 * example of the header stands where the format cannot carry the call.
 */
export function exampleCall(format: FormatData, tools: readonly Tool[]): string {
  const tool = tools.find(({ keys }) => keys.size > 0) ?? tools[0];
  try {
    return renderCalls(format, [{ name: tool.name, arguments: sampleArguments(tool.schema) }]);
  } catch (error) {
    if ((error as Error).name !== "RenderError") throw error;
    return format.example;
  }
}

/** Values for what has to be given, or for the first parameter. */
function sampleArguments(schema: JsonSchema): Record<string, unknown> {
  return sampleObject(keywordsOf(schema), 0) ?? {};
}

/** Deeper values are written as empty. */
const depthMax = 3;

function sampleObject(schema: Keywords, depth: number): Record<string, unknown> | undefined {
  const properties = keywordsOf(schema.properties);
  const keys = Object.keys(properties);
  const required = Array.isArray(schema.required) ? schema.required.filter((key) => keys.includes(key)) : [];
  const shown = required.length > 0 ? required : keys.slice(0, 1);
  const out: Record<string, unknown> = {};
  for (const key of shown) {
    // `__proto__` would not become a member.
    if (key !== "__proto__") out[key] = sampleValue(keywordsOf(properties[key]), depth + 1);
  }
  return out;
}

function sampleValue(schema: Keywords, depth: number): unknown {
  if (schema.const !== undefined) return schema.const;
  for (const given of [schema.enum, schema.examples]) if (Array.isArray(given) && given.length > 0) return given[0];
  if (schema.default !== undefined) return schema.default;
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  switch (type) {
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "array":
      return depth < depthMax && schema.items !== undefined ? [sampleValue(keywordsOf(schema.items), depth + 1)] : [];
    case "object":
      return depth < depthMax ? sampleObject(schema, depth) : {};
    default: {
      for (const union of [schema.anyOf, schema.oneOf]) {
        const first = Array.isArray(union) ? union.find((one) => keywordsOf(one).type !== "null") : undefined;
        if (first !== undefined && depth < depthMax) return sampleValue(keywordsOf(first), depth + 1);
      }
      return "...";
    }
  }
}
