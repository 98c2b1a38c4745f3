import type { FormatRegistry } from "./registry.ts";

let known: FormatRegistry | undefined;

/** The root entry says which formats there are. An entry that takes formats as values then understands ids as well. */
export function announceRegistry(registry: FormatRegistry): void {
  known = registry;
}

/** The registry of the root entry, where the program has loaded it. */
export function knownRegistry(): FormatRegistry | undefined {
  return known;
}
