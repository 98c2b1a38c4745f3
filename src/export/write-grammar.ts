import { type CharRanges, inside, type Part, type Parts, type UntilPart, without } from "./parts.ts";
import { UntilStates } from "./until-states.ts";

/** How a language of grammars writes the parts; the rest is the same in all of them. */
interface Dialect {
  readonly assign: string;
  readonly ruleName: (name: string) => string;
  readonly literal: (text: string) => string;
  readonly set: (ranges: readonly number[]) => string;
}

/** The rules reachable from the root, each once, `until` turned into rules of its own. */
function writeRules(parts: Parts, rootName: string, dialect: Dialect): string {
  const lines: string[] = [];
  const wanted = new Set<string>();
  const work: string[] = [];
  const untils = new Map<string, UntilStates>();
  const known = new Map<UntilPart, UntilStates>();
  const untilRules = new Map<string, Part>();
  const statesOf = (part: UntilPart): UntilStates => {
    let states = known.get(part);
    if (states !== undefined) return states;
    const key = UntilStates.key(part);
    states = untils.get(key);
    if (states === undefined) {
      states = new UntilStates(part, `until-${untils.size + 1}`);
      untils.set(key, states);
      for (const [name, body] of states.rules) untilRules.set(name, body);
    }
    known.set(part, states);
    return states;
  };
  const sets = new Map<CharRanges, string>();
  const setOf = (ranges: CharRanges): string => {
    let written = sets.get(ranges);
    if (written === undefined) sets.set(ranges, (written = dialect.set(ranges)));
    return written;
  };
  const need = (name: string): string => {
    if (!wanted.has(name)) {
      wanted.add(name);
      work.push(name);
    }
    return dialect.ruleName(name);
  };
  const repeat = (written: string, min: number, max: number | undefined): string => {
    if (min === 0 && max === 1) return `${written}?`;
    if (max === undefined && min < 2) return written + (min === 0 ? "*" : "+");
    return min === 1 && max === 1 ? written : `${written}{${min === max ? min : `${min},${max ?? ""}`}}`;
  };
  const write = (part: Part, isInner: boolean): string => {
    switch (part.type) {
      case "text":
        return dialect.literal(part.text);
      case "all":
        return grouped(part.parts.map((one) => write(one, true)).join(" "), isInner);
      case "any":
        return grouped(part.parts.map((one) => write(one, false)).join(" | "), isInner);
      case "many": {
        const one = write(part.part, true);
        if (part.between === "") return repeat(one, part.min, part.max);
        const { min, max } = part;
        const more = `(${dialect.literal(part.between)} ${one})`;
        const list = `${one} ${repeat(more, Math.max(0, min - 1), max === undefined ? max : max - 1)}`;
        return min === 0 ? `(${list})?` : grouped(list, isInner);
      }
      case "chars":
        return repeat(setOf(part.ranges), part.min, part.max);
      case "rule":
        return need(part.name);
      case "schema":
        return write(part.part, isInner);
      default: {
        return write(statesOf(part).start(part), isInner);
      }
    }
  };
  lines.push(`${dialect.ruleName(rootName)}${dialect.assign}${write(parts.root, false)}`);
  for (const name of work) {
    const body = parts.rules.get(name) ?? untilRules.get(name);
    if (body !== undefined) lines.push(`${dialect.ruleName(name)}${dialect.assign}${write(body, false)}`);
  }
  return `${lines.join("\n")}\n`;
}

const grouped = (written: string, isInner: boolean) => (isInner ? `(${written})` : written);

// ----- GBNF, which is xgrammar's EBNF as well -----

const hex = (code: number, digits: number) => code.toString(16).toUpperCase().padStart(digits, "0");

/** `\x41` is left out: llama.cpp reads two digits there, xgrammar as many as follow (0.1.27 to 0.2.5). */
const escaped = (code: number) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`);

/** Characters that mean nothing else in a set, in any of the languages. */
const plainInSet = /[A-Za-z0-9 !#%',:;<=>@_`~]/;

const isPlain = (code: number) => code >= 0x20 && code < 0x7f;

function gbnfLiteral(text: string): string {
  const written = [...text].map((char) => {
    const code = char.codePointAt(0) as number;
    if (char === "\n") return "\\n";
    return char === '"' || char === "\\" ? `\\${char}` : isPlain(code) ? char : escaped(code);
  });
  return `"${written.join("")}"`;
}

/**
 * A set that holds all that is not ASCII is written by what it does not hold, any other by what it holds: xgrammar 0.1.27
 * cuts characters in the ranges of a set to one byte, and in negated sets every version up to 0.2.5 overlooks what is not
 * ASCII.
 */
function gbnfSet(ranges: readonly number[]): string {
  const isWide = without([0x80, 0xd7ff, 0xe000, 0x10ffff], ranges).length === 0;
  const left = without([0, 0x7f], ranges);
  if (isWide && left.length > 0) return `[^${setInside(left, escaped)}]`;
  return `[${setInside(ranges, escaped)}]`;
}

function setInside(ranges: readonly number[], escapeOf: (code: number) => string): string {
  const character = (code: number) => {
    const char = String.fromCodePoint(code);
    return plainInSet.test(char) ? char : escapeOf(code);
  };
  let inside = "";
  for (let at = 0; at < ranges.length; at += 2) {
    const [first, last] = [ranges[at], ranges[at + 1]];
    inside += first === last ? character(first) : `${character(first)}-${character(last)}`;
  }
  return inside;
}

const gbnf: Dialect = { assign: " ::= ", ruleName: (name) => name, literal: gbnfLiteral, set: gbnfSet };

/** The parts as GBNF, the grammars of llama.cpp. Its root is called `root`. */
export const writeGbnf = (parts: Parts): string => writeRules(parts, "root", gbnf);

// ----- Lark, as llguidance reads it -----

function larkLiteral(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

const larkEscaped = (code: number) => (code < 0x100 ? `\\x${hex(code, 2)}` : escaped(code));
const larkSet = (ranges: readonly number[]) => `/[${setInside(ranges, larkEscaped)}]/`;

const lark: Dialect = {
  assign: ": ",
  ruleName: (name) => (name === "root" ? "start" : name.replaceAll("-", "_")),
  literal: larkLiteral,
  set: larkSet,
};

/** The parts as Lark. Its root is called `start`. */
export const writeLark = (parts: Parts): string => writeRules(parts, "root", lark);

/** Whether something in a part, or in a rule that it names, is JSON that the engine can be left to say. */
export function holdsSchema(part: Part, rules: ReadonlyMap<string, Part>): boolean {
  const seen = new Set<string>();
  const look = (one: Part): boolean => {
    if (one.type === "schema") return true;
    if (one.type === "rule") {
      if (seen.has(one.name)) return false;
      seen.add(one.name);
      const body = rules.get(one.name);
      return body !== undefined && look(body);
    }
    return inside(one).some(look);
  };
  return look(part);
}
