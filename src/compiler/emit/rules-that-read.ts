import { Machine } from "../../machine/machine.ts";
import { readyProgram } from "../../machine/program.ts";
import { roleCodes } from "../../machine/roles.ts";
import { roleCodeOf } from "../analyse/role-of.ts";
import { type LinkedGrammar, placeOf } from "../parse/linked-grammar.ts";
import { assemble } from "./assemble.ts";

/**
 * Which rules of a grammar a character may have been read by: those of the innermost role that covers it.
 *
 * @returns `Text (grammars/x.peggy:31)`, one for each rule of the role; empty where no block covers the place
 */
export function rulesReading(grammar: LinkedGrammar, text: string, offset: number): string[] {
  const program = assemble(grammar);
  const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu));
  const machine = new Machine(readyProgram(program), { names: [...words], keysOf: () => words }, 0, (start) =>
    text.slice(start),
  );
  machine.feed(text);
  for (let at = 0; at <= offset; at++) {
    machine.enter(program.entries.block, at);
    const isRead = machine.run(true) === "done" && machine.position > offset;
    if (!isRead) continue;
    const code = innermost(machine.log, machine.safeLog, offset) ?? roleCodes.Call;
    return [...grammar.rules.values()]
      .filter(({ declared }) => roleCodeOf(declared) === code)
      .map((rule) => `${rule.declared} (${placeOf(rule)})`);
  }
  return [];
}

function innermost(log: ArrayLike<number>, length: number, offset: number): number | undefined {
  const open: { code: number; start: number }[] = [];
  let found: { code: number; size: number } | undefined;
  for (let at = 0; at < length; at += 2) {
    if (!(log[at] & 1)) {
      open.push({ code: (log[at] >> 1) & 0xff, start: log[at + 1] });
      continue;
    }
    const node = open.pop();
    const size = node === undefined ? 0 : log[at + 1] - node.start;
    if (node && node.start <= offset && log[at + 1] > offset && (found === undefined || size < found.size)) {
      found = { code: node.code, size };
    }
  }
  return found?.code;
}
