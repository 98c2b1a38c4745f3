/**
 * Are two plain values the same? Own keys only, `__proto__` included; functions and absent members are no data.
 * With a stack of its own, since a model's arguments may be nested as deep as it likes.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (!isHolder(left) || !isHolder(right)) return false;
  // Holders, two by two.
  const work: Holder[] = [left, right];
  while (work.length > 0) {
    const b = work.pop() as Holder;
    const a = work.pop() as Holder;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    let unmatched = 0;
    for (const key of Object.keys(b)) if (isData(b[key])) unmatched++;
    for (const key of Object.keys(a)) {
      const one = a[key];
      if (!isData(one)) continue;
      // An own member hides what is inherited under its name, so it can be read plainly.
      if (!Object.hasOwn(b, key)) return false;
      const other = b[key];
      unmatched--;
      if (Object.is(one, other)) continue;
      if (!isHolder(one) || !isHolder(other)) return false;
      work.push(one, other);
    }
    if (unmatched !== 0) return false;
  }
  return true;
}

type Holder = { readonly [key: string]: unknown };

const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;
const isData = (value: unknown) => value !== undefined && typeof value !== "function";
