import type { Repair } from "../contract/repairs.ts";
import { placeAfter } from "./escaped-document.ts";
import type { RepairJsonOptions, RepairJsonResult } from "./repair-result.ts";

/** The first bracket, and in it the first quote of all: as HTML writes it, where a key or a value begins. */
const begins = /^[^{["]*[{[](?:[^"'`&]*[{[:,])?\s*&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);/i;
const entity = /&(?:(quot|apos|amp|lt|gt)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };
const lastCodePoint = 0x10ffff;

/**
 * Reads JSON that was escaped for HTML, `{&quot;r&quot;:1}`, and has no quote that was not. A guess: some of the entities may
 * have stood in the strings before.
 */
export function readHtmlEscaped(
  text: string,
  options: RepairJsonOptions,
  read: (text: string, options: RepairJsonOptions) => RepairJsonResult,
): RepairJsonResult | undefined {
  if (!text.includes("&") || text.includes('"') || !begins.test(text)) return undefined;
  // After each entity: the index in the text, and in the document.
  const after: [text: number, document: number][] = [];
  let shorter = 0;
  const unescaped = text.replace(entity, (written, name: string | undefined, decimal, hexadecimal, at: number) => {
    const code = Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10);
    if (name === undefined && code > lastCodePoint) return written;
    const character = name === undefined ? String.fromCodePoint(code) : named[name.toLowerCase()];
    shorter += written.length - character.length;
    after.push([at + written.length - shorter, at + written.length]);
    return character;
  });
  const found = read(unescaped, options);
  if (!found.ok) return { ...found, at: placeAfter(after, found.at) };
  const repairs: Repair[] = found.repairs.map((repair) => ({
    ...repair,
    start: placeAfter(after, repair.start),
    end: placeAfter(after, repair.end),
  }));
  repairs.unshift({ kind: "escaped-document", level: "guess", start: 0, end: text.length });
  return { ...found, level: "guess", repairs };
}
