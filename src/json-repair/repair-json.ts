import {
  type CheckValue,
  checkOptionsOf,
  isEither,
  isFlag,
  isListOfTexts,
  isNumber,
  isOneOf,
} from "../contract/option-values.ts";
import { FreeText } from "./free-text.ts";
import { readHtmlEscaped } from "./html-escaped.ts";
import { readWords } from "./read-words.ts";
import type { RepairJsonOptions, RepairJsonResult } from "./repair-result.ts";
import { readSwallowedEnd } from "./swallowed-end.ts";

/** What its options take. */
export const repairValues: Readonly<Record<keyof RepairJsonOptions, CheckValue>> = {
  schema: isEither("a JSON Schema: an object, true or false", "object", "boolean"),
  keys: isListOfTexts,
  final: isFlag,
  several: isOneOf("refuse", "first", "last", "array"),
  bareText: isFlag,
  maxDepth: isNumber,
};

/**
 * Reads JSON that may be damaged, and says what was done to read it.
 *
 * @param text - Any text: one value, perhaps with noise around it.
 * @param options - What is known of the value.
 * @returns The value with its repairs, or why there is none. Never throws on what the text holds.
 * @throws TypeError: the text is no string, an option is misspelt or has a value that it does not take; RangeError: `maxDepth` is below 1
 */
export function repairJson(text: string, options: RepairJsonOptions = {}): RepairJsonResult {
  if (typeof text !== "string") throw new TypeError(`repairJson reads a string, not ${typeof text}`);
  checkOptionsOf("repairJson", options, repairValues);
  if (options.maxDepth !== undefined && !(options.maxDepth >= 1)) throw new RangeError("maxDepth must be at least 1");
  try {
    return { ok: true, value: JSON.parse(text), level: "none", repairs: [], complete: true };
  } catch {
    return readDamaged(text, options);
  }
}

function readDamaged(text: string, options: RepairJsonOptions): RepairJsonResult {
  const escaped = readHtmlEscaped(text, options, repairJson);
  if (escaped !== undefined) return escaped;
  const one = new FreeText(text, options).read();
  if (one.ok) return options.final === true ? (readSwallowedEnd(text, options, one, repairJson) ?? one) : one;
  const isWord = one.reason === "no-value" || one.reason === "escaped-document";
  if (!isWord && one.reason !== "several-documents") return one;
  const { several = "refuse" } = options;
  const all = several === "refuse" ? undefined : new FreeText(text, options).readSeveral(several);
  return all ?? (isWord ? readWords(text, options) : undefined) ?? one;
}
