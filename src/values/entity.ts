const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The character that an XML character reference stands for (XML 1.0, 4.1 and 4.6): `&lt;`, `&#10;`, `&#x1F600;`.
 * A reference that names no character stays as it is written.
 */
export function decodeEntity(reference: string): string {
  const body = reference.slice(1, -1);
  if (!body.startsWith("#")) return named[body] ?? reference;
  const code = body[1] === "x" ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return code > 0 && code <= 0x10ffff && !isHalf ? String.fromCodePoint(code) : reference;
}
