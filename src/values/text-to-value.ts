import type { RejectionReason } from "../contract/reasons.ts";
import type { RepairKind } from "../contract/repairs.ts";
import { readEscapedDocument } from "../json-repair/escaped-document.ts";
import { latePattern } from "../machine/late-pattern.ts";
import type { Alternative, TextType } from "./declared-type.ts";
import { compactJson, parseJson, trimJson, withMeasure } from "./json-text.ts";
import { integerDigits, isExactNumber, isHeldNumber, isJsonNumber, numberCharsMax } from "./number-text.ts";
import { pythonNumberToJson, readPythonLiteral } from "./python-literal.ts";
import { sameJson } from "./same-json.ts";
import { describeKinds, fractionBit, kindBits } from "./value-kinds.ts";

/** A text as a JSON value, or why it is none of the declared type; `reason`: what it is refused for, `type-mismatch` by default. */
export type TypedText =
  | { json: string; repairs?: readonly RepairKind[] }
  | { mismatch: string; reason?: RejectionReason };

/** A value with the JSON that was written for it, and what is known of its inside. */
export interface PlainValue {
  readonly json: string;
  readonly value: unknown;
  /** Members of objects in it, and its deepest nesting. */
  readonly members: number;
  readonly depth: number;
}

/** The kinds of which a text may be as JSON writes it; 0: there may be strings, or only some values. */
export function plainKindsOf({ kinds, alternatives, inferred }: TextType): number {
  const isPlain = !inferred && (kinds & kindBits.string) === 0 && alternatives.every(({ members }) => !members);
  return isPlain ? kinds : 0;
}

const noChoices: readonly string[] = [];

/** The strings that a type lists, where it allows nothing else: a text that is one of them is that string. */
export function choicesOf({ kinds, alternatives }: TextType): readonly string[] {
  if (kinds !== kindBits.string || !alternatives.every(({ members }) => members)) return noChoices;
  return alternatives.flatMap(({ members = [] }) => members.filter((member) => typeof member === "string"));
}

/**
 * Most texts that are no strings: `7`, `-1.5`, `true`, `["a", "b"]`. What it says is what {@link typeText} says for a type
 * of these kinds; of anything else it says nothing.
 */
export function readPlain(text: string, kinds: number): PlainValue | undefined {
  const first = text.charCodeAt(0);
  if (first === 0x7b || first === 0x5b) {
    const isAllowed = (kinds & (first === 0x7b ? kindBits.object : kindBits.array)) !== 0;
    return isAllowed && text.charCodeAt(text.length - 1) === first + 2 ? readJson(text) : undefined;
  }
  if (first === 0x74 || first === 0x66) {
    if ((kinds & kindBits.boolean) === 0 || (text !== "true" && text !== "false")) return undefined;
    return { json: text, value: text === "true", members: 0, depth: 0 };
  }
  // `5.0` is an integer too, and where only those may stand it is written otherwise.
  if ((kinds & plainNumber(text)) === 0) return undefined;
  return { json: text, value: Number(text), members: 0, depth: 0 };
}

/** A number of so few characters is finite, and has no more digits than a number keeps. */
const plainNumberMax = 15;

/** The kind of a number without an exponent, as JSON writes it; 0: it is none, or it is zero with a sign. */
function plainNumber(text: string): number {
  const { length } = text;
  if (length === 0 || length > plainNumberMax) return 0;
  const start = text.charCodeAt(0) === 0x2d ? 1 : 0;
  if (text.charCodeAt(start) === 0x30 && (start === 1 || (length > 1 && text.charCodeAt(1) !== 0x2e))) return 0;
  let point = -1;
  for (let at = start; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) continue;
    if (unit !== 0x2e || point >= 0 || at === start) return 0;
    point = at;
  }
  if (start === length || point === length - 1) return 0;
  return point < 0 ? kindBits.integer : fractionBit;
}

/** A value and its measure; undefined: the text is no JSON, or a number in it is none. */
export function readJson(text: string): PlainValue | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const first = text.charCodeAt(0);
  if (first !== 0x7b && first !== 0x5b) return { json: text, value, members: 0, depth: 0 };
  const { json, members, depth, finite } = withMeasure(text);
  return finite ? { json, value, members, depth } : undefined;
}

