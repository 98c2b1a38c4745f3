import fc from "fast-check";

/** Fragments that JSON, its dialects and its damage are made of. */
export const damagedJsonFragment = fc.constantFrom(
  ..."{}[]\"':,\\();=`#.+ \n12x".split(""),
  ...["...", "```", "“", "”", '"""', '""', "//", "/*", "*/", "</tool_call>", "</t>", "</", "f(", "r'", "C:\\", "{\\"],
  ...['\\"', "\\n", "\\u00", "\\u0041", "\\ud83d", "\\ude00", "\\q", "\ud83d", "\ude00", "\u00a0"],
  ...["tru", "nu", "true", "null", "None", "NaN", "8,000", "0x1"],
  ...['"a":', '"b": ', ', "k":', '"x"', '"b "c" d"', "__proto__"],
);
