/** The usage of several answers as that of one: numbers are added, whatever an interface calls them. */
export function addUsage(one: unknown, other: unknown): unknown {
  if (one === undefined || one === null) return other;
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (typeof one !== "object" || typeof other !== "object" || other === null) return other ?? one;
  const left = one as Record<string, unknown>;
  const right = other as Record<string, unknown>;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...keys].map((key) => [key, addUsage(left[key], right[key])]));
}
