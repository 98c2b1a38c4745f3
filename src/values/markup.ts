import type { RejectionReason } from "../contract/reasons.ts";
import type { RepairKind } from "../contract/repairs.ts";
import type { JsonSchema } from "../contract/types.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { matchAt } from "../machine/match-at.ts";
import { type TextType, textTypeOf } from "./declared-type.ts";
import { decodeEntity } from "./entity.ts";
import { trimJson } from "./json-text.ts";
import { declaredKeys, itemSchema, propertySchema } from "./schema-walk.ts";
import { describeType, typeText } from "./text-to-value.ts";
import { kindBits } from "./value-kinds.ts";

// A value that may hold tags: `<at><x>1</x><y>2</y></at>`. What the tags mean, the schema says: for a string they are
// text, for an object members, for an array items (`<item>`, a name that repeats, or `<0>`, `<1>`). Lossless or refused.

/** How a format writes values that hold tags. */
export interface MarkupStyle {
  /** What stands before each tag; tags without it are text. */
  readonly prefix: string;
  /** Character references and sections of character data are decoded, in strings and between tags. */
  readonly entities: boolean;
}

/**
 * A value as JSON text, or why it is none of the declared type. `repairs`: what had to be done to read its texts. `ownNames`: those
 * of the tags directly in it that no schema has, so that they may be meant as something else.
 */
export type MarkupValue =
  | { json: string; repairs?: Iterable<RepairKind>; ownNames?: ReadonlySet<string> }
  | { mismatch: string; reason?: RejectionReason };

/** How a value is read, and what had to be done. */
interface Reading extends MarkupStyle {
  readonly repairs: Set<RepairKind>;
}

/** A place of a schema: what it says, and the document its references are looked up in. */
interface Place {
  schema: JsonSchema | undefined;
  root: JsonSchema;
}

interface Element {
  name: string;
  source: string;
  /** Where its inside stands in the source. */
  start: number;
  end: number;
  children: Element[];
  /** Its tag says more than its name: framing where tags are expected, and text where text may stand. */
  attributed?: boolean;
  /** Its tags are nested too deep to be read. */
  tooDeep?: true;
}

/** What the notation calls an item. */
const itemName = "item";
/** Deeper nesting is refused; validation's limit is lower. */
const nestingMax = 512;
/** Elements of one value, in all. */
const elementsMax = 100_000;

/**
 * Reads the texts of one parameter: several when it was given several times, which only an array can hold.
 *
 * @param schema What the schema says of the parameter; undefined: nothing, so that it is typed by inference.
 */
export function readMarkup(
  texts: readonly string[],
  schema: JsonSchema | undefined,
  root: JsonSchema,
  style: MarkupStyle,
): MarkupValue {
  const place = { schema, root };
  const reading = { ...style, repairs: new Set<RepairKind>() };
  const elements = texts.map((text) => parseElements(text, style));
  const value =
    elements.length === 1 ? readValue(elements[0], place, reading, 0) : readRepeated(elements, place, reading, 0);
  if ("mismatch" in value) return value;
  const ownNames = ownNamesOf(elements, place);
  return {
    ...value,
    ...(reading.repairs.size > 0 ? { repairs: reading.repairs } : {}),
    ...(ownNames.size > 0 ? { ownNames } : {}),
  };
}

/** The names of tags that the schema of a value does not have; the word for an item is one of the notation. */
function ownNamesOf(elements: readonly Element[], { schema, root }: Place): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { children } of elements) for (const { name } of children) names.add(name);
  if (names.size === 0 || textTypeOf(schema, root).streams) return new Set();
  names.delete(itemName);
  return foreignNames(names, { schema, root });
}

function foreignNames(names: Set<string>, { schema, root }: Place): ReadonlySet<string> {
  for (const place of [schema, itemSchema(schema, root, 0)])
    for (const key of declaredKeys(place, root)) names.delete(key);
  return names;
}

/** Whether tags that nothing marks as the format's may be markup of a text: where one is allowed beside what they make, the schema has to name them. */
function mayBeText(children: readonly Element[], place: Place, { prefix }: Reading, type: TextType): boolean {
  if (prefix !== "" || !type.anyString || type.inferred || isIndexed(children)) return false;
  if ((type.kinds & (kindBits.object | kindBits.array)) === 0) return false;
  const names = new Set(children.map(({ name }) => name));
  if (mayRepeat(type)) names.delete(itemName);
  return foreignNames(names, place).size > 0;
}

