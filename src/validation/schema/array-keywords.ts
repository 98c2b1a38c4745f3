import { countText } from "../../contract/count-text.ts";
import type { CheckRun } from "./check-run.ts";
import { countKeyword } from "./count-keyword.ts";
import type { Evaluated } from "./evaluated.ts";
import type { KeywordCompiler, Site, Test } from "./keyword.ts";
import { child, type Declared } from "./object-keywords.ts";

const itemsIn = (value: readonly unknown[]) => value.length;

/** A text that is the same for equal values and for no others; members in order of their keys. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical((value as Declared)[key])}`).join()}}`;
}

/** The first two items that are equal. */
function equalItems(items: readonly unknown[]): [number, number] | undefined {
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = canonical(item);
    const before = known.get(text);
    if (before !== undefined) return [before, index];
    known.set(text, index);
  }
  return undefined;
}

/** `items`, `prefixItems` and `additionalItems`: each item is looked at once. A list in `items` is that of old drafts. */
function items(part: unknown, { schema, compile }: Site): Test {
  const list = Array.isArray(part) ? part : schema.prefixItems;
  const first = (Array.isArray(list) ? list : []).map(compile);
  const restPart = Array.isArray(part) ? schema.additionalItems : part;
  const rest = restPart === undefined ? undefined : compile(restPart);
  const isClosed = restPart === false;
  return (value, run, seen) => {
    const all = value as unknown[];
    const end = rest === undefined ? Math.min(all.length, first.length) : all.length;
    if (seen) seen.itemsTo = Math.max(seen.itemsTo, end);
    let fits = true;
    for (let at = 0; at < end; at++) {
      const test = first[at] ?? (rest as Test);
      if (at >= first.length && isClosed) return tooMany(run, first.length, all.length);
      if (child(test, all[at], at, run)) continue;
      if (run.mayStop) return false;
      fits = false;
    }
    return fits;
  };
}

function tooMany(run: CheckRun, most: number, count: number): false {
  return run.refuse(
    () => `at most ${countText(most, "item")}`,
    () => countText(count, "item"),
  );
}

function contains(part: unknown, { schema, compile, references }: Site): Test {
  const test = compile(part);
  const least = !references.isEarly && typeof schema.minContains === "number" ? schema.minContains : 1;
  const most =
    !references.isEarly && typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
  return (value, run, seen) => {
    const all = value as unknown[];
    const fitting = run.quietly(() => all.flatMap((item, index) => (test(item, run, undefined) ? index : [])));
    if (seen) for (const index of fitting) seen.items.add(index);
    if (fitting.length >= least && fitting.length <= most) return true;
    const limit = fitting.length < least ? `at least ${least}` : `at most ${most}`;
    const nearest = () => run.listed(() => all.length > 0 && child(test, all[0], 0, run))[0];
    return run.refuse(
      () => `${limit} of the items to fit "contains"${wanted(nearest()?.expected)}`,
      () => String(fitting.length),
    );
  };
}

const wanted = (expected: string | undefined) => (expected === undefined ? "" : ` (${expected})`);

function unevaluatedItems(part: unknown, { compile }: Site): Test {
  const test = compile(part);
  return (value, run, seen) => {
    const before = seen as Evaluated;
    const all = value as unknown[];
    let fits = true;
    for (let at = 0; at < all.length; at++) {
      if (before.has(at) || child(test, all[at], at, run)) continue;
      if (run.mayStop) return false;
      fits = false;
    }
    before.itemsTo = all.length;
    return fits;
  };
}

export const arrayKeywords = {
  items,
  contains,
  unevaluatedItems,
  minItems: (limit: number) =>
    countKeyword("at least", limit, "item", itemsIn, (value: unknown[]) => value.length >= limit),
  maxItems: (limit: number) =>
    countKeyword("at most", limit, "item", itemsIn, (value: unknown[]) => value.length <= limit),
  uniqueItems: (part: boolean): Test | undefined => {
    if (!part) return undefined;
    return (value, run) => {
      const all = value as unknown[];
      const equal = equalItems(all);
      if (equal !== undefined) run.expectExact(all[equal[0]]);
      return (
        equal === undefined ||
        run.refuse(
          () => "items that differ from each other",
          () => `items ${equal[0]} and ${equal[1]} are equal`,
        )
      );
    };
  },
} satisfies Record<string, KeywordCompiler>;
