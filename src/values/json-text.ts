import { jsonStringEnd } from "../machine/json-object.ts";
import { isHeldNumber } from "./number-text.ts";

/** What one pass over a JSON text finds. */
export interface JsonMeasure {
  /** Object members at any depth, as written: more than the parsed value has means a duplicate key. */
  members: number;
  /** Deepest nesting of containers: 0 for a scalar. */
  depth: number;
  /** False when a number overflows, or vanishes: `1e999` and `1e-999` are legal JSON and no numbers. */
  finite: boolean;
}

/** A JSON text without white space between tokens, and its measure. */
export interface CompactJson extends JsonMeasure {
  json: string;
}

/** The four blanks of JSON, and nothing else: a no-break space is data. */
function isJsonBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Removes the blanks of JSON at both ends. */
export function trimJson(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isJsonBlank(text.charCodeAt(start))) start++;
  while (end > start && isJsonBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** What JSON can begin with. An exception costs more than all the reading, and most texts are no JSON at first sight. */
const beginsJson = /^[\t\n\r ]*(?:[[{"\d-]|true|false|null)/;

/** So long a string is looked through unit by unit: the native writer costs as much to begin as it takes for that. */
const lookedThroughMax = 64;

/** A string as JSON. Most short ones hold nothing that has to be escaped. */
export function jsonString(text: string): string {
  if (text.length > lookedThroughMax) return needsNoEscape(text) ? `"${text}"` : JSON.stringify(text);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** Searches take a half to a quarter of what the native writer takes; not every engine has the last. */
const needsNoEscape = (text: string & { isWellFormed?(): boolean }): boolean =>
  !text.includes('"') && !text.includes("\\") && !controlUnit.test(text) && text.isWellFormed?.() === true;
const controlUnit = /[^ -\uffff]/;

/** 1: the unit means nothing within a text of JSON, and no marker of a format is made of such units alone. */
const plainUnits = Uint8Array.from({ length: 0x7f }, (_, unit) =>
  unit >= 0x20 && !'"\\<>&,:[]{}|`'.includes(String.fromCharCode(unit)) ? 1 : 0,
);

/** Whether a short text holds nothing that has to be escaped in JSON, and nothing of what a format writes round values. */
export function isPlainText(text: string): boolean {
  if (text.length > lookedThroughMax) return false;
  for (let at = 0; at < text.length; at++) if (plainUnits[text.charCodeAt(at)] !== 1) return false;
  return true;
}

/** `JSON.parse` that answers instead of throwing; `undefined` is never a JSON value. */
export function parseJson(text: string): unknown {
  if (text.charCodeAt(0) !== 0x7b && !beginsJson.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a text as JSON and drops the blanks between its tokens. Every digit and escape stays as written, so that
 * integers beyond 2^53 survive.
 *
 * @returns undefined when the text is no JSON.
 */
export function compactJson(text: string): CompactJson | undefined {
  if (parseJson(text) === undefined) return undefined;
  return scan(text);
}

/** A text that is known to be JSON, without the blanks between its tokens, and its measure. */
export function withMeasure(json: string): CompactJson {
  return scan(json);
}

/** Drops the blanks between the tokens of a text that is known to be JSON. */
export function withoutBlanks(json: string): string {
  return scan(json).json;
}

/**
 * An object as JSON, in the one way that says the same: without blanks, each string with no escape that it can do without, and its members,
 * whose order says nothing, in an order of their own.
 */
export function plainJson(text: string): string {
  const { json } = scan(text);
  const members: string[] = [];
  let member = "";
  let from = 1;
  let depth = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      const end = jsonStringEnd(json, at);
      const written = json.slice(at, end);
      if (mayHaveEscapes.test(written)) {
        member += json.slice(from, at) + JSON.stringify(JSON.parse(written));
        from = end;
      }
      at = end;
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    if (depth === 0 || (depth === 1 && code === 0x2c)) {
      members.push(member + json.slice(from, at));
      member = "";
      from = at + 1;
    }
    at++;
  }
  return `{${members.sort().join(",")}}`;
}

/** A backslash, or half of a surrogate pair, which is written as an escape where it stands alone. */
const mayHaveEscapes = /[\\\ud800-\udfff]/;

/** Counts members and depth of a text that is known to be JSON. */
export function measureJson(json: string): JsonMeasure {
  const { members, depth, finite } = scan(json);
  return { members, depth, finite };
}

/** The offset after a JSON number or word that begins at `start`. */
export function jsonScalarEnd(json: string, start: number): number {
  let at = start;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === 0x2c || code === 0x5d || code === 0x7d || code === 0x3a || isJsonBlank(code)) break;
    at++;
  }
  return at;
}

function scan(text: string): CompactJson {
  const pieces: string[] = [];
  let from = 0;
  let at = 0;
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let finite = true;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = jsonStringEnd(text, at);
    } else if (isJsonBlank(code)) {
      if (at > from) pieces.push(text.slice(from, at));
      while (at < text.length && isJsonBlank(text.charCodeAt(at))) at++;
      from = at;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = jsonScalarEnd(text, at);
      // Only an exponent or a very long run of digits can overflow, or vanish.
      if (end - at > 3 && !isHeldNumber(text.slice(at, end))) finite = false;
      at = end;
    } else {
      if (code === 0x3a) members++;
      else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
      else if (code === 0x7d || code === 0x5d) depth--;
      at++;
    }
  }
  if (from === 0) return { json: text, members, depth: deepest, finite };
  pieces.push(text.slice(from));
  return { json: pieces.join(""), members, depth: deepest, finite };
}

/** The text of a string that is JSON between its quotes. Few hold an escape. */
export const unescaped = (json: string): string => (json.includes("\\") ? (JSON.parse(`"${json}"`) as string) : json);
