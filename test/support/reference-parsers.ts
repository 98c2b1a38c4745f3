import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as ohm from "ohm-js";
import peggy from "peggy";
import { roleOf } from "../../src/compiler/analyse/role-of.ts";
import { assemble } from "../../src/compiler/emit/assemble.ts";
import { writeOhm } from "../../src/compiler/emit/write-ohm.ts";
import { linkGrammar } from "../../src/compiler/parse/link-grammar.ts";
import { type LinkedGrammar, type LinkedRule, walkExpression } from "../../src/compiler/parse/linked-grammar.ts";
import { primitiveOf } from "../../src/compiler/parse/primitives.ts";
import { formats } from "../../src/index.ts";
import type { Hints } from "../../src/machine/hints.ts";
import { Machine } from "../../src/machine/machine.ts";
import {
  Operation,
  operandCount,
  type Program,
  type ReadyProgram,
  type RuleCode,
  readyProgram,
} from "../../src/machine/program.ts";
import { repairRoleBase, roleCodes, variantShift, wholeObjectRole } from "../../src/machine/roles.ts";
import { compose, loadMessage, readGrammar } from "./compose.ts";
import { primitiveHooks } from "./primitive-hooks.ts";
import { knownKeys, Random, SentenceWriter } from "./sentences.ts";
import { type CaptureNode, writePeggy } from "./write-peggy.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The ids of all grammars that are a format. */
export const grammarIds = readdirSync(`${root}grammars`)
  .filter((name) => name.endsWith(".peggy") && name !== "message.peggy")
  .map((name) => name.slice(0, -".peggy".length))
  .sort();

export function loadGrammar(id: string): LinkedGrammar {
  const path = `grammars/${id}.peggy`;
  return linkGrammar({ path, text: readGrammar(path) as string }, readGrammar);
}

/**
 * Where the reference parsers may differ from the machine, by rule, and why. Everything else must be the same.
 */
export const knownDifferences: readonly { rule: string; reason: string }[] = [
  {
    rule: "Cut",
    reason:
      "a cut narrows the language on purpose: what fails after it is damage and not prose. The program is therefore " +
      "compared without its cuts; with them, whatever it still reads must be read in the same way.",
  },
  {
    rule: "lineStart, fenceStart, toolName, declaredKey, seenKey, same...",
    reason:
      "look at what no context-free rule can; Peggy gets them as predicates, Ohm does not compare rules with them.",
  },
  {
    rule: "Halt",
    reason:
      "where the reader of the message decides, the compared grammar has the block of the format, and goes on with text " +
      "where none stands; what thoughts and quoting tags enclose is decided by that reader, and checked by its tests.",
  },
  { rule: "any text with half a surrogate pair", reason: "Ohm reads code points; only Peggy reads such a text." },
];

const hints: Hints = {
  names: Object.keys(knownKeys),
  keysOf: (name = "") => (Object.hasOwn(knownKeys, name) ? new Set(knownKeys[name]) : undefined),
};

const hooks = primitiveHooks({
  names: Object.keys(knownKeys),
  keysOf: (name = "") => (Object.hasOwn(knownKeys, name) ? knownKeys[name] : undefined),
  unnamed: ["python", "ipython"],
});

/** A tree as one line: the roles in a text and where they stand. */
const line = (nodes: readonly CaptureNode[]): string =>
  nodes.map(({ role, start, end, children }) => `${role}[${start}-${end}](${line(children)})`).join("");

/** Without its cuts a program reads what Peggy reads. */
function withoutCuts(program: Program): Program {
  const code = program.code.map(([name, ...numbers]): RuleCode => {
    for (let at = 0; at < numbers.length; at += 1 + operandCount(numbers[at])) {
      if (numbers[at] === Operation.Cut) numbers[at] = Operation.Unguard;
    }
    return [name, ...numbers];
  });
  return { ...program, code };
}

interface Reading {
  accepted: boolean;
  tree: CaptureNode[];
}

