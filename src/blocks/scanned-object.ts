import { JsonScanner } from "../machine/json-scanner.ts";
import type { OpenRole, ReaderState } from "./state.ts";

/** The machine has stopped at an object whose end is not there yet: the scanner reads it, for as long as it is JSON. */
export function beginObject(state: ReaderState): void {
  const { machine, sink, store } = state;
  if (sink === undefined) return machine.readObject();
  const { position } = machine;
  state.scanner ??= new JsonScanner();
  state.scanner.begin(position, sink);
  readObject(state, state.scanner, store.slice(position, store.end));
}

/**
 * Reads the last piece of the text that is there.
 * @returns whether the object goes on after it
 */
export function readObject(state: ReaderState, scanner: JsonScanner, chunk: string): boolean {
  const from = state.store.end - chunk.length;
  const end = scanner.push(chunk, from);
  if (end === -1) return true;
  if (end < 0) leaveObject(state, scanner);
  else {
    scanner.start = -1;
    state.machine.passObject(end, chunk.slice(end - from));
  }
  return false;
}

/** The machine reads the object from its start, and what the scanner has said is not said again. */
export function leaveObject(state: ReaderState, scanner: JsonScanner): void {
  state.said = scanner.entries;
  state.saidTo = scanner.saidTo;
  scanner.start = -1;
  state.machine.readObject();
}

/** An entry of the log that has been said: of the roles that are open, it is known. */
export function passSaid(state: ReaderState, entry: number, at: number): void {
  const { roles } = state;
  if (entry & 1) roles.pop();
  else roles.push({ code: entry >> 1, start: at, at });
  const open = roles[roles.length - 1] as OpenRole;
  open.at = --state.said === 0 ? Math.max(at, state.saidTo) : at;
}
