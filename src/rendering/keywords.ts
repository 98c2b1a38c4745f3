import type { JsonSchema } from "../contract/types.ts";

export type Keywords = { readonly [keyword: string]: unknown };

/** Which draft a schema is written in says nothing to a model. */
export function shown(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { $schema, ...rest } = schema;
  return rest;
}

export function keywordsOf(schema: unknown): Keywords {
  return typeof schema === "object" && schema !== null ? (schema as Keywords) : {};
}
