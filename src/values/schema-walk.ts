import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema } from "../contract/types.ts";
import { schemasUnder } from "./schema-keywords.ts";
import { compilePattern } from "./schema-pattern.ts";
import { referencesOf } from "./schema-references.ts";

// Where a schema says something about one place of a value. Only references inside the same document are followed;
// validation has refused all others when the tools were given.

export type SchemaObject = { readonly [keyword: string]: unknown };

/** How deep `$ref`, `allOf` and their like may be nested around one place; more is a cycle or an accident. */
const nestingMax = 64;

/** A pattern is the developer's, the key is the model's: a longer key is not tried. */
export const patternKeyCharsMax = 256;

/** An object schema, or undefined for `true`, `false` and what is no schema. */
export function schemaObject(schema: unknown): SchemaObject | undefined {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) ? (schema as SchemaObject) : undefined;
}

/** A member of an object, own properties only: `constructor` is a name like any other. */
export function ownMember(holder: unknown, key: string): unknown {
  return typeof holder === "object" && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<string, unknown>)[key]
    : undefined;
}

/** What the references of a schema lead to: `$ref`, and `$dynamicRef` as far as it can be found without a value. */
export function referredBy(schema: SchemaObject, root: JsonSchema): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = ownMember(schema, keyword);
    const target = typeof reference === "string" ? referencesOf(root).target(schema, reference) : undefined;
    if (target !== undefined) found.push(target);
  }
  return found;
}

/** Visits a schema and all schemas in it, parents first. Stops early when the visitor returns true. */
export function visitSchemas(root: JsonSchema, visit: (schema: SchemaObject) => boolean | undefined): void {
  const seen = new Set<SchemaObject>();
  const work: unknown[] = [root];
  while (work.length > 0) {
    const schema = schemaObject(work.pop());
    if (schema === undefined || seen.has(schema)) continue;
    seen.add(schema);
    if (visit(schema) === true) return;
    for (const [keyword, value] of Object.entries(schema)) {
      for (const below of schemasUnder(keyword, value)) work.push(below);
    }
  }
}

/** The schema a place has by all that applies there: one schema, `allOf` of several, or undefined when none does. */
function combine(parts: readonly JsonSchema[]): JsonSchema | undefined {
  return parts.length < 2 ? parts[0] : { allOf: parts };
}

/** One walk round a place: what it looks for, and what it has found in each schema, which many may refer to. */
interface Gathering {
  readonly root: JsonSchema;
  readonly pick: (schema: SchemaObject) => JsonSchema | undefined;
  readonly found: Map<SchemaObject, JsonSchema | undefined>;
}

/** Collects what `pick` finds in a schema, through its references, conjunctions and alternatives. */
function gather(schema: JsonSchema | undefined, root: JsonSchema, pick: Gathering["pick"]): JsonSchema | undefined {
  return gatherFrom(schema, { root, pick, found: new Map() }, 0);
}

function gatherFrom(schema: JsonSchema | undefined, gathering: Gathering, depth: number): JsonSchema | undefined {
  const object = schemaObject(schema);
  if (object === undefined || depth > nestingMax) return undefined;
  const { root, pick, found } = gathering;
  if (found.has(object)) return found.get(object);
  // A schema that refers to itself adds nothing to itself.
  found.set(object, undefined);
  const parts = new Set<JsonSchema>();
  const add = (part: JsonSchema | undefined) => {
    if (part !== undefined) parts.add(part);
  };
  add(pick(object));
  for (const target of referredBy(object, root)) add(gatherFrom(target, gathering, depth + 1));
  for (const part of listOf(object, "allOf")) add(gatherFrom(part, gathering, depth + 1));
  for (const keyword of ["anyOf", "oneOf"]) add(gatherAlternatives(listOf(object, keyword), gathering, depth));
  const conditional = [ownMember(object, "then"), ownMember(object, "else")].filter((part) => part !== undefined);
  add(gatherAlternatives(conditional as JsonSchema[], gathering, depth));
  for (const [, part] of dependentSchemasOf(object)) add(gatherFrom(part, gathering, depth + 1));
  const combined = combine([...parts]);
  found.set(object, combined);
  return combined;
}

