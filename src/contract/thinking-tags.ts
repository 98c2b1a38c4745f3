/** Pairs that mark thoughts in every format, unless its header says that they mean something else; `reasoning` there names more. */
export const thinkingTags: readonly { readonly open: string; readonly close: string }[] = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
];

/** The beginning of what opens thoughts, in the marks of any family, listed or not. */
export const opensThoughts = /<[\w:|]*think|\[think\]/i;
