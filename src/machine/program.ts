import { onceFor } from "../contract/once-for.ts";
import type { RepairKind } from "../contract/repairs.ts";
import { allTurnTokens, endOfTurnTokens, turnBoundaries, turnOpeners, turnTokens } from "../contract/turn-tokens.ts";
import { Kept } from "./kept.ts";

/** A compiled grammar: data, no code, so a user's own grammar runs without `eval`. */
export interface Program {
  /**
   * Operations and their operands, see {@link Operation}, one list for each rule; the first list enters the others. An
   * address counts from the place where it stands, so that equal rules are equal text wherever they stand.
   */
  readonly code: readonly RuleCode[];
  /** Literals. */
  readonly strings: readonly string[];
  /** Character sets of UTF-16 units, written as classes are: see {@link rangesOf}. */
  readonly sets: readonly string[];
  /** For `Skip`: literals one of which starts everything that can end the run (indexes of `strings`). */
  readonly scans: readonly (readonly number[])[];
  /** For `Switch`: targets as runs, [length, target, ...]: 128 ASCII units, and one for all others. */
  readonly tables: readonly (readonly number[])[];
  /** [return address, target, records]: where reading goes on after damage inside the call made there. */
  readonly syncPoints: readonly (readonly [number, number, number])[];
  /** Names of the variants of `Call`, from 1. */
  readonly variants: readonly string[];
  /** Kinds of repair that rules of the grammar record, from `repairRoleBase`. */
  readonly repairs: readonly RepairKind[];
  /** Literals that may follow a payload, beside {@link sharedEnds}: recovery may stop there (indexes of `strings`). */
  readonly ends: readonly number[];
  /** The literals of sets, beside those of {@link sharedLiterals} (indexes of `strings`), by the names of the sets. */
  readonly literals?: Readonly<Record<string, readonly number[]>>;
  /** Literals that come from the `marker` option (indexes of `strings`). */
  readonly markers: readonly number[];
  /** Where reading may begin: `block` and `start` for formats, the modes of the message for the message grammar. */
  readonly entries: Readonly<Record<string, number>>;
}

/** The code of a rule, and before it how messages name the rule. */
export type RuleCode = readonly [name: string, ...code: number[]];

/** Where each rule begins and how messages name it. */
export function ruleStarts({ code }: Program): [address: number, name: string][] {
  let at = 0;
  return code.map((rule): [number, string] => [(at += rule.length - 1) - rule.length + 1, rule[0]]).slice(1);
}

/** Operation codes. The comment names the operands. A const enum, so that the machine switches over plain numbers. */
// biome-ignore lint/suspicious/noConstEnum: inlined by the bundler; an object would be read at every step
export const enum Operation {
  End = 0,
  Char = 1, // unit
  Literal = 2, // string
  Any = 3,
  Set = 4, // set
  Span = 5, // set: the longest run, may be empty
  Skip = 6, // scan: forward to the next place where one of its literals may start
  SkipSet = 7, // set: forward to the next unit of the set
  TestChar = 8, // unit, target when the next unit is another
  TestSet = 9, // set, target when the next unit is outside
  TestEnd = 10, // target at the end of the text
  Switch = 11, // table
  Choice = 12, // target to go on from on failure
  Commit = 13, // target: drop the newest choice
  BackCommit = 14, // target: drop the newest choice, restore its position
  FailTwice = 15, // drop the newest choice, then fail
  Fail = 16,
  Call = 17, // target
  Return = 18,
  Jump = 19, // target
  Open = 20, // role
  Close = 21, // role
  Cut = 22,
  NotSet = 23, // set: the next unit, if any, is outside
  AtSet = 24, // set: the next unit is inside, not consumed
  NotLiteral = 25, // string
  AtLiteral = 26, // string
  AtEnd = 27,
  LineStart = 28,
  FenceStart = 29, // where a fence may begin: a line, whatever list or quotation it stands in
  BindBegin = 30, // slot
  BindEnd = 31, // slot
  Same = 32, // slot
  ToolName = 33,
  DeclaredKey = 34,
  RecoverableRegion = 35, // target: where reading goes on when recovery has read the payload
  Unguard = 36,
  BeginCall = 37, // forget the name and the keys of the call before
  SeeKey = 38, // the text bound in keySlot is a key that has been seen
  Decline = 39, // nothing of what was looked for stands here
  OneOf = 40, // string that names a set of literals
  WholeObject = 42, // target when a JSON object that stands whole in the text has been read in one go
  SeenKey = 43,
  CutOf = 44, // string that names a set of literals: the end of the text, inside one of them
  ToolsKnown = 45, // the names of the tools are known
  FenceBegin = 46, // a fence begins here: what it stands in is remembered
  FenceLeave = 47, // at the beginning of a line: it stands outside of what the fence stands in
  FenceInside = 48, // what stands before this on its line is what stands before the closing marks of the fence
  PlainText = 49, // forward to where something other than content may begin
  CodeLeave = 50, // at the beginning of a line: what the code span stands in has ended
  Vain = 51, // slot: a search of its name was in vain from here or from an earlier place
  Found = 52, // slot: one from here or from an earlier place has found something here or later
  Searched = 53, // slot: a search ends
  UnnamedOffered = 54, // string of names, one of which is on offer
  PairClose = 55, // what stands here closes a pair of tags that is open in the message
}

