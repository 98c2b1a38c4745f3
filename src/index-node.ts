/**
 * The root entry for programs that do not count bytes: with recognisers, by which `parse` reads whole texts of tagged formats
 * faster. `package.json` leads Node here; all others get `index.ts`.
 */

import { announceBlockReaders } from "./machine/recognised-block.ts";
import { Recognition } from "./machine/recognition.ts";
import { recogniserOf } from "./recogniser-of.ts";
import { formats } from "./toolpeg.ts";

announceBlockReaders((format, hints) => {
  // Another format may go by the same id.
  if (!formats.has(format.id) || formats.get(format.id) !== format) return undefined;
  const recogniser = recogniserOf(format.id);
  return recogniser && new Recognition(recogniser, hints);
});

export * from "./index.ts";
