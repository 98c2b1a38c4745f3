import type { PayloadKeys } from "../../formats/format-data.ts";

/**
 * Where an object begins, or a list of some, that names a tool and stands directly before the end of a text, or has not
 * ended there; -1: none does.
 *
 * @param keys under which formats have names
 * @param names of the tools that are offered
 */
export function objectBefore(text: string, keys: readonly PayloadKeys["name"][], names: readonly string[]): number {
  const open: number[] = [];
  let isInString = false;
  let before = "";
  let last = -1;
  for (const { 0: unit, index } of text.matchAll(units)) {
    if (isInString) isInString = unit !== '"';
    else if (unit === '"') isInString = beforeString.includes(before);
    else if ("{[".includes(unit)) open.push(index);
    else if ("}]".includes(unit)) last = open.pop() ?? -1;
    before = unit;
  }
  const begun = ["}]".includes(before) ? last : -1, open[0] ?? -1];
  return begun.find((at) => at >= 0 && namesTool(text.slice(at), keys, names)) ?? -1;
}

function namesTool(text: string, keys: readonly PayloadKeys["name"][], names: readonly string[]): boolean {
  if (keys.includes("*") && names.includes(onlyKey.exec(text)?.[1] ?? "")) return true;
  const ofNames = keys.flatMap((key) => (key === "*" ? [] : key.map((path) => path.replace(/.*\./, ""))));
  for (const [, key, name] of text.matchAll(member)) if (ofNames.includes(key) && names.includes(name)) return true;
  return false;
}

/**
 * Where the name of a tool stands in a text with what formats write behind it, its arguments or what ends a tag, or where a tag begins
 * that closers of the formats close but for its case and blanks, and that names one; -1: neither does.
 */
export function nameBefore(text: string, names: readonly string[], closers: readonly string[]): number {
  for (const { 0: name, index } of text.matchAll(heads))
    if (names.includes(name) || (name.startsWith("<") && isMisspelt(name, names, closers))) return index;
  return -1;
}

function isMisspelt(tag: string, names: readonly string[], closers: readonly string[]): boolean {
  const [name = ""] = word.exec(tag) ?? [];
  if (tag.startsWith("</") || (tag.startsWith(`<${name}`) && closers.includes(`</${name}>`))) return false;
  const isClosed = closers.some((closer) => closer.toLowerCase() === `</${name.toLowerCase()}>`);
  const known = names.map((one) => one.toLowerCase());
  return isClosed && (tag.toLowerCase().match(words) ?? []).some((one) => known.includes(one));
}

const word = /[\w.-]+/;
const words = /[\w.-]+/g;

/** A tag as a whole: one that is spelt as it should be, and opens nothing, is of another format. Behind a comma stands the rest of a call. */
const heads = /<[^<>]*>|(?<![\w.-]|,\s?)[\w.-]+(?=\(|["']?>|\s*\{)|(?<=>)[\w.-]+(?=<\/|$)/g;
/** What is not blank, an escape as a whole. */
const units = /\\[\s\S]|\S/g;
const beforeString = "{[,:";
const onlyKey = /^\[?\s*\{\s*"([^"]*)"\s*:/;
const member = /"(\w+)"\s*:\s*"([^"\\]*)"/g;
