import { keySlot, nameSlot, type Program } from "../../machine/program.ts";
import { isRefusal } from "../../machine/role-properties.ts";
import { roleCodes, variantShift } from "../../machine/roles.ts";
import type { Analysis } from "../analyse/analyse.ts";
import { type CharSet, classSet } from "../analyse/char-set.ts";
import { boundSlotOf, roleOf } from "../analyse/role-of.ts";
import { standardJson } from "../analyse/standard-json.ts";
import { childrenOf, type Expression, type LinkedGrammar, type LinkedRule } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { notBegun } from "./repetition-shapes.ts";

/** What an expression may do that a choice has to take back, or has to know of. */
export interface Effects {
  /** It writes the log. */
  writes: boolean;
  /** It passes a cut. */
  cuts: boolean;
  /** It begins a call, or sees a key. */
  sees: boolean;
  /** Slots that it binds. */
  readonly binds: Set<number>;
}

/** A rule of at most so many expressions is written out where it is used. */
export const inlineNodesMax = 12;

/** What is known of the rules of a grammar before a recogniser is written, as far as samples of the format lead. */
export class RecogniserFacts {
  readonly #grammar: LinkedGrammar;
  readonly #analysis: Analysis;
  readonly #program: Program;
  readonly #sampled: ReadonlySet<Expression>;
  readonly #knowsKeys: boolean;
  readonly #slots = ["", ""];
  readonly #effects = new Map<Expression, Effects>();
  readonly #uses = new Map<string, number>();

  constructor(grammar: LinkedGrammar, analysis: Analysis, program: Program, sampled: ReadonlySet<Expression>) {
    this.#grammar = grammar;
    this.#analysis = analysis;
    this.#program = program;
    this.#sampled = sampled;
    this.#knowsKeys = [...grammar.rules.values()].some((rule) => primitiveOf(rule.declared)?.kind === "declared-key");
  }

  ruleOf(name: string): LinkedRule {
    return this.#grammar.rules.get(name) as LinkedRule;
  }

  slot(name: string): number {
    const at = this.#slots.indexOf(name);
    return at >= 0 ? at : this.#slots.push(name) - 1;
  }

  /** The role of a rule with its variant; 0: one that only damage has; undefined: none. */
  codeOf({ declared, display }: LinkedRule): number | undefined {
    const role = roleOf(declared);
    if (role === undefined) return undefined;
    if ("repair" in role) return this.#program.repairs.includes(role.repair) ? 0 : undefined;
    const { code, variant = isRefusal(code) ? display : undefined } = role;
    return variant === undefined ? code : code | ((this.#program.variants.indexOf(variant) + 1) << variantShift);
  }

  slotOf(role: number): number | undefined {
    return this.#knowsKeys ? boundSlotOf(role) : undefined;
  }

  /** Whether a rule is reached again from inside another, as far as samples lead. */
  reaches(from: string, wanted: string): boolean {
    const seen = new Set<string>();
    const work = [from];
    for (let name = work.pop(); name !== undefined; name = work.pop()) {
      for (const inner of this.#referencesIn(this.ruleOf(name).expression)) {
        if (inner === wanted) return true;
        if (!seen.has(inner)) work.push(inner);
        seen.add(inner);
      }
    }
    return false;
  }

  *#referencesIn(expression: Expression): Iterable<string> {
    if (!this.#sampled.has(expression)) return;
    if (expression.type === "rule_ref") yield expression.name;
    for (const child of childrenOf(expression)) yield* this.#referencesIn(child);
  }

  usesOf(wanted: string): number {
    if (this.#uses.size === 0) {
      for (const rule of this.#grammar.rules.values()) {
        for (const name of this.#referencesIn(rule.expression)) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
      }
    }
    return this.#uses.get(wanted) ?? 0;
  }

  /** How many expressions are written for one; no more than these are counted. */
  sizeOf(expression: Expression, most = inlineNodesMax + 1): number {
    if (!this.#sampled.has(expression)) return 0;
    let size = 1;
    const inner = expression.type === "rule_ref" ? [this.ruleOf(expression.name).expression] : childrenOf(expression);
    for (const one of inner) if (size < most) size += this.sizeOf(one, most - size);
    return size;
  }

  /** Whether a match of the expression has passed a cut. */
  passesCut(expression: Expression, open: ReadonlySet<string>): boolean {
    if (expression.type === "sequence") return expression.elements.some((element) => this.passesCut(element, open));
    if (expression.type !== "rule_ref") return false;
    const rule = this.ruleOf(expression.name);
    const primitive = primitiveOf(rule.declared);
    if (primitive !== undefined) return primitive.kind === "cut";
    return !open.has(expression.name) && this.passesCut(rule.expression, open);
  }

  literal(expression: Expression): string | undefined {
    if (expression.type === "literal") return expression.value;
    if (expression.type !== "rule_ref") return undefined;
    const rule = this.ruleOf(expression.name);
    if (primitiveOf(rule.declared) || roleOf(rule.declared)) return undefined;
    return this.literal(rule.expression);
  }

  effectsOf(expression: Expression): Effects {
    const known = this.#effects.get(expression);
    if (known !== undefined) return known;
    const effects: Effects = { writes: false, cuts: false, sees: false, binds: new Set() };
    this.#effects.set(expression, effects);
    if (!this.#sampled.has(expression)) return effects;
    const take = (inner: Effects) => {
      effects.writes ||= inner.writes;
      effects.cuts ||= inner.cuts;
      effects.sees ||= inner.sees;
      for (const slot of inner.binds) effects.binds.add(slot);
    };
    for (const child of childrenOf(expression)) take(this.effectsOf(child));
    if (expression.type !== "rule_ref") return effects;
    const rule = this.ruleOf(expression.name);
    if (standardJson(this.#grammar, rule.name)) effects.writes = true;
    const primitive = primitiveOf(rule.declared);
    if (primitive?.kind === "cut") effects.cuts = true;
    if (primitive?.kind === "bind") effects.binds.add(this.slot(primitive.slot));
    if (primitive !== undefined && primitive.kind !== "bind") return effects;
    const role = (this.codeOf(rule) ?? 0) & 0xff;
    if (role !== 0) effects.writes = true;
    const slot = this.slotOf(role);
    if (slot !== undefined) effects.binds.add(slot);
    if (slot === keySlot || role === roleCodes.Call) effects.sees = true;
    if (role === roleCodes.Call) effects.binds.add(nameSlot);
    take(this.effectsOf(rule.expression));
    return effects;
  }

  /** The units an expression matches, when it is one unit and nothing else. */
  unitSet(expression: Expression): CharSet | undefined {
    if (expression.type === "any") return [0, 0xffff];
    if (expression.type === "class") return classSet(expression);
    if (expression.type === "literal" && expression.value.length === 1) {
      const unit = expression.value.charCodeAt(0);
      return [unit, unit];
    }
    const unit = notBegun(expression, this.#analysis);
    if (unit) return this.unitSet(unit);
    if (expression.type !== "rule_ref") return undefined;
    const rule = this.ruleOf(expression.name);
    if (primitiveOf(rule.declared) || roleOf(rule.declared) || this.#analysis.isMarker(rule.name)) return undefined;
    return this.unitSet(rule.expression);
  }
}
