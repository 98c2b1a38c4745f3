import type { FunctionDefinition } from "../../src/index.ts";

type Random = () => number;
type Schema = { readonly [keyword: string]: unknown };

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)];
const keys = ["dial", "city", "days", "note", "path", "query", "limit", "on", "kind", "max_items", "filter", "x"];
const words = [
  "Oslo",
  "a b",
  "it's",
  "x < y && z > 2",
  "ü",
  'say "x"',
  "a\nb",
  "tab\tx",
  "漢字 😀",
  "1",
  "true",
  "null",
  "{}",
  "[1]",
  "back\\slash",
  "&amp;",
  "a/b",
  "#c",
  "- x",
  "key: v",
  "`code`",
  "**b**",
  "if (a) { b(); }",
];

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([left], [right]) => left - right)
    .map(([, item]) => item);

/** A schema that parts can say in full, so that its constraint is exact. */
function randomSchema(random: Random, depth: number): Schema {
  const kind = Math.floor(random() * (depth > 0 ? 10 : 7));
  switch (kind) {
    case 0:
    case 1:
      return { type: "string", description: "any text" };
    case 2:
      return { enum: shuffled(["north", "south side", "n-e", "x_1"], random).slice(0, 2) };
    case 3:
      return { type: "integer", ...(random() < 0.5 ? { minimum: 1, maximum: 4 } : {}) };
    case 4:
      return { type: "number" };
    case 5:
      return { type: "boolean" };
    case 6:
      return { type: pick(["string", "integer", "boolean"], random), nullable: true };
    case 7:
      return {
        type: "array",
        items: randomSchema(random, depth - 1),
        ...(random() < 0.3 ? { minItems: 1, maxItems: 3 } : {}),
      };
    case 8:
      return { anyOf: [{ type: "integer" }, randomObject(random, depth - 1)] };
    default:
      return randomObject(random, depth - 1);
  }
}

function randomObject(random: Random, depth: number): Schema {
  const chosen = shuffled(keys, random).slice(0, Math.floor(random() * 4));
  const properties = Object.fromEntries(chosen.map((key) => [key, withNull(randomSchema(random, depth))]));
  const required = chosen.filter(() => random() < 0.5);
  return { type: "object", properties, required, additionalProperties: false };
}

function withNull({ nullable, type, ...rest }: Schema): Schema {
  if (type === undefined) return rest;
  return { ...rest, type: nullable === true ? [type, "null"] : type };
}

/** Tools with closed schemas. */
export function randomTools(random: Random, count: number): (FunctionDefinition & { parameters: Schema })[] {
  const names = shuffled(["get_weather", "list_dials", "set_dial", "search", "run", "read_file", "get_time"], random);
  return names.slice(0, count).map((name) => ({ name, parameters: randomObject(random, 2) }));
}

/** A value that fits a schema of {@link randomTools}. Texts hold no marker of any format. */
export function randomValue(schema: Schema, random: Random): unknown {
  if (Array.isArray(schema.enum)) return pick(schema.enum, random);
  if (Array.isArray(schema.anyOf)) return randomValue(pick(schema.anyOf as Schema[], random), random);
  const type = Array.isArray(schema.type) ? pick(schema.type as string[], random) : schema.type;
  switch (type) {
    case "string":
      return Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words, random)).join("");
    case "integer":
      return schema.maximum === undefined ? pick([0, 1, -5, 123456], random) : 1 + Math.floor(random() * 4);
    case "number":
      return pick([0, 1.5, -2, 1e21, 0.001, 7, -1e-7], random);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "array": {
      const length = ((schema.minItems as number | undefined) ?? 0) + Math.floor(random() * 3);
      return Array.from({ length }, () => randomValue(schema.items as Schema, random));
    }
    default: {
      const required = schema.required as string[];
      const chosen = Object.entries(schema.properties as Record<string, Schema>).filter(
        ([key]) => required.includes(key) || random() < 0.5,
      );
      return Object.fromEntries(shuffled(chosen, random).map(([key, value]) => [key, randomValue(value, random)]));
    }
  }
}
