import { roleCodes as role } from "../machine/roles.ts";
import { candidateAt } from "./candidates.ts";
import { collect } from "./parameters.ts";
import type { RoleHandlers } from "./state.ts";
import { toolsOf } from "./tools-by-short-name.ts";

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
