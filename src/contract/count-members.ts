/** Members of all objects in a value. */
export function countMembers(value: unknown): number {
  let count = 0;
  const work: unknown[] = [value];
  while (work.length > 0) {
    const container = work.pop() as object;
    if (Array.isArray(container)) {
      for (const item of container) if (typeof item === "object" && item !== null) work.push(item);
      continue;
    }
    for (const key of Object.keys(container)) {
      count++;
      const item: unknown =
        key === "__proto__"
          ? Object.getOwnPropertyDescriptor(container, key)?.value
          : (container as Record<string, unknown>)[key];
      if (typeof item === "object" && item !== null) work.push(item);
    }
  }
  return count;
}
