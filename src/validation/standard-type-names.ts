import { setOwn } from "../contract/set-own.ts";
import type { JsonSchema } from "../contract/types.ts";
import { itemTypeOf, typeNameOf, typeNames } from "../values/type-names.ts";

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
      if (said !== undefined) setOwn(result, key, said);
    }
    if (isSchema && !Object.hasOwn(result, "items")) addItems(result, (value as Copy).type);
    return result;
  };
  return copy(root) as JsonSchema;
}

/** The name of a list may say what its items are. */
function addItems(schema: Copy, type: unknown): void {
  const items = (Array.isArray(type) ? type : [type]).flatMap((name) => itemTypeOf(String(name)) ?? []);
  if (items.length > 0) schema.items = withItems(items.length === 1 ? items[0] : items);
}

function withItems(type: unknown): Copy {
  const said = translated(type);
  const schema: Copy = said === undefined ? {} : { type: said };
  addItems(schema, type);
  return schema;
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
