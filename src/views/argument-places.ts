import type { ToolCall } from "../contract/types.ts";

/** Where the value of an argument stands in the text. */
export interface ArgumentPlace {
  key: string;
  start: number;
  end: number;
}

/** More than what formats write between a key and its value. */
const gapCharsMax = 200;

/**
 * The places of a call's arguments, found in its own stretch of the text: a key, then what a format writes between the
 * two, then the value in one of its spellings. What is not found so has no place; nothing is guessed.
 *
 * @returns in the order of the arguments
 */
export function argumentPlaces(text: string, call: Pick<ToolCall, "arguments" | "written" | "start" | "end">) {
  const span = text.slice(call.start, call.end);
  const places: ArgumentPlace[] = [];
  let from = 0;
  for (const [key, value] of Object.entries((call.written ?? call.arguments) as Record<string, unknown>)) {
    const found = placeOf(span, key, value, from) ?? placeOf(span, key, value, 0);
    if (found === undefined) continue;
    const { start, end } = { start: call.start + found.start, end: call.start + found.end };
    if (places.some((other) => start < other.end && other.start < end)) continue;
    places.push({ key, start, end });
    from = Math.max(from, found.end);
  }
  return places;
}

interface Span {
  start: number;
  end: number;
}

function placeOf(span: string, key: string, value: unknown, from: number): Span | undefined {
  if (key === "") return undefined;
  for (let at = span.indexOf(key, from); at >= 0; at = span.indexOf(key, at + 1)) {
    if (isWordUnit(span[at - 1]) || isWordUnit(span[at + key.length])) continue;
    const found = valueAfter(span, at + key.length, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isWordUnit = (unit: string | undefined) => unit !== undefined && /[\w-]/.test(unit);

/** The value, if nothing but punctuation and tags stands between its key and it. */
function valueAfter(span: string, from: number, value: unknown): Span | undefined {
  const window = span.slice(from, from + gapCharsMax);
  if (typeof value === "object" && value !== null) {
    const opener = /[[{]/.exec(window);
    if (opener === null || !isGap(window.slice(0, opener.index))) return undefined;
    const start = from + opener.index;
    const end = endOfContainer(span, start + 1, value);
    return end === undefined ? undefined : { start, end };
  }
  for (const spelling of spellingsOf(value)) {
    for (let at = window.indexOf(spelling.slice(0, gapCharsMax)); at >= 0; at = window.indexOf(spelling, at + 1)) {
      const start = from + at;
      if (!isGap(window.slice(0, at))) break;
      const isWhole = typeof value === "string" || !isWordUnit(span[start + spelling.length]);
      if (isWhole && span.startsWith(spelling, start)) return { start, end: start + spelling.length };
    }
  }
  return undefined;
}

function spellingsOf(value: unknown): string[] {
  if (typeof value !== "string") {
    const python = new Map<unknown, string>([
      [true, "True"],
      [false, "False"],
      [null, "None"],
    ]).get(value);
    return [JSON.stringify(value), ...(python === undefined ? [] : [python])];
  }
  if (value === "") return [];
  const escaped = JSON.stringify(value).slice(1, -1);
  const entities = value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quoted = entities.replace(/"/g, "&quot;").replace(/'/g, "&apos;");
  return [...new Set([value, escaped, escaped.replaceAll('\\"', '"'), value.replaceAll("'", "\\'"), entities, quoted])];
}

/** What formats write between a key and its value: signs, and tags with their attributes; the name of its type. */
function isGap(gap: string): boolean {
  const outside = gap
    .replace(/^[^<>]*>/, "")
    .replace(/<[^<>]*>/g, "")
    .replace(/[\w-]+="[^"<>]*"/g, "")
    .replace(/\b(string|integer|number|boolean|array|object|null)\b/g, "");
  return /^[\s"'`:=|>\\-]*$/.test(outside);
}

/** The offset after the bracket that closes a container: after all that it holds, whatever a format puts round its strings. */
function endOfContainer(span: string, from: number, container: object): number | undefined {
  const leaves: Leaf[] = [];
  collectLeaves(container, "", leaves);
  let at = from;
  for (const { spellings } of leaves) {
    const ends = spellings.flatMap((spelling) => {
      const found = span.indexOf(spelling, at);
      return found < 0 ? [] : [{ found, end: found + spelling.length }];
    });
    if (ends.length === 0) return undefined;
    at = ends.reduce((best, one) => (one.found < best.found ? one : best)).end;
  }
  for (const closer of leaves.at(-1)?.closers ?? closerOf(container)) {
    const gap = span.indexOf(closer, at);
    if (gap < 0 || !isGap(span.slice(at, gap).replaceAll(",", ""))) return undefined;
    at = gap + 1;
  }
  return at;
}

/** A key or a value in a container, and the brackets that close what it stands in, the nearest first. */
interface Leaf {
  spellings: string[];
  closers: string;
}

const closerOf = (container: object) => (Array.isArray(container) ? "]" : "}");

function collectLeaves(container: object, outside: string, leaves: Leaf[]): void {
  const closers = closerOf(container) + outside;
  for (const [key, value] of Object.entries(container)) {
    if (!Array.isArray(container) && key !== "") leaves.push({ spellings: spellingsOf(key), closers });
    if (typeof value === "object" && value !== null) {
      if (Object.keys(value).length > 0) collectLeaves(value, closers, leaves);
      else leaves.push({ spellings: [closerOf(value)], closers });
    } else if (value !== "") leaves.push({ spellings: spellingsOf(value), closers });
  }
}
