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

/** Longer names are compared by their beginning. */
const nameCharsMax = 256;

function tagName(text: string, start: number): string {
  let end = start;
  while (end < text.length && end - start < nameCharsMax && !" \t\r\n<>/=\"'".includes(text[end])) end++;
  return text.slice(start, end);
}
