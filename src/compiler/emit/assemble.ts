import type { RepairKind } from "../../contract/repairs.ts";
import {
  keySlot,
  literalSetMark,
  Operation,
  type Program,
  sharedLiterals,
  tableSize,
  withoutExtensions,
} from "../../machine/program.ts";
import { isJoint, isRecoverable, isRefusal } from "../../machine/role-properties.ts";
import { roleCodes, variantShift } from "../../machine/roles.ts";
import { Analysis } from "../analyse/analyse.ts";
import {
  type CharSet,
  classSet,
  classText,
  complement,
  emptySet,
  isFull,
  overlaps,
  union,
} from "../analyse/char-set.ts";
import { recursiveRules, rulesThatReach } from "../analyse/reachable-rules.ts";
import { boundSlotOf, roleCodeOf, roleOf } from "../analyse/role-of.ts";
import { type StandardJson, standardJson } from "../analyse/standard-json.ts";
import {
  type ChoiceExpression,
  type Expression,
  isNever,
  type LinkedGrammar,
  type LinkedRule,
  triedEntries,
  walkExpression,
} from "../parse/linked-grammar.ts";
import { type Primitive, primitiveOf } from "../parse/primitives.ts";
import { CodeWriter, type Label } from "./code-writer.ts";
import { endMarkers } from "./end-markers.ts";
import { certainUnits, notBegun, type Run, runOf } from "./repetition-shapes.ts";

/** A repetition that reads calls: where reading goes on after damage in one of them. */
interface CallLoop {
  syncPoint: Label;
  records: number;
}

/** A rule of at most so many nodes is written out where it is used. */
const inlineNodesMax = 6;

/**
 * Turns a linked grammar into a flat program for the parsing machine. Choices and repetitions whose branches begin with
 * different units need no record to come back to, `(!"x" .)*` becomes a search, runs of a class one operation.
 */
export function assemble(grammar: LinkedGrammar): Program {
  return new Assembler(grammar).program();
}

class Assembler {
  readonly #grammar: LinkedGrammar;
  readonly #analysis: Analysis;
  readonly #out = new CodeWriter();
  readonly #syncPoints: [Label, Label, number][] = [];
  readonly #markers = new Set<number>();
  /** The literals of sets that the header adds to what all programs share. */
  readonly #literals = new Map<string, number[]>();
  readonly #labels = new Map<string, Label>();
  readonly #queue: LinkedRule[] = [];
  readonly #uses = new Map<string, number>();
  /** Rules in which a call may be read. */
  readonly #callRules: ReadonlySet<string>;
  readonly #recursive: ReadonlySet<string>;
  readonly #never = new Map<string, boolean>();
  readonly #knowsKeys: boolean;
  readonly #loops: CallLoop[] = [];
  #joint = 0;
  #records = 0;
  /** Rules around whose text is a payload. */
  #guarded = 0;

