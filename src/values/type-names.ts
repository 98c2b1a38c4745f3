// Tools are often described by people and programs that think in another language's types. What such a name means is
// beyond doubt, so it is read; anything else is a mistake that is reported to the tool's author.

/** What JSON Schema calls it; `any` is no type at all. */
export const typeNames: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** A name, and the others it goes by. */
const aliases = [
  ["string", "str", "text"],
  ["integer", "int", "long", "int32", "int64"],
  ["number", "float", "double", "decimal"],
  ["boolean", "bool"],
  ["object", "dict", "dictionary", "map"],
  ["array", "list", "tuple"],
  ["null", "none", "nonetype"],
  ["any"],
];

/** The name JSON Schema has for a type, `any` for no type; undefined when it is not known. Capitals do not matter. */
export function typeNameOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return typeNames.includes(lower) ? lower : aliases.find((names) => names.includes(lower))?.[0];
}
