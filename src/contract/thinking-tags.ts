/** Pairs that mark thoughts in every format, unless its header says that they mean something else; `reasoning` there names more. */
export const thinkingTags: readonly { readonly open: string; readonly close: string }[] = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
];

/** The beginning of what opens thoughts, in the marks of any family, listed or not. */
export const opensThoughts = /<[\w:|]*think|\[think\]/i;

/** That of what closes them, also with blanks, signs or slashes that are none of it, with its slash behind the word, or as a reference. */
export const closesThoughts =
  /(?:<|&(?:lt|#60|#x3c);)[\s|]{0,8}(?:[/\\][\s/]{0,8}[\w:|]*think|think\w*[\s|]{0,8}[/\\])|\[\s{0,8}\/\s{0,8}think\s{0,8}\]/i;