/** Operands of each operation, by its code: none, one, two; `3` is one that is an address, `4` two, the last an address. */
const operandShapes = "01101111443133300303110111100011100300001130100000011110";

const operandShape = (operation: number) => operandShapes.charCodeAt(operation) - 48; // the code of "0"

/** How many operands an operation has. */
export function operandCount(operation: number): number {
  const shape = operandShape(operation);
  return shape > 2 ? shape - 2 : shape;
}

/** The code with addresses that count from its beginning. */
function linked(program: Program): Int32Array {
  let size = 0;
  for (const rule of program.code) size += rule.length - 1;
  const code = new Int32Array(size);
  let to = 0;
  for (const rule of program.code) {
    const ofRule = rule.slice(1) as number[];
    code.set(ofRule, to);
    to += ofRule.length;
  }
  for (let at = 0; at < code.length; ) {
    const shape = operandShape(code[at]);
    at += shape > 2 ? shape - 1 : shape + 1;
    if (shape > 2) code[at - 1] += at - 1;
  }
  return code;
}

/** A string that begins so names a set of literals, which stands in no program: it is known when one is made ready. */
export const literalSetMark = "\0any";

/** Sets of literals by name. */
type LiteralSets = Readonly<Record<string, readonly string[]>>;

/**
 * What every grammar has from `contract/turn-tokens.ts`, by the rules that are made of it with the tokens of the header. So a
 * program names them and holds none of them.
 */
export const sharedLiterals = (): LiteralSets => ({
  STOP: [...endOfTurnTokens, ...turnTokens],
  ANY_STOP: turnBoundaries(),
  TURN: turnOpeners,
  TURN_ALONE: allTurnTokens(),
});

/** The literals that a program names, those of shared sets included. */
export function literalsOf({ strings }: Program): string[] {
  const shared = sharedLiterals();
  const setOf = (text: string) => shared[text.slice(literalSetMark.length)] ?? [];
  return [...new Set(strings.flatMap((text) => (text.startsWith(literalSetMark) ? setOf(text) : text)))];
}

/** Read as the end of a list it would be no turn any more. */
const beginsAsCloser = (token: string) => /^[\]}]/.test(token);

/** What may follow a payload in every format: recovery takes none of them into the value. */
export const sharedEnds = (): string[] => [...endOfTurnTokens, ...turnTokens.filter(beginsAsCloser)];

/** Slots in which the machine remembers the name of the tool and the key it is reading. */
export const nameSlot = 0;
export const keySlot = 1;

/** A character set made ready for testing. A class, and no object with a getter: each of those has a shape of its own. */
export class ReadySet {
  /** One flag per unit below 256. */
  readonly low = new Uint8Array(256);
  readonly ranges: readonly number[];
  #run: RegExp | undefined;

  constructor(ranges: readonly number[]) {
    this.ranges = ranges;
    for (let at = 0; at < ranges.length; at += 2) {
      this.low.fill(1, Math.min(ranges[at], 256), Math.min(ranges[at + 1] + 1, 256));
    }
  }

