import type { FormatData } from "../../formats/format-data.ts";
import { keySlot, type Program } from "../../machine/program.ts";
import { isRecoverable } from "../../machine/role-properties.ts";
import { roleCodes } from "../../machine/roles.ts";
import { Analysis } from "../analyse/analyse.ts";
import { type CharSet, emptySet, isFull, overlaps, setOf, sizeOf, union } from "../analyse/char-set.ts";
import { sampledExpressions } from "../analyse/sampled-expressions.ts";
import { type StandardJson, standardJson } from "../analyse/standard-json.ts";
import type { Expression, LinkedGrammar, LinkedRule } from "../parse/linked-grammar.ts";
import { type Primitive, primitiveOf } from "../parse/primitives.ts";
import { type Effects, inlineNodesMax, RecogniserFacts } from "./recogniser-facts.ts";
import {
  asked,
  bail,
  bailUnless,
  closed,
  firstQuestion,
  literalsIn,
  noMatch,
  readsState,
  startsWith,
  unitTest,
  withLiterals,
} from "./recogniser-text.ts";
import { certainUnits, type Run, runOf } from "./repetition-shapes.ts";
import { SharedCode } from "./shared-code.ts";

/**
 * A block of a grammar as functions of JavaScript, for texts that are there as a whole. They say the same as the program of
 * the machine: choices become labelled blocks, what a choice has to take back is kept in constants. Where no sample of the
 * format leads, nothing is written but that the machine has to read the block, so the functions are short.
 *
 * @returns the text of each function; undefined where the block is not of plain shape: it holds a payload that recovery may
 * read, rules that call themselves, or too much
 */
