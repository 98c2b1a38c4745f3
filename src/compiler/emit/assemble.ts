import type { RepairKind } from "../../contract/repairs.ts";
import {
  keySlot,
  literalSetMark,
  nameSlot,
  Operation,
  type Program,
  type RuleCode,
  sharedEnds,
  sharedLiterals,
  tableSize,
  withoutExtensions,
} from "../../machine/program.ts";
import { repairRoleBase, roleCodes, variantShift } from "../../machine/roles.ts";
import { Analysis } from "../analyse/analyse.ts";
import {
  type CharSet,
  classSet,
  classText,
  complement,
  emptySet,
  equalSets,
  intersection,
  isFull,
  overlaps,
  sizeOf,
  union,
} from "../analyse/char-set.ts";
import { recursiveRules, rulesThatReach } from "../analyse/reachable-rules.ts";
import { roleCodeOf, roleOf } from "../analyse/role-of.ts";
import { type StandardJson, standardJson } from "../analyse/standard-json.ts";
import {
  type ChoiceExpression,
  type Expression,
  type LinkedGrammar,
  type LinkedRule,
  triedEntries,
  walkExpression,
} from "../parse/linked-grammar.ts";
import { type Primitive, primitiveOf } from "../parse/primitives.ts";

interface Label {
  address: number;
}

/** A repetition that reads calls: where reading goes on after damage in one of them. */
interface CallLoop {
  syncPoint: Label;
  records: number;
}

