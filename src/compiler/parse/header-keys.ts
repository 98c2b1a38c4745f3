/**
 * The keys of a header, a closed list: `headerMeanings` in `reference.ts` says what each means. `aliases`, `models`, `asks`,
 * `source`, `example` and `prompt` are not passed on to what extends the file.
 *
 * In `reasoning`, `stop`, `turns`, `answers` and `framing`, `\n`, `\r`, `\t`, `\s` (a blank), `\;`, `\\` and `\uXXXX` are escapes. A value goes on in the next line
 * where that is indented by three blanks or more.
 */
export const headerKeys = [
  "format",
  "aliases",
  "models",
  "mode",
  "extends",
  "asks",
  "overrides",
  "keys",
  "reasoning",
  "starts",
  "ends-reasoning",
  "stop",
  "turns",
  "answers",
  "framing",
  "marker",
  "flags",
  "body",
  "unnamed",
  "max-payload",
  "source",
  "example",
  "prompt",
] as const;

/** One word of {@link headerKeys}. */
export type HeaderKey = (typeof headerKeys)[number];

/** What a format may declare about itself, beyond its rules: `flagMeanings` in `reference.ts` says what each means. */
export const headerFlags = [
  "arguments-required",
  "all-or-none",
  "unrepaired",
  "special-tags",
  "framing-openers",
  "marked-strings",
] as const;

/** One word of {@link headerFlags}. */
export type HeaderFlag = (typeof headerFlags)[number];

/** What an id of a format looks like, and the same for people. */
export const idShape = /^[a-z0-9][a-z0-9_.-]*$/;
export const idHelp = "an id is one lower-case word of letters, digits, `_`, `-` and `.`";
