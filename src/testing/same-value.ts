/**
 * Are two plain values the same? Own keys only, `__proto__` included; functions and absent members are no data.
 * With a stack of its own, since a model's arguments may be nested as deep as it likes.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  const work: [unknown, unknown][] = [[left, right]];
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = dataKeys(a);
    if (keys.length !== dataKeys(b).length) return false;
    for (const key of keys) {
      const other = Object.getOwnPropertyDescriptor(b, key);
      if (other === undefined) return false;
      work.push([Object.getOwnPropertyDescriptor(a, key)?.value, other.value]);
    }
  }
  return true;
}

function dataKeys(value: object): string[] {
  return Object.keys(value).filter((key) => {
    const member = Object.getOwnPropertyDescriptor(value, key)?.value;
    return member !== undefined && typeof member !== "function";
  });
}
