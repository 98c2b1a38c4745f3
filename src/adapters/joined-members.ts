/**
 * Adds what a piece of an answer says to what those before it have said: lists, such as log probabilities and ids of tokens, go on, of
 * anything else the last counts.
 *
 * @param before is changed, and grows by what is new alone
 * @returns it, or a new one
 */
export function joinMembers(
  before: Record<string, unknown> | undefined,
  piece: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> | undefined {
  if (piece === undefined) return before;
  const all = before ?? {};
  for (const [key, value] of Object.entries(piece)) {
    const known = all[key];
    if (!Array.isArray(value)) all[key] = value;
    else if (Array.isArray(known)) for (const item of value) known.push(item);
    else all[key] = [...value];
  }
  return all;
}
