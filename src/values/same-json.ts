/** Whether two JSON values are equal; own members only, with a stack of its own. */
export function sameJson(left: unknown, right: unknown): boolean {
  const work: [unknown, unknown][] = [[left, right]];
  for (;;) {
    const pair = work.pop();
    if (pair === undefined) return true;
    const [one, other] = pair;
    if (one === other) continue;
    if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      work.push([(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]]);
    }
  }
}
