/**
 * Tags whose inside is quoted where they stand in prose: markup for code and examples, and results of tools, which
 * models write down again. A pair that is not closed quotes nothing.
 */
export const quotingTags: readonly (readonly [open: string, close: string])[] = [
  ["<pre>", "</pre>"],
  ["<code>", "</code>"],
  ["<tool_response>", "</tool_response>"],
  ["<tool_responses>", "</tool_responses>"],
  ["<function_response>", "</function_response>"],
  ["<tool_result>", "</tool_result>"],
  ["<function_results>", "</function_results>"],
  ["<example>", "</example>"],
  ["<!--", "-->"],
];
