import { clipped } from "./describe-value.ts";

/** Keys that are written after a dot. */
const plainKey = /^[A-Za-z_]\w{0,59}$/;

/** A place in the arguments, as a person writes it: `arguments.list[2].key`. */
export function pathText(path: readonly (string | number)[]): string {
  let text = "arguments";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += plainKey.test(key) ? `.${key}` : `[${clipped(key)}]`;
  }
  return text;
}