/** Whether a parameter of this type may be given more than once. */
export const mayRepeat = (type: TextType | undefined): boolean =>
  type === undefined || (type.kinds & kindBits.array) !== 0;

const textOf = ({ source, start, end }: Element) => source.slice(start, end);

function readValue(element: Element, place: Place, reading: Reading, depth: number): MarkupValue {
  if (depth > nestingMax || element.tooDeep) {
    return { mismatch: `it is nested deeper than ${nestingMax} levels`, reason: "too-deep" };
  }
  const type = textTypeOf(place.schema, place.root);
  const { children } = element;
  if (type.streams) return readLeaf(textOf(element), type, reading);
  const isText = (type.anyString || type.inferred) && children.some(({ attributed }) => attributed);
  if (children.length === 0 || isText) return readText(textOf(element), type, place, reading, depth);
  if (mayBeText(children, place, reading, type))
    return { mismatch: "its tags may be those of a text, or members; ask for it again", reason: "ambiguous" };
  const mayBeObject = (type.kinds & kindBits.object) !== 0;
  const mayBeArray = (type.kinds & kindBits.array) !== 0;
  if (mayBeArray && (!mayBeObject || isList(children, type.inferred))) return readList(element, place, reading, depth);
  if (mayBeObject) return readObject(children, place, reading, depth);
  // A single value that was wrapped as the only item of a list.
  if (children.length === 1 && children[0].name === itemName) return readValue(children[0], place, reading, depth + 1);
  return readLeaf(textOf(element), type, reading);
}

/** Whether tags are items by their names alone. */
function isList(children: readonly Element[], inferred: boolean): boolean {
  const { name } = children[0];
  if (children.some((child) => child.name !== name)) return isIndexed(children);
  return name === itemName || (!inferred && children.length > 1);
}

const isIndexed = (children: readonly Element[]) => children.every((child, at) => child.name === String(at));

function readObject(children: readonly Element[], place: Place, reading: Reading, depth: number): MarkupValue {
  const byName = new Map<string, Element[]>();
  for (const child of children) {
    const same = byName.get(child.name);
    if (same) same.push(child);
    else byName.set(child.name, [child]);
  }
  const members: string[] = [];
  for (const [name, same] of byName) {
    const inner = { schema: propertySchema(place.schema, place.root, name), root: place.root };
    const value =
      same.length === 1 ? readValue(same[0], inner, reading, depth + 1) : readRepeated(same, inner, reading, depth + 1);
    if ("mismatch" in value) return { ...value, mismatch: `"${name}": ${value.mismatch}` };
    members.push(`${JSON.stringify(name)}:${value.json}`);
  }
  return { json: `{${members.join(",")}}` };
}

/** The children of a value that is an array. */
function readList(element: Element, place: Place, reading: Reading, depth: number): MarkupValue {
  const { children } = element;
  const { name } = children[0];
  const item = itemSchema(place.schema, place.root, 0);
  const sameName = children.every((child) => child.name === name);
  // The members of a single item, written without a tag of the item's own.
  const isMember = propertySchema(item, place.root, name) !== undefined;
  const isMixed = !sameName && !isIndexed(children);
  const holdsItem = isMixed && children.some((child) => child.name === itemName);
  if (holdsItem && !declaredKeys(item, place.root).has(itemName)) return { mismatch: "its items have several names" };
  const isSingle = isMixed || (isMember && name !== itemName && !isIndexed(children));
  return readItems(isSingle ? [element] : children, place, reading, depth);
}

/**
 * What is given several times is a list where a schema says so and takes no text, or no tool is known; also in an object of which no schema speaks, if
 * a prefix marks the tags and none was meant as text. Else any of them could be meant.
 */
function readRepeated(items: readonly Element[], place: Place, reading: Reading, depth: number): MarkupValue {
  const type = textTypeOf(place.schema, place.root);
  if (type.anyString && !type.inferred && (type.kinds & kindBits.array) !== 0)
    return { mismatch: `it is given ${items.length} times, and may be one text`, reason: "duplicate-key" };
  if (place.root === true || !type.inferred || (depth > 0 && reading.prefix !== "")) {
    const { kinds } = textTypeOf(itemSchema(place.schema, place.root, 0), place.root);
    const isOfLists = type.anyString || (kinds & kindBits.array) !== 0;
    if (!isOfLists && items.some((one) => one.children.length === 0 && "json" in readLeaf(textOf(one), type, reading)))
      return { mismatch: `it is given ${items.length} times, and one of them is a whole list`, reason: "ambiguous" };
    return readItems(items, place, reading, depth);
  }
  return { mismatch: `it is given ${items.length} times, and no schema says that it is a list` };
}

