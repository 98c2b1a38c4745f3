import {
  kindOfScalar,
  type Level,
  type Notation,
  type Point,
  ReadingSearch,
  type RulesAt,
} from "../json-repair/one-reading.ts";
import { matchAt } from "../machine/match-at.ts";
import { pythonNumberToJson, readPythonLiteral } from "./python-literal.ts";

/** The arguments of a Python call whose strings hold quotes that are not escaped, in their one reading. */
export interface DamagedArguments {
  /** Each key with its value as JSON. */
  readonly members: readonly (readonly [key: string, json: string])[];
  /** Where the quotes stand. */
  readonly innerQuotes: readonly number[];
  readonly rawControl: boolean;
}

const scalar = /[-+]?\.?\w(?:[\w.]|(?<=[eE])[-+](?=\d))*/y;
const word = /^(?:[Tt]rue|[Ff]alse|None|null)$/;

const python: Notation = {
  quotes: [0x22, 0x27],
  isPython: true,
  scalarAt(text, at) {
    const match = matchAt(scalar, text, at)?.[0];
    if (match === undefined || !(word.test(match) || pythonNumberToJson(match) !== undefined)) return undefined;
    return { length: match.length, kind: kindOfScalar(match) };
  },
};

const closeParen = 0x29;
/** Behind a parenthesis that closes and marks, a name and one that opens. */
const nextCall = /\)[^\w)]*([A-Za-z_][\w.-]*)\s*\(/g;

/**
 * Reads the arguments of a Python call in which quotes stand in strings as they are, where one reading is left: of all places
 * where these strings could end, one makes the whole legal under the schema.
 *
 * @param text From behind the parenthesis that opens the arguments to behind the one that closes them.
 * @param rulesAt What may stand at a path of the arguments.
 * @param names What the tools on offer are named; undefined: that is not known.
 */
export function readDamagedArguments(
  text: string,
  rulesAt: RulesAt,
  names: readonly string[] | undefined,
): DamagedArguments | undefined {
  // Three quotes begin a string whose end is another one.
  if (text.includes("'''") || text.includes('"""')) return undefined;
  const level: Level = {
    isObject: true,
    close: closeParen,
    rules: rulesAt([], 0),
    path: [],
    entry: 0,
    keys: undefined,
    count: 0,
    up: undefined,
  };
  const start: Point = { at: 0, level, expected: "first-key" };
  const all = new ReadingSearch(text, rulesAt, python).firstReading(start);
  if (all === undefined) return undefined;
  const innerQuotes: number[] = [];
  const damaged = new Map<number, number>();
  for (const [opening, end] of all) {
    const inside = quotesIn(text, opening, end);
    if (inside.length === 0) continue;
    // In a raw string nothing can be escaped.
    if (/[rR]/.test(text[opening - 1] ?? "")) return undefined;
    if (holdsNextCall(text.slice(opening, end), names)) return undefined;
    damaged.set(opening, end);
    innerQuotes.push(...inside);
  }
  const search = new ReadingSearch(text, rulesAt, python);
  if (damaged.size === 0 || !search.provesEnds(start, damaged)) return undefined;
  return readMembers(text, start, all, innerQuotes);
}

/** Whether a string holds what may be the end of its call and the beginning of the next one. */
export function holdsNextCall(text: string, names: readonly string[] | undefined): boolean {
  for (const [, name] of text.matchAll(nextCall))
    if (names === undefined || names.includes(name.slice(name.lastIndexOf(".") + 1))) return true;
  return false;
}

/** Where quotes stand in a string that are its own and not escaped. */
function quotesIn(text: string, opening: number, end: number): number[] {
  const quotes: number[] = [];
  for (let at = opening + 1; at < end; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[opening]) quotes.push(at);
  }
  return quotes;
}

/** The arguments, with the quotes escaped. */
function readMembers(
  text: string,
  start: Point,
  ends: ReadonlyMap<number, number>,
  innerQuotes: readonly number[],
): DamagedArguments | undefined {
  const search = new ReadingSearch(text, () => undefined, python);
  const members: [key: string, json: string][] = [];
  let rawControl = false;
  let valueStart = 0;
  let escaped = 0;
  for (let point: Point | undefined = start; point !== undefined; ) {
    const { at, level, expected } = point;
    const quote = search.quoteAt(point);
    const next: Point | undefined =
      quote < 0 ? search.step(point) : search.endString(point, quote, ends.get(quote) as number);
    if (expected === "first-key" && next?.expected === "value") valueStart = next.at;
    const isOver = level?.up === undefined && (expected === "after" || expected === "after-string");
    if (isOver && next?.expected !== "joined") {
      let value = "";
      let from = valueStart;
      for (; escaped < innerQuotes.length && innerQuotes[escaped] < at; escaped++) {
        value += `${text.slice(from, innerQuotes[escaped])}\\`;
        from = innerQuotes[escaped];
      }
      const read = readPythonLiteral(value + text.slice(from, at));
      // Some formats take backslashes of such a string as they are.
      if (read === undefined || read.isAmbiguous || /^[rRuU]?["'][\s\S]*\\/.test(text.slice(valueStart, at).trim()))
        return undefined;
      rawControl ||= read.rawControl;
      members.push([level?.keys?.key as string, read.json]);
    }
    if (next === undefined || next.level === undefined) return next && { members, innerQuotes, rawControl };
    point = next;
  }
  return undefined;
}
