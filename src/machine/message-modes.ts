/** How the text around blocks is read: entries of `grammars/message.peggy`, which says what each is. */
export const messageModes = [
  "begin",
  "unled",
  "answer",
  "prose",
  "unopened",
  "unmarked",
  "beginInThoughts",
  "unsaidThoughts",
  "thoughts",
  "drafted",
  "asContent",
  "proseInTag",
  "unopenedInTag",
  "unmarkedInTag",
  "asContentInTag",
  "asReasoning",
  "afterTurn",
] as const;

/** One of {@link messageModes}. */
export type MessageMode = (typeof messageModes)[number];
