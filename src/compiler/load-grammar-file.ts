import { existsSync, readFileSync } from "node:fs";
import type { LoadGrammar } from "./parse/link-grammar.ts";

/** Reads a grammar from the disk; undefined where there is none, and for a folder. */
export const loadGrammarFile: LoadGrammar = (path) => {
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") return undefined;
    throw error;
  }
};
