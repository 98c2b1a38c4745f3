import type { Hints } from "../machine/hints.ts";

/** What stands before the last component of a name: `files.read`, `files/read`, `files:read`, `files__read`. */
const separators: readonly string[] = [".", "/", ":", "__"];

/** The offered tools that a short name may mean: that very name, or else all whose last component it is. */
export function toolsOf(short: string, names: readonly string[]): readonly string[] {
  if (names.includes(short)) return [short];
  return names.filter((name) => separators.some((separator) => name.endsWith(separator + short)));
}

/** The same hints, by short names too: where one could mean several tools, nothing is known of it. */
export function withShortNames(hints: Hints): Hints {
  return {
    ...hints,
    keysOf(name) {
      const tools = toolsOf(name, hints.names ?? []);
      return hints.keysOf(tools.length === 1 ? tools[0] : name);
    },
  };
}
