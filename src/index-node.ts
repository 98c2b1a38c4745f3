/**
 * The root entry for programs that do not count bytes: with recognisers, by which `parse` reads whole texts of tagged formats
 * faster. `package.json` leads Node here; all others get `index.ts`.
 */
import { recognisers } from "../generated/recognisers.ts";
import { announceBlockReaders } from "./machine/recognised-block.ts";
import { Recognition } from "./machine/recognition.ts";
import { formats } from "./toolpeg.ts";

announceBlockReaders((format, hints) =>
  // Another format may go by the same id.
  Object.hasOwn(recognisers, format.id) && formats.get(format.id) === format
    ? new Recognition(recognisers[format.id], hints)
    : undefined,
);

export * from "./index.ts";
