import { countText } from "./describe-value.ts";
import type { Test } from "./keyword.ts";

/** A keyword that says how many items, members or characters a value may have. Their number is asked for a refusal alone. */
export const countKeyword =
  (words: string, what: string, countIn: (value: never) => number, fits: (value: never, limit: number) => boolean) =>
  (limit: number): Test =>
  (value, run) =>
    fits(value as never, limit) ||
    run.refuse(
      () => `${words} ${countText(limit, what)}`,
      () => countText(countIn(value as never), what),
    );
