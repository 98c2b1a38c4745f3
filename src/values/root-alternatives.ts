import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema } from "../contract/types.ts";
import { type TextType, textTypeOf } from "./declared-type.ts";
import {
  declaredKeys,
  dependentSchemasOf,
  isClosedObject,
  listOf,
  ownChoices,
  ownMember,
  propertySchema,
  referredBy,
  requiredKeys,
  type SchemaObject,
  schemaObject,
} from "./schema-walk.ts";
import { type TypedText, typeText } from "./text-to-value.ts";

// The arguments of a tool may have shapes to choose from: `oneOf` or a condition at the root of its schema, told
// apart by the value of a parameter, by what is required, or by what is declared. What a text is may then be known from the others.

/** How many shapes are told apart; of more, each parameter is typed by all of them. */
const alternativesMax = 64;

/** How deep references, choices and conditions within one another are gone into for them. */
const nestingMax = 8;

/** The shapes of arguments, each with what the schema says besides; empty: there are no two. */
export function rootAlternatives(root: JsonSchema | undefined): readonly JsonSchema[] {
  const object = schemaObject(root);
  return object === undefined ? [] : alternativesOf(object);
}

const alternativesOf = onceFor((root: SchemaObject): readonly JsonSchema[] => {
  const shapes = branchesOf(root, root, 0);
  return shapes.length > 1 ? shapes : [];
});

/** What leaves a choice, and what is said by others. */
const choiceWords: ReadonlySet<string> = new Set([
  "$ref",
  "$dynamicRef",
  "allOf",
  "oneOf",
  "anyOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);

/** The schemas of which a value of this one has one: each choice that it leaves, by itself or in what it takes in, is made. */
function branchesOf(schema: JsonSchema, root: JsonSchema, depth: number): readonly JsonSchema[] {
  const object = schemaObject(schema);
  if (object === undefined || depth > nestingMax) return [schema];
  const own = Object.entries(object).filter(([keyword]) => !choiceWords.has(keyword));
  const condition = ownMember(object, "if") as JsonSchema | undefined;
  const choices: (readonly JsonSchema[])[] = [
    ...[...referredBy(object, root), ...listOf(object, "allOf")].map((part) => [part]),
    ...["oneOf", "anyOf"].map((keyword) => listOf(object, keyword)).filter(({ length }) => length > 0),
    ...(condition === undefined ? [] : [byCondition(condition, ownMember(object, "then"), ownMember(object, "else"))]),
    ...dependentSchemasOf(object).map(([key, dependent]) => byCondition({ required: [key] }, dependent)),
  ];
  let shapes: (readonly JsonSchema[])[] = [[Object.fromEntries(own)]];
  for (const choice of choices) {
    const branches = choice.flatMap((branch) => branchesOf(branch, root, depth + 1));
    if (shapes.length * branches.length > alternativesMax) return [schema];
    shapes = shapes.flatMap((parts) => branches.map((branch) => [...parts, branch]));
  }
  return shapes.length > 1 ? shapes.map((parts) => ({ allOf: parts })) : [schema];
}

const byCondition = (condition: JsonSchema, first: unknown = true, second: unknown = true): JsonSchema[] => [
  { allOf: [condition, first as JsonSchema] },
  { allOf: [{ not: condition }, second as JsonSchema] },
];

/**
 * What a text is as a parameter in each of some shapes, the same once.
 *
 * @param typeFor how the notation types a text that a shape gives a type
 */
export function typingsOf(
  shapes: readonly JsonSchema[],
  root: JsonSchema,
  key: string,
  text: string,
  typeFor = (type: TextType): TextType => type,
): readonly TypedText[] {
  const found = new Map<string, TypedText>();
  for (const shape of shapes) {
    const typed = typeText(text, typeFor(textTypeOf(propertySchema(shape, root, key), root)));
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
    if (!fits(shape, root, texts)) return false;
    return !negatedIn(shape).some((condition) => isMet(condition, root, texts, given));
  });
}

/** Whether each of some texts may be what a schema says of its key, and all that it says of it. */
const fits = (schema: JsonSchema, root: JsonSchema, texts: ReadonlyMap<string, string>): boolean =>
  [...texts].every(([key, text]) => {
    const property = propertySchema(schema, root, key);
    const parts = [property, ...listOf(schemaObject(property) ?? {}, "allOf")];
    return parts.every((part) => "json" in typeText(text, textTypeOf(part, root)));
  });

/** The conditions that a shape excludes. */
function negatedIn(shape: JsonSchema): readonly JsonSchema[] {
  const condition = ownMember(shape, "not");
  const own = condition === undefined ? [] : [condition as JsonSchema];
  return [...own, ...listOf(schemaObject(shape) ?? {}, "allOf").flatMap(negatedIn)];
}

/** Whether texts certainly meet a condition: it asks for keys, and for values that it lists. */
function isMet(
  condition: JsonSchema,
  root: JsonSchema,
  texts: ReadonlyMap<string, string>,
  given: ReadonlySet<string>,
): boolean {
  const properties = Object.entries(schemaObject(ownMember(condition, "properties")) ?? {});
  const listsValues = (property: unknown) =>
    saysOnly(property, valueWords) && ownChoices(schemaObject(property) ?? {}) !== undefined;
  const isPlain = saysOnly(condition, objectWords) && properties.every(([, property]) => listsValues(property));
  if (!isPlain || requiredKeys(condition, root).some((key) => !given.has(key))) return false;
  const asked = properties.map(([key]) => key).filter((key) => given.has(key));
  return (
    asked.every((key) => texts.has(key)) &&
    fits(condition, root, new Map(asked.map((key) => [key, texts.get(key) as string])))
  );
}

const objectWords: readonly string[] = ["type", "properties", "required"];
const valueWords: readonly string[] = ["type", "const", "enum"];

const saysOnly = (schema: unknown, keywords: readonly string[]): boolean =>
  Object.keys(schemaObject(schema) ?? { schema }).every((keyword) => keywords.includes(keyword));
