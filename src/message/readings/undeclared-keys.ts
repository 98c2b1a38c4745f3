/** Of arguments that a tool does not declare the keys, and those in their values. */
export function undeclaredKeys(given: unknown, declared: ReadonlySet<string> | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) found.add(key);
      add(inner);
    }
  };
  add(Object.fromEntries(Object.entries(Object(given)).filter(([key]) => declared?.has(key) !== true)));
  return found;
}
