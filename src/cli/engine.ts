import type { Explanation } from "../explain.ts";
import type { Engine, HarnessResult } from "../testing/engine.ts";

/** What the commands use of a format. */
export interface FormatInfo {
  id: string;
  aliases: readonly string[];
  models: readonly string[];
  mode: string;
  triggers: readonly string[];
  stop: readonly string[];
}

/** The library as the commands see it: a test can hand them another one. */
export interface CliEngine extends Required<Engine> {
  /** Does once what does not depend on the text. */
  prepare?(options: never): { parse(text: string, own?: object): HarnessResult };
  /** Reads a text and says how. */
  explain?(text: string, options: never): Explanation;
  formats: Iterable<FormatInfo> & {
    /** Throws for a name that is not known. */
    get(idOrAlias: string): FormatInfo;
  };
}
