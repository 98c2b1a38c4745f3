/** Thoughts, as prompts and not models name them: a reader sees them, and what is only considered there is not called. */
export const thoughtTags: readonly (readonly [open: string, close: string])[] = [
  ["<thought>", "</thought>"],
  ["<thoughts>", "</thoughts>"],
  ["<reasoning>", "</reasoning>"],
  ["<reflection>", "</reflection>"],
  ["<scratchpad>", "</scratchpad>"],
  ["<scratch_pad>", "</scratch_pad>"],
];

/**
 * Tags whose inside is quoted where they stand in prose: markup for code and examples, results of tools, which
 * models write down again, and thoughts that are no format's. A pair that is not closed quotes nothing.
 */
export const quotingTags: readonly (readonly [open: string, close: string])[] = [
  ["<pre>", "</pre>"],
  ["<code>", "</code>"],
  ["<samp>", "</samp>"],
  ["<xmp>", "</xmp>"],
  ["<tool_response>", "</tool_response>"],
  ["<tool_responses>", "</tool_responses>"],
  ["<function_response>", "</function_response>"],
  ["<function_responses>", "</function_responses>"],
  ["<tool_result>", "</tool_result>"],
  ["<tool_results>", "</tool_results>"],
  ["<tool_output>", "</tool_output>"],
  ["<tool_outputs>", "</tool_outputs>"],
  ["<function_result>", "</function_result>"],
  ["<function_results>", "</function_results>"],
  ["<observation>", "</observation>"],
  ["<result>", "</result>"],
  ["<results>", "</results>"],
  ["<search_result>", "</search_result>"],
  ["<search_results>", "</search_results>"],
  ["<document>", "</document>"],
  ["<documents>", "</documents>"],
  ["<webpage>", "</webpage>"],
  ["<example>", "</example>"],
  ["<examples>", "</examples>"],
  ...thoughtTags,
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
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
