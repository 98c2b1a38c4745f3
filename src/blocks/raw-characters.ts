import { lastOf } from "../machine/last-of.ts";
import { roleCodes as role } from "../machine/roles.ts";
import type { ReaderState, RoleHandlers } from "./state.ts";

/** In a string of JSON what may not stand there raw is passed on as an escape. */
function takeRawCharacters(state: ReaderState, start: number, at: number): void {
  const open = lastOf(state.roles);
  if (open?.code !== role.String) return;
  open.at = at;
  state.sink?.text(state.slice(start, at));
}

/** Strings of JSON that hold line breaks as they stand. */
export const rawCharacterHandlers: RoleHandlers = { "raw-control-character": { close: takeRawCharacters } };
