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

/**
 * Undoes one level of escaping over a whole document, `{\"r\":1}`. Accepted only if what comes out is strict JSON;
 * `undefined` otherwise.
 */
export function readEscapedDocument(text: string): { value: unknown } | undefined {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const at = text.indexOf("\\", from);
    if (at < 0) break;
    pieces.push(text.slice(from, at));
    const letter = text[at + 1] ?? "";
    if (letter === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) {
      pieces.push(String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)));
      from = at + 6;
      continue;
    }
    const character = unescaped[letter];
    if (character === undefined) return undefined;
    pieces.push(character);
    from = at + 2;
  }
  pieces.push(text.slice(from));
  try {
    return { value: JSON.parse(pieces.join("")) as unknown };
  } catch {
    return undefined;
  }
}
