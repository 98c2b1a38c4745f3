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
  /** Where a character of `text` stands in the document. */
  offsetOf(index: number): number;
}

/**
 * Undoes one level of escaping over a whole document, `{\"r\":1}`. Accepted only if what comes out is strict JSON;
 * `undefined` otherwise. Where some quotes are not escaped, an escape of anything else may belong to either level.
 */
export function readEscapedDocument(document: string): EscapedDocument | undefined {
  const pieces: string[] = [];
  // After each escape: the index in the text, and in the document.
  const after: [text: number, document: number][] = [];
  let length = 0;
  let from = 0;
  let mixed = false;
  let quotesOnly = true;
  const take = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
    mixed ||= piece.includes('"');
  };
  const undo = (character: string, end: number): void => {
    pieces.push(character);
    from = end;
    after.push([++length, end]);
  };
  for (;;) {
    const at = document.indexOf("\\", from);
    if (at < 0) break;
    take(document.slice(from, at));
    const letter = document[at + 1] ?? "";
    quotesOnly &&= letter === '"';
    if (letter === "u" && /^[0-9a-fA-F]{4}$/.test(document.slice(at + 2, at + 6))) {
      undo(String.fromCharCode(Number.parseInt(document.slice(at + 2, at + 6), 16)), at + 6);
      continue;
    }
    const character = unescaped[letter];
    if (character === undefined) return undefined;
    undo(character, at + 2);
  }
  take(document.slice(from));
  if (mixed && !quotesOnly) return undefined;
  const text = pieces.join("");
  try {
    return { value: JSON.parse(text) as unknown, text, mixed, offsetOf: (index) => placeAfter(after, index) };
  } catch {
    return undefined;
  }
}

const closerOf: Readonly<Record<string, string>> = { "{": "}", "[": "]", "\\": '"' };

/**
 * Undoes the escapes of quotes and backslashes alone, `{\"r\": \"a\nb\"}`: who escaped the quotes may have left the rest as
 * it was. Accepted only if what comes out is strict JSON, which ends as it begins.
 */
export function readEscapedQuotes(document: string): { value: unknown } | undefined {
  if (document.at(-1) !== closerOf[document[0]]) return undefined;
  try {
    return { value: JSON.parse(document.replace(/\\(["\\])/g, "$1")) as unknown };
  } catch {
    return undefined;
  }
}

/** Where an index of the shorter text stands in the longer one: as far after the last escape before it. */
export function placeAfter(escapes: readonly [number, number][], index: number): number {
  let low = 0;
  let high = escapes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (escapes[middle][0] <= index) low = middle + 1;
    else high = middle;
  }
  const [text, document] = escapes[low - 1] ?? [0, 0];
  return document + index - text;
}
