import type { BesideKey } from "./candidate.ts";
import { wrapperKey } from "./envelope-keys.ts";
import { schemaKeywords } from "./schema-keywords.ts";
import { ownMember, schemaObject } from "./schema-walk.ts";

// What is the definition of a tool, copied from the prompt, and no call of it.

/** Arguments that are a schema. @param isOwn the tool declares a key */
export function isDefinition(value: Readonly<Record<string, unknown>>, isOwn: (key: string) => boolean): boolean {
  if (Object.hasOwn(value, "$schema") && !isOwn("$schema")) return true;
  const type = ownMember(value, "type");
  const isTyped = [type].flat().some((one) => typeof one === "string" && objectTypes.includes(one.toLowerCase()));
  // Nothing but a schema of an object: tools without parameters are often declared so.
  if (isTyped || Object.hasOwn(value, "additionalProperties")) {
    const keys = Object.keys(value);
    if (!keys.every(isOwn) && keys.every((key) => schemaKeywords.has(key) || annotations.includes(key))) return true;
  }
  if (schemaObject(ownMember(value, "properties")) === undefined) return false;
  if (isTyped) return !isOwn("type") || !isOwn("properties");
  return Array.isArray(ownMember(value, "required")) && !isOwn("required") && !isOwn("properties");
}

/** Keys of a schema that say nothing of a value. */
const annotations: readonly string[] = ["$schema", "$id", "$comment", "title", "description", "default", "examples"];

/** What prompts call the type of an object; the second is Python's. */
const objectTypes: readonly string[] = ["object", "dict"];

/** The definition of a tool without parameters differs by its description alone from a call without arguments. */
export function isDescribed(
  beside: readonly BesideKey[],
  value: Readonly<Record<string, unknown>>,
  tool: { readonly description?: string | undefined; readonly keys: ReadonlySet<string> },
): boolean {
  if (tool.description === undefined || Object.keys(value).some((key) => tool.keys.has(key))) return false;
  return beside.some(({ use, text }) => use === "description" && text === tool.description);
}

/** In the wrapper that calls and definitions share, the interface gives arguments to calls and parameters to definitions. */
export const lacksCall = (argumentsKey: string | undefined, argumentsText: string): boolean =>
  argumentsKey === undefined || (argumentsKey === "parameters" && argumentsText === "{}");

export const definitionOrCall = `what stands under "${wrapperKey}" without arguments may be the definition of a tool; send "arguments": {}`;
