import { Machine } from "../../machine/machine.ts";
import { type Program, readyProgram } from "../../machine/program.ts";

/** A role in a text, with what stands inside it. A block has no role: its code is 0. */
export interface RoleNode {
  code: number;
  start: number;
  end: number;
  inner: RoleNode[];
}

const wordShape = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** The words of a text: any of them may be the name of a tool or of a parameter. */
export const wordsIn = (text: string): Set<string> => new Set(text.match(wordShape));

/** The blocks of a text as a grammar reads them, with no hint but which words are names. */
export function blocksIn(program: Program, text: string, words: ReadonlySet<string> = wordsIn(text)): RoleNode[] {
  const hints = { names: [...words], keysOf: () => words };
  const machine = new Machine(readyProgram(program), hints, 0, (start) => text.slice(start));
  machine.feed(text);
  const { block, start } = program.entries;
  const blocks: RoleNode[] = [];
  for (let at = 0; at < text.length; ) {
    const entries = at === 0 && start !== undefined ? [start, block] : [block];
    const isRead = entries.some((address) => {
      machine.enter(address, at);
      return machine.run(true) === "done" && machine.position > at;
    });
    const end = isRead ? machine.position : at + 1;
    if (isRead) blocks.push({ code: 0, start: at, end, inner: treeOf(machine.log, machine.safeLog) });
    at = end;
  }
  return blocks;
}

function treeOf(log: ArrayLike<number>, length: number): RoleNode[] {
  const root: RoleNode = { code: 0, start: 0, end: 0, inner: [] };
  const open = [root];
  for (let at = 0; at < length; at += 2) {
    const parent = open[open.length - 1];
    if (log[at] & 1) {
      parent.end = log[at + 1];
      open.pop();
      continue;
    }
    const node = { code: (log[at] >> 1) & 0xff, start: log[at + 1], end: log[at + 1], inner: [] };
    parent.inner.push(node);
    open.push(node);
  }
  return root.inner;
}

/** Nodes with all that stands inside them, each before what is in it. */
export function flatten(nodes: readonly RoleNode[]): RoleNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.inner)]);
}
