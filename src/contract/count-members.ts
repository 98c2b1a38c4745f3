/** Members of all objects in a value. */
export function countMembers(value: unknown): number {
  let count = 0;
  const work: unknown[] = [value];
  while (work.length > 0) {
    const container = work.pop() as object;
    const parts: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
    if (parts !== container) count += parts.length;
    for (const part of parts) if (typeof part === "object" && part !== null) work.push(part);
  }
  return count;
}