  constructor(grammar: LinkedGrammar) {
    this.#grammar = grammar;
    this.#analysis = new Analysis(grammar);
    const calls = [...grammar.rules.values()].filter(({ declared }) => roleCodeOf(declared) === roleCodes.Call);
    this.#callRules = rulesThatReach(
      grammar,
      calls.map(({ name }) => name),
    );
    this.#recursive = recursiveRules(grammar);
    for (const rule of grammar.rules.values()) {
      walkExpression(rule.expression, (inner) => {
        if (inner.type === "rule_ref") this.#uses.set(inner.name, (this.#uses.get(inner.name) ?? 0) + 1);
      });
    }
    this.#knowsKeys = [...grammar.rules.values()].some((rule) => primitiveOf(rule.declared)?.kind === "declared-key");
  }

  program(): Program {
    this.#out.emit(Operation.Call, this.#labelOf(this.#grammar.start));
    this.#out.emit(Operation.End);
    const entries: Record<string, number> = {};
    const damage = this.#out.label();
    for (const [entry, rule] of Object.entries(this.#grammar.entries)) {
      entries[entry] = this.#out.address;
      this.#entry(rule, triedEntries.includes(entry) ? damage : undefined);
    }
    if (this.#syncPoints.length > 0) {
      this.#out.place(damage);
      this.#skipDamage();
      this.#out.emit(Operation.End);
    }
    for (let rule = this.#queue.shift(); rule; rule = this.#queue.shift()) {
      const label = this.#labelOf(rule.name);
      this.#out.placeRule(label, rule.display ?? rule.declared);
      this.#records = 0;
      this.#rule(rule, this.#analysis.followOf(rule.name));
      this.#out.emit(Operation.Return);
    }
    const ends = endMarkers(this.#grammar, this.#analysis).map((text) => this.#out.string(text));
    const { strings, sets, scans, tables, variants, repairs } = this.#out;
    const at = (label: Label) => label.address;
    return {
      code: this.#out.rules(),
      strings,
      sets: sets.map(classText),
      scans,
      tables,
      syncPoints: this.#syncPoints.map(([back, target, records]) => [at(back), at(target), records] as const),
      variants,
      repairs,
      ends,
      ...(this.#literals.size > 0 ? { literals: Object.fromEntries(this.#literals) } : {}),
      markers: [...this.#markers],
      entries,
    };
  }

  /**
   * Reads a rule.
   *
   * @param damage where reading goes on after damage outside of every loop; with it what is tried may be nothing, up to its cut
   */
  #entry(name: string, damage: Label | undefined): void {
    const otherwise = this.#out.label();
    const done = this.#out.label();
    if (damage) this.#out.emit(Operation.Choice, otherwise);
    this.#out.emit(Operation.Call, this.#labelOf(name));
    if (damage) this.#syncPoints.push([{ address: this.#out.address }, damage, 0]);
    if (damage) this.#out.emit(Operation.Commit, done);
    this.#out.place(done);
    this.#out.emit(Operation.End);
    if (!damage) return;
    this.#out.place(otherwise);
    this.#out.emit(Operation.Decline);
  }

  // ----- Rules -----

  #rule(rule: LinkedRule, follow: CharSet): void {
    const primitive = primitiveOf(rule.declared);
    if (primitive) return this.#primitive(primitive, rule, follow);
    const role = roleOf(rule.declared);
    const isRecorded = role !== undefined && !("repair" in role && this.#cannotBeMissed(role.repair));
    if (!isRecorded) return this.#expression(rule.expression, follow);
    let code = "repair" in role ? this.#out.repair(role.repair) : role.code;
    if (isRefusal(code) && rule.display !== undefined) code |= this.#out.variant(rule.display) << variantShift;
    if ("variant" in role && role.variant !== undefined) code |= this.#out.variant(role.variant) << variantShift;
    const slot = this.#knowsKeys ? boundSlotOf(code) : undefined;
    const guard = isRecoverable(code) ? this.#out.label() : undefined;
    if ((code & 0xff) === roleCodes.Call) this.#out.emit(Operation.BeginCall);
    if (guard) this.#out.emit(Operation.RecoverableRegion, guard);
    if (slot !== undefined) this.#out.emit(Operation.BindBegin, slot);
    this.#out.emit(Operation.Open, code);
    const standsOrFalls = isJoint(code);
    if (standsOrFalls) this.#joint++;
    if (guard) this.#guarded++;
    this.#expression(rule.expression, follow);
    if (guard) this.#guarded--;
    if (standsOrFalls) this.#joint--;
    if (guard) this.#out.place(guard);
    this.#out.emit(Operation.Close, code);
    if (slot !== undefined) {
      this.#out.emit(Operation.BindEnd, slot);
      if (slot === keySlot) this.#out.emit(Operation.SeeKey);
    }
    if (guard) this.#out.emit(Operation.Unguard);
  }

  /** Where nothing closes a call, as `CLOSE = !""` says, no closer of it is missing. */
  #cannotBeMissed(repair: RepairKind): boolean {
    const close = this.#grammar.rules.get("CLOSE")?.expression;
    return repair === "missing-close-marker" && close !== undefined && this.#isNever(close);
  }

  #primitive(primitive: Primitive, rule: LinkedRule, follow: CharSet): void {
    const out = this.#out;
    switch (primitive.kind) {
      case "halt":
        out.emit(Operation.Cut);
        return out.emit(Operation.Fail);
      case "unnamed-offered":
        return out.emit(Operation.UnnamedOffered, out.string((this.#grammar.header.unnamed ?? []).join(" ")));
      case "one-of":
        return out.emit(Operation.OneOf, out.string(literalSetMark + primitive.slot));
      case "cut-of":
        return out.emit(Operation.CutOf, out.string(literalSetMark + primitive.slot));
      case "same":
        return out.emit(Operation.Same, out.slot(primitive.slot));
      case "vain":
        return out.emit(Operation.Vain, out.slot(primitive.slot));
      case "found":
        return out.emit(Operation.Found, out.slot(primitive.slot));
      case "searched":
        return out.emit(Operation.Searched, out.slot(primitive.slot));
      case "bind":
        out.emit(Operation.BindBegin, out.slot(primitive.slot));
        this.#expression(rule.expression, follow);
        return out.emit(Operation.BindEnd, out.slot(primitive.slot));
      default:
        return out.emit(operations[primitive.kind]);
    }
  }

  #reference(name: string, follow: CharSet): void {
    const rule = this.#grammar.rules.get(name) as LinkedRule;
    if (isSharedSet(rule)) return this.#sharedSet(name);
    if (this.#isInlined(rule)) return this.#rule(rule, follow);
    const standard = this.#guarded > 0 ? standardJson(this.#grammar, name) : undefined;
    if (standard) return this.#json(name, standard, follow);
    const reaches = this.#loops.length > 0 && this.#callRules.has(name);
    this.#out.emit(Operation.Call, this.#labelOf(name));
    if (!reaches) return;
    const loop = this.#loops[this.#loops.length - 1];
    this.#syncPoints.push([{ address: this.#out.address }, loop.syncPoint, loop.records]);
  }

  /** One of the literals that all programs share, or of those that the header adds. */
  #sharedSet(name: string): void {
    const { stop, turns = [] } = this.#grammar.header;
    const added = name.endsWith("STOP") ? stop : name === "TURN_ALONE" ? turns : [];
    const own = added.filter((token) => !sharedLiterals()[name].includes(token));
    if (own.length > 0)
      this.#literals.set(
        name,
        own.map((token) => this.#out.string(token)),
      );
    this.#out.emit(Operation.OneOf, this.#out.string(literalSetMark + name));
  }

  /** A JSON value: in one go where it stands whole in the text, else by its rule. */
  #json(name: string, { blanks }: StandardJson, follow: CharSet): void {
    const whole = this.#out.label();
    const end = this.#out.label();
    this.#out.emit(Operation.WholeObject, whole);
    this.#out.emit(Operation.Call, this.#labelOf(name));
    this.#out.emit(Operation.Jump, end);
    this.#out.place(whole);
    if (blanks !== undefined) this.#reference(blanks, follow);
    this.#out.place(end);
  }

  #isInlined(rule: LinkedRule): boolean {
    if (primitiveOf(rule.declared)) return true;
    if (roleCodeOf(rule.declared) === roleCodes.Call || this.#analysis.isMarker(rule.name)) {
      return this.#analysis.isMarker(rule.name);
    }
    if (this.#recursive.has(rule.name)) return false;
    let nodes = 0;
    let references = 0;
    walkExpression(rule.expression, (inner) => {
      nodes++;
      if (inner.type === "rule_ref") references++;
    });
    return this.#uses.get(rule.name) === 1 || (nodes <= inlineNodesMax && references === 0);
  }

  /** Whether a call may be read in an expression. */
  #holdsCall(expression: Expression): boolean {
    let found = false;
    walkExpression(expression, (inner) => {
      if (inner.type === "rule_ref" && this.#callRules.has(inner.name)) found = true;
    });
    return found;
  }

  // ----- Expressions -----

  #expression(expression: Expression, follow: CharSet): void {
    switch (expression.type) {
      case "any":
        return this.#out.emit(Operation.Any);
      case "class":
        return this.#out.set(classSet(expression));
      case "literal":
        if (expression.value.length === 1) return this.#out.emit(Operation.Char, expression.value.charCodeAt(0));
        if (expression.value !== "") this.#out.emit(Operation.Literal, this.#out.string(expression.value));
        return;
      case "sequence":
        return this.#sequence(expression.elements, follow);
      case "choice":
        return this.#choice(expression, follow);
      case "optional":
        return this.#optional(expression.expression, follow);
      case "zero_or_more":
        return this.#repetition(expression.expression, follow, false);
      case "one_or_more":
        return this.#repetition(expression.expression, follow, true);
      case "simple_and":
        return this.#look(expression.expression);
      case "simple_not":
        return this.#lookNot(expression.expression);
      case "rule_ref": {
        if (this.#analysis.isMarker(expression.name)) return this.#marker(expression.name);
        return this.#reference(expression.name, follow);
      }
    }
  }

  /** The literal that the `marker` option replaces. */
  #marker(name: string): void {
    const { expression } = this.#grammar.rules.get(name) as LinkedRule;
    const text = expression.type === "literal" ? expression.value : "";
    const at = this.#out.string(text);
    this.#markers.add(at);
    this.#out.emit(Operation.Literal, at);
  }

  #sequence(elements: readonly Expression[], follow: CharSet): void {
    const follows: CharSet[] = [];
    let after = follow;
    for (let at = elements.length - 1; at >= 0; at--) {
      follows[at] = after;
      after = this.#analysis.firstThen(elements[at], after);
    }
    elements.forEach((element, at) => {
      this.#expression(element, follows[at]);
    });
  }

  #choice({ alternatives }: ChoiceExpression, follow: CharSet): void {
    const sets = alternatives.map((alternative) => this.#unitSet(alternative));
    if (sets.every((set) => set !== undefined)) return this.#out.set(sets.reduce(union, emptySet));
    if (this.#switch(alternatives, follow)) return;
    const end = this.#out.label();
    alternatives.forEach((alternative, at) => {
      if (at === alternatives.length - 1) return this.#expression(alternative, follow);
      const next = this.#out.label();
      const first = this.#analysis.first(alternative);
      const rest = alternatives
        .slice(at + 1)
        .reduce((set, one) => union(set, this.#analysis.firstThen(one, follow)), emptySet);
      this.#unlessStarts(alternative, next);
      if (first.nullable || overlaps(first.set, rest)) this.#tried(alternative, follow, next, end);
      else {
        this.#expression(alternative, follow);
        this.#out.emit(Operation.Jump, end);
      }
      this.#out.place(next);
    });
    this.#out.place(end);
  }

  /** Tries an expression; goes to `done` when it matches, back to where it began and to `otherwise` when not. */
  #tried(expression: Expression, follow: CharSet, otherwise: Label, done: Label): void {
    this.#out.emit(Operation.Choice, otherwise);
    this.#records++;
    this.#expression(expression, follow);
    this.#records--;
    this.#out.emit(Operation.Commit, done);
  }

  /** Goes to `otherwise` when the next unit cannot begin the expression. */
  #unlessStarts(expression: Expression, otherwise: Label): void {
    const first = this.#analysis.first(expression);
    if (first.nullable || isFull(first.set)) return;
    this.#out.testSet(first.set, otherwise);
  }

  /** Decides by one unit, where every alternative begins with units of its own. */
  #switch(alternatives: readonly Expression[], follow: CharSet): boolean {
    if (alternatives.length < 3) return false;
    const firsts = alternatives.map((alternative) => this.#analysis.first(alternative));
    if (firsts.some((first) => first.nullable)) return false;
    for (let i = 0; i < firsts.length; i++) {
      for (let j = i + 1; j < firsts.length; j++) if (overlaps(firsts[i].set, firsts[j].set)) return false;
    }
    const high = complement([0, 127]);
    const beyond = firsts.filter((first) => overlaps(first.set, high));
    if (beyond.length > 1 || (beyond.length === 1 && !overlapsWhole(beyond[0].set, high))) return false;
    const end = this.#out.label();
    const none = this.#out.label();
    const labels = alternatives.map(() => this.#out.label());
    const target = (unit: number) => {
      const at = firsts.findIndex((first) => overlaps(first.set, [unit, unit]));
      return at < 0 ? none : labels[at];
    };
    const table = [...Array(tableSize).keys()].map((unit) => target(unit === tableSize - 1 ? 0xffff : unit));
    this.#out.emit(Operation.Switch, this.#out.table(table));
    alternatives.forEach((alternative, at) => {
      this.#out.place(labels[at]);
      this.#expression(alternative, follow);
      this.#out.emit(Operation.Jump, end);
    });
    this.#out.place(none);
    this.#out.emit(Operation.Fail);
    this.#out.place(end);
    return true;
  }

  /** What begins with, or needs, a rule such as `callsEnd = !""` in a format that has none. */
  #isNever(expression: Expression, around: readonly string[] = []): boolean {
    switch (expression.type) {
      case "sequence":
        return expression.elements.some((element) => this.#isNever(element, around));
      case "choice":
        return expression.alternatives.every((one) => this.#isNever(one, around));
      case "simple_not":
        return isNever(expression);
      case "simple_and":
      case "one_or_more":
        return this.#isNever(expression.expression, around);
      case "rule_ref": {
        const { name } = expression;
        const rule = this.#grammar.rules.get(name) as LinkedRule;
        if (around.includes(name) || primitiveOf(rule.declared) || this.#analysis.isMarker(name)) return false;
        let known = this.#never.get(name);
        if (known === undefined) this.#never.set(name, (known = this.#isNever(rule.expression, [...around, name])));
        return known;
      }
      default:
        return false;
    }
  }

  #optional(expression: Expression, follow: CharSet): void {
    if (this.#isNever(expression)) return;
    const end = this.#out.label();
    const first = this.#analysis.first(expression);
    this.#unlessStarts(expression, end);
    if (first.nullable || overlaps(first.set, follow)) this.#tried(expression, follow, end, end);
    else this.#expression(expression, follow);
    this.#out.place(end);
  }

  #look(expression: Expression): void {
    const set = this.#unitSet(expression);
    if (set) return this.#out.emit(Operation.AtSet, this.#out.setIndex(set));
    if (expression.type === "literal" && expression.value !== "") {
      return this.#out.emit(Operation.AtLiteral, this.#out.string(expression.value));
    }
    const failed = this.#out.label();
    const seen = this.#out.label();
    this.#out.emit(Operation.Choice, failed);
    this.#records++;
    this.#expression(expression, fullFollow);
    this.#records--;
    this.#out.emit(Operation.BackCommit, seen);
    this.#out.place(failed);
    this.#out.emit(Operation.Fail);
    this.#out.place(seen);
  }

  #lookNot(expression: Expression): void {
    if (expression.type === "any") return this.#out.emit(Operation.AtEnd);
    const set = this.#unitSet(expression);
    if (set) return this.#out.emit(Operation.NotSet, this.#out.setIndex(set));
    if (expression.type === "literal" && expression.value !== "") {
      return this.#out.emit(Operation.NotLiteral, this.#out.string(expression.value));
    }
    const absent = this.#out.label();
    this.#unlessStarts(expression, absent);
    this.#out.emit(Operation.Choice, absent);
    this.#records++;
    this.#expression(expression, fullFollow);
    this.#records--;
    this.#out.emit(Operation.FailTwice);
    this.#out.place(absent);
  }

  #repetition(body: Expression, follow: CharSet, once: boolean): void {
    const set = this.#unitSet(body);
    if (set) {
      if (once) this.#out.set(set);
      return this.#out.emit(Operation.Span, this.#out.setIndex(set));
    }
    const loop = this.#enterLoop(body);
    const again = this.#out.label();
    const end = this.#out.label();
    const first = this.#analysis.first(body);
    const inside = union(first.set, follow);
    if (once) this.#expression(body, inside);
    this.#out.place(again);
    const certain = certainUnits(body, this.#analysis);
    if (certain) this.#out.emit(Operation.Span, this.#out.setIndex(certain));
    const run = runOf(body);
    if (run) this.#run(run, inside, again, end);
    else {
      this.#unlessStarts(body, end);
      if (isFull(first.set)) this.#out.emit(Operation.TestEnd, end);
      if (overlaps(first.set, follow)) this.#tried(body, inside, end, again);
      else {
        this.#expression(body, inside);
        this.#out.emit(Operation.Jump, again);
      }
    }
    this.#leaveLoop(loop, again, end);
    this.#out.place(end);
  }

  /** `(A / B / !X .)*`: forward to where A, B or X may begin, then one of them or one unit. */
  #run({ alternatives, stop }: Run, follow: CharSet, again: Label, end: Label): void {
    const heads = stop ? [...alternatives, stop] : alternatives;
    const literals = heads.map((head) => this.#analysis.prefixes(head));
    const set = heads.reduce((all, head) => union(all, this.#analysis.first(head).set), emptySet);
    if (literals.every((list) => list !== undefined)) {
      const searched = withoutExtensions(literals.flatMap((list) => list as string[]));
      this.#out.emit(Operation.Skip, this.#out.scan(searched));
    } else if (!isFull(set) && heads.every((head) => !this.#analysis.first(head).nullable)) {
      this.#out.emit(Operation.SkipSet, this.#out.setIndex(set));
    }
    this.#out.emit(Operation.TestEnd, end);
    for (const alternative of alternatives) {
      const next = this.#out.label();
      this.#unlessStarts(alternative, next);
      this.#tried(alternative, follow, next, again);
      this.#out.place(next);
    }
    if (stop) {
      const consume = this.#out.label();
      this.#unlessStarts(stop, consume);
      if (this.#unitSet(stop)) this.#out.emit(Operation.Jump, end);
      else {
        this.#out.emit(Operation.Choice, consume);
        this.#records++;
        this.#expression(stop, fullFollow);
        this.#records--;
        this.#out.emit(Operation.BackCommit, end);
      }
      this.#out.place(consume);
    }
    this.#out.emit(Operation.Any);
    this.#out.emit(Operation.Jump, again);
  }

  #enterLoop(body: Expression): CallLoop | undefined {
    if (this.#joint > 0 || !this.#holdsCall(body)) return undefined;
    const loop = { syncPoint: this.#out.label(), records: this.#records };
    this.#loops.push(loop);
    return loop;
  }

  /** After damage: skip to where reading can go on, then round the loop again. */
  #leaveLoop(loop: CallLoop | undefined, again: Label, end: Label): void {
    if (!loop) return;
    this.#loops.pop();
    this.#out.emit(Operation.Jump, end);
    this.#out.place(loop.syncPoint);
    this.#skipDamage();
    this.#out.emit(Operation.Jump, again);
  }

  /** Skips to where the rule `Sync` says that reading can go on; what `Skip` matches on the way is skipped as one. */
  #skipDamage(): void {
    const resume = this.#grammar.rules.get("Sync");
    this.#out.emit(Operation.Open, roleCodes.Damaged);
    if (resume) {
      const found = this.#out.label();
      const skip = this.#out.label();
      this.#out.place(skip);
      const reference = (rule: LinkedRule): Expression => ({
        type: "rule_ref",
        name: rule.name,
        location: rule.location,
      });
      const passed = [...this.#grammar.rules.values()].filter((rule) => rule.declared === "Skip");
      this.#run({ alternatives: passed.map(reference), stop: reference(resume) }, fullFollow, skip, found);
      this.#out.place(found);
      this.#optional(resume.expression, fullFollow);
    }
    this.#out.emit(Operation.Close, roleCodes.Damaged);
  }

  /** The units an expression matches, when it is one unit and nothing else. */
  #unitSet(expression: Expression): CharSet | undefined {
    if (expression.type === "class") return classSet(expression);
    if (expression.type === "literal" && expression.value.length === 1) {
      return [expression.value.charCodeAt(0), expression.value.charCodeAt(0)];
    }
    const unit = notBegun(expression, this.#analysis);
    if (unit) return this.#unitSet(unit);
    if (expression.type !== "rule_ref") return undefined;
    const rule = this.#grammar.rules.get(expression.name) as LinkedRule;
    if (primitiveOf(rule.declared) || roleOf(rule.declared) || this.#analysis.isMarker(rule.name)) return undefined;
    return this.#unitSet(rule.expression);
  }

  #labelOf(name: string): Label {
    let label = this.#labels.get(name);
    if (!label) {
      label = this.#out.label();
      this.#labels.set(name, label);
      this.#queue.push(this.#grammar.rules.get(name) as LinkedRule);
    }
    return label;
  }
}

/** Primitives that are one operation. */
const operations = {
  cut: Operation.Cut,
  "line-start": Operation.LineStart,
  "fence-start": Operation.FenceStart,
  "tools-known": Operation.ToolsKnown,
  "fence-begin": Operation.FenceBegin,
  "fence-leave": Operation.FenceLeave,
  "fence-inside": Operation.FenceInside,
  "code-leave": Operation.CodeLeave,
  "pair-close": Operation.PairClose,
  "plain-text": Operation.PlainText,
  "tool-name": Operation.ToolName,
  "declared-key": Operation.DeclaredKey,
  "seen-key": Operation.SeenKey,
} as const;

const fullFollow: CharSet = [0, 0xffff];

/** Whether a rule of the header is one of those whose literals most grammars have in common. */
const isSharedSet = ({ name, origin }: LinkedRule) => origin === "header" && Object.hasOwn(sharedLiterals(), name);

function overlapsWhole(set: CharSet, part: CharSet): boolean {
  return !overlaps(complement(set), part);
}