/** A rule of at most so many nodes is written out where it is used. */
const inlineNodesMax = 6;
/** End markers shorter than this would be found inside values. */
const endMarkerCharsMin = 3;
const guardedRoles: readonly number[] = [roleCodes.Payload, roleCodes.Arguments];
/** What names a parameter, so that it has been seen from there on. */
const keyRoles: readonly number[] = [roleCodes.Key, roleCodes.Tag];
/** Calls that are refused together: after damage in one there is no going on with the next. */
const jointRoles: readonly number[] = [roleCodes.List, roleCodes.Group];

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
  readonly #code: (number | Label)[] = [];
  readonly #strings: string[] = [];
  readonly #sets: CharSet[] = [];
  #hasPartners = false;
  readonly #scans: number[][] = [];
  readonly #tables: Label[][] = [];
  readonly #syncPoints: [Label, Label, number][] = [];
  readonly #variants: string[] = [];
  readonly #repairs: RepairKind[] = [];
  readonly #slots: string[] = ["", ""];
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
  readonly #names: [Label, string][] = [];
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
    this.#emit(Operation.Call, this.#labelOf(this.#grammar.start));
    this.#emit(Operation.End);
    const entries: Record<string, number> = {};
    const damage = this.#label();
    for (const [entry, rule] of Object.entries(this.#grammar.entries)) {
      entries[entry] = this.#code.length;
      this.#entry(rule, triedEntries.includes(entry) ? damage : undefined);
    }
    if (this.#syncPoints.length > 0) {
      this.#place(damage);
      this.#skipDamage();
      this.#emit(Operation.End);
    }
    for (let rule = this.#queue.shift(); rule; rule = this.#queue.shift()) {
      const label = this.#labelOf(rule.name);
      this.#place(label);
      this.#names.push([label, rule.display ?? rule.declared]);
      this.#records = 0;
      this.#rule(rule, this.#analysis.followOf(rule.name));
      this.#emit(Operation.Return);
    }
    const ends = this.#endMarkers().map((text) => this.#string(text));
    const at = (label: Label) => label.address;
    return {
      code: this.#ruleCodes(),
      strings: this.#strings,
      sets: this.#sets.map(classText),
      scans: this.#scans,
      tables: this.#tables.map((table) => runsOf(table.map(at))),
      syncPoints: this.#syncPoints.map(([back, target, records]) => [at(back), at(target), records] as const),
      variants: this.#variants,
      repairs: this.#repairs,
      ends,
      ...(this.#literals.size > 0 ? { literals: Object.fromEntries(this.#literals) } : {}),
      markers: [...this.#markers],
      entries,
      ...(this.#hasPartners
        ? { partners: this.#grammar.header.reasoning.map(({ open, close }) => [open, close]) }
        : {}),
    };
  }

  #ruleCodes(): RuleCode[] {
    const code = this.#code.map((part, at) => (typeof part === "number" ? part : part.address - at));
    const starts: [number, string][] = [
      [0, ""],
      ...this.#names.map(([{ address }, name]) => [address, name] as [number, string]),
    ];
    return starts.map(([start, name], index) => [name, ...code.slice(start, starts[index + 1]?.[0])]);
  }

  /**
   * Reads a rule.
   *
   * @param damage where reading goes on after damage outside of every loop; with it what is tried may be nothing, up to its cut
   */
  #entry(name: string, damage: Label | undefined): void {
    const otherwise = this.#label();
    const done = this.#label();
    if (damage) this.#emit(Operation.Choice, otherwise);
    this.#emit(Operation.Call, this.#labelOf(name));
    if (damage) this.#syncPoints.push([{ address: this.#code.length }, damage, 0]);
    if (damage) this.#emit(Operation.Commit, done);
    this.#place(done);
    this.#emit(Operation.End);
    if (!damage) return;
    this.#place(otherwise);
    this.#emit(Operation.Decline);
  }

  // ----- Rules -----

  #rule(rule: LinkedRule, follow: CharSet): void {
    const primitive = primitiveOf(rule.declared);
    if (primitive) return this.#primitive(primitive, rule, follow);
    const role = roleOf(rule.declared);
    const isRecorded = role !== undefined && !("repair" in role && this.#cannotBeMissed(role.repair));
    if (!isRecorded) return this.#expression(rule.expression, follow);
    let code = "repair" in role ? this.#repair(role.repair) : role.code;
    if (code === roleCodes.Malformed && rule.display !== undefined) code |= this.#variant(rule.display) << variantShift;
    if ("variant" in role && role.variant !== undefined) code |= this.#variant(role.variant) << variantShift;
    const slot = !this.#knowsKeys
      ? undefined
      : code === roleCodes.Name || code === roleCodes.ShortName
        ? nameSlot
        : keyRoles.includes(code)
          ? keySlot
          : undefined;
    const guard = guardedRoles.includes(code) ? this.#label() : undefined;
    if ((code & 0xff) === roleCodes.Call) this.#emit(Operation.BeginCall);
    if (guard) this.#emit(Operation.RecoverableRegion, guard);
    if (slot !== undefined) this.#emit(Operation.BindBegin, slot);
    this.#emit(Operation.Open, code);
    const standsOrFalls = jointRoles.includes(code);
    if (standsOrFalls) this.#joint++;
    if (guard) this.#guarded++;
    this.#expression(rule.expression, follow);
    if (guard) this.#guarded--;
    if (standsOrFalls) this.#joint--;
    if (guard) this.#place(guard);
    this.#emit(Operation.Close, code);
    if (slot !== undefined) {
      this.#emit(Operation.BindEnd, slot);
      if (slot === keySlot) this.#emit(Operation.SeeKey);
    }
    if (guard) this.#emit(Operation.Unguard);
  }

  /** Where nothing closes a call, as `CLOSE = !""` says, no closer of it is missing. */
  #cannotBeMissed(repair: RepairKind): boolean {
    const close = this.#grammar.rules.get("CLOSE")?.expression;
    return repair === "missing-close-marker" && close !== undefined && this.#isNever(close);
  }

  #primitive(primitive: Primitive, rule: LinkedRule, follow: CharSet): void {
    switch (primitive.kind) {
      case "cut":
        return this.#emit(Operation.Cut);
      case "halt":
        this.#emit(Operation.Cut);
        return this.#emit(Operation.Fail);
      case "line-start":
        return this.#emit(Operation.LineStart);
      case "fence-start":
        return this.#emit(Operation.FenceStart);
      case "tools-known":
        return this.#emit(Operation.ToolsKnown);
      case "fence-begin":
        return this.#emit(Operation.FenceBegin);
      case "fence-leave":
        return this.#emit(Operation.FenceLeave);
      case "fence-inside":
        return this.#emit(Operation.FenceInside);
      case "code-leave":
        return this.#emit(Operation.CodeLeave);
      case "plain-text":
        return this.#emit(Operation.PlainText);
      case "tool-name":
        return this.#emit(Operation.ToolName);
      case "declared-key":
        return this.#emit(Operation.DeclaredKey);
      case "seen-key":
        return this.#emit(Operation.SeenKey);
      case "one-of":
        return this.#emit(Operation.OneOf, this.#string(literalSetMark + primitive.slot));
      case "cut-of":
        return this.#emit(Operation.CutOf, this.#string(literalSetMark + primitive.slot));
      case "same":
        return this.#emit(Operation.Same, this.#slot(primitive.slot));
      case "partner":
        this.#hasPartners = true;
        return this.#emit(Operation.Partner, this.#slot(primitive.slot));
      case "bind":
        this.#emit(Operation.BindBegin, this.#slot(primitive.slot));
        this.#expression(rule.expression, follow);
        return this.#emit(Operation.BindEnd, this.#slot(primitive.slot));
    }
  }

  #reference(name: string, follow: CharSet): void {
    const rule = this.#grammar.rules.get(name) as LinkedRule;
    if (isSharedSet(rule)) return this.#sharedSet(name);
    if (this.#isInlined(rule)) return this.#rule(rule, follow);
    const standard = this.#guarded > 0 ? standardJson(this.#grammar, name) : undefined;
    if (standard) return this.#json(name, standard, follow);
    const reaches = this.#loops.length > 0 && this.#callRules.has(name);
    this.#emit(Operation.Call, this.#labelOf(name));
    if (!reaches) return;
    const loop = this.#loops[this.#loops.length - 1];
    this.#syncPoints.push([{ address: this.#code.length }, loop.syncPoint, loop.records]);
  }

  /** One of the literals that all programs share, or of those that the header adds. */
  #sharedSet(name: string): void {
    const own = this.#grammar.header.stop.filter((token) => !sharedLiterals()[name].includes(token));
    if (own.length > 0)
      this.#literals.set(
        name,
        own.map((token) => this.#string(token)),
      );
    this.#emit(Operation.OneOf, this.#string(literalSetMark + name));
  }

  /** A JSON value: in one go where it stands whole in the text, else by its rule. */
  #json(name: string, { blanks }: StandardJson, follow: CharSet): void {
    const whole = this.#label();
    const end = this.#label();
    this.#emit(Operation.WholeObject, whole);
    this.#emit(Operation.Call, this.#labelOf(name));
    this.#emit(Operation.Jump, end);
    this.#place(whole);
    if (blanks !== undefined) this.#reference(blanks, follow);
    this.#place(end);
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
        return this.#emit(Operation.Any);
      case "class":
        return this.#set(classSet(expression));
      case "literal":
        if (expression.value.length === 1) return this.#emit(Operation.Char, expression.value.charCodeAt(0));
        if (expression.value !== "") this.#emit(Operation.Literal, this.#string(expression.value));
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
    const at = this.#string(text);
    this.#markers.add(at);
    this.#emit(Operation.Literal, at);
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
    if (sets.every((set) => set !== undefined)) return this.#set(sets.reduce(union, emptySet));
    if (this.#switch(alternatives, follow)) return;
    const end = this.#label();
    alternatives.forEach((alternative, at) => {
      if (at === alternatives.length - 1) return this.#expression(alternative, follow);
      const next = this.#label();
      const first = this.#analysis.first(alternative);
      const rest = alternatives
        .slice(at + 1)
        .reduce((set, one) => union(set, this.#analysis.firstThen(one, follow)), emptySet);
      this.#unlessStarts(alternative, next);
      if (first.nullable || overlaps(first.set, rest)) this.#tried(alternative, follow, next, end);
      else {
        this.#expression(alternative, follow);
        this.#emit(Operation.Jump, end);
      }
      this.#place(next);
    });
    this.#place(end);
  }

  /** Tries an expression; goes to `done` when it matches, back to where it began and to `otherwise` when not. */
  #tried(expression: Expression, follow: CharSet, otherwise: Label, done: Label): void {
    this.#emit(Operation.Choice, otherwise);
    this.#records++;
    this.#expression(expression, follow);
    this.#records--;
    this.#emit(Operation.Commit, done);
  }

  /** Goes to `otherwise` when the next unit cannot begin the expression. */
  #unlessStarts(expression: Expression, otherwise: Label): void {
    const first = this.#analysis.first(expression);
    if (first.nullable || isFull(first.set)) return;
    this.#testSet(first.set, otherwise);
  }

  #testSet(set: CharSet, otherwise: Label): void {
    if (sizeOf(set) === 1) this.#emit(Operation.TestChar, set[0], otherwise);
    else this.#emit(Operation.TestSet, this.#setIndex(set), otherwise);
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
    const end = this.#label();
    const none = this.#label();
    const labels = alternatives.map(() => this.#label());
    const target = (unit: number) => {
      const at = firsts.findIndex((first) => overlaps(first.set, [unit, unit]));
      return at < 0 ? none : labels[at];
    };
    this.#tables.push([...Array(tableSize).keys()].map((unit) => target(unit === tableSize - 1 ? 0xffff : unit)));
    this.#emit(Operation.Switch, this.#tables.length - 1);
    alternatives.forEach((alternative, at) => {
      this.#place(labels[at]);
      this.#expression(alternative, follow);
      this.#emit(Operation.Jump, end);
    });
    this.#place(none);
    this.#emit(Operation.Fail);
    this.#place(end);
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
        return expression.expression.type === "literal" && expression.expression.value === "";
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
    const end = this.#label();
    const first = this.#analysis.first(expression);
    this.#unlessStarts(expression, end);
    if (first.nullable || overlaps(first.set, follow)) this.#tried(expression, follow, end, end);
    else this.#expression(expression, follow);
    this.#place(end);
  }

  #look(expression: Expression): void {
    const set = this.#unitSet(expression);
    if (set) return this.#emit(Operation.AtSet, this.#setIndex(set));
    if (expression.type === "literal" && expression.value !== "") {
      return this.#emit(Operation.AtLiteral, this.#string(expression.value));
    }
    const failed = this.#label();
    const seen = this.#label();
    this.#emit(Operation.Choice, failed);
    this.#records++;
    this.#expression(expression, fullFollow);
    this.#records--;
    this.#emit(Operation.BackCommit, seen);
    this.#place(failed);
    this.#emit(Operation.Fail);
    this.#place(seen);
  }

  #lookNot(expression: Expression): void {
    if (expression.type === "any") return this.#emit(Operation.AtEnd);
    const set = this.#unitSet(expression);
    if (set) return this.#emit(Operation.NotSet, this.#setIndex(set));
    if (expression.type === "literal" && expression.value !== "") {
      return this.#emit(Operation.NotLiteral, this.#string(expression.value));
    }
    const absent = this.#label();
    this.#unlessStarts(expression, absent);
    this.#emit(Operation.Choice, absent);
    this.#records++;
    this.#expression(expression, fullFollow);
    this.#records--;
    this.#emit(Operation.FailTwice);
    this.#place(absent);
  }

  #repetition(body: Expression, follow: CharSet, once: boolean): void {
    const set = this.#unitSet(body);
    if (set) {
      if (once) this.#set(set);
      return this.#emit(Operation.Span, this.#setIndex(set));
    }
    const loop = this.#enterLoop(body);
    const again = this.#label();
    const end = this.#label();
    const first = this.#analysis.first(body);
    const inside = union(first.set, follow);
    if (once) this.#expression(body, inside);
    this.#place(again);
    const certain = certainUnits(body, this.#analysis);
    if (certain) this.#emit(Operation.Span, this.#setIndex(certain));
    const run = runOf(body);
    if (run) this.#run(run, inside, again, end);
    else {
      this.#unlessStarts(body, end);
      if (isFull(first.set)) this.#emit(Operation.TestEnd, end);
      if (overlaps(first.set, follow)) this.#tried(body, inside, end, again);
      else {
        this.#expression(body, inside);
        this.#emit(Operation.Jump, again);
      }
    }
    this.#leaveLoop(loop, again, end);
    this.#place(end);
  }

  /** `(A / B / !X .)*`: forward to where A, B or X may begin, then one of them or one unit. */
  #run({ alternatives, stop }: Run, follow: CharSet, again: Label, end: Label): void {
    const heads = stop ? [...alternatives, stop] : alternatives;
    const literals = heads.map((head) => this.#analysis.prefixes(head));
    const set = heads.reduce((all, head) => union(all, this.#analysis.first(head).set), emptySet);
    if (literals.every((list) => list !== undefined)) {
      const searched = withoutExtensions(literals.flatMap((list) => list as string[]));
      this.#scans.push(searched.map((literal) => this.#string(literal)));
      this.#emit(Operation.Skip, this.#scans.length - 1);
    } else if (!isFull(set) && heads.every((head) => !this.#analysis.first(head).nullable)) {
      this.#emit(Operation.SkipSet, this.#setIndex(set));
    }
    this.#emit(Operation.TestEnd, end);
    for (const alternative of alternatives) {
      const next = this.#label();
      this.#unlessStarts(alternative, next);
      this.#tried(alternative, follow, next, again);
      this.#place(next);
    }
    if (stop) {
      const consume = this.#label();
      this.#unlessStarts(stop, consume);
      if (this.#unitSet(stop)) this.#emit(Operation.Jump, end);
      else {
        this.#emit(Operation.Choice, consume);
        this.#records++;
        this.#expression(stop, fullFollow);
        this.#records--;
        this.#emit(Operation.BackCommit, end);
      }
      this.#place(consume);
    }
    this.#emit(Operation.Any);
    this.#emit(Operation.Jump, again);
  }

  #enterLoop(body: Expression): CallLoop | undefined {
    if (this.#joint > 0 || !this.#holdsCall(body)) return undefined;
    const loop = { syncPoint: this.#label(), records: this.#records };
    this.#loops.push(loop);
    return loop;
  }

  /** After damage: skip to where reading can go on, then round the loop again. */
  #leaveLoop(loop: CallLoop | undefined, again: Label, end: Label): void {
    if (!loop) return;
    this.#loops.pop();
    this.#emit(Operation.Jump, end);
    this.#place(loop.syncPoint);
    this.#skipDamage();
    this.#emit(Operation.Jump, again);
  }

  /** Skips to where the rule `Sync` says that reading can go on; what `Skip` matches on the way is skipped as one. */
  #skipDamage(): void {
    const resume = this.#grammar.rules.get("Sync");
    this.#emit(Operation.Open, roleCodes.Damaged);
    if (resume) {
      const found = this.#label();
      const skip = this.#label();
      this.#place(skip);
      const reference = (rule: LinkedRule): Expression => ({
        type: "rule_ref",
        name: rule.name,
        location: rule.location,
      });
      const passed = [...this.#grammar.rules.values()].filter((rule) => rule.declared === "Skip");
      this.#run({ alternatives: passed.map(reference), stop: reference(resume) }, fullFollow, skip, found);
      this.#place(found);
      this.#optional(resume.expression, fullFollow);
    }
    this.#emit(Operation.Close, roleCodes.Damaged);
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

  // ----- What may follow a payload -----

  /** Literals that may stand after a payload: recovery takes none of them into the value. */
  #endMarkers(): string[] {
    const follows = new Map<string, Set<string>>();
    const add = (name: string, texts: Iterable<string>) => {
      const known = follows.get(name) ?? new Set<string>();
      const before = known.size;
      for (const text of texts) known.add(text);
      follows.set(name, known);
      return known.size !== before;
    };
    let changed = true;
    const spread = (expression: Expression, after: ReadonlySet<string>): void => {
      if (expression.type === "rule_ref") {
        if (add(expression.name, after)) changed = true;
      } else if (expression.type === "sequence") {
        let next = after;
        for (let at = expression.elements.length - 1; at >= 0; at--) {
          const element = expression.elements[at];
          spread(element, next);
          const own = this.#leading(element, new Set());
          next =
            this.#analysis.first(element).nullable || element.type === "simple_and" ? new Set([...own, ...next]) : own;
        }
      } else if (expression.type === "choice") for (const one of expression.alternatives) spread(one, after);
      else if (expression.type === "optional") spread(expression.expression, after);
      else if (expression.type === "zero_or_more" || expression.type === "one_or_more") {
        spread(expression.expression, new Set([...after, ...this.#leading(expression.expression, new Set())]));
      }
    };
    while (changed) {
      changed = false;
      for (const rule of this.#grammar.rules.values()) spread(rule.expression, follows.get(rule.name) ?? new Set());
    }
    const { stop, reasoning, framing } = this.#grammar.header;
    const found = new Set<string>([...stop, ...framing]);
    for (const { open, close } of reasoning) found.add(open).add(close);
    const opener = this.#grammar.rules.get("OPEN");
    const around = opener === undefined ? [] : this.#leading(opener.expression, new Set());
    for (const text of around) if (text.length >= endMarkerCharsMin) found.add(text);
    for (const rule of this.#grammar.rules.values()) {
      if (!guardedRoles.includes(roleCodeOf(rule.declared) ?? 0)) continue;
      for (const text of follows.get(rule.name) ?? []) if (text.length >= endMarkerCharsMin) found.add(text);
    }
    const shared = sharedEnds();
    return [...found].filter((text) => !shared.includes(text));
  }

  /** The literals an expression may begin with; alternatives that begin otherwise are passed over. */
  #leading(expression: Expression, seen: Set<string>): Set<string> {
    switch (expression.type) {
      case "literal":
        return new Set(expression.value === "" ? [] : [expression.value]);
      case "choice":
        return new Set(expression.alternatives.flatMap((one) => [...this.#leading(one, seen)]));
      case "sequence": {
        const out = new Set<string>();
        for (const element of expression.elements) {
          if (element.type === "simple_not") continue;
          for (const text of this.#leading(element, seen)) out.add(text);
          if (!this.#analysis.first(element).nullable && element.type !== "simple_and") break;
        }
        return out;
      }
      case "rule_ref": {
        if (seen.has(expression.name)) return new Set();
        seen.add(expression.name);
        return this.#leading((this.#grammar.rules.get(expression.name) as LinkedRule).expression, seen);
      }
      case "optional":
      case "zero_or_more":
      case "one_or_more":
      case "simple_and":
        return this.#leading(expression.expression, seen);
      default:
        return new Set();
    }
  }

  // ----- Output -----

  #emit(operation: Operation, ...operands: (number | Label)[]): void {
    this.#code.push(operation, ...operands);
  }

  #set(set: CharSet): void {
    if (isFull(set)) this.#emit(Operation.Any);
    else if (sizeOf(set) === 1) this.#emit(Operation.Char, set[0]);
    else this.#emit(Operation.Set, this.#setIndex(set));
  }

  #label(): Label {
    return { address: -1 };
  }

  #place(label: Label): void {
    label.address = this.#code.length;
  }

  #labelOf(name: string): Label {
    let label = this.#labels.get(name);
    if (!label) {
      label = this.#label();
      this.#labels.set(name, label);
      this.#queue.push(this.#grammar.rules.get(name) as LinkedRule);
    }
    return label;
  }

  #string(text: string): number {
    return indexIn(this.#strings, text, (one) => one === text);
  }

  #setIndex(set: CharSet): number {
    return indexIn(this.#sets, set, (one) => equalSets(one, set));
  }

  #slot(name: string): number {
    return indexIn(this.#slots, name, (one) => one === name);
  }

  #repair(kind: RepairKind): number {
    return repairRoleBase + indexIn(this.#repairs, kind, (one) => one === kind);
  }

  #variant(name: string): number {
    return indexIn(this.#variants, name, (one) => one === name) + 1;
  }
}

/** `!X [y]` where X begins with none of the units: it is those units. */
export function notBegun(expression: Expression, analysis: Analysis): Expression | undefined {
  const parts = unitUnless(expression, analysis);
  return parts === undefined || overlaps(parts.begins, classSet(parts.unit)) ? undefined : parts.unit;
}

/** `!X [y]`: those of the units that do not begin X, where there are others. A run of them needs no look at X. */
export function certainUnits(expression: Expression, analysis: Analysis): CharSet | undefined {
  const parts = unitUnless(expression, analysis);
  const certain = parts && intersection(classSet(parts.unit), complement(parts.begins));
  return certain?.length === 0 ? undefined : certain;
}

/** `!X [y]`: the class, and what X may begin with. */
function unitUnless(expression: Expression, analysis: Analysis) {
  if (expression.type !== "sequence" || expression.elements.length !== 2) return undefined;
  const [not, unit] = expression.elements;
  if (not.type !== "simple_not" || unit.type !== "class") return undefined;
  const { set, nullable } = analysis.first(not.expression);
  return nullable ? undefined : { unit, begins: set };
}

const fullFollow: CharSet = [0, 0xffff];

/** Whether a rule of the header is one of those whose literals most grammars have in common. */
const isSharedSet = ({ name, origin }: LinkedRule) => origin === "header" && Object.hasOwn(sharedLiterals(), name);

/** [length, item, length, item, ...] */
function runsOf(items: readonly number[]): number[] {
  const runs: number[] = [];
  for (const item of items) {
    if (runs.length > 0 && runs.at(-1) === item) runs[runs.length - 2]++;
    else runs.push(1, item);
  }
  return runs;
}

function overlapsWhole(set: CharSet, part: CharSet): boolean {
  return !overlaps(complement(set), part);
}

/** `(A / B / !X .)*`; without X every unit that begins none of the alternatives is consumed. */
export interface Run {
  alternatives: readonly Expression[];
  stop: Expression | undefined;
}

export function runOf(body: Expression): Run | undefined {
  const isUnit = (expression: Expression): Expression | undefined | false => {
    if (expression.type === "any") return undefined;
    if (expression.type !== "sequence" || expression.elements.length !== 2) return false;
    const [not, any] = expression.elements;
    return not.type === "simple_not" && any.type === "any" ? not.expression : false;
  };
  const alone = isUnit(body);
  if (alone !== false) return { alternatives: [], stop: alone };
  if (body.type !== "choice") return undefined;
  const stop = isUnit(body.alternatives[body.alternatives.length - 1]);
  return stop === false ? undefined : { alternatives: body.alternatives.slice(0, -1), stop };
}

function indexIn<T>(list: T[], item: T, matches: (one: T) => boolean): number {
  const at = list.findIndex(matches);
  return at >= 0 ? at : list.push(item) - 1;
}
