export const tagPair = (name: string): readonly [open: string, close: string] => [`<${name}>`, `</${name}>`];

/** Thoughts, as prompts and not models name them: a reader sees them, and what is only considered there is not called. */
const thoughtNames = ["thought", "thoughts", "reasoning", "reflection", "scratchpad", "scratch_pad"];

export const thoughtTags: readonly (readonly [open: string, close: string])[] = thoughtNames.map(tagPair);

/**
 * Names of tags whose inside is quoted where they stand in prose: markup for code and examples, results of tools, which
 * models write down again, and thoughts that are no format's. A pair that is not closed quotes nothing.
 */
export const quotingNames: readonly string[] = [
  "pre",
  "code",
  "samp",
  "xmp",
  "tool_response",
  "tool_responses",
  "function_response",
  "function_responses",
  "tool_result",
  "tool_results",
  "tool_output",
  "tool_outputs",
  "function_result",
  "function_results",
  "observation",
  "observations",
  "result",
  "results",
  "search_result",
  "search_results",
  "document",
  "documents",
  "webpage",
  "webpages",
  "example",
  "examples",
  ...thoughtNames,
];

/** The same that are no tags. */
export const quotingMarks: readonly (readonly [open: string, close: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
];

/** All of them. */
export const quotingTags: readonly (readonly [open: string, close: string])[] = [
  ...quotingNames.map(tagPair),
  ...quotingMarks,
];

/** HTML closes a comment with it as well. */
export const otherCommentClose = "--!>";

/** What closes pairs in which no other begins, itself included: to HTML and XML all up to the first closer is text of it. */
export const rawQuoteClosers: readonly string[] = ["-->", otherCommentClose, "]]>", "</xmp>"];

/** The same as special tokens of few models. The opener of one that takes attributes ends with its name. */
export const quotingTokens: readonly (readonly [open: string, close: string])[] = [
  ...["function_results", "tool_results"].flatMap((name): [string, string][] => [
    [`<｜DSML｜${name}>`, `</｜DSML｜${name}>`],
    [`<｜GCML｜${name}>`, `</｜GCML｜${name}>`],
  ]),
  ...["tool_response", "tool_responses"].map((name): [string, string] => [`<ifm|${name}>`, `</ifm|${name}>`]),
  ...["tool_response", "tool_result", "example"].map((name): [string, string] => [
    `<|open|>${name}`,
    `<|close|>${name}<|sep|>`,
  ]),
  ...["tool_response", "tool_responses"].map((name): [string, string] => [
    `<${name}:opensource>`,
    `</${name}:opensource>`,
  ]),
  ["<|tool_response|>", "<|/tool_response|>"],
  ["<|tool_response_start|>", "<|tool_response_end|>"],
  ["<|tool_response:begin|>", "<|tool_response:end|>"],
  ["<|tool_response:start|>", "<|tool_response:end|>"],
  ["<longcat_tool_response>", "</longcat_tool_response>"],
];
