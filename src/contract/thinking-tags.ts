/** Pairs that mark thoughts in every format, unless its header says that they mean something else; `reasoning` there names more. */
export const thinkingTags: readonly { readonly open: string; readonly close: string }[] = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
];
