const unescaped: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** What an escaped document says, and its text with one level of escaping undone. */
export interface EscapedDocument {
  value: unknown;
  text: string;
  /** Some quotes are not escaped: only a part of it was escaped once too often. */
  mixed: boolean;
}

/**
 * Undoes one level of escaping over a whole document, `{\"r\":1}`. Accepted only if what comes out is strict JSON;
 * `undefined` otherwise. Where some quotes are not escaped, an escape of anything else may belong to either level.
 */
export function readEscapedDocument(document: string): EscapedDocument | undefined {
  const pieces: string[] = [];
  let from = 0;
  let mixed = false;
  let quotesOnly = true;
  const take = (piece: string): void => {
    pieces.push(piece);
    mixed ||= piece.includes('"');
  };
  for (;;) {
    const at = document.indexOf("\\", from);
    if (at < 0) break;
    take(document.slice(from, at));
    const letter = document[at + 1] ?? "";
    quotesOnly &&= letter === '"';
    if (letter === "u" && /^[0-9a-fA-F]{4}$/.test(document.slice(at + 2, at + 6))) {
      pieces.push(String.fromCharCode(Number.parseInt(document.slice(at + 2, at + 6), 16)));
      from = at + 6;
      continue;
    }
    const character = unescaped[letter];
    if (character === undefined) return undefined;
    pieces.push(character);
    from = at + 2;
  }
  take(document.slice(from));
  if (mixed && !quotesOnly) return undefined;
  const text = pieces.join("");
  try {
    return { value: JSON.parse(text) as unknown, text, mixed };
  } catch {
    return undefined;
  }
}
