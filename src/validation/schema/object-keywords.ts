import { didYouMean } from "../../contract/suggest.ts";
import { declaredKeys } from "../../values/schema-walk.ts";
import type { CheckRun } from "./check-run.ts";
import { countKeyword } from "./count-keyword.ts";
import { clipped, kindText } from "./describe-value.ts";
import type { Evaluated } from "./evaluated.ts";
import type { KeywordCompiler, Site, Test } from "./keyword.ts";
import { matches, patternOf } from "./scalar-keywords.ts";

export type Declared = { readonly [key: string]: unknown };

/** Tries a part of the value. */
export function child(test: Test, value: unknown, key: string | number, run: CheckRun): boolean {
  if (run.violations === undefined) return test(value, run, undefined);
  run.path.push(key);
  const fits = test(value, run, undefined);
  run.path.pop();
  return fits;
}

const membersIn = (value: object) => Object.keys(value).length;

function undeclared(key: string, value: unknown, declared: readonly string[], run: CheckRun): false {
  return run.refuse(
    () => `no member that the schema does not declare${didYouMean(key, declared)}`,
    () => kindText(value),
    key,
  );
}

/** `properties`, `patternProperties` and `additionalProperties`: each member is looked at once. */
function properties(part: Declared | undefined, { schema, references, compile }: Site): Test {
  const tests = new Map(Object.entries(part ?? {}).map(([key, one]) => [key, compile(one)]));
  const patterns = Object.entries((schema.patternProperties ?? {}) as Declared).map(
    ([source, one]) => [patternOf(source), compile(one)] as const,
  );
  const { additionalProperties: restPart } = schema;
  const rest = restPart === undefined ? undefined : compile(restPart);
  const isClosed = restPart === false;
  const declared = () => [...declaredKeys(schema, references.home.root)];
  return (value, run, seen) => {
    let fits = true;
    const refused = () => {
      fits = false;
      return run.mayStop;
    };
    for (const key of Object.keys(value as Declared)) {
      const member = (value as Declared)[key];
      const test = tests.get(key);
      let isKnown = test !== undefined;
      if (test !== undefined && !child(test, member, key, run) && refused()) return false;
      if (patterns.length > 0) run.spend(patterns.length);
      for (const [pattern, one] of patterns) {
        if (!matches(pattern, key, "a key")) continue;
        isKnown = true;
        if (!child(one, member, key, run) && refused()) return false;
      }
      if (!isKnown && rest !== undefined) {
        isKnown = true;
        const isFine = isClosed ? undeclared(key, member, declared(), run) : child(rest, member, key, run);
        if (!isFine && refused()) return false;
      }
      if (isKnown) seen?.keys.add(key);
    }
    return fits;
  };
}

function unevaluatedProperties(part: unknown, { schema, references, compile }: Site): Test {
  const test = compile(part);
  return (value, run, seen) => {
    const before = seen as Evaluated;
    let fits = true;
    for (const key of Object.keys(value as Declared)) {
      if (before.keys.has(key)) continue;
      before.keys.add(key);
      const member = (value as Declared)[key];
      const isFine =
        part === false
          ? undeclared(key, member, [...declaredKeys(schema, references.home.root)], run)
          : child(test, member, key, run);
      if (isFine) continue;
      if (run.mayStop) return false;
      fits = false;
    }
    return fits;
  };
}

function missing(run: CheckRun, key: string, why: string, schema: Declared): false {
  const property = (schema.properties as Declared | undefined)?.[key] as Declared | undefined;
  const type = typeof property === "object" && property !== null ? property.type : undefined;
  const what = typeof type === "string" ? type : "a value";
  return run.refuse(
    () => `${what} (${why})`,
    () => "nothing",
    key,
  );
}

function require(run: CheckRun, value: unknown, keys: readonly string[], why: string, schema: Declared): boolean {
  let fits = true;
  for (const key of keys) {
    if (Object.hasOwn(value as object, key)) continue;
    missing(run, key, why, schema);
    if (run.mayStop) return false;
    fits = false;
  }
  return fits;
}

/** `dependentRequired`, `dependentSchemas`, and both in one as old drafts have it. */
function dependent(part: Declared, { schema, compile }: Site): Test {
  const entries = Object.entries(part).map(([key, one]) => {
    if (!Array.isArray(one)) return [key, compile(one)] as const;
    const test: Test = (value, run) => require(run, value, one, `required beside ${clipped(key)}`, schema);
    return [key, test] as const;
  });
  return (value, run, seen) => {
    let fits = true;
    for (const [key, test] of entries) {
      if (!Object.hasOwn(value as object, key) || test(value, run, seen)) continue;
      if (run.mayStop) return false;
      fits = false;
    }
    return fits;
  };
}

export const objectKeywords = {
  properties,
  unevaluatedProperties,
  dependentRequired: dependent,
  dependentSchemas: dependent,
  dependencies: dependent,
  minProperties: (limit: number) =>
    countKeyword("at least", limit, "member", membersIn, (value: object) => membersIn(value) >= limit),
  maxProperties: (limit: number) =>
    countKeyword("at most", limit, "member", membersIn, (value: object) => membersIn(value) <= limit),
  required:
    (keys: readonly string[], { schema }: Site): Test =>
    (value, run) => {
      for (let at = 0; at < keys.length; at++) {
        if (!Object.hasOwn(value as object, keys[at] as string)) return require(run, value, keys, "required", schema);
      }
      return true;
    },
  propertyNames: (part: unknown, { compile }: Site): Test => {
    const test = compile(part);
    return (value, run) => {
      let fits = true;
      for (const key of Object.keys(value as object)) {
        if (run.quietly(() => test(key, run, undefined))) continue;
        const [wrong] = run.violations === undefined ? [] : run.listed(() => test(key, run, undefined));
        run.refuse(
          () => `a member whose name is ${wrong?.expected ?? "allowed"}`,
          () => wrong?.found ?? clipped(key),
          key,
        );
        if (run.mayStop) return false;
        fits = false;
      }
      return fits;
    };
  },
} satisfies Record<string, KeywordCompiler>;
