import { lastOf } from "../machine/last-of.ts";
import type { ReaderState } from "./state.ts";

/** A value begins; inside an array it has a place of its own. */
export function beginItem(state: ReaderState): void {
  const top = lastOf(state.path);
  if (typeof top === "number") state.path[state.path.length - 1] = top + 1;
}

/** An object or array begins inside the value of a parameter; `first` is where its first value stands. */
export function enterContainer(state: ReaderState, first: string | number): void {
  if (state.block?.kind !== "members") return;
  beginItem(state);
  state.path.push(first);
}