function read(
  program: ReadyProgram,
  rule: string,
  text: string,
  chunks: readonly string[],
  isDriven: boolean,
): Reading {
  let fed = 0;
  const machine = new Machine(program, hints, 0, (start) => text.slice(start, fed));
  machine.enter(program.source.entries[rule], 0);
  machine.isDriven = isDriven;
  const tree: CaptureNode[] = [];
  const open: CaptureNode[] = [];
  const take = (count: number): void => {
    for (let at = 0; at < count; at += 2) {
      const code = machine.log[at] >> 1;
      const position = machine.log[at + 1];
      if (machine.log[at] & 1) (open.pop() as CaptureNode).end = position;
      else {
        const node = { role: roleName(code, program.source), start: position, end: -1, children: [] };
        (open.at(-1)?.children ?? tree).push(node);
        open.push(node);
      }
    }
    machine.dropLog(count);
  };
  const run = (final: boolean) => {
    for (;;) {
      const status = machine.run(final);
      take(machine.safeLog);
      // There is no scanner here, so the machine reads it by the grammar, as where the scanner gives an object back.
      if (status === "object") machine.readObject();
      else if (status !== "paused") return status;
    }
  };
  let status = "starved";
  for (const chunk of chunks) {
    fed += chunk.length;
    machine.feed(chunk);
    status = run(false);
    if (status !== "starved") break;
  }
  if (status === "starved") status = run(true);
  take(machine.logTop);
  return { accepted: status === "done" && machine.position === text.length, tree };
}

function roleName(code: number, program: Program): string {
  if (code === wholeObjectRole) return "whole";
  if (code >= repairRoleBase && code < 1 << variantShift) return program.repairs[code - repairRoleBase];
  const variant = (code & 0xff) === roleCodes.Call ? code >> variantShift : 0;
  return `${code & 0xff}${variant ? `:${program.variants[variant - 1]}` : ""}`;
}

function roleOfRule(rule: LinkedRule): string | undefined {
  const role = primitiveOf(rule.declared) ? undefined : roleOf(rule.declared);
  if (role === undefined) return undefined;
  return "repair" in role ? role.repair : `${role.code}${role.variant === undefined ? "" : `:${role.variant}`}`;
}

/** Objects that were read in one go have no parts in the machine's tree; here they lose theirs. */
function foldWhole(expected: readonly CaptureNode[], found: readonly CaptureNode[]): CaptureNode[] {
  return expected.map((node, at) => {
    const other = found[at];
    if (other?.role === "whole") return { ...node, role: "whole", children: [] };
    return { ...node, children: foldWhole(node.children, other?.children ?? []) };
  });
}

const hasLoneSurrogate = (text: string) =>
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);

function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if ("{[(<".includes(character)) deepest = Math.max(deepest, ++depth);
    else if ("}])>".includes(character)) depth--;
  }
  return deepest;
}

const ohmNestingMax = 50;

export interface Verdict {
  sentences: number;
  mutated: number;
  accepted: number;
  readByOhm: number;
  /** Texts that the machine reads otherwise when its cuts are in force. */
  cut: number;
  disagreements: string[];
}

const message = loadMessage();

