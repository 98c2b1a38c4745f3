import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  closersOf,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "./characters.ts";

const tables = new Map<number, Uint8Array>();

/**
 * The ASCII characters at which the reading of a string must stop to think; it runs over all others. A colon matters
 * in keys only, a comma only where a closing quote may be missing before it.
 */
export function specialsOf(opener: number, isKey: boolean, watchesCommas: boolean): Uint8Array {
  const index = opener * 4 + (isKey ? 2 : 0) + (watchesCommas ? 1 : 0);
  const known = tables.get(index);
  if (known !== undefined) return known;
  const table = new Uint8Array(128);
  table.fill(1, 0, 0x20);
  // Who opened with another quote than JSON's may have meant any that follows; in JSON's, others may be escaped.
  table[APOSTROPHE] = 1;
  for (const code of [QUOTE, BACKSLASH, ...closersOf(opener)]) if (code < 128) table[code] = 1;
  if (isKey) table[COLON] = 1;
  else for (const code of [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET]) table[code] = 1;
  if (watchesCommas) table[COMMA] = 1;
  tables.set(index, table);
  return table;
}
