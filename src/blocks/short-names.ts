import type { Hints } from "../machine/machine.ts";
import { roleCodes as role } from "../machine/roles.ts";
import { candidateAt } from "./candidates.ts";
import { collect } from "./parameters.ts";
import type { RoleHandlers } from "./state.ts";

/** What stands before the last component of a name: `files.read`, `files/read`, `files:read`, `files__read`. */
const separators: readonly string[] = [".", "/", ":", "__"];

/** The offered tools that a short name may mean: that very name, or else all whose last component it is. */
function toolsOf(short: string, names: readonly string[]): readonly string[] {
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

/** The tool by the last component of its name. What two tools end with is no name of either. */
export const shortNameHandlers: RoleHandlers = {
  [role.ShortName]: {
    open: collect,
    close(state, start) {
      const candidate = candidateAt(state, start);
      const short = state.captured.trim();
      const tools = short === "" ? [] : toolsOf(short, state.hints.names ?? []);
      candidate.name ??= tools.length === 1 ? tools[0] : short;
      if (tools.length < 2) return;
      candidate.refuse("ambiguous", `"${short}" could be ${tools.map((name) => `"${name}"`).join(" or ")}`);
    },
  },
};
