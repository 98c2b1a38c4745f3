/** Stores a member as own data: `__proto__` by assignment would set the prototype instead. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else (object as Record<string, unknown>)[key] = value;
}
