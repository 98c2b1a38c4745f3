import { charCodeAt } from "./string-units.ts";

/** Numbers that are known of each member of a {@link JsonObject}, in this order. */
// biome-ignore lint/style/noEnum: its members are numbers in the bundle, where an object would be read at every use
export enum memberFacts {
  keyStart = 0,
  keyEnd = 1,
  start = 2,
  end = 3,
  members = 4,
  depth = 5,
  blanks = 6,
  size = 7,
}

/** A whole JSON object, read in one go. Offsets are relative to its text. */
export interface JsonObject {
  /** Where it stands in the message. */
  readonly start: number;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** {@link memberFacts} of each member: where its key and its value stand, and what is inside the value. */
  readonly facts: readonly number[];
  /** Members at any depth, as written. */
  readonly members: number;
  readonly depth: number;
  /** White space stands between its tokens. */
  readonly blanks: boolean;
}

/** Shorter strings are looked through unit by unit. */
const searchedUnits = 24;

/** The offset after a JSON string whose opening quote stands at `start`; beyond the text when it does not end there. */
export function jsonStringEnd(text: string, start: number): number {
  let at = start + 1;
  const near = Math.min(text.length, at + searchedUnits);
  while (at < near) {
    const unit = charCodeAt.call(text, at);
    if (unit === 0x22) return at + 1;
    at += unit === 0x5c ? 2 : 1;
  }
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length + 1;
    let slash = quote;
    while (slash > at && charCodeAt.call(text, slash - 1) === 0x5c) slash--;
    if (((quote - slash) & 1) === 0) return quote + 1;
    at = quote + 1;
  }
}

/**
 * Reads the object that begins at `start`, where all of it stands in the text: its end is found by its brackets, and
 * the native parser says whether that is JSON. So what is found is what the grammar of RFC 8259 would find, faster.
 *
 * @param base Offset of the source in the message.
 * @returns how many units were looked at in vain, when there is no such object.
 */
export function readJsonObject(source: string, start: number, base: number): JsonObject | number {
  const facts: number[] = [];
  const { length } = source;
  let at = start + 1;
  let depth = 1;
  let members = 0;
  let deepest = 1;
  let blanks = 0;
  // Of the member that is open on the first level.
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;
  let valueEnd = -1;
  let outerMembers = 0;
  let innerDepth = 0;
  let innerBlanks = 0;
  while (depth > 0) {
    if (at >= length) return length - start;
    const unit = charCodeAt.call(source, at);
    if (unit === 0x22) {
      const from = at;
      at = jsonStringEnd(source, at);
      if (at > length) return length - start;
      if (depth > 1) continue;
      if (keyStart < 0) {
        keyStart = from + 1;
        keyEnd = at - 1;
      } else {
        if (valueStart < 0) valueStart = from;
        valueEnd = at;
      }
      continue;
    }
    at++;
    if (unit === 0x3a) members++;
    else if (unit === 0x7b || unit === 0x5b) {
      if (depth === 1 && valueStart < 0) valueStart = at - 1;
      if (depth > innerDepth) innerDepth = depth;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (unit === 0x2c || unit === 0x7d || unit === 0x5d) {
      const isComma = unit === 0x2c;
      if (!isComma && --depth === 1) valueEnd = at;
      // A member of the first level ends here, or none does.
      if (depth !== (isComma ? 1 : 0) || keyStart < 0) continue;
      const inner = members - outerMembers - 1;
      facts.push(
        keyStart - start,
        keyEnd - start,
        valueStart - start,
        valueEnd - start,
        inner,
        innerDepth,
        innerBlanks,
      );
      keyStart = valueStart = -1;
      outerMembers = members;
      innerDepth = innerBlanks = 0;
    } else if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      blanks = 1;
      if (depth > 1) innerBlanks = 1;
    } else if (depth === 1) {
      if (valueStart < 0) valueStart = at - 1;
      valueEnd = at;
    }
  }
  const text = source.slice(start, at);
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return { start: base + start, text, value, facts, members, depth: deepest, blanks: blanks === 1 };
  } catch {
    return at - start;
  }
}
