import { sameJson } from "../../values/same-json.ts";
import { compilePattern } from "../../values/schema-pattern.ts";
import { countKeyword } from "./count-keyword.ts";
import { choicesText, clipped, valueText } from "./describe-value.ts";
import type { KeywordCompiler, Site, Test } from "./keyword.ts";
import { multipleOf } from "./multiple-of.ts";
import { formatChecks } from "./string-formats.ts";
import { NoAnswerError } from "./work-budget.ts";

/** A regular expression can take very long on a long text; the pattern is the developer's, the text is not. */
const patternCharsMax = 16_384;

/** Whether a text matches a pattern of the schema. @throws NoAnswerError */
export function matches(pattern: RegExp, text: string, what: string): boolean {
  if (text.length > patternCharsMax) {
    throw new NoAnswerError(
      `arguments: ${what} is too long to check its pattern (over ${patternCharsMax} characters); shorten it, or give policy.validate`,
    );
  }
  return pattern.test(text);
}

/** A pattern that has been checked before. */
export function patternOf(source: string): RegExp {
  const pattern = compilePattern(source);
  if (pattern === undefined) throw new TypeError(`${clipped(source)} is no regular expression`);
  return pattern;
}

const isPlain = (value: unknown) => typeof value !== "object" || value === null;

function oneOf(values: readonly unknown[]): Test {
  const plain = new Set(values.filter(isPlain));
  const others = values.filter((value) => !isPlain(value));
  const expected = () => choicesText(values);
  return (value, run) => {
    if (!isPlain(value)) run.spend(others.length);
    if (isPlain(value) ? plain.has(value) : others.some((other) => sameJson(other, value))) {
      run.expectExact(value);
      return true;
    }
    return run.refuseChoice(expected, () => valueText(value));
  };
}

const bound =
  (words: string, limit: number, fits: (value: number, limit: number) => boolean): Test =>
  (value, run) => {
    if (value === limit) run.expectExact(value);
    return (
      fits(value as number, limit) ||
      run.refuse(
        () => `${words} ${limit}`,
        () => String(value),
      )
    );
  };

/** Old drafts: a flag that sharpens the limit beside it. */
const sharpBound = (
  words: string,
  limit: unknown,
  fits: (value: number, limit: number) => boolean,
): Test | undefined => (typeof limit === "number" ? bound(words, limit, fits) : undefined);

/** Characters are counted as people do: a pair of surrogates is one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

export const scalarKeywords = {
  enum: (values: readonly unknown[]) => oneOf(values),
  const: (value: unknown) => oneOf([value]),
  minimum: (limit: number) => bound("at least", limit, (value) => value >= limit),
  maximum: (limit: number) => bound("at most", limit, (value) => value <= limit),
  exclusiveMinimum: (part: number | boolean, { schema }: Site) =>
    sharpBound("more than", part === true ? schema.minimum : part, (value, limit) => value > limit),
  exclusiveMaximum: (part: number | boolean, { schema }: Site) =>
    sharpBound("less than", part === true ? schema.maximum : part, (value, limit) => value < limit),
  multipleOf: (divisor: number): Test => {
    const test = bound("a multiple of", divisor, multipleOf);
    return (value, run) => {
      run.expectExact(value);
      return test(value, run, undefined);
    };
  },
  // At most two units make a character, so most texts need not be counted.
  minLength: (limit: number) =>
    countKeyword("at least", limit, "character", lengthOf, (value) => {
      const { length } = value;
      return length >= 2 * limit || (length >= limit && lengthOf(value) >= limit);
    }),
  maxLength: (limit: number) =>
    countKeyword("at most", limit, "character", lengthOf, (value) => {
      const { length } = value;
      return length <= limit || (length <= 2 * limit && lengthOf(value) <= limit);
    }),
  pattern: (source: string): Test => {
    const pattern = patternOf(source);
    return (value, run) =>
      matches(pattern, value as string, "a text") ||
      run.refuse(
        () => `text that matches the pattern ${source}`,
        () => clipped(value as string),
      );
  },
  format: (name: string): Test | undefined => {
    const check = formatChecks.get(name);
    if (check === undefined) return undefined;
    return (value, run) =>
      !run.asserts ||
      check(value as string) ||
      run.refuse(
        () => `text in the format ${name}`,
        () => clipped(value as string),
      );
  },
} satisfies Record<string, KeywordCompiler>;
