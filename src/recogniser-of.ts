import { recognisers } from "../generated/recognisers.ts";
import type { BlockReader } from "./machine/block-reader.ts";
import type { Hints } from "./machine/hints.ts";
import { Recognition } from "./machine/recognition.ts";
import { formats } from "./toolpeg.ts";

/** What reads blocks of a format in the machine's place; `null`: the machine reads them all. */
export const recogniserOf = (format: { readonly id: string }, hints: Hints): BlockReader | null =>
  // Another format may go by the same id.
  Object.hasOwn(recognisers, format.id) && formats.get(format.id) === format
    ? new Recognition(recognisers[format.id], hints)
    : null;