/** What a schema says of an item, which has no name: one that says nothing of its type is none. */
function itemOf({ schema, root }: Place, at: number): JsonSchema | undefined {
  const item = itemSchema(schema, root, at);
  return textTypeOf(item, root).untyped ? undefined : item;
}

function readItems(items: readonly Element[], place: Place, reading: Reading, depth: number): MarkupValue {
  const type = textTypeOf(place.schema, place.root);
  if ((type.kinds & kindBits.array) === 0) {
    return { mismatch: `it is given ${items.length} times, and ${describeType(type)} is expected` };
  }
  const out: string[] = [];
  for (const [at, item] of items.entries()) {
    const inner = { schema: itemOf(place, at), root: place.root };
    const value = readValue(item, inner, reading, depth + 1);
    if ("mismatch" in value) return { ...value, mismatch: `item ${at}: ${value.mismatch}` };
    out.push(value.json);
  }
  return { json: `[${out.join(",")}]` };
}

/** Text without tags in it. */
function readText(text: string, type: TextType, place: Place, reading: Reading, depth: number): MarkupValue {
  const trimmed = trimJson(text);
  if (type.inferred) return typeText(decode(text, reading), type);
  const leaf = readLeaf(text, type, reading);
  if ("json" in leaf || type.anyString) return leaf;
  if (trimmed === "") {
    if ((type.kinds & kindBits.null) !== 0) return { json: "null" };
    if ((type.kinds & kindBits.array) !== 0) return { json: "[]" };
    if ((type.kinds & kindBits.object) !== 0) return { json: "{}" };
  }
  if ((type.kinds & kindBits.array) === 0) return leaf;
  // A list in words: one to a line, or separated by commas. One in quotation marks or in a number separates nothing.
  const lines = trimmed.split(/[\r\n]+/);
  const parts = (lines.length > 1 ? lines : trimmed.split(",")).map(trimJson);
  // In words there are no rows of several.
  const { kinds } = textTypeOf(itemSchema(place.schema, place.root, 0), place.root);
  if ((kinds & (kindBits.array | kindBits.string)) === kindBits.array) return leaf;
  // A separator of its own on each line, and what may be round a whole list.
  if ((lines.length > 1 && parts.some((part) => /[,;]$/.test(part))) || /^(?:\ufeff|```|~~~)/.test(trimmed))
    return leaf;
  // What is left of a JSON list is none in words, nor are tags that do not match.
  if (tagBegins().test(trimmed) || (reading.entities && trimmed.includes(cdataOpen))) return leaf;
  // Where tags have a marker of their own, each item has one.
  if (reading.prefix !== "" && parts.length > 1) return leaf;
  if (lines.length === 1 && /["']|\d,\s*0\d|\d,\d{3}(?!\d)/.test(trimmed)) return leaf;
  if (/^[[{(]|[[{(]["'[{]|["'\]}][\])}]$/.test(trimmed) || parts.includes("") || !isBalanced(trimmed)) return leaf;
  // A word for nothing is no item, and what a list in Markdown has before each item is no part of it.
  if (/^(?:null|none)$/i.test(trimmed) || lines.every((line) => /^\s*(?:[-*+•]|\d+[.)])\s/.test(line))) return leaf;
  const items = parts.map((part) => ({ name: "", source: part, start: 0, end: part.length, children: [] }));
  return readItems(items, place, reading, depth + 1);
}

/** Each bracket that is closed was opened, and each that was opened is closed. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(/[[\]{}()]/g)) {
    const closer = closers[bracket];
    if (closer !== undefined) open.push(closer);
    else if (open.pop() !== bracket) return false;
  }
  return open.length === 0;
}

const closers: Readonly<Record<string, string | undefined>> = { "[": "]", "{": "}", "(": ")" };

function readLeaf(text: string, type: TextType, reading: Reading): MarkupValue {
  if (reading.prefix !== "" && text.includes(reading.prefix)) {
    return { mismatch: `expected ${describeType(type)}, found tags` };
  }
  const typed = typeText(decode(text, reading), type);
  if (!("json" in typed)) return typed;
  for (const kind of typed.repairs ?? []) reading.repairs.add(kind);
  return { json: typed.json };
}

const reference = /&(?:lt|gt|amp|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});/g;

const cdataOpen = "<![CDATA[";
const cdataClose = "]]>";

/** Decodes the character references of a text, where the format has them; what stands in a section is taken as it stands. */
function decode(text: string, { entities }: MarkupStyle): string {
  if (!entities) return text;
  let decoded = "";
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf(cdataOpen, at);
    const close = open < 0 ? -1 : text.indexOf(cdataClose, open);
    const end = close < 0 ? text.length : open;
    decoded += text.slice(at, end).replace(reference, decodeEntity);
    if (close < 0) break;
    decoded += text.slice(open + cdataOpen.length, close);
    at = close + cdataClose.length;
  }
  return decoded;
}

/**
 * A text with the elements it consists of, if nothing but white space stands between them and all of them close. One
 * pass, no recursion.
 */
function parseElements(text: string, style: MarkupStyle): Element {
  const plain: Element = { name: "", source: text, start: 0, end: text.length, children: [] };
  const top: Element = { ...plain, children: [] };
  const open: Element[] = [top];
  // Whether the open element has text of its own: then its tags are text as well.
  const mixed: boolean[] = [false];
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const tag = nextTag(text, at, style);
    const between = text.slice(at, tag?.at ?? text.length);
    if (/\S/.test(between)) mixed[mixed.length - 1] = true;
    if (tag === undefined) break;
    at = tag.end;
    if (tag.closes) {
      // A tag with attributes that nothing closes is text.
      while (open.length > 1 && open[open.length - 1].attributed && open[open.length - 1].name !== tag.name) {
        open.pop();
        open[open.length - 1].children.pop();
        mixed.pop();
        mixed[mixed.length - 1] = true;
      }
      const element = open.pop() as Element;
      if (open.length === 0 || element.name !== tag.name) return plain;
      element.end = tag.at;
      if (mixed.pop() === true) element.children = [];
    } else {
      if (open.length > nestingMax) return { ...plain, tooDeep: true };
      if (++count > elementsMax) return plain;
      const element: Element = { name: tag.name, source: text, start: tag.end, end: tag.end, children: [] };
      element.attributed = tag.attributed;
      open[open.length - 1].children.push(element);
      if (!tag.empty) {
        open.push(element);
        mixed.push(false);
      }
    }
  }
  return open.length === 1 && !mixed[0] ? top : plain;
}

interface Tag {
  name: string;
  at: number;
  end: number;
  closes: boolean;
  empty: boolean;
  attributed: boolean;
}

const tagNames = latePattern("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.:-]{0,127}", "uy");
const tagBegins = latePattern("</?[\\p{L}_]");

const tagAttributes = /(?:[ \t\r\n]+[A-Za-z_][\w:.-]{0,127}[ \t\r\n]*=[ \t\r\n]*(?:"[^"<>]*"|'[^'<>]*'))*/y;

/** The next tag, with attributes or not; anything else that looks like one is text, and so is a section. */
function nextTag(text: string, from: number, { prefix, entities }: MarkupStyle): Tag | undefined {
  const tagName = tagNames();
  for (let at = from; ; at++) {
    at = text.indexOf(prefix === "" ? "<" : prefix, at);
    if (at < 0) return undefined;
    if (entities && text.startsWith(cdataOpen, at)) {
      const close = text.indexOf(cdataClose, at);
      if (close < 0) return undefined;
      at = close;
      continue;
    }
    let next = at + prefix.length;
    if (prefix !== "") while (isBlank(text[next])) next++;
    if (text[next] !== "<") continue;
    const closes = text[next + 1] === "/";
    const nameAt = next + (closes ? 2 : 1);
    const name = matchAt(tagName, text, nameAt)?.[0];
    if (name === undefined) continue;
    const nameEnd = nameAt + name.length;
    next = nameEnd + ((!closes && matchAt(tagAttributes, text, nameEnd)?.[0].length) || 0);
    const attributed = next > nameEnd;
    while (isBlank(text[next])) next++;
    const empty = !closes && text[next] === "/";
    if (empty) next++;
    if (text[next] === ">") return { name, at, end: next + 1, closes, empty, attributed };
  }
}

const isBlank = (unit: string | undefined) => unit === " " || unit === "\n" || unit === "\t" || unit === "\r";
