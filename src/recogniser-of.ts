import { recognisers } from "../generated/recognisers.ts";
import type { BlockReader } from "./machine/block-reader.ts";
import type { Hints } from "./machine/hints.ts";
import { Recognition } from "./machine/recognition.ts";

/** What reads blocks of a format in the machine's place; `null`: the machine reads them all. */
export const recogniserOf = (id: string, hints: Hints): BlockReader | null =>
  Object.hasOwn(recognisers, id) ? new Recognition(recognisers[id], hints) : null;