/** A message quotes one line of the model's text, clipped: arguments can hold secrets. */
const quotedCharsMax = 40;

/**
 * Turns a text into the JSON value its schema asks for. Lossless or refused: never the nearest value that would fit.
 *
 * In this order, the first reading that an alternative of the type allows:
 * 1. a number that is not written as JSON writes it (`1.0`, `1e2`), or where the schema says more of numbers than of strings (`maximum`),
 *    if a string is allowed as well: it stays text;
 * 2. the text read as JSON: `null`, `true`, `7`, `5.0` (an integer), `{"a": 1}`;
 * 3. for `enum` and `const`, a text that is a member as it stands;
 * 4. other spellings of the same value: `NULL` and `None`, `True` and `FALSE`, `018` and `+5`, Python literals, and
 *    a container that was encoded once too often (`"[1, 2]"` with its quotes, or `{\"a\": 1}`), a scalar in quotes; where only listed
 *    texts are allowed, one of them with blanks or line breaks around it;
 * 5. the text itself, where a string is allowed, byte for byte: not if it is what damage leaves of a list or an object, where
 *    one is allowed as well.
 *
 * `1`, `yes` and `on` are no booleans. What overflows is no number, nor what is too small for one. The digits of big
 * integers are kept in the JSON text.
 *
 * @param marksStrings The notation says which texts are strings, and this one is not: then the first does not apply, nor
 * the last where the schema takes something else, too.
 */
export function typeText(text: string, type: TextType, marksStrings = false): TypedText {
  if (type.streams) return { json: JSON.stringify(text) };
  if (type.inferred) return textOrDamage(text, type, inferText(text));
  const trimmed = trimJson(text);
  return (
    (marksStrings ? undefined : readAsOwnText(text, trimmed, type)) ??
    readAsJson(trimmed, type) ??
    readAsMember(text, type) ??
    readOtherSpelling(trimmed, type) ??
    (mayBeUnmarked(text, type, marksStrings) ? textOrDamage(text, type, JSON.stringify(text)) : undefined) ??
    readAsMember(trimmed, type) ??
    readQuotedMember(trimmed, type) ??
    readQuotedScalar(trimmed, type) ??
    (marksStrings ? readAsMarked(text, type) : undefined) ?? {
      mismatch: `expected ${describeType(type)}, found ${quote(text)}`,
    }
  );
}

/** What the notation says, where a part of the schema allows kinds that it does not name: `minimum` says nothing of `true`. */
function readAsMarked(text: string, { alternatives }: TextType): TypedText | undefined {
  const json = alternatives.some(({ implied }) => implied) ? inferText(text) : '""';
  return isString(json) ? undefined : { json };
}

/** Where strings bear marks, a text without them is one if nothing else is allowed; beside `null` one that does not begin as that word. */
const mayBeUnmarked = (text: string, { anyString, kinds }: TextType, marksStrings: boolean) =>
  anyString &&
  (!marksStrings ||
    kinds === kindBits.string ||
    (kinds === (kindBits.string | kindBits.null) && !"null".startsWith(text.toLowerCase())));

/**
 * A number that is text: one that is not written as JSON writes it, or where the schema limits which numbers may stand there, and not
 * which strings.
 */
function readAsOwnText(text: string, trimmed: string, type: TextType): TypedText | undefined {
  if (!isJsonNumber(trimmed)) return undefined;
  const numbers = roomFor(kindBits.number, type);
  const strings = roomFor(kindBits.string, type);
  if (strings === "none") return numbers === "limited" ? readAsMember(text, type) : undefined;
  const mayBeAnyText = strings === "any";
  const isText = isCanonical(trimmed) ? mayBeAnyText && numbers === "limited" : mayBeAnyText || numbers !== "any";
  return isText ? { json: JSON.stringify(text) } : undefined;
}

/** Which values of some kinds a type takes that it does not list. */
function roomFor(bits: number, { alternatives }: TextType): "any" | "limited" | "none" {
  const unlisted = alternatives.filter(({ kinds, members }) => (kinds & bits) !== 0 && members === undefined);
  if (unlisted.length === 0) return "none";
  return unlisted.every(({ limited }) => limited) ? "limited" : "any";
}

