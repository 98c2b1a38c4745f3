/** What stands after the marks of a fence names a language that has fences. */
export const mayHoldFences = (info: string): boolean => /^[ \t]*(?:md|mdx|markdown)\b/i.test(info);
