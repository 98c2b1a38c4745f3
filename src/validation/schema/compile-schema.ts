import type { JsonSchema } from "../../contract/types.ts";
import { type SchemaKeyword, schemaKeywords } from "../../values/schema-keywords.ts";
import { type References, referencesOf } from "../../values/schema-references.ts";
import { visitSchemas } from "../../values/schema-walk.ts";
import { everyKind, fractionBit, kindBits, kindOf, kindsNamed } from "../../values/value-kinds.ts";
import { applicators } from "./applicators.ts";
import { arrayKeywords } from "./array-keywords.ts";
import { kindText } from "./describe-value.ts";
import { Evaluated } from "./evaluated.ts";
import type { KeywordCompiler, SchemaObject, Site, Test } from "./keyword.ts";
import { objectKeywords } from "./object-keywords.ts";
import { scalarKeywords } from "./scalar-keywords.ts";

// A schema becomes a tree of functions, once: no code is made from it. The same functions answer quickly, where the
// first no ends the check, and list what is wrong, where somebody asks for that.

/** Keywords that are no test of their own: names, and what another keyword's test looks at. */
const wordless = [
  "$anchor",
  "$dynamicAnchor",
  "$recursiveRef",
  "$defs",
  "definitions",
  "nullable",
  "type",
  "then",
  "else",
  "patternProperties",
  "additionalProperties",
  "prefixItems",
  "additionalItems",
  "minContains",
  "maxContains",
] as const;

type Tested = Exclude<SchemaKeyword, (typeof wordless)[number]>;

// Marked, as the tables themselves are, so that a bundle which checks no schema carries none of it.
const compilers: Readonly<Record<Tested, KeywordCompiler>> = /* @__PURE__ */ Object.assign(
  {},
  applicators,
  scalarKeywords,
  arrayKeywords,
  objectKeywords,
);

/** Keywords whose test is another's, when that one is absent. */
const spokenFor: readonly (readonly [keyword: string, by: Tested])[] = [
  ["patternProperties", "properties"],
  ["additionalProperties", "properties"],
  ["prefixItems", "items"],
  ["additionalItems", "items"],
];

/** These ask what all others have spoken of. */
const lastKeywords: readonly string[] = ["unevaluatedItems", "unevaluatedProperties"];

/** Compiles a schema that has been checked before. */
export function compileSchema(root: JsonSchema): Test {
  const references = referencesOf(root);
  const nodes = new Map<object, { test: Test | undefined }>();
  const scoped = usesScopes(root);
  const compile = (schema: unknown): Test => {
    if (typeof schema === "boolean" || typeof schema !== "object" || schema === null)
      return schema === false ? no : yes;
    const known = nodes.get(schema);
    if (known?.test) return known.test;
    // A schema that refers to itself is not ready yet.
    if (known) return (value, run, seen) => (known.test as Test)(value, run, seen);
    const node: { test: Test | undefined } = { test: undefined };
    nodes.set(schema, node);
    const test = compileNode({ schema: schema as SchemaObject, references, compile });
    node.test = scoped ? inScope(test, references, schema) : test;
    return node.test;
  };
  return compile(root);
}

const yes: Test = () => true;
const no: Test = (value, run) =>
  run.refuse(
    () => "nothing (the schema allows no value here)",
    () => kindText(value),
  );

/** Whether what a reference means depends on the way that led to it. */
function usesScopes(root: JsonSchema): boolean {
  let found = false;
  visitSchemas(root, (schema) => (found ||= Object.hasOwn(schema, "$dynamicRef")));
  return found;
}

function inScope(test: Test, references: References, schema: object): Test {
  const scope = references.resourceOf(schema);
  return (value, run, seen) => {
    if (run.scopes.at(-1) === scope) return test(value, run, seen);
    run.scopes.push(scope);
    const fits = test(value, run, seen);
    run.scopes.pop();
    return fits;
  };
}

function compileNode(site: Site): Test {
  const { schema, references } = site;
  if (references.isEarly && Object.hasOwn(schema, "$ref")) {
    return (compilers.$ref as (part: unknown, site: Site) => Test)(schema.$ref, site);
  }
  const kinds = kindsOf(schema.type);
  const nullable = schema.nullable === true;
  const { first, last } = compileKeywords(site);
  const expected = () => typeText(schema.type, nullable);
  return (value, run, given) => {
    run.spend(1);
    const kind = kindOf(value);
    if ((kinds & kind) === 0) {
      return (nullable && value === null) || run.refuse(expected, () => foundText(value, kinds));
    }
    if (nullable && value === null) return true;
    if (kind === kindBits.integer && (kinds & fractionBit) === 0) run.expectInteger(value as number);
    const seen = last.length > 0 ? (given ?? new Evaluated()) : given;
    let fits = true;
    for (let at = 0; at < first.length; at++) {
      const { kinds: spoken, test } = first[at] as KeywordTest;
      if ((spoken & kind) === 0 || test(value, run, seen)) continue;
      if (run.mayStop) return false;
      fits = false;
    }
    if (!fits) return false;
    for (const { kinds: spoken, test } of last) if ((spoken & kind) !== 0 && !test(value, run, seen)) return false;
    return true;
  };
}

interface KeywordTest {
  readonly kinds: number;
  readonly test: Test;
}

function compileKeywords(site: Site): { first: KeywordTest[]; last: KeywordTest[] } {
  const { schema } = site;
  const first: KeywordTest[] = [];
  const last: KeywordTest[] = [];
  const tested = new Set(Object.keys(schema).filter((keyword) => schema[keyword] !== undefined));
  for (const [keyword, by] of spokenFor) if (tested.has(keyword)) tested.add(by);
  for (const [keyword, facts] of schemaKeywords) {
    if (!tested.has(keyword) || !Object.hasOwn(compilers, keyword)) continue;
    const compiler = compilers[keyword as Tested] as (part: unknown, site: Site) => Test | undefined;
    const test = compiler(Object.hasOwn(schema, keyword) ? schema[keyword] : undefined, site);
    if (test === undefined) continue;
    (lastKeywords.includes(keyword) ? last : first).push({ kinds: facts.kinds ?? everyKind, test });
  }
  return { first, last };
}

/** Where integers are allowed, the number that is none says more than its kind. */
function foundText(value: unknown, kinds: number): string {
  return typeof value === "number" && (kinds & kindBits.integer) !== 0 ? String(value) : kindText(value);
}

const kindsOf = (type: unknown): number => (type === undefined ? everyKind : kindsNamed(type, 0));

function typeText(type: unknown, nullable: boolean): string {
  const names = Array.isArray(type) ? type : [type];
  return (nullable && !names.includes("null") ? [...names, "null"] : names).join(" or ");
}
