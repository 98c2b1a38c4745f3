import type { Hints } from "./hints.ts";
import { Machine } from "./machine.ts";
import { Operation, type ReadyProgram, ruleStarts } from "./program.ts";

/** More alternatives than this are not named. */
const alternativesMax = 6;

/**
 * What would have been legal at an offset of a text that begins with a block, or with a call inside one: "expected x or y,
 * found z". Runs the machine a second time, so it is only asked when something is wrong.
 */
export function expectedAt(program: ReadyProgram, hints: Hints, text: string, offset: number): string {
  let failures: readonly number[] = [];
  for (const enter of [blockEntry(program), ...callEntries(program)]) {
    failures = failuresAt(program, hints, text, offset, enter);
    if (failures.length > 0) break;
  }
  return sayExpected(program, text, offset, failures);
}

/** Makes a machine begin somewhere. */
type Enter = (machine: Machine) => void;

const blockEntry =
  ({ source }: ReadyProgram): Enter =>
  (machine) =>
    machine.enter(source.entries.block, 0);

/** A call of a section does not begin as its block does. */
const callEntries = ({ source }: ReadyProgram): Enter[] =>
  ruleStarts(source)
    .filter(([, name]) => /^Call(?:[A-Z_]|$)/.test(name))
    .map(
      ([address]) =>
        (machine) =>
          machine.enterRule(address, 0),
    );

/** Where the reading of a text stops, and what was tried there. */
export interface Stop {
  /** Offset in UTF-16 units. */
  at: number;
  /** "expected x or y, found z". */
  expected: string;
  /** The rules that failed there, by the names that messages use. */
  rules: string[];
}

/**
 * Where strict reading of a text that begins with a call stops; undefined: it does not. For explanations: reads the
 * text twice.
 *
 * @param isWhole The text ends here; otherwise more may follow.
 */
export function stopOf(program: ReadyProgram, hints: Hints, text: string, isWhole: boolean): Stop | undefined {
  const { start } = program.source.entries;
  const entries = [
    blockEntry(program),
    ...(start === undefined ? [] : [(machine: Machine) => machine.enter(start, 0)]),
  ];
  let stop: Stop | undefined;
  const tryEach = (enters: readonly Enter[]): boolean =>
    enters.every((enter) => {
      const machine = new Machine(program, hints, 0, (from) => text.slice(from));
      machine.feed(text);
      enter(machine);
      const status = machine.run(isWhole);
      if (status !== "failed" && status !== "declined") return false;
      const at = machine.furthest;
      if (stop === undefined || at > stop.at)
        stop = stopAt(program, text, at, failuresAt(program, hints, text, at, enter));
      return true;
    });
  if (!tryEach(entries)) return undefined;
  // What no block begins with may be a call inside of one.
  if ((stop as Stop | undefined)?.at === 0 && !tryEach(callEntries(program))) return undefined;
  return stop;
}

/** An opener that stays text is decided within so many characters. */
const openerCharsMax = 512;

/** The same for an opener without a call after it: where the call would have had to go on. */
export function stopOfOpener(program: ReadyProgram, hints: Hints, text: string): Stop | undefined {
  return stopOf(program, hints, text.slice(0, openerCharsMax), text.length <= openerCharsMax);
}

function stopAt(program: ReadyProgram, text: string, at: number, failures: readonly number[]): Stop {
  const names = failures.map((address) => ruleAt(program, address)).filter((name) => name !== "");
  return { at, expected: sayExpected(program, text, at, failures), rules: [...new Set(names)] };
}

function failuresAt(
  program: ReadyProgram,
  hints: Hints,
  text: string,
  offset: number,
  enter: Enter,
): readonly number[] {
  const machine = new Machine(program, hints, 0, (start) => text.slice(start));
  machine.watch = offset;
  machine.feed(text);
  enter(machine);
  machine.run(offset >= text.length);
  return machine.noted;
}

function sayExpected(program: ReadyProgram, text: string, offset: number, failures: readonly number[]): string {
  const names = [...new Set(failures.map((address) => describe(program, address)).filter((name) => name !== ""))];
  const found = offset < text.length ? JSON.stringify(text[offset]) : "the end of the text";
  if (names.length === 0) return `unexpected ${found}`;
  const listed = names.slice(0, alternativesMax).sort();
  const last = listed.pop();
  return `expected ${listed.length ? `${listed.join(", ")} or ${last}` : last}, found ${found}`;
}

function ruleAt({ source }: ReadyProgram, address: number): string {
  return (
    ruleStarts(source)
      .filter(([start]) => start <= address)
      .at(-1)?.[1] ?? ""
  );
}

function describe(program: ReadyProgram, address: number): string {
  const { code, strings, sets } = program;
  const operand = code[address + 1];
  switch (code[address]) {
    case Operation.Char:
      return JSON.stringify(String.fromCharCode(operand));
    case Operation.Literal:
    case Operation.AtLiteral:
      return JSON.stringify(strings[operand]);
    case Operation.Set:
    case Operation.AtSet:
      return describeSet(sets[operand].ranges);
    case Operation.Switch:
    case Operation.Fail:
      return wordOf(ruleAt(program, address));
    default:
      return "";
  }
}

/** A rule is named where its name is a word, and not what authors of grammars call it. */
const wordOf = (name: string): string => (/_|[a-z][A-Z]/.test(name) ? "" : name);

function describeSet(ranges: readonly number[]): string {
  const shown: string[] = [];
  for (let at = 0; at < ranges.length && shown.length < 8; at += 2) {
    const low = String.fromCharCode(ranges[at]);
    const high = String.fromCharCode(ranges[at + 1]);
    shown.push(low === high ? low : `${low}-${high}`);
  }
  return JSON.stringify(`[${shown.join("")}]`).slice(1, -1);
}
