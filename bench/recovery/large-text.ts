import { type Json, makeDocument, write } from "./documents.ts";
import { Random } from "./random.ts";

/** A valid document of about `size` characters. */
export function makeText(size: number): string {
  const random = new Random(7);
  const documents: Json[] = [];
  for (let length = 0; length < size; ) {
    const document = makeDocument(random);
    documents.push(document);
    length += write(document).length + 2;
  }
  return write({ items: documents });
}

/** The usual three: as it is, damaged in its first characters, damaged in its last ones. */
export function conditionsOf(valid: string): [name: string, text: string][] {
  return [
    ["valid", valid],
    ["broken early", valid.replace('{"items": [', "{items: [")],
    ["broken late", valid.replace(/\]\}$/, ",]}")],
  ];
}
