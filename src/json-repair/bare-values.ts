import type { RepairKind, RepairLevel } from "../contract/repairs.ts";
import { jsonNumber } from "../machine/json-scanner.ts";
import type { ExpectedType } from "./open-containers.ts";

/** What a word without quotes stands for. */
export interface BareValue {
  /** JSON text of a number or literal; `undefined` when the word is text. */
  json: string | undefined;
  kind: RepairKind | undefined;
  level: RepairLevel;
}

const looseNumber = /^[+-]?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/;
const leadingZeros = /^[+-]?0+((?:[1-9][0-9]*|0)(?:\.[0-9]+)?)$/;
const radixNumber = /^[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/;
const groupedNumber = /^[+-]?[0-9]+(?:_[0-9]+)+(?:\.[0-9]+)?$/;

/** Beginnings that only one JSON literal fits, in the spellings that are read as that literal. */
const literals: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["none", "null"],
]);

function isNumberType(expected: ExpectedType | undefined): boolean {
  return expected === "number" || expected === "integer";
}

/** What the word `word` stands for where a value is expected; `undefined` when it is no number and no literal. */
export function readBareWord(word: string, expected: ExpectedType | undefined): BareValue | undefined {
  const first = word.charCodeAt(0);
  const literal = word.length <= 5 ? literals.get(word.toLowerCase()) : undefined;
  if (literal !== undefined) {
    return word === literal
      ? { json: literal, kind: undefined, level: "safe" }
      : { json: literal, kind: "literal-spelling", level: "safe" };
  }
  if (word === "undefined") return { json: "null", kind: "undefined", level: "guess" };
  if (isNonFinite(word)) return { json: "null", kind: "non-finite-number", level: "guess" };
  if (!((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e)) return undefined;
  if (jsonNumber.test(word)) return checkPrecision(word, undefined, expected);
  if (looseNumber.test(word) && /^[+-]?\.?[0-9]/.test(word)) {
    return checkPrecision(normaliseNumber(word), "number-spelling", expected);
  }
  return readOddNumber(word, expected);
}

/** The usual number or literal, as JSON writes it and a double holds it: nothing to think about. */
export function isPlainValue(word: string): boolean {
  if (word === "true" || word === "false" || word === "null") return true;
  const negative = word.charCodeAt(0) === 0x2d ? 1 : 0;
  if (word.length === negative || word.length > 15) return false;
  const leadingZero = word.charCodeAt(negative) === 0x30;
  let dot = -1;
  for (let at = negative; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) continue;
    if (code !== 0x2e || dot >= 0 || at === negative || at === word.length - 1) return false;
    dot = at;
  }
  return !leadingZero || (dot < 0 ? word.length : dot) === negative + 1;
}

function isNonFinite(word: string): boolean {
  const bare = word.startsWith("-") || word.startsWith("+") ? word.slice(1) : word;
  return bare === "NaN" || bare === "nan" || bare === "Infinity" || bare === "inf" || bare === "Inf";
}

/** `+8`, `.8`, `8.` and their combinations as JSON text. */
function normaliseNumber(word: string): string {
  let rest = word.startsWith("+") ? word.slice(1) : word;
  const sign = rest.startsWith("-") ? "-" : "";
  rest = rest.slice(sign.length);
  if (rest.startsWith(".")) rest = `0${rest}`;
  return sign + rest.replace(/\.(?![0-9])/, "");
}

/** A number that a double does not hold: its digits stay in the text, or it is text where the schema says so. */
function checkPrecision(json: string, kind: RepairKind | undefined, expected: ExpectedType | undefined): BareValue {
  const value = Number(json);
  if (!Number.isFinite(value)) return { json: "null", kind: "non-finite-number", level: "guess" };
  const isInteger = !/[.eE]/.test(json);
  if (isInteger && !Number.isSafeInteger(value)) {
    return { json: expected === "string" ? undefined : json, kind: kind ?? "precision", level: "guess" };
  }
  return { json, kind, level: "safe" };
}

/** Leading zeros, other bases, digit groups: text, because a number would lose something; never octal by accident. */
function readOddNumber(word: string, expected: ExpectedType | undefined): BareValue | undefined {
  const zeros = leadingZeros.exec(word);
  const isOdd = zeros !== null || radixNumber.test(word) || groupedNumber.test(word);
  if (!isOdd) return undefined;
  if (!isNumberType(expected)) return { json: undefined, kind: "number-as-text", level: "guess" };
  const sign = word.startsWith("-") ? "-" : "";
  const digits = word.replace(/^[+-]/, "").replaceAll("_", "");
  const json = zeros !== null ? zeros[1] : String(Number(digits));
  const lost = !/^[0-9.]+$/.test(json) || !Number.isFinite(Number(json));
  return { json: lost ? undefined : sign + json, kind: "number-as-text", level: "guess" };
}

/** The literal that a cut word must have been, if only one fits. */
export function completeLiteral(prefix: string): string | undefined {
  if (prefix.length === 0 || prefix === "N") return undefined;
  const lower = prefix.toLowerCase();
  for (const [spelling, literal] of literals) if (spelling.startsWith(lower)) return literal;
  return undefined;
}

/** May the cut word become one of the words that stand for no JSON value? Then it is no text that may be shown. */
export function mayBecomeNoValue(prefix: string): boolean {
  const bare = prefix.startsWith("-") || prefix.startsWith("+") ? prefix.slice(1) : prefix;
  return ["undefined", "NaN", "nan", "Infinity", "inf", "Inf"].some((word) => word.startsWith(bare));
}

/** Might more characters make this a longer number? Then it is held back at the end of a cut text. */
export function mayBeNumber(word: string): boolean {
  return /^[+-]?[0-9.]/.test(word) || word === "-" || word === "+";
}

const digitGroups = /^[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$/;

/** `8,000` and the like: digits in groups of three. */
export function isThousands(word: string): boolean {
  return digitGroups.test(word);
}

/** Letters before a quote that make it a Python string of another kind. */
export function isStringPrefix(word: string): boolean {
  return /^(?:[rR]|[bB]|[uU]|[fF]|[rR][bB]|[bB][rR]|[fF][rR]|[rR][fF])$/.test(word);
}
