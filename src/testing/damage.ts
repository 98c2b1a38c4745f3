/** One edit of a text at one character. */
export interface Damage {
  kind: "deletion" | "duplication" | "swap";
  at: number;
  text: string;
}

/**
 * Every deletion, duplication and swap of a structural character.
 *
 * @param words matches what is no structure: names and values. Must be global.
 */
export function structuralDamage(text: string, words: RegExp): Damage[] {
  const isWord = new Uint8Array(text.length + 1);
  for (const match of text.matchAll(words)) isWord.fill(1, match.index, match.index + match[0].length);
  const damage: Damage[] = [];
  for (let at = 0; at < text.length; at++) {
    if (isWord[at]) continue;
    const [before, unit, after] = [text.slice(0, at), text[at], text.slice(at + 1)];
    damage.push({ kind: "deletion", at, text: before + after });
    damage.push({ kind: "duplication", at, text: before + unit + unit + after });
    if (at + 1 < text.length && !isWord[at + 1] && text[at + 1] !== unit) {
      damage.push({ kind: "swap", at, text: before + text[at + 1] + unit + text.slice(at + 2) });
    }
  }
  return damage;
}
