/** What a closer begins with, from two characters on; half of a word is text. */
export const closerBeginnings = (closer: string): string[] =>
  Array.from(closer, (_, at) => closer.slice(0, at)).filter(
    (some) => some.length > 1 && !/\w\w/.test(closer.slice(some.length - 1, some.length + 1)),
  );
