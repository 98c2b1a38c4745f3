import type { BesideKey } from "./candidate.ts";
import { wrapperKey } from "./envelope-keys.ts";
import { type KeywordShape, schemaKeywords } from "./schema-keywords.ts";
import { ownMember, schemaObject } from "./schema-walk.ts";
import { typeNames } from "./type-names.ts";

// What is the definition of a tool, copied from the prompt, and no call of it.

/** Arguments that are a schema. @param isOwn the tool declares a key */
export function isDefinition(value: Readonly<Record<string, unknown>>, isOwn: (key: string) => boolean): boolean {
  if (Object.hasOwn(value, "$schema") && !isOwn("$schema")) return true;
  const isTyped = isOfObjects(value);
  const keys = Object.keys(value);
  // Nothing but a schema: tools without parameters are often declared so.
  if (keys.every((key) => isOfSchema(key, value[key])) && keys.some((key) => saysSchema(key, value[key]))) {
    const isOfObject = isTyped || Object.hasOwn(value, "additionalProperties");
    if (isOfObject ? !keys.every(isOwn) : !keys.some(isOwn)) return true;
  }
  if (schemaObject(ownMember(value, "properties")) === undefined) return false;
  if (isTyped) return !isOwn("type") || !isOwn("properties");
  return Array.isArray(ownMember(value, "required")) && !isOwn("required") && !isOwn("properties");
}

/** What the definition of a tool has for its parameters. */
export function isSchemaOfObject(value: Readonly<Record<string, unknown>> | undefined): boolean {
  return value !== undefined && isOfObjects(value) && schemaObject(ownMember(value, "properties")) !== undefined;
}

function isOfObjects(value: Readonly<Record<string, unknown>>): boolean {
  const types = [ownMember(value, "type")].flat();
  return types.some((one) => typeof one === "string" && objectTypes.includes(one.toLowerCase()));
}

/** Whether a value may be the schema of a parameter. */
const isSchemaOf = (value: unknown): boolean => {
  const type = ownMember(value, "type");
  return typeof type === "string" && saysSchema("type", type);
};

/** Whether a member is one of schemas, by its key and the kind of its value. */
function isOfSchema(key: string, part: unknown): boolean {
  const shape = schemaKeywords.get(key)?.shape ?? annotations.get(key);
  if (shape === undefined) return false;
  const kinds = kindsOf[shape];
  return part === null || kinds === "" || kinds.split(" ").includes(Array.isArray(part) ? "array" : typeof part);
}

/** Whether a member says that what holds it is a schema: others may be arguments. */
function saysSchema(key: string, part: unknown): boolean {
  if (unions.includes(key)) return Array.isArray(part) && part.some((one) => isSchemaOf(schemaObject(one)));
  if (key !== "type") return sayers.includes(key) && part !== null;
  const names = [part].flat();
  const isType = (name: string) => typeNames.includes(name) || objectTypes.includes(name);
  return names.length > 0 && names.every((name) => typeof name === "string" && isType(name.toLowerCase()));
}

const sayers: readonly string[] = ["$schema", "$ref", "$defs", "properties", "additionalProperties"];
const unions: readonly string[] = ["anyOf", "oneOf", "allOf"];

/** Keys of a schema that say nothing of a value; the last is of the interface that gives a tool. */
const annotations: ReadonlyMap<string, KeywordShape> = new Map([
  ...["$schema", "$id", "$comment", "title", "description"].map((key) => [key, "text"] as const),
  ["default", "value"],
  ["examples", "value"],
  ["strict", "flag"],
]);

/** What stands under a keyword, in JavaScript's words; empty: anything may. */
const kindsOf: Readonly<Record<KeywordShape, string>> = {
  schema: "object boolean",
  schemas: "array",
  "schema-or-schemas": "object boolean array",
  "schema-map": "object",
  "pattern-map": "object",
  "schema-or-names-map": "object",
  "names-map": "object",
  // Old drafts say of each member whether it is required.
  names: "array boolean",
  types: "string array",
  values: "array",
  value: "",
  count: "number",
  number: "number",
  "number-or-flag": "number boolean",
  divisor: "number",
  flag: "boolean",
  text: "string",
  pattern: "string",
  reference: "string",
  unsupported: "",
};

/** What prompts call the type of an object; the second is Python's. */
const objectTypes: readonly string[] = ["object", "dict"];

/**
 * The definition of a tool without parameters differs by its description alone from a call without arguments, and so does one whose
 * parameters are no schema to the letter from other calls.
 */
export function isDescribed(
  beside: readonly BesideKey[],
  value: Readonly<Record<string, unknown>>,
  tool: { readonly description?: string | undefined; readonly keys: ReadonlySet<string> },
): boolean {
  const descriptions = beside.filter(({ use }) => use === "description");
  const keys = Object.keys(value);
  if (descriptions.length === 0 || keys.some((key) => tool.keys.has(key))) return false;
  const isSchema = keys.length > 0 && keys.every((key) => isOfSchema(key, value[key]) || isSchemaOf(value[key]));
  const isSame = (text: string | undefined) => text !== undefined && text === tool.description;
  return isSchema || descriptions.some(({ text }) => isSame(text));
}

/** In the wrapper that calls and definitions share, the interface gives arguments to calls and parameters to definitions. */
export const lacksCall = (argumentsKey: string | undefined, argumentsText: string): boolean =>
  argumentsKey === undefined || (argumentsKey === "parameters" && argumentsText === "{}");

/** A function, so that who reads payloads need not load this file for it. */
export const definitionOrCall = (): string =>
  `what stands under "${wrapperKey}" without arguments may be the definition of a tool; send "arguments": {}`;