function gatherAlternatives(
  branches: readonly JsonSchema[],
  gathering: Gathering,
  depth: number,
): JsonSchema | undefined {
  const found = new Set<JsonSchema>();
  for (const branch of branches) {
    const part = gatherFrom(branch, gathering, depth + 1);
    if (part !== undefined) found.add(part);
  }
  const [first] = found;
  return found.size < 2 ? first : { anyOf: [...found] };
}

/** What holds beside a key, by that key: `dependentSchemas`, and those of `dependencies` before 2019-09. */
export const dependentSchemasOf = (schema: SchemaObject): readonly (readonly [key: string, schema: JsonSchema])[] =>
  ["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.entries(schemaObject(ownMember(schema, keyword)) ?? {}).filter(
      (entry): entry is [string, JsonSchema] => !Array.isArray(entry[1]),
    ),
  );

/** The only values that a schema lists by its own keywords; undefined: it lists none. */
export function ownChoices(schema: SchemaObject): readonly unknown[] | undefined {
  const listed = Object.hasOwn(schema, "const") ? [schema.const] : ownMember(schema, "enum");
  return Array.isArray(listed) ? listed : undefined;
}

export function listOf(schema: SchemaObject, keyword: string): readonly JsonSchema[] {
  const list = ownMember(schema, keyword);
  return Array.isArray(list) ? (list as JsonSchema[]) : [];
}

/** What is known of a schema in a document, by both. */
export class KnownOfSchemas<Known> {
  readonly #known = onceFor((_: object) => new WeakMap<object, Known>());

  of(schema: object, root: object, make: () => Known): Known {
    const perRoot = this.#known(schema);
    let known = perRoot.get(root);
    if (known === undefined) perRoot.set(root, (known = make()));
    return known;
  }
}

const knownProperties = new KnownOfSchemas<Map<string, JsonSchema | undefined>>();

/**
 * What a schema says of one member of an object: the declared property, else a matching `patternProperties`, else
 * `additionalProperties` or `unevaluatedProperties`; through `$ref`, `allOf`, `anyOf`, `oneOf`, `then` and `else`.
 *
 * @returns undefined when the schema says nothing of it.
 */
export function propertySchema(schema: JsonSchema | undefined, root: JsonSchema, key: string): JsonSchema | undefined {
  const object = schemaObject(schema);
  if (object === undefined || typeof root === "boolean") return undefined;
  const declared = declaredKeys(object, root).has(key);
  // Only declared keys are remembered: the others are the model's, and there is no end to them.
  const known = declared ? knownProperties.of(object, root, () => new Map()) : undefined;
  if (known?.has(key)) return known.get(key);
  const found = gather(object, root, (part) => {
    const property = ownMember(ownMember(part, "properties"), key) as JsonSchema | undefined;
    if (property !== undefined) return property;
    const matching = matchingPatterns(part, key);
    if (matching.length > 0) return combine(matching);
    if (declared) return undefined;
    return schemaObject(ownMember(part, "additionalProperties") ?? ownMember(part, "unevaluatedProperties"));
  });
  known?.set(key, found);
  return found;
}

export function matchingPatterns(schema: SchemaObject, key: string): JsonSchema[] {
  const patterns = schemaObject(ownMember(schema, "patternProperties"));
  if (patterns === undefined || key.length > patternKeyCharsMax) return [];
  const matching: JsonSchema[] = [];
  for (const [pattern, part] of Object.entries(patterns)) {
    if (compilePattern(pattern)?.test(key) === true) matching.push(part as JsonSchema);
  }
  return matching;
}

/** What a schema says of one item of an array. */
export function itemSchema(schema: JsonSchema | undefined, root: JsonSchema, index: number): JsonSchema | undefined {
  return gather(schema, root, (part) => ownItem(part, index));
}

/** What it says by its own keywords: `prefixItems`, `items` (one or a list), `additionalItems`. */
export function ownItem(schema: SchemaObject, index: number): JsonSchema | undefined {
  const items = ownMember(schema, "items");
  const first = Array.isArray(items) ? items : ownMember(schema, "prefixItems");
  if (Array.isArray(first) && index < first.length) return first[index] as JsonSchema;
  return (Array.isArray(items) ? ownMember(schema, "additionalItems") : items) as JsonSchema | undefined;
}

