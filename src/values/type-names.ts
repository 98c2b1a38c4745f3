// Tools are often described by people and programs that think in another language's types. What such a name means is
// beyond doubt, so it is read; anything else is a mistake that is reported to the tool's author.

/** What JSON Schema calls it; `any` is no type at all. */
export const typeNames: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** A name, and the others it goes by. */
const aliases = [
  ["string", "str", "text", "varchar", "char"],
  [
    "integer",
    "int",
    "long",
    "short",
    "byte",
    "bigint",
    "smallint",
    "unsigned",
    "uint",
    ...sized("int"),
    ...sized("uint"),
  ],
  ["number", "num", "numeric", "real", "float", "float32", "float64", "double", "decimal"],
  ["boolean", "bool"],
  ["object", "dict", "dictionary", "map", "hashmap"],
  ["array", "list", "arraylist", "tuple", "set"],
  ["null", "none", "nonetype"],
  ["any"],
];

/** The name JSON Schema has for a type, `any` for no type; undefined when it is not known. Capitals do not matter. */
export function typeNameOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (typeNames.includes(lower)) return lower;
  const found = aliases.find((names) => names.includes(lower))?.[0];
  if (found !== undefined) return found;
  if (ofMembers.test(name.trim())) return "object";
  const item = itemTypeOf(name);
  return item !== undefined && typeNameOf(item) !== undefined ? "array" : undefined;
}

/** `dict[str, int]`, `Map<string, number>`: what the members are is not read. */
const ofMembers = /^(?:dict|map|record)[[<].+[\]>]$/i;

/** What a name of a list says of its items: `string[]`, `List[str]`, `Array<int>`. */
export function itemTypeOf(name: string): string | undefined {
  const [, before, inside] = /^(?:([^[\]<>]+)\[\]|(?:list|array|sequence)[[<](.+)[\]>])$/i.exec(name.trim()) ?? [];
  return before ?? inside;
}

/** Integers are also named by their bits. */
function sized(name: string): string[] {
  return ["8", "16", "32", "64"].map((bits) => name + bits);
}