/** Whether a scalar is written as JSON writes it. */
const isCanonical = (json: string): boolean => JSON.stringify(parseJson(json)) === json;

/**
 * Types a text of which no schema speaks: JSON, then Python literal, then the text as a JSON string.
 *
 * A number counts only if JavaScript holds exactly what was written: `00123`, `+5`, `1_000`, `0x1f`, `1e999` and
 * integers that would lose digits stay text. `true`, `false`, `null` and Python's `True`, `False`, `None` are words;
 * other spellings are text. A text in quotes is the string inside; two strings side by side (a search for
 * `"one" "two"`) stay as written.
 */
export function inferText(text: string): string {
  const trimmed = trimJson(text);
  const asText = () => JSON.stringify(text);
  if (trimmed === "") return asText();
  if (isJsonNumber(trimmed)) return isExactNumber(trimmed) ? trimmed : asText();
  const compact = compactJson(trimmed);
  if (compact !== undefined) return compact.finite ? compact.json : asText();
  if (isSignedOrDigit(trimmed.charCodeAt(0))) return asText();
  const literal = readPythonLiteral(trimmed);
  return literal === undefined || literal.isAmbiguous || literal.rawControl ? asText() : literal.json;
}

/** What is no list or object may be what damage leaves of one, where it may be one. */
function textOrDamage(text: string, { kinds }: TextType, json: string): TypedText {
  return isDamagedContainer(text, json, kinds)
    ? { mismatch: "it is text, or a list or an object that is damaged", reason: "ambiguous" }
    : { json };
}

/**
 * Whether a text may be a list or an object that is damaged: with one bracket more at one of its ends it is one, or it begins as
 * one and its brackets or quotes do not pair; or they do, and nothing stands behind it.
 *
 * @param json what is made of it
 * @param kinds of which it may be
 */
export function isDamagedContainer(text: string, json: string, kinds: number): boolean {
  if (!isString(json) || (kinds & (kindBits.object | kindBits.array)) === 0) return false;
  const trimmed = trimJson(text);
  if (trimmed.length < 2) return false;
  const wholes = [];
  for (const [bit, open, close] of brackets) {
    if ((kinds & bit) === 0) continue;
    if (trimmed.endsWith(close)) wholes.push(open + trimmed);
    if (!trimmed.startsWith(open)) continue;
    if (beginsMembers().test(trimmed) && !closesWithin(trimmed)) return true;
    wholes.push(trimmed + close);
  }
  return !wholes.every((whole) => isString(inferText(whole)));
}

const brackets = [
  [kindBits.object, "{", "}"],
  [kindBits.array, "[", "]"],
] as const;

/** A bracket, or several, and a quote, a number with its comma, or a word with its colon; or nothing. */
const beginsMembers = latePattern(
  "^(?:\\[\\s*)*(?:\\[\\s*(?:[\"'\\]]|-?\\d[\\d.eE+-]*\\s*,)|\\{\\s*(?:[\"'}]|[\\p{L}_$][\\p{L}\\p{N}_$-]*\\s*:))",
);

/** Whether a container that a text begins with closes before words, and all other brackets and quotes have a partner. */
function closesWithin(text: string): boolean {
  let depth = 0;
  let isInString = false;
  let end = -1;
  for (const { 0: piece, index } of text.matchAll(quoteOrBracket)) {
    if (piece === '"') isInString = !isInString;
    else if (isInString || piece.length > 1) continue;
    else if (piece === "[" || piece === "{") depth++;
    else if (--depth < 0) return false;
    else if (depth === 0 && end < 0) end = index;
  }
  return !isInString && depth === 0 && isWord().test(text.slice(end));
}

/** One that is escaped is neither. */
const quoteOrBracket = /\\[\s\S]|["[\]{}]/g;
const isWord = latePattern("[\\p{L}\\p{N}]");

/** Whether a value is a string, by its JSON. */
export const isString = (json: string): boolean => json.startsWith('"');

function isSignedOrDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e;
}

