/**
 * The root entry for programs that do not count bytes: with recognisers, by which `parse` reads whole texts of tagged formats
 * faster. `package.json` leads Node here; all others get `index.ts`.
 */
import { announceBlockReaders } from "./machine/block-reader.ts";

// They are a quarter of the work of a start, and nothing is read otherwise without them: so they come when the program has
// started and waits for something. The machine reads until then, and all the time where the file is not there.
announceBlockReaders(
  import("./recogniser-of.ts").then(
    ({ recogniserOf }) => recogniserOf,
    () => undefined,
  ),
);

export * from "./index.ts";
