import { type Hints, Machine } from "./machine.ts";
import { Operation, type ReadyProgram } from "./program.ts";

/** More alternatives than this are not named. */
const alternativesMax = 6;

/**
 * What would have been legal at an offset of a text that begins with a call: "expected x or y, found z". Runs the
 * machine a second time, so it is only asked when something is wrong.
 */
export function expectedAt(program: ReadyProgram, hints: Hints, text: string, offset: number): string {
  const machine = new Machine(program, hints, 0, (start) => text.slice(start));
  machine.watch = offset;
  machine.feed(text);
  machine.run(offset >= text.length);
  const names = [...new Set(machine.noted.map((address) => describe(program, address)).filter((name) => name !== ""))];
  const found = offset < text.length ? JSON.stringify(text[offset]) : "the end of the text";
  if (names.length === 0) return `unexpected ${found}`;
  const listed = names.slice(0, alternativesMax).sort();
  const last = listed.pop();
  return `expected ${listed.length ? `${listed.join(", ")} or ${last}` : last}, found ${found}`;
}

function describe({ code, strings, sets, source }: ReadyProgram, address: number): string {
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
    case Operation.Fail: {
      const rule = source.rules.filter(([start]) => start <= address).at(-1);
      return rule ? rule[1] : "";
    }
    default:
      return "";
  }
}

function describeSet(ranges: readonly number[]): string {
  const shown: string[] = [];
  for (let at = 0; at < ranges.length && shown.length < 8; at += 2) {
    const low = String.fromCharCode(ranges[at]);
    const high = String.fromCharCode(ranges[at + 1]);
    shown.push(low === high ? low : `${low}-${high}`);
  }
  return JSON.stringify(`[${shown.join("")}]`).slice(1, -1);
}