function readAsJson(trimmed: string, type: TextType): TypedText | undefined {
  const first = trimmed.charCodeAt(0);
  if (first === 0x7b || first === 0x5b) {
    const bit = first === 0x7b ? kindBits.object : kindBits.array;
    if ((type.kinds & bit) === 0) return undefined;
    const compact = compactJson(trimmed);
    return compact?.finite === true && allows(type, bit, compact.json) ? { json: compact.json } : undefined;
  }
  if (trimmed === "null") return allows(type, kindBits.null, trimmed) ? { json: trimmed } : undefined;
  if (trimmed === "true" || trimmed === "false") {
    return allows(type, kindBits.boolean, trimmed) ? { json: trimmed } : undefined;
  }
  if ((type.kinds & kindBits.number) === 0 || !isJsonNumber(trimmed)) return undefined;
  return readNumber(trimmed, type);
}

/** Takes a number as JSON writes it, where the type has a place for it. */
function readNumber(json: string, type: TextType): TypedText | undefined {
  if (!isHeldNumber(json)) return undefined;
  if (type.anyString && !isExactNumber(json)) return undefined;
  const digits = integerDigits(json);
  const bit = digits === undefined ? kindBits.number & ~kindBits.integer : kindBits.integer;
  if (!allows(type, bit, json)) return undefined;
  const integersOnly = (type.kinds & kindBits.number) === kindBits.integer;
  return { json: integersOnly && digits !== undefined ? digits : json };
}

function readAsMember(text: string, type: TextType): TypedText | undefined {
  const isMember = type.alternatives.some((one) => one.members?.includes(text) === true);
  return isMember ? { json: JSON.stringify(text) } : undefined;
}

function readOtherSpelling(trimmed: string, type: TextType): TypedText | undefined {
  // Only short texts can be a word; a long one is not copied to compare it.
  const lower = trimmed.length <= 5 ? trimmed.toLowerCase() : "";
  // As a text it may be the word of another language.
  const isNull = trimmed === "None" || (lower === "null" && !type.anyString);
  if (isNull && allows(type, kindBits.null, "null")) return { json: "null" };
  if ((lower === "true" || lower === "false") && allows(type, kindBits.boolean, lower)) return { json: lower };
  if (type.anyString && (type.kinds & (kindBits.object | kindBits.array)) === 0) return undefined;
  return readOtherNumber(trimmed, type) ?? readOtherContainer(trimmed, type);
}

const decimalNumber = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

function readOtherNumber(trimmed: string, type: TextType): TypedText | undefined {
  if (type.anyString || (type.kinds & kindBits.number) === 0) return undefined;
  // Decimal text only: `0x1f` and `1_000` are numbers of a program, and what a model meant by them here is not known.
  if (trimmed.length > numberCharsMax || !decimalNumber.test(trimmed)) return undefined;
  // Leading zeros are decimal here, as a person reads them: never octal, never an error.
  const json = pythonNumberToJson(trimmed.replace(/^([+-]?)0+(?=[0-9])/, "$1"));
  return json === undefined ? undefined : readNumber(json, type);
}

function readOtherContainer(trimmed: string, type: TextType): TypedText | undefined {
  const first = trimmed.charCodeAt(0);
  if (first === 0x7b || first === 0x5b || first === 0x28) {
    return readPythonContainer(trimmed, type) ?? readEscapedContainer(trimmed, type);
  }
  // Encoded once too often: the text is a JSON string that holds the container. A type with a string keeps the text.
  if (first !== 0x22 || type.anyString) return undefined;
  const inner = parseJson(trimmed);
  if (typeof inner !== "string") return undefined;
  const innerTrimmed = trimJson(inner);
  const innerFirst = innerTrimmed.charCodeAt(0);
  if (innerFirst !== 0x7b && innerFirst !== 0x5b && innerFirst !== 0x28) return undefined;
  const typed = readAsJson(innerTrimmed, type) ?? readPythonContainer(innerTrimmed, type);
  return typed !== undefined && "json" in typed ? { ...typed, repairs: ["quoted-container"] } : undefined;
}

