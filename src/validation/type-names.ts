import type { JsonSchema } from "../contract/types.ts";

// Tools are often described by people and programs that think in another language's types. What such a name means is
// beyond doubt, so it is read; anything else is a mistake that is reported to the tool's author.

/** What JSON Schema calls it; `any` is no type at all. */
export const typeNames: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: ["str", "text"],
    integer: ["int", "long", "int32", "int64"],
    number: ["float", "double", "decimal"],
    boolean: ["bool"],
    object: ["dict", "dictionary", "map"],
    array: ["list", "tuple"],
    null: ["none", "nonetype"],
    any: ["any"],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** The name JSON Schema has for a type, `any` for no type; undefined when it is not known. Capitals do not matter. */
export function typeNameOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return typeNames.includes(lower) ? lower : aliases.get(lower);
}

type Copy = { [key: string]: unknown };

/**
 * The same schema with JSON Schema's own names for types.
 *
 * @param schemas All schemas in it that are reached by keywords and references.
 * @returns the schema itself where it has no other names.
 */
export function withTypeNames(root: JsonSchema, schemas: ReadonlySet<object>): JsonSchema {
  if (![...schemas].some((schema) => hasOtherNames((schema as Copy).type))) return root;
  const copies = new Map<object, unknown>();
  const copy = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      copies.set(value, list);
      for (const item of value) list.push(copy(item));
      return list;
    }
    const result: Copy = {};
    copies.set(value, result);
    const isSchema = schemas.has(value);
    for (const [key, part] of Object.entries(value)) {
      const said = isSchema && key === "type" ? translated(part) : copy(part);
      if (said !== undefined)
        Object.defineProperty(result, key, { value: said, enumerable: true, configurable: true, writable: true });
    }
    return result;
  };
  return copy(root) as JsonSchema;
}

function hasOtherNames(type: unknown): boolean {
  if (type === undefined) return false;
  return (Array.isArray(type) ? type : [type]).some((name) => !typeNames.includes(name as string));
}

function translated(type: unknown): unknown {
  if (type === undefined) return undefined;
  const names = (Array.isArray(type) ? type : [type]).map((name) => typeNameOf(name as string) as string);
  if (names.includes("any")) return undefined;
  return Array.isArray(type) ? [...new Set(names)] : names[0];
}
