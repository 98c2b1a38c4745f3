import type { Violation } from "../../contract/types.ts";
import { type CheckRun, wrongChoices } from "./check-run.ts";
import { valueText } from "./describe-value.ts";
import { Evaluated } from "./evaluated.ts";
import type { KeywordCompiler, Site, Test } from "./keyword.ts";

/** Tries another schema on the same value; what it has spoken of counts when it fits. */
function apply(test: Test, value: unknown, run: CheckRun, seen: Evaluated | undefined): boolean {
  if (seen === undefined) return test(value, run, undefined);
  const own = new Evaluated();
  const fits = test(value, run, own);
  if (fits) seen.add(own);
  return fits;
}

function reference(name: string, { schema, references, compile }: Site): Test {
  const target = references.target(schema, name);
  if (target === undefined) throw new TypeError(`$ref leads to ${JSON.stringify(name)}, where nothing stands`);
  const test = compile(target);
  return (value, run, seen) => apply(test, value, run, seen);
}

/** The outermost schema on the way here that has the anchor says what is meant. */
function dynamicReference(name: string, site: Site): Test {
  const { schema, references, compile } = site;
  const anchor = references.dynamicName(schema, name);
  if (anchor === undefined) return reference(name, site);
  return (value, run, seen) => {
    const scope = run.scopes.find(({ dynamicAnchors }) => dynamicAnchors.has(anchor));
    const target = scope?.dynamicAnchors.get(anchor) ?? references.target(schema, name);
    return apply(compile(target), value, run, seen);
  };
}

const allOf = (parts: readonly unknown[], { compile }: Site): Test => {
  const tests = parts.map(compile);
  return (value, run, seen) => {
    let fits = true;
    for (const test of tests) {
      if (apply(test, value, run, seen)) continue;
      if (run.mayStop) return false;
      fits = false;
    }
    return fits;
  };
};

const anyOf = (parts: readonly unknown[], { compile }: Site): Test => {
  const tests = parts.map(compile);
  return (value, run, seen) => {
    const fits = run.quietly(() => {
      let one = false;
      for (const test of tests) {
        if (apply(test, value, run, seen)) one = true;
        // Where members are counted, each alternative that fits has its say.
        if (one && seen === undefined) return true;
      }
      return one;
    });
    return fits || noAlternative(tests, value, run);
  };
};

const oneOf = (parts: readonly unknown[], { compile }: Site): Test => {
  const tests = parts.map(compile);
  return (value, run, seen) => {
    let count = 0;
    run.quietly(() => {
      for (const test of tests) if (count < 2 && apply(test, value, run, seen)) count++;
    });
    if (count === 1) return true;
    if (count === 0) return noAlternative(tests, value, run);
    return run.refuse(
      () => `what fits exactly one of ${tests.length} alternatives`,
      () => `${valueText(value)}, which fits more than one`,
    );
  };
};

/** No alternative fits: says what the nearest asks for, or all of them where they differ by kind only. */
function noAlternative(tests: readonly Test[], value: unknown, run: CheckRun): false {
  const { violations } = run;
  if (violations === undefined) return false;
  const lists = tests.map((test) => run.listed(() => test(value, run, undefined)));
  const { place } = run;
  const [firsts, isFlat] = [
    lists.map(([one]) => one),
    lists.every((list) => list.length === 1 && list[0]?.path === place),
  ];
  if (isFlat) {
    const expected = [...new Set(firsts.map((one) => one?.expected))].join(" or ");
    return run.refuse(
      () => expected,
      () => firsts[0]?.found ?? valueText(value),
    );
  }
  // The nearest is one of the right kind, then one whose choices are met, then one with little else amiss.
  const distance = (list: readonly Violation[]) =>
    list.reduce((sum, one) => sum + (one.path === place ? 10_000 : wrongChoices.has(one) ? 100 : 1), 0);
  const [nearest] = lists.filter((list) => list.length > 0).sort((one, other) => distance(one) - distance(other));
  for (const violation of nearest ?? []) {
    if (run.mayStop) break;
    violations.push({
      ...violation,
      expected: `${violation.expected} (by the nearest of ${tests.length} alternatives)`,
    });
  }
  return false;
}

function not(part: unknown, { compile }: Site): Test {
  const test = compile(part);
  return (value, run) =>
    !run.quietly(() => test(value, run, undefined)) ||
    run.refuse(
      () => 'what does not fit "not"',
      () => valueText(value),
    );
}

/** `if` with its `then` and `else`. */
function conditional(part: unknown, { schema, compile }: Site): Test {
  const condition = compile(part);
  const [whenTrue, whenFalse] = [schema.then, schema.else].map((one) => (one === undefined ? undefined : compile(one)));
  return (value, run, seen) => {
    const test = run.quietly(() => apply(condition, value, run, seen)) ? whenTrue : whenFalse;
    return test === undefined || apply(test, value, run, seen);
  };
}

export const applicators = {
  $ref: reference,
  $dynamicRef: dynamicReference,
  allOf,
  anyOf,
  oneOf,
  not,
  if: conditional,
} satisfies Record<string, KeywordCompiler>;