function readPythonContainer(trimmed: string, type: TextType): TypedText | undefined {
  const bit = trimmed.charCodeAt(0) === 0x7b ? kindBits.object : kindBits.array;
  if ((type.kinds & bit) === 0) return undefined;
  const literal = readPythonLiteral(trimmed);
  if (literal === undefined || literal.isAmbiguous || !allows(type, bit, literal.json)) return undefined;
  return literal.rawControl ? { json: literal.json, repairs: ["raw-control-character"] } : { json: literal.json };
}

/** Blanks before it may be escaped, too. */
const escapedQuoteFirst = /^[[{](?:[[{\s]|\\[nrt])*\\"/;

/** A container whose quotes are all escaped, where no text is allowed: without the escapes it has one reading. */
function readEscapedContainer(trimmed: string, type: TextType): TypedText | undefined {
  if (type.anyString || !escapedQuoteFirst.test(trimmed)) return undefined;
  const document = readEscapedDocument(trimmed);
  if (document === undefined || document.mixed) return undefined;
  const typed = readAsJson(document.text, type);
  return typed !== undefined && "json" in typed ? { ...typed, repairs: ["escaped-document"] } : undefined;
}

/** A member of an `enum` that the model put in quotes: no other reading is a member. */
function readQuotedMember(trimmed: string, type: TextType): TypedText | undefined {
  const first = trimmed[0];
  if (first !== '"' && first !== "'") return undefined;
  const literal = first === '"' ? parseJson(trimmed) : undefined;
  const value = typeof literal === "string" ? literal : parseJson(readPythonLiteral(trimmed)?.json ?? "");
  if (typeof value !== "string") return undefined;
  return readAsMember(value, type);
}

/** A number, a boolean or null in quotes where no string is allowed, as JSON writes it. */
function readQuotedScalar(trimmed: string, type: TextType): TypedText | undefined {
  const inner = trimmed[0] === '"' && (type.kinds & kindBits.string) === 0 ? parseJson(trimmed) : undefined;
  if (typeof inner !== "string" || !isCanonical(inner)) return undefined;
  return fitsType(inner, type) ? { json: inner, repairs: ["quoted-scalar"] } : undefined;
}

/** Whether a JSON text (without blanks around it) is a value of the type. Inside containers nothing is checked. */
export function fitsType(json: string, type: TextType): boolean {
  const first = json.charCodeAt(0);
  if (first === 0x22) {
    if (type.anyString) return true;
    return allows(type, kindBits.string, json);
  }
  if (first === 0x7b) return allows(type, kindBits.object, json);
  if (first === 0x5b) return allows(type, kindBits.array, json);
  if (first === 0x6e) return allows(type, kindBits.null, json);
  if (first === 0x74 || first === 0x66) return allows(type, kindBits.boolean, json);
  const isInteger = integerDigits(json) !== undefined;
  return allows(type, isInteger ? kindBits.integer : kindBits.number & ~kindBits.integer, json);
}

/** Whether an alternative has room for a value of this kind. `json` is parsed only where members are listed. */
function allows(type: TextType, bit: number, json: string): boolean {
  if ((type.kinds & bit) === 0) return false;
  let value: unknown;
  for (const alternative of type.alternatives) {
    if ((alternative.kinds & bit) === 0) continue;
    if (alternative.members === undefined) return true;
    value ??= parseJson(json);
    if (isMember(alternative, value)) return true;
  }
  return false;
}

function isMember(alternative: Alternative, value: unknown): boolean {
  return alternative.members?.some((member) => sameJson(member, value)) === true;
}

/** The type in words, for messages. */
export function describeType(type: TextType): string {
  const members = type.alternatives.flatMap((alternative) => alternative.members ?? []);
  if (members.length > 0 && type.alternatives.every((alternative) => alternative.members !== undefined)) {
    const shown = members.slice(0, 8).map((member) => JSON.stringify(member));
    return `one of ${shown.join(", ")}${members.length > shown.length ? ", ..." : ""}`;
  }
  return type.kinds === 0 ? "nothing (the schema contradicts itself)" : describeKinds(type.kinds);
}

function quote(text: string): string {
  const line = text.slice(0, quotedCharsMax);
  return JSON.stringify(text.length > line.length ? `${line}...` : line);
}
