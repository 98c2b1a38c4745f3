import { recognisers } from "../generated/recognisers.ts";
import type { Recogniser } from "./machine/recognition.ts";

/** The recogniser of a format of the registry; undefined: it has none. */
export function recogniserOf(id: string): Recogniser | undefined {
  return Object.hasOwn(recognisers, id) ? recognisers[id] : undefined;
}