/** Compares stock Peggy and Ohm with the machine for a format with the message around it, on generated sentences, about half mutated. */
export function judgeGrammar(id: string, sentences: number, seed: number): Verdict {
  const grammar = compose(loadGrammar(id), formats.get(id), message, Object.keys(knownKeys));
  const random = new Random(seed);
  const writer = new SentenceWriter(grammar);
  const written = writePeggy(grammar, { roleOf: roleOfRule });
  const outside = new Set(writeOhm(grammar).outside);
  const rules = [...grammar.rules.values()].filter((rule) => primitiveOf(rule.declared) === undefined);
  const some = (list: readonly LinkedRule[], count: number) =>
    list.length <= count ? list : [...Array(count)].map(() => random.pick(list));
  // The parser knows every rule that is begun with, so a short run begins with a few.
  const rulesMax = Math.max(4, Math.ceil(sentences / 25));
  const forOhm = some(
    rules.filter((rule) => !outside.has(rule.name) && roleOf(rule.declared)),
    rulesMax,
  );
  const calls = rules.filter((rule) => /^(Call|Block|Section|Payload|Arguments|Whole)/.test(rule.declared));
  const modes = [grammar.start, "message.begin", "message.thoughts"].map(
    (name) => grammar.rules.get(name) as LinkedRule,
  );
  const starts = [...modes, ...some(calls, rulesMax)];
  // Of a grammar that Ohm reads by a few rules it takes most of the time to make the others.
  const ohmText = writeOhm(
    reachedFrom(
      grammar,
      [...starts, ...forOhm].filter(({ name }) => !outside.has(name)),
    ),
  );
  const ohmGrammar = ohm.grammar(ohmText.text);
  const peggyParser = peggy.generate(written.text, {
    allowedStartRules: [...new Set([...starts, ...forOhm].map(({ name }) => written.names.get(name) as string))],
  });
  // One program for all rules: that of one would hold nearly as much.
  const entries = Object.fromEntries([...starts, ...forOhm].map(({ name }) => [name, name]));
  const program = assemble({ ...grammar, entries });
  const [plain, cut] = [readyProgram(withoutCuts(program)), readyProgram(program)];
  const verdict: Verdict = { sentences, mutated: 0, accepted: 0, readByOhm: 0, cut: 0, disagreements: [] };
  /** What the reference parsers say of a text, and where they differ. */
  const compare = (rule: LinkedRule, text: string, chunkSeed: number) => {
    const problems: string[] = [];
    let expected: CaptureNode[] | undefined;
    try {
      const captures = peggyParser.parse(text, {
        startRule: written.names.get(rule.name) as string,
        primitives: hooks,
      });
      expected = typeof captures === "string" ? [] : Array.isArray(captures) ? captures : [captures];
    } catch (error) {
      if (!(error instanceof peggyParser.SyntaxError)) throw error;
    }
    const found = read(plain, rule.name, text, [text], false);
    const narrow = read(cut, rule.name, text, [text], true);
    const accepted = expected !== undefined;
    const isForOhm = !outside.has(rule.name) && !hasLoneSurrogate(text) && nesting(text) <= ohmNestingMax;
    const outcome = { problems, accepted, isCut: narrow.accepted !== accepted, isForOhm };
    if (found.accepted !== accepted) {
      problems.push(accepted ? "Peggy accepts, the machine does not" : "the machine accepts, Peggy does not");
      return outcome;
    }
    const sizes = new Random(chunkSeed);
    const chunks: string[] = [];
    for (let at = 0; at < text.length; at += chunks[chunks.length - 1].length) {
      chunks.push(text.slice(at, at + 1 + sizes.below(4)));
    }
    const chunked = read(plain, rule.name, text, chunks, true);
    if (chunked.accepted !== accepted) problems.push("the machine says otherwise when the text comes in chunks");
    if (narrow.accepted && !accepted) problems.push("a cut makes the machine accept more");
    if (expected !== undefined) {
      const tree = line(expected);
      if (tree !== line(found.tree)) problems.push(`Peggy ${tree}\n  machine ${line(found.tree)}`);
      if (line(foldWhole(expected, chunked.tree)) !== line(chunked.tree))
        problems.push(`in chunks ${line(chunked.tree)}`);
      if (narrow.accepted && line(foldWhole(expected, narrow.tree)) !== line(narrow.tree)) {
        problems.push(`with cuts ${line(narrow.tree)}`);
      }
    }
    if (isForOhm) {
      const succeeded = ohmGrammar.match(text, ohmText.names.get(rule.name) as string).succeeded();
      if (succeeded !== accepted) problems.push(succeeded ? "only Ohm accepts" : "only Ohm refuses");
    }
    return outcome;
  };
  for (let n = 0; n < sentences; n++) {
    const forOhmOnly = forOhm.length > 0 && random.chance(0.35);
    const rule = forOhmOnly ? random.pick(forOhm) : random.chance(0.4) ? random.pick(modes) : random.pick(starts);
    const isMutated = random.chance(0.5);
    const slips = isMutated && random.chance(0.5);
    const sentence = writer.write(rule.name, random, slips);
    const text = isMutated && !slips ? writer.mutate(sentence, random) : sentence;
    const { problems, accepted, isCut, isForOhm } = compare(rule, text, n);
    verdict.mutated += isMutated ? 1 : 0;
    verdict.accepted += accepted ? 1 : 0;
    verdict.cut += isCut ? 1 : 0;
    verdict.readByOhm += isForOhm ? 1 : 0;
    if (problems.length === 0) continue;
    const short = shrink(text, (part) => compare(rule, part, n).problems.length > 0);
    verdict.disagreements.push(
      `${rule.name}, ${JSON.stringify(short)}: ${compare(rule, short, n).problems.join("; ")}`,
    );
  }
  return verdict;
}

/** A grammar without the rules that none of the given ones needs. */
function reachedFrom(grammar: LinkedGrammar, roots: readonly LinkedRule[]): LinkedGrammar {
  const reached = new Map(roots.map((rule) => [rule.name, rule]));
  for (const { expression } of reached.values()) {
    walkExpression(expression, (inner) => {
      if (inner.type === "rule_ref") reached.set(inner.name, grammar.rules.get(inner.name) as LinkedRule);
    });
  }
  return { ...grammar, rules: new Map([...grammar.rules].filter(([name]) => reached.has(name))) };
}

/** A shorter text that shows the same. */
function shrink(text: string, shows: (text: string) => boolean): string {
  let best = text;
  for (let size = best.length >> 1; size > 0; size = size > 1 ? size >> 1 : 0) {
    for (let at = 0; at < best.length; ) {
      const part = best.slice(0, at) + best.slice(at + size);
      if (shows(part)) best = part;
      else at += size;
    }
  }
  return best;
}