/** What a schema says of a place inside a value; undefined when nothing. */
export function schemaAt(root: JsonSchema, path: readonly (string | number)[]): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  for (const step of path) {
    if (schema === undefined) return undefined;
    schema = typeof step === "number" ? itemSchema(schema, root, step) : propertySchema(schema, root, step);
  }
  return schema;
}

const knownKeys = new KnownOfSchemas<ReadonlySet<string>>();
const noKeys: ReadonlySet<string> = new Set();

/** The property names an object schema declares, through `$ref`, `allOf`, all alternatives and conditions. */
export function declaredKeys(schema: JsonSchema | undefined, root: JsonSchema): ReadonlySet<string> {
  const object = schemaObject(schema);
  if (object === undefined || typeof root === "boolean") return noKeys;
  return knownKeys.of(object, root, () => {
    const found = new Set<string>();
    gather(object, root, (part) => {
      for (const key of Object.keys(schemaObject(ownMember(part, "properties")) ?? {})) found.add(key);
      return undefined;
    });
    return found;
  });
}

const knownNames = new KnownOfSchemas<ReadonlySet<string>>();

/** The same, and what a schema names without describing it: keys that it asks for, or that others depend on. */
export function namedKeys(schema: JsonSchema | undefined, root: JsonSchema): ReadonlySet<string> {
  const object = schemaObject(schema);
  if (object === undefined || typeof root === "boolean") return noKeys;
  return knownNames.of(object, root, () => {
    const found = new Set<unknown>(declaredKeys(object, root));
    gather(object, root, (part) => {
      for (const key of listOf(part, "required")) found.add(key);
      for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
        for (const [key, others] of Object.entries(schemaObject(ownMember(part, keyword)) ?? {}))
          for (const one of [key, ...(Array.isArray(others) ? others : [])]) found.add(one);
      }
      for (const key of ownChoices(schemaObject(ownMember(part, "propertyNames")) ?? {}) ?? []) found.add(key);
      return undefined;
    });
    return new Set([...found].filter((key) => typeof key === "string"));
  });
}

/** Whether a pattern of an object schema declares a key, through `$ref` and all alternatives. */
export function matchesPatternKey(schema: JsonSchema | undefined, root: JsonSchema, key: string): boolean {
  let matches = false;
  gather(schema, root, (part) => {
    matches ||= matchingPatterns(part, key).length > 0;
    return undefined;
  });
  return matches;
}

/** Whether an object without members certainly does not satisfy the schema: something is `required`. */
export function requiresMembers(schema: JsonSchema | undefined, root: JsonSchema): boolean {
  return someOf(schema, root, (object) => listOf(object, "required").length > 0);
}

/** The members that a schema certainly asks for, through `$ref` and `allOf`. */
export function requiredKeys(schema: JsonSchema | undefined, root: JsonSchema): readonly string[] {
  const found: string[] = [];
  someOf(schema, root, (object) => {
    const required = ownMember(object, "required");
    if (Array.isArray(required)) found.push(...(required as string[]));
    return false;
  });
  return found;
}

/** Whether undeclared members are certainly refused: `additionalProperties` or `unevaluatedProperties` false. */
export function isClosedObject(schema: JsonSchema | undefined, root: JsonSchema): boolean {
  return someOf(schema, root, (object) =>
    ["additionalProperties", "unevaluatedProperties"].some((keyword) => ownMember(object, keyword) === false),
  );
}

/** Whether a schema, or another that it takes in by `$ref` or `allOf`, says something. */
function someOf(schema: JsonSchema | undefined, root: JsonSchema, says: (object: SchemaObject) => boolean): boolean {
  const seen = new Set<SchemaObject>();
  const work: unknown[] = [schema];
  while (work.length > 0) {
    const object = schemaObject(work.pop());
    if (object === undefined || seen.has(object)) continue;
    seen.add(object);
    if (says(object)) return true;
    work.push(...referredBy(object, root));
    work.push(...listOf(object, "allOf"));
  }
  return false;
}
