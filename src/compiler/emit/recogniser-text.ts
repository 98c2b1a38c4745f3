import { bails, fails } from "../../machine/recognition.ts";
import { type CharSet, complement, intersection, sizeOf } from "../analyse/char-set.ts";

/** What a body asks first, before anything is done that has to be taken back: the test, and the rest of the body. */
export function firstQuestion(body: string, none: string): { test: string; body: string } | undefined {
  const found = /^if \(!\((.*)\)\) break (\w+);\n/.exec(body);
  return found?.[2] === none ? { test: found[1], body: body.slice(found[0].length) } : undefined;
}

/** What has been bound and seen is asked for, or a function is called that may change it. */
export const readsState = /\bs\.(?:key|seenKey|same)\b|\br\[/;

/** What a function does where its rule does not match. */
export const noMatch = `return ${fails};`;

/** Asks a rule, or what is known, where it ends. */
export const asked = (call: string, fail: string) =>
  `if ((u = ${call}) < 0) ${fail === closed ? closed : `{ if (u < ${fails}) return u; ${fail} }`}\np = u;\n`;

export const bail = `return ${bails};\n`;
/** What fails where all older choices are closed. Ends otherwise than what always gives the block back. */
export const closed = `{ return ${bails}; }`;
export const bailUnless = (condition: string) => `if (!(${condition})) ${closed}\n`;

/** Whether a literal of two units or more stands at `p`. */
export const startsWith = (literal: string): string => `t.startsWith(${JSON.stringify(literal)}, p)`;
const literalTest = /t\.startsWith\(("(?:[^"\\]|\\.)*"), p\)/g;

export function literalsIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) =>
    [...text.matchAll(literalTest)].map(([, literal]) => JSON.parse(literal) as string),
  );
  return [...new Set(found)];
}

/**
 * Literals are asked for again and again at the same places. So most that do not stand there are distinguished by one unit, and where
 * one has been found is remembered.
 */
export function withLiterals(text: string, literals: readonly string[]): string {
  return text.replace(literalTest, (_, written: string) => {
    const literal = JSON.parse(written) as string;
    const unitAt = (at: number) => `t.charCodeAt(${at === 0 ? "p" : `p + ${at}`}) === ${literal.charCodeAt(at)}`;
    if (literal.length <= comparedMax) return [...Array(literal.length).keys()].map(unitAt).join(" && ");
    const index = literals.indexOf(literal);
    return `${unitAt(tellingUnit(literal, literals))} && (m[${index}] === p || s.is(t, p, ${written}, ${index}))`;
  });
}

/** A literal of so few units is compared unit by unit. */
const comparedMax = 3;

/** The unit by which a literal differs from the one that is most like it. */
function tellingUnit(literal: string, literals: readonly string[]): number {
  let most = 1;
  for (const other of literals) {
    let same = 0;
    while (same < literal.length && literal[same] === other[same]) same++;
    if (same < literal.length && same > most) most = same;
  }
  return most;
}

/** Whether `u` is one of a set. At the end of the text it is no number, and no comparison with it is true. */
export function unitTest(set: CharSet): string {
  if (set.length === 0) return "false";
  const high = intersection(set, [128, 0xffff]);
  if (high.length > 6 && sizeOf(high) <= spelledMax) {
    const units: string[] = [];
    for (let at = 0; at < high.length; at += 2) {
      for (let unit = high[at]; unit <= high[at + 1]; unit++) units.push(`\\u${unit.toString(16).padStart(4, "0")}`);
    }
    return `u < 128 ? ${oneOf(intersection(set, [0, 127]))} : "${units.join("")}".includes(t[p])`;
  }
  const other = complement(set);
  if (other.length >= set.length) return oneOf(set);
  return other.length === 0 ? "u >= 0" : `u >= 0 && !(${oneOf(other)})`;
}

/** So many units beyond ASCII are written one by one. */
const spelledMax = 64;

function oneOf(set: CharSet): string {
  const parts: string[] = [];
  for (let at = 0; at < set.length; at += 2) {
    const [low, high] = [set[at], set[at + 1]];
    if (low === high) parts.push(`u === ${low}`);
    else if (high === low + 1) parts.push(`u === ${low} || u === ${high}`);
    else if (low === 0) parts.push(`u <= ${high}`);
    else parts.push(high === 0xffff ? `u >= ${low}` : `(u >= ${low} && u <= ${high})`);
  }
  return parts.join(" || ");
}
