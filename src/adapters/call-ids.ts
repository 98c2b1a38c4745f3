const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
/** 36^16: no two messages of a conversation will share it. */
const prefixLength = 16;

/**
 * Call ids that differ between messages, for hosts that keep a whole conversation: `call_<random>_<n>`. Make one per
 * message and give it as `options.id`; the default ids of a parser (`call_0`, ...) are unique only within a message.
 */
export function uniqueCallIds(): (n: number) => string {
  const prefix = randomWord();
  return (n) => `call_${prefix}_${n}`;
}

/** Sixteen random letters and digits. */
export function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(prefixLength));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}
