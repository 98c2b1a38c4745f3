/**
 * Whether a text holds a closing tag, `</name`, that nothing before it in the text opened. A value whose own closer is
 * missing may then have ended there: two readings are left.
 */
export function hasStrayCloser(text: string): boolean {
  const open = new Map<string, number>();
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const closes = text[at + 1] === "/";
    const name = tagName(text, at + (closes ? 2 : 1));
    if (name === "") continue;
    const count = open.get(name) ?? 0;
    if (closes && count === 0) return true;
    open.set(name, count + (closes ? -1 : 1));
  }
  return false;
}

/** What can be left of a closing tag is no longer than this. */
const debrisCharsMax = 64;

/**
 * Whether a value whose own closer is missing ends in what may be left of that closer: `/parameter>`, `<parameter>`,
 * `<//parameter>`, `|close|>argument<|sep|>`. With it or without it: two readings are left.
 *
 * @param names letters that a closer is made of: the literals of the format, and the name of the parameter
 */
export function endsInBrokenCloser(text: string, names: readonly string[]): boolean {
  // A special token of the format is no text of a value.
  if (names.some((name) => /^<[|｜].*[|｜]>$/.test(name) && text.includes(name))) return true;
  const end = text.trimEnd();
  if (!end.endsWith(">")) return false;
  const tail = end.slice(-debrisCharsMax);
  const lastTag = tail.slice(Math.max(0, tail.lastIndexOf("<")));
  // A tag that is whole, and that something in the value has opened, is the value's.
  if (/^<\/[^\s<>/]+>$/.test(lastTag)) return false;
  const letters = lettersOf(tail);
  return names.some((name) => {
    const closer = lettersOf(name);
    return closer.length >= debrisLettersMin && letters.endsWith(closer);
  });
}

/** `<b>` at the end of a value says nothing: too many words end in one letter. */
const debrisLettersMin = 3;
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}_]/gu, "");

/** Longer names are compared by their beginning. */
const nameCharsMax = 256;

function tagName(text: string, start: number): string {
  let end = start;
  while (end < text.length && end - start < nameCharsMax && !" \t\r\n<>/=\"'".includes(text[end])) end++;
  return text.slice(start, end);
}
