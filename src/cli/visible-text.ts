/** Model text made fit for a terminal: what it cannot show, or what would steer it, becomes a visible sign. */

// C0 without tab and line feed, DEL, C1, and the marks that turn the direction of writing.
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Shows control characters as pictures of themselves; an escape sequence in a reply stays harmless. */
export function visible(text: string): string {
  return text.replaceAll("\t", "  ").replace(steering, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

/** How many columns a text takes: wide characters two, combining ones none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += width(character.codePointAt(0) as number);
  return columns;
}

function width(code: number): 0 | 1 | 2 {
  if (code < 0x300) return 1;
  if ((code >= 0x300 && code <= 0x36f) || code === 0x200b || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f))
    return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** The text, or its beginning with the number of characters it had. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half a character is worse than one less.
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? "") ? most - 1 : most;
  return `${text.slice(0, end)}... (${text.length} characters)`;
}