export function writeRecogniser(grammar: LinkedGrammar, data: FormatData): string[] | undefined {
  if (data.mode !== "primary" || grammar.entries.block === undefined) return undefined;
  const analysis = new Analysis(grammar);
  const sampled = sampledExpressions(grammar, analysis, data);
  if (sampled === undefined) return undefined;
  try {
    const functions = new RecogniserWriter(grammar, analysis, data.program, sampled).functions();
    return functions.join("").length <= recogniserCharsMax ? functions : undefined;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** So long a recogniser costs each program that loads it more than it gives. */
const recogniserCharsMax = 35_500;

/** The block holds what functions are not written for. */
class NotPlain extends Error {}

/** What begins with more literals is known by its first unit. */
const prefixesMax = 4;

/** A longer text is searched for what ends it. */
const nearUnits = 64;
/** For no more units, which are searched for one by one. */
const searchedMax = 6;

const noEffects: Omit<Effects, "cuts"> = { writes: false, sees: false, binds: new Set() };

class RecogniserWriter {
  readonly #grammar: LinkedGrammar;
  readonly #analysis: Analysis;
  readonly #sampled: ReadonlySet<Expression>;
  readonly #facts: RecogniserFacts;
  readonly #indexes = new Map<string, number>();
  readonly #open = new Set<string>();
  #names = 0;
  /** Inside a payload: what fails there recovery may read, so the machine has to. */
  #guarded = 0;
  /** The function of the block is being written. */
  #isFirst = false;
  /** What is being written matches nowhere: it only asks. */
  #isDry = false;

  constructor(grammar: LinkedGrammar, analysis: Analysis, program: Program, sampled: ReadonlySet<Expression>) {
    this.#grammar = grammar;
    this.#analysis = analysis;
    this.#sampled = sampled;
    this.#facts = new RecogniserFacts(grammar, analysis, program, sampled);
  }

  functions(): string[] {
    const { block } = this.#grammar.entries;
    const written: string[] = [];
    this.#indexes.set(block, 0);
    for (const [name, index] of this.#indexes) {
      this.#names = 0;
      this.#isFirst = index === 0;
      const body = this.#rule(this.#facts.ruleOf(name), noMatch);
      // The machine would have to read every block.
      if (index === 0 && body.endsWith(bail)) throw new NotPlain();
      written[index] = body;
    }
    const literals = literalsIn(written);
    return written.map((body) => {
      const text = withLiterals(body, literals);
      const marks = text.includes("m[") ? "const m = s.marks;\n" : "";
      const unit = /\bu\b/.test(text) ? "let u = 0;\n" : "";
      // An arrow function of a module is parsed in full while it loads, a function when it is first called.
      return `function (t, p, s, r) {\n${unit}${marks}${text}return p;\n}`;
    });
  }

  /** A name that nothing else in the function has. */
  #name(letter: string): string {
    return `${letter}${this.#names++}`;
  }

  // ----- Rules -----

  #rule(rule: LinkedRule, fail: string): string {
    const primitive = primitiveOf(rule.declared);
    if (primitive) return this.#primitive(primitive, rule, fail);
    const code = this.#facts.codeOf(rule);
    if (code === undefined) return this.#expression(rule.expression, fail);
    if (code === 0) return bail;
    const role = code & 0xff;
    if (role === roleCodes.Body) throw new NotPlain();
    const isGuarded = isRecoverable(role);
    if (isGuarded) this.#guarded++;
    const slot = this.#isDry ? undefined : this.#facts.slotOf(role);
    const from = this.#name("b");
    const body = this.#expression(rule.expression, isGuarded ? closed : fail);
    if (isGuarded) this.#guarded--;
    const isWritten = !this.#isDry;
    const begin = [
      role === roleCodes.Call && isWritten ? "s.beginCall();\n" : "",
      slot === undefined ? "" : `const ${from} = p;\n`,
      isWritten ? `s.put(${code << 1}, p);\n` : "",
    ].join("");
    if (body.endsWith(bail)) return begin + body;
    return [
      begin,
      body,
      isWritten ? `s.put(${(code << 1) | 1}, p);\n` : "",
      slot === undefined ? "" : bailUnless(`s.bind(${slot}, t.slice(${from}, p))`),
      slot === keySlot ? bailUnless("s.see()") : "",
    ].join("");
  }

  #primitive(primitive: Primitive, rule: LinkedRule, fail: string): string {
    switch (primitive.kind) {
      case "cut":
        return "s.cuts++;\n";
      case "tools-known":
      // What is searched for follows damage, of which it reads nothing.
      case "searched":
        return "";
      case "vain":
      case "found":
        return fail;
      case "tool-name":
        return asked("s.tool(t, p)", fail);
      case "declared-key":
        return asked("s.key(t, p)", fail);
      case "seen-key":
        return asked("s.seenKey(t, p)", fail);
      case "same":
        return asked(`s.same(t, p, ${this.#facts.slot(primitive.slot)})`, fail);
      case "bind": {
        const from = this.#name("b");
        const body = this.#expression(rule.expression, fail);
        const slot = this.#facts.slot(primitive.slot);
        if (this.#isDry || body.endsWith(bail)) return body;
        return `const ${from} = p;\n${body}${bailUnless(`s.bind(${slot}, t.slice(${from}, p))`)}`;
      }
      default:
        throw new NotPlain();
    }
  }

  #reference(name: string, fail: string): string {
    const rule = this.#facts.ruleOf(name);
    const standard = this.#guarded > 0 ? standardJson(this.#grammar, name) : undefined;
    if (standard) return this.#json(standard, fail);
    if (this.#isInlined(rule)) {
      if (this.#open.has(name)) throw new NotPlain();
      this.#open.add(name);
      const text = this.#rule(rule, fail);
      this.#open.delete(name);
      return text;
    }
    if (!this.#indexes.has(name)) this.#indexes.set(name, this.#indexes.size);
    return asked(`r[${this.#indexes.get(name)}](t, p, s, r)`, fail);
  }

  /** An object that stands there whole. Any other value the machine reads token by token. */
  #json({ blanks }: StandardJson, fail: string): string {
    return `if ((u = s.object(t, p)) < 0) ${closed}\np = u;\n${blanks === undefined ? "" : this.#reference(blanks, fail)}`;
  }

  #isInlined(rule: LinkedRule): boolean {
    if (primitiveOf(rule.declared) || this.#analysis.isMarker(rule.name)) return true;
    if (this.#facts.reaches(rule.name, rule.name)) throw new NotPlain();
    return this.#facts.usesOf(rule.name) < 2 || this.#facts.sizeOf(rule.expression) <= inlineNodesMax;
  }

  // ----- Expressions: each moves `p`, or does what `fail` says -----

  #expression(expression: Expression, fail: string): string {
    if (!this.#sampled.has(expression)) return bail;
    const atom = this.#atom(expression);
    if (atom) return `if (!(${atom.test})) ${fail}\np += ${atom.width};\n`;
    switch (expression.type) {
      case "literal":
        return "";
      case "sequence":
        return this.#sequence(expression.elements, fail);
      case "choice":
        return this.#choice(expression.alternatives, fail);
      case "optional":
        return this.#tried(expression.expression);
      case "zero_or_more":
      case "one_or_more":
        return this.#repetition(expression.expression, expression.type === "one_or_more", fail);
      case "simple_and":
        return this.#look(expression.expression, fail);
      case "simple_not":
        return this.#lookNot(expression.expression, fail);
      case "rule_ref":
        return this.#reference(expression.name, fail);
      default:
        throw new NotPlain();
    }
  }

  #sequence(elements: readonly Expression[], fail: string): string {
    let text = "";
    let failing = fail;
    for (const element of elements) {
      text += this.#expression(element, failing);
      // Further no sample has come.
      if (text.endsWith(bail)) break;
      // All choices that were made before are closed.
      if (this.#facts.passesCut(element, this.#open)) failing = closed;
    }
    return text;
  }

  #choice(given: readonly Expression[], fail: string): string {
    const end = this.#name("e");
    const alternatives = [...given];
    // Where the block does not match, the machine reads it as well: what matches in no sample need not be distinguished from that.
    while (fail === noMatch && this.#isFirst && alternatives.length > 1) {
      const last = alternatives[alternatives.length - 1];
      if (this.#sampled.has(last) && !this.#expression(last, fail).endsWith(bail)) break;
      alternatives.pop();
    }
    const last = alternatives[alternatives.length - 1];
    let text = "";
    for (const alternative of alternatives.slice(0, -1)) text += this.#tried(alternative, `break ${end};`);
    if (!this.#sampled.has(last)) text += this.#bailsIfStarts(last);
    else {
      const body = this.#expression(last, fail);
      // What asks first needs no other question before it.
      text += (body.startsWith("if (!(") ? "" : this.#unlessStarts(last, fail)) + body;
    }
    if (!this.#sampled.has(last) && !text.endsWith(bail)) text += fail === closed ? bail : `${fail}\n`;
    return text.includes(`break ${end};`) ? `${end}: {\n${text}}\n` : text;
  }

  /** Tries an expression: when it matches, does what `done` says; else goes on, with all taken back. */
  #tried(expression: Expression, done = ""): string {
    if (!this.#sampled.has(expression)) return this.#bailsIfStarts(expression);
    const atom = this.#atom(expression);
    if (atom) return `if (${atom.test}) { p += ${atom.width}; ${done} }\n`;
    const next = this.#name("n");
    const none = this.#name("f");
    let body = this.#expression(expression, `break ${none};`);
    let { keep, checks, back } = this.#kept(expression);
    if (body.endsWith(bail)) {
      // It matches nowhere where samples lead: nothing reads what it writes.
      const wasDry = this.#isDry;
      this.#isDry ||= !readsState.test(body);
      ({ keep, checks, back } = this.#kept(expression));
      body = this.#expression(expression, `break ${none};`);
      this.#isDry = wasDry;
    } else if (done !== "") body += `${done}\n`;
    else if (body.includes(`break ${none};`)) body += `break ${next};\n`;
    const asked = firstQuestion(body, none);
    if (asked) ({ body } = asked);
    if (asked && /^(?:p \+= \d+;\n)?return -2;\n$/.test(body)) return `if (${asked.test}) ${closed}\n`;
    const guard = asked ? `if (!(${asked.test})) break ${next};\n` : this.#unlessStarts(expression, `break ${next};`);
    if (!body.includes(`break ${none};`)) return guard === "" ? body : `${next}: {\n${guard}${body}}\n`;
    const text = `${keep}${none}: {\n${body}}\n${checks}${back}`;
    return guard === "" && !body.includes(`break ${next};`) ? text : `${next}: {\n${guard}${text}}\n`;
  }

  /** What no sample begins with: the machine has to read it. */
  #bailsIfStarts(expression: Expression): string {
    const { set, nullable } = this.#analysis.first(expression);
    if (nullable || isFull(set)) return bail;
    const prefixes = this.#analysis.prefixes(expression) ?? [];
    const isKnown = prefixes.length > 0 && prefixes.length <= prefixesMax && prefixes.every(({ length }) => length > 1);
    const begins = isKnown ? prefixes.map(startsWith).join(" || ") : this.#isIn(set);
    return `if (${begins}) ${closed}\n`;
  }

  #look(expression: Expression, fail: string): string {
    const atom = this.#atom(expression);
    if (atom) return `if (!(${atom.test})) ${fail}\n`;
    const body = this.#expression(expression, fail);
    if (body.endsWith(bail)) return body;
    const { keep, back } = this.#kept(expression);
    return `${keep}${body}${back}`;
  }

  #lookNot(expression: Expression, fail: string): string {
    if (expression.type === "any") return `if (p < t.length) ${fail}\n`;
    const atom = this.#atom(expression);
    if (atom) return `if (${atom.test}) ${fail}\n`;
    return this.#tried(expression, fail);
  }

  #repetition(body: Expression, once: boolean, fail: string): string {
    const atom = this.#atom(body);
    if (atom && atom.width === 1) {
      const first = once ? `if (!(${atom.test})) ${fail}\np++;\n` : "";
      return `${first}while (${atom.test}) p++;\n`;
    }
    const loop = this.#name("l");
    const count = this.#name("i");
    const run = runOf(body);
    const ends = once ? `if (${count} === 0) ${fail}\nbreak ${loop};\n` : `break ${loop};\n`;
    const certain = once ? undefined : certainUnits(body, this.#analysis);
    const units = certain ? `while (${this.#isIn(certain)}) p++;\n` : "";
    const inner = units + (run && !once ? this.#run(run, loop) : this.#tried(body, `continue ${loop};`));
    const text = inner.endsWith(bail) || (run && !once) ? inner : inner + ends;
    return once ? `let ${count} = 0;\n${loop}: for (;; ${count}++) {\n${text}}\n` : `${loop}: for (;;) {\n${text}}\n`;
  }

  /** `(A / B / !X .)*`: forward to where A, B or X may begin, then one of them or one unit. */
  #run({ alternatives, stop }: Run, loop: string): string {
    const heads = stop ? [...alternatives, stop] : alternatives;
    const firsts = heads.map((head) => this.#analysis.first(head));
    const set = firsts.reduce((all, first) => union(all, first.set), emptySet);
    let text = "";
    if (!isFull(set) && firsts.every(({ nullable }) => !nullable)) {
      text += this.#forward(set);
    }
    text += `if (p === t.length) break ${loop};\n`;
    for (const alternative of alternatives) text += this.#tried(alternative, `continue ${loop};`);
    if (stop) text += this.#stopped(stop, loop);
    return text.endsWith(bail) ? text : `${text}p++;\n`;
  }

  /** To the next unit of a set, or the end of the text. */
  #forward(set: CharSet): string {
    const passes = `(u = t.charCodeAt(p)) >= 0 && !(${unitTest(set)})`;
    if (sizeOf(set) > searchedMax || set[set.length - 1] > 0x7f) return `while (${passes}) p++;\n`;
    const near = this.#name("q");
    const units = [...Array(0x80).keys()].filter((unit) => overlaps(set, setOf(unit)));
    return `const ${near} = p + ${nearUnits};
while (p < ${near} && ${passes}) p++;
if (p === ${near}) p = s.far(t, p, ${JSON.stringify(String.fromCharCode(...units))});
`;
  }

  /** Leaves a loop where its end stands. */
  #stopped(stop: Expression, loop: string): string {
    if (!this.#sampled.has(stop)) return this.#bailsIfStarts(stop);
    const atom = this.#atom(stop);
    if (atom) return `if (${atom.test}) break ${loop};\n`;
    const next = this.#name("n");
    const none = this.#name("f");
    let body = this.#expression(stop, `break ${none};`);
    const asked = firstQuestion(body, none);
    if (asked) ({ body } = asked);
    const { keep, checks, back } = this.#kept(stop);
    const guard = asked ? `if (!(${asked.test})) break ${next};\n` : this.#unlessStarts(stop, `break ${next};`);
    const found = body.endsWith(bail) ? "" : `${back}break ${loop};\n`;
    return `${next}: {\n${guard}${keep}${none}: {\n${body}${found}}\n${checks}${back}}\n`;
  }

  /** Goes elsewhere where the next unit cannot begin the expression. */
  #unlessStarts(expression: Expression, otherwise: string): string {
    const { set, nullable } = this.#analysis.first(expression);
    return nullable || isFull(set) ? "" : this.#unless(set, otherwise);
  }

  #unless(set: CharSet, otherwise: string): string {
    return `if (!(${this.#isIn(set)})) ${otherwise}\n`;
  }

  /** Whether the next unit is one of a set. */
  #isIn(set: CharSet): string {
    if (set.length === 2 && set[0] === set[1]) return `t.charCodeAt(p) === ${set[0]}`;
    return `(u = t.charCodeAt(p)), ${unitTest(set)}`;
  }

  /** What is one unit, or a literal: a test, and how much it takes. */
  #atom(expression: Expression): { test: string; width: number } | undefined {
    const set = this.#facts.unitSet(expression);
    if (set) return { test: isFull(set) ? "p < t.length" : this.#isIn(set), width: 1 };
    if (expression.type === "choice") {
      const sets = expression.alternatives.map((alternative) => this.#facts.unitSet(alternative));
      if (sets.every((one) => one !== undefined)) return { test: this.#isIn(sets.reduce(union, emptySet)), width: 1 };
      return undefined;
    }
    const literal = this.#facts.literal(expression);
    return literal ? { test: startsWith(literal), width: literal.length } : undefined;
  }

  // ----- What a choice takes back -----

  /** Constants that keep what an expression may change, and how it is taken back. */
  #kept(expression: Expression): { keep: string; checks: string; back: string } {
    const { cuts: passesCut, ...others } = this.#facts.effectsOf(expression);
    const effects = this.#isDry ? noEffects : others;
    const at = this.#name("p");
    const keep = [`const ${at} = p;\n`];
    const back = [`p = ${at};\n`];
    let checks = "";
    if (effects.writes) {
      const top = this.#name("w");
      keep.push(`const ${top} = s.logTop;\n`);
      back.push(`s.logTop = ${top};\n`);
    }
    if (passesCut) {
      const cuts = this.#name("c");
      keep.push(`const ${cuts} = s.cuts;\n`);
      checks = bailUnless(`s.cuts === ${cuts}`);
    }
    for (const slot of effects.binds) {
      const bound = this.#name("v");
      keep.push(`const ${bound} = s.slots[${slot}];\n`);
      back.push(`s.slots[${slot}] = ${bound};\n`);
    }
    if (effects.sees) {
      const [calls, seen] = [this.#name("k"), this.#name("k")];
      keep.push(`const ${calls} = s.calls, ${seen} = s.seenTop;\n`);
      back.push(`s.back(${calls}, ${seen});\n`);
    }
    return { keep: keep.join(""), checks, back: back.join("") };
  }
}

/** The functions of recognisers as a module. */
export function writeRecognisers(recognisers: ReadonlyMap<string, readonly string[]>): string {
  const shared = new SharedCode([...recognisers.values()].flat());
  const tables = [...recognisers].map(([id, functions]) => {
    const lines = functions.map((text) => `${shared.write(text)},\n`.replace(/^(?=.)/gm, "    "));
    return `export const ${id}: Recogniser = [\n${lines.join("")}];\n`;
  });
  return `${shared.definitions()}
${tables.join("")}
/** Recognisers of formats of plain shape, by the id of the format. */
export const recognisers: Readonly<Record<string, Recogniser>> = {
${[...recognisers.keys()].map((id) => `  ${id},\n`).join("")}};
`;
}
