const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
/** 36^24: no two of them will be equal. */
const wordLength = 24;

/**
 * Call ids that are given once, for hosts that keep a whole conversation: `call_<random>`. One function serves any number
 * of messages, also at the same time; the default ids of a parser (`call_0`, ...) are unique only within a message.
 */
export function uniqueCallIds(): (n: number) => string {
  return () => `call_${randomWord()}`;
}

/** Twenty-four random letters and digits. */
export function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(wordLength));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}
