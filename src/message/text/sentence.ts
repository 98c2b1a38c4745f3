/**
 * Is a line a sentence, whatever it ends in? In code no two words stand beside each other, but for those of a command that the line begins
 * with, those before what is assigned, and some that languages know. Comments and what is assigned say nothing.
 */
export function isSentence(line: string): boolean {
  const start = line.replace(beforeStatement, "").replace(stringOnLine, '""');
  const text = start.split(commentOrValue, 1)[0];
  const words = text.trim().split(/\s+/);
  const isPlain = (word: string) => plainWord.test(word) && !ofCodeBeside.has(word.toLowerCase());
  const isAssigned = /^=(?!=)/.test(start.slice(text.length));
  while (isAssigned && words.length > 0 && isPlain(words[words.length - 1])) words.pop();
  let at = beginsStatement.test(words[0]) ? 1 : 0;
  if (at === 0 && !beginsSentence.test(words[0])) while (at < words.length && isPlain(words[at])) at++;
  return words.some(
    (word, index) => index > at && isPlain(words[index - 1]) && /\w$/.test(words[index - 1]) && isPlain(word),
  );
}

/** Words that stand beside others in code, too. */
const ofCodeBeside: ReadonlySet<string> = new Set(
  (
    "and or not in is if else for lambda await new typeof instanceof extends as of delete void xor shl shr ushr until " +
    "from where set join on by"
  ).split(" "),
);
/** What a sentence in small letters may begin with: other words there may be commands, or modifiers of types. */
const beginsSentence = /^(?:[A-Z]|(?:the|this|that|these|those|there|here|its?|we|you|they|my|your|so|an)$)/;
const beginsStatement = /^(?:if|elif|while|with|except|match|case|for)$/;
const plainWord = /^[A-Za-z][a-z]*(?:['’][a-z]+)?[.,;:!?]?$/;
const stringOnLine = /(?<!\w)(["'`]).*?\1/g;
const beforeStatement = /^\s*(?:(?:[-*>]|\d+[.)]|async)\s+)*/;
const commentOrValue = /\s(?:#|\/\/)|=/;
