/** Whether a value of JSON is an object: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in a list; of anything else none. */
export const objectsIn = (given: unknown): Record<string, unknown>[] =>
  Array.isArray(given) ? given.filter(isObject) : [];
