import type { References } from "../../values/schema-references.ts";
import type { CheckRun } from "./check-run.ts";
import type { Evaluated } from "./evaluated.ts";

export type SchemaObject = { readonly [keyword: string]: unknown };

/** Says whether a value fits. `seen`: takes note of members and items that were spoken of, where somebody asks. */
export type Test = (value: unknown, run: CheckRun, seen: Evaluated | undefined) => boolean;

/** What a keyword is compiled with. */
export interface Site {
  /** The schema it stands in. */
  readonly schema: SchemaObject;
  readonly references: References;
  /** Compiles a schema; the same one once. */
  readonly compile: (schema: unknown) => Test;
}

/** Makes the test of a keyword; undefined: it says nothing here, or another keyword does it too. */
export type KeywordCompiler = (part: never, site: Site) => Test | undefined;