  /** Matches the longest run from `lastIndex`; built from the grammar's set, never from model text. */
  get run(): RegExp {
    return (this.#run ??= runOf(this.ranges));
  }
}

/** Literals whose first unit that is not blank is the same. */
export class ScanGroup {
  readonly unit: string;
  /** Those with most blanks before it first. */
  readonly literals: readonly { readonly text: string; readonly lead: number }[];
  readonly #texts: readonly string[];
  #search: RegExp | undefined;

  constructor(unit: string, texts: readonly string[]) {
    this.unit = unit;
    this.#texts = texts;
    this.literals = texts.map((text) => ({ text, lead: leadOf(text) })).sort((left, right) => right.lead - left.lead);
  }

  /** Finds the next of them; built from the grammar's literals, never from model text. */
  get search(): RegExp {
    return (this.#search ??= literalSearch(this.#texts));
  }
}

/**
 * How many blanks begin a literal. A line break stands in every line, and what comes after it seldom: so that is what
 * is searched for. Blanks alone have no lead.
 */
export function leadOf(literal: string): number {
  return Math.max(0, literal.search(/\S/));
}

/** The literals of a `Skip`. */
export interface ReadyScan {
  readonly groups: readonly ScanGroup[];
  readonly firsts: ReadySet;
  readonly longest: number;
  /** Where the groups of this scan are numbered from. */
  readonly base: number;
}

/** A program made ready to run; shared by all machines of a format. */
export interface ReadyProgram {
  readonly source: Program;
  readonly code: Int32Array;
  readonly strings: readonly string[];
  readonly sets: readonly ReadySet[];
  readonly scans: readonly ReadyScan[];
  readonly scanCount: number;
  /** For `OneOf` and `CutOf`: literals by the index of the string that names them, made ready when first asked for. */
  readonly literals: { get(string: number): ReadyWords | undefined };
  readonly tables: readonly Int32Array[];
  readonly syncPoints: ReadonlyMap<number, readonly [number, number, number]>;
  readonly ends: readonly string[];
  /** For `PlainText`. */
  readonly places: Places | undefined;
}

/** Where something may begin in texts. */
export interface Places {
  /** A search in the texts of one reader. */
  search(): PlaceSearch;
}

/** Finds places in text. */
export interface PlaceSearch {
  /** The first from an offset on; the end of the text, where there is none. */
  from(text: string, start: number): number;
}

/** Literals of which one may stand at a place. */
export interface ReadyWords {
  /** The longest first. */
  readonly all: readonly string[];
  /** Those that begin with an ASCII unit; at 128 those that begin with any other. Absent: none does. */
  readonly byUnit: readonly (readonly string[] | undefined)[];
  /** Where many begin with the same unit, they are distinguished by the second as well; under -1 those that have none. */
  readonly bySecond: readonly (ReadonlyMap<number, readonly string[]> | undefined)[];
  /** They are in lower case, and stand in any. */
  readonly anyCase: boolean;
}

/** To look at so many words costs no more than to distinguish them by another unit. */
const wordsMin = 8;

function bySecondUnit(words: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const single = words.filter((word) => word.length === 1);
  const bySecond = new Map<number, readonly string[]>([[-1, single]]);
  for (const word of words) {
    const second = word.charCodeAt(1);
    if (word.length > 1 && !bySecond.has(second))
      bySecond.set(second, [...words.filter((other) => other.charCodeAt(1) === second), ...single]);
  }
  return bySecond;
}

function readyWords(literals: Iterable<string>, anyCase: boolean): ReadyWords {
  const all = [...new Set(literals)].sort((left, right) => right.length - left.length);
  const byUnit: string[][] = [];
  const add = (unit: number, literal: string) => (byUnit[Math.min(unit, 128)] ??= []).push(literal);
  for (const literal of all) {
    add(literal.charCodeAt(0), literal);
    const upper = literal.toUpperCase();
    if (anyCase && upper[0] !== literal[0]) add(upper.charCodeAt(0), literal);
  }
  const units = Array.from({ length: 129 }, (_, unit) => byUnit[unit]);
  const bySecond = units.map((words) =>
    !anyCase && words && words.length > wordsMin ? bySecondUnit(words) : undefined,
  );
  return { all, byUnit: units, bySecond, anyCase };
}

/** Sets of names of tags: as in HTML, in any case. */
const tagSet = /Tag$/;

const unit = (code: number) => `\\u${code.toString(16).padStart(4, "0")}`;

/** What `\s` in a set stands for: the blanks of a regular expression, and those that have no width. */
export const blankRanges: readonly number[] = [
  ...[0x09, 0x0d, 0x20, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200f],
  ...[0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x2060, 0x3000, 0x3000, 0xfeff, 0xfeff],
];

/**
 * The inclusive ranges of a set, [low, high, low, high, ...]. It is written as a class: units and ranges `a-z` in rising
 * order, each of `\`, `-` and `^` after a backslash; `\s` at the beginning stands for {@link blankRanges}, and `^` before all
 * for every other unit.
 */
export function rangesOf(set: string): readonly number[] {
  if (set[0] !== "^") return writtenRanges(set);
  const ranges: number[] = [];
  let from = 0;
  const written = writtenRanges(set.slice(1));
  for (let at = 0; at < written.length; at += 2) {
    if (written[at] > from) ranges.push(from, written[at] - 1);
    from = written[at + 1] + 1;
  }
  if (from <= 0xffff) ranges.push(from, 0xffff);
  return ranges;
}

function writtenRanges(set: string): readonly number[] {
  const ranges: number[] = [];
  const hasBlanks = set.startsWith("\\s");
  const next = () => set.charCodeAt(set[at] === "\\" ? ++at : at);
  let at = hasBlanks ? 2 : 0;
  let blanks = 0;
  for (; at < set.length; at++) {
    const low = next();
    const isRange = set[at + 1] === "-";
    if (isRange) at += 2;
    const high = isRange ? next() : low;
    while (hasBlanks && blankRanges[blanks] < low) ranges.push(blankRanges[blanks++], blankRanges[blanks++]);
    ranges.push(low, high);
  }
  return hasBlanks ? [...ranges, ...blankRanges.slice(blanks)] : ranges;
}

function runOf(ranges: readonly number[]): RegExp {
  let body = "";
  for (let at = 0; at < ranges.length; at += 2) body += `${unit(ranges[at])}-${unit(ranges[at + 1])}`;
  return new RegExp(`[${body}]*`, "y");
}

/** Whether a set holds a unit. */
export function hasUnit(set: ReadySet, code: number): boolean {
  if (code < 256) return set.low[code] === 1;
  const { ranges } = set;
  let low = 0;
  let high = (ranges.length >> 1) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < ranges[2 * middle]) high = middle - 1;
    else if (code > ranges[2 * middle + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** The literals, each once, without those that begin with another: where such a one stands, the other does. */
export function withoutExtensions(literals: Iterable<string>): string[] {
  const unique = new Set(literals);
  const isExtension = extensionsOf(unique);
  return [...unique].filter((literal) => !isExtension(literal));
}

/** Whether a text begins with one of some literals, and goes on. */
export function extensionsOf(literals: ReadonlySet<string>): (text: string) => boolean {
  const lengths = [...new Set([...literals].map((literal) => literal.length))].sort((left, right) => left - right);
  return (text) => {
    for (const length of lengths) {
      if (length >= text.length) return false;
      if (literals.has(text.slice(0, length))) return true;
    }
    return false;
  };
}

/** A host has one marker or a few; one that makes them up per message starts again here. */
const markersMax = 16;
const readyOf = onceFor((_: Program) => new Kept<string, ReadyProgram>(markersMax));

/** Makes a program ready to run, once for each `marker` (the opener of formats whose opener is configurable). */
export function readyProgram(program: Program, marker?: string): ReadyProgram {
  const ready = readyOf(program);
  const key = marker ?? "";
  return ready.get(key) ?? ready.keep(key, build(program, marker));
}

/** Makes a program ready whose sets of literals, and what begins with them, come from the formats that were asked for. */
export function combinedProgram(program: Program, sets: LiteralSets, places: Places): ReadyProgram {
  return build(program, undefined, sets, places);
}

/** The units that stand at a place of some literals. */
function unitsAt(literals: readonly string[], at: number): ReadySet {
  const units = [...new Set(literals.map((literal) => literal.charCodeAt(at)).filter((unit) => unit >= 0))];
  return new ReadySet(units.sort((left, right) => left - right).flatMap((unit) => [unit, unit]));
}

/** What has a meaning of its own in a regular expression. */
const syntaxCharacter = /[\\^$.*+?()[\]{}|/]/g;

/** A literal as a regular expression. */
export const escapedLiteral = (literal: string): string => literal.replace(syntaxCharacter, "\\$&");

/** Finds the first of some literals. */
export const literalSearch = (literals: readonly string[]): RegExp =>
  new RegExp(literals.map(escapedLiteral).join("|"), "g");

/** What does not depend on literals is made once for a program. */
const fixedParts = onceFor(
  (program: Program): FixedParts => ({
    source: program,
    code: linked(program),
    sets: program.sets.map((set) => new ReadySet(rangesOf(set))),
    tables: program.tables.map(readyTable),
    syncPoints: new Map(program.syncPoints.map((entry) => [entry[0], entry])),
  }),
);

function readyTable(runs: readonly number[]): Int32Array {
  const table = new Int32Array(tableSize);
  let from = 0;
  for (let at = 0; at < runs.length; at += 2) table.fill(runs[at + 1], from, (from += runs[at]));
  return table;
}

/** Targets of a `Switch`: one for each ASCII unit, and one for all others. */
export const tableSize = 129;

type FixedParts = Pick<ReadyProgram, "source" | "code" | "sets" | "tables" | "syncPoints">;

/** Most grammars add nothing to the shared sets. */
const sharedWords = new Map<string, ReadyWords>();

function wordsOf(name: string, own: readonly string[], sets: LiteralSets | undefined): ReadyWords {
  const isShared = sets === undefined && own.length === 0;
  let words = isShared ? sharedWords.get(name) : undefined;
  if (words === undefined) {
    words = readyWords([...own, ...((sets ?? sharedLiterals())[name] ?? [])], tagSet.test(name));
    if (isShared) sharedWords.set(name, words);
  }
  return words;
}

function build(program: Program, marker?: string, literalSets?: LiteralSets, places?: Places): ReadyProgram {
  const strings = [...program.strings];
  const words: (ReadyWords | undefined)[] = [];
  const readyAt = (at: number): ReadyWords | undefined => {
    const text = strings[at];
    if (!text.startsWith(literalSetMark)) return undefined;
    const name = text.slice(literalSetMark.length);
    const own = (program.literals?.[name] ?? []).map((index) => strings[index]);
    words[at] = wordsOf(name, own, literalSets);
    return words[at];
  };
  const literals = { get: (at: number) => words[at] ?? readyAt(at) };
  if (marker !== undefined) for (const at of program.markers) strings[at] = marker;
  let scanCount = 0;
  const scans = program.scans.map((indexes) => {
    const literalsOfScan = withoutExtensions(indexes.flatMap((at) => literals.get(at)?.all ?? [strings[at]]));
    const byUnit = new Map<string, string[]>();
    for (const text of literalsOfScan) {
      const unit = text[leadOf(text)];
      byUnit.set(unit, [...(byUnit.get(unit) ?? []), text]);
    }
    const groups = [...byUnit].map(([unit, members]) => new ScanGroup(unit, members));
    const base = scanCount;
    scanCount += groups.length;
    const longest = Math.max(1, ...literalsOfScan.map((literal) => literal.length));
    return { groups, firsts: unitsAt(literalsOfScan, 0), longest, base };
  });
  const ends = [...program.ends.map((at) => strings[at]), ...sharedEnds()];
  const { source, code, sets, tables, syncPoints } = fixedParts(program);
  // Each by its name: copied with `...` they would have shapes of their own, which the machine looks at with each chunk.
  return { source, code, sets, tables, syncPoints, strings, scans, scanCount, literals, ends, places };
}
