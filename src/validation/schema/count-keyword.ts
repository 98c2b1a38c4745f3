import { countText } from "../../contract/count-text.ts";
import type { Test } from "./keyword.ts";

/**
 * A keyword that says how many items, members or characters a value may have. Their number is asked for a refusal alone. It is
 * called with the limit: a table that calls something while it loads stays in every bundle, also where no schema is checked.
 */
export const countKeyword =
  <Value>(
    words: string,
    limit: number,
    what: string,
    countIn: (value: Value) => number,
    fits: (value: Value) => boolean,
  ): Test =>
  (value, run) =>
    fits(value as Value) ||
    run.refuse(
      () => `${words} ${countText(limit, what)}`,
      () => countText(countIn(value as Value), what),
    );
