import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema } from "../contract/types.ts";
import { textTypeOf } from "./declared-type.ts";
import { declaredKeys, isClosedObject, listOf, propertySchema, requiredKeys, schemaObject } from "./schema-walk.ts";
import { type TypedText, typeText } from "./text-to-value.ts";

// The arguments of a tool may have shapes to choose from: `oneOf` at the root of its schema, told apart by the value of a
// parameter, by what is required, or by what is declared. What a text is may then be known from the others.

/** How many shapes are told apart; of more, each parameter is typed by all of them. */
const alternativesMax = 64;

/** The shapes of arguments, each with what the schema says besides; empty: there are no two. */
export function rootAlternatives(root: JsonSchema | undefined): readonly JsonSchema[] {
  const object = schemaObject(root);
  return object === undefined ? [] : alternativesOf(object);
}

const alternativesOf = onceFor((root: { readonly [keyword: string]: unknown }): readonly JsonSchema[] => {
  const lists = ["oneOf", "anyOf"].map((keyword) => listOf(root, keyword)).filter((list) => list.length > 1);
  if (lists.length !== 1 || lists[0].length > alternativesMax) return [];
  const { oneOf: _one, anyOf: _any, ...common } = root;
  return lists[0].map((branch) => ({ allOf: [common as JsonSchema, branch] }));
});

/** What a text is as a parameter in each of some shapes, the same once. */
export function typingsOf(
  shapes: readonly JsonSchema[],
  root: JsonSchema,
  key: string,
  text: string,
): readonly TypedText[] {
  const found = new Map<string, TypedText>();
  for (const shape of shapes) {
    const typed = typeText(text, textTypeOf(propertySchema(shape, root, key), root));
    found.set("json" in typed ? typed.json : "", typed);
  }
  return [...found.values()];
}

/** The shapes that some texts, by their keys, and other keys that are given may have. */
export function shapesOf(
  shapes: readonly JsonSchema[],
  root: JsonSchema,
  texts: ReadonlyMap<string, string>,
  given: ReadonlySet<string>,
): readonly JsonSchema[] {
  return shapes.filter((shape) => {
    const keys = declaredKeys(shape, root);
    if (isClosedObject(shape, root) && [...given].some((key) => !keys.has(key))) return false;
    if (requiredKeys(shape, root).some((key) => !given.has(key))) return false;
    return [...texts].every(([key, text]) => typingsOf([shape], root, key, text).every((typed) => "json" in typed));
  });
}
