import { leadOf, literalSetMark, withoutExtensions } from "../../machine/program.ts";
import {
  type Expression,
  isNever,
  type LinkedGrammar,
  type LinkedRule,
  triedEntries,
} from "../parse/linked-grammar.ts";
import { type Primitive, primitiveOf } from "../parse/primitives.ts";
import {
  type CharSet,
  classSet,
  emptySet,
  equalSets,
  fullSet,
  intersection,
  setOf,
  sizeOf,
  union,
} from "./char-set.ts";
import { spreadFollow } from "./follow.ts";

/** Primitives that match what their body does, or part of it. */
const bodyKinds: ReadonlySet<Primitive["kind"]> = new Set(["bind"]);
/** Primitives that match a word of the caller's: of which only this is known, that it is not empty. */
const wordKinds: ReadonlySet<Primitive["kind"]> = new Set([
  "one-of",
  "cut-of",
  "tool-name",
  "declared-key",
  "seen-key",
]);
/** Primitives that take nothing and ask only where they stand, and the one that need not take anything. */
const placeKinds: ReadonlySet<Primitive["kind"]> = new Set([
  "cut",
  "halt",
  "line-start",
  "fence-start",
  "tools-known",
  "unnamed-offered",
  "fence-begin",
  "fence-leave",
  "fence-inside",
  "code-leave",
  "pair-close",
  "vain",
  "found",
  "searched",
  "plain-text",
]);

/** What an expression may begin with. */
export interface First {
  /** The units one of which a match that consumes begins with. */
  set: CharSet;
  /** Whether it may match without consuming, or without looking at the next unit. */
  nullable: boolean;
}

/** A class of more units is not written out as literals. */
const unitsToSpell = 4;
/** More literals would cost more to search for than a set of units costs to skip; blanks before them cost nothing. */
const literalsMax = 24;
/** Literals are not lengthened by what follows them where that makes more of them than these. */
const lengthenedMax = 14;

const followed = ({ set, nullable }: First, follow: CharSet): CharSet => (nullable ? union(set, follow) : set);

/**
 * Nullable, FIRST and FOLLOW of a linked grammar, over full sets of UTF-16 units. FIRST is never too small and FOLLOW
 * never too small, so "these two cannot both match here" is safe to conclude from disjoint sets.
 */
export class Analysis {
  readonly #grammar: LinkedGrammar;
  readonly #firstOfRule = new Map<string, First>();
  readonly #followOfRule = new Map<string, CharSet>();

  constructor(grammar: LinkedGrammar) {
    this.#grammar = grammar;
    // Where the machine goes by itself, anything may follow.
    for (const { name, declared } of grammar.rules.values()) {
      if (declared === "Sync" || declared === "Skip") this.#followOfRule.set(name, fullSet);
    }
    for (const [entry, rule] of Object.entries(grammar.entries)) {
      if (triedEntries.includes(entry)) this.#followOfRule.set(rule, fullSet);
    }
    const known = new Map<Expression, First>();
    const first = (expression: Expression) => {
      const found = known.get(expression) ?? this.first(expression);
      known.set(expression, found);
      return found;
    };
    spreadFollow(grammar, this.#followOfRule, emptySet, {
      union,
      isSame: equalSets,
      first: (expression) => first(expression).set,
      firstThen: (expression, follow) => followed(first(expression), follow),
      inPredicate: fullSet,
    });
  }

  /** What may follow a rule, wherever it is used. */
  followOf(rule: string): CharSet {
    return this.#followOfRule.get(rule) ?? emptySet;
  }

  /** FIRST of `expression` followed by something that begins with `follow`. */
  firstThen(expression: Expression, follow: CharSet): CharSet {
    return followed(this.first(expression), follow);
  }

  first(expression: Expression): First {
    switch (expression.type) {
      case "any":
        return { set: fullSet, nullable: false };
      case "class":
        return { set: classSet(expression), nullable: false };
      case "literal":
        if (expression.value === "") return { set: emptySet, nullable: true };
        return { set: setOf(expression.value.charCodeAt(0)), nullable: false };
      case "sequence": {
        let set: CharSet = emptySet;
        // A look-ahead for a unit narrows what its successors may begin with.
        let narrowed: CharSet = fullSet;
        for (const element of expression.elements) {
          if (this.#isNeverRule(element)) return { set: emptySet, nullable: false };
          if (element.type === "simple_and") {
            const seen = this.first(element.expression);
            if (!seen.nullable) narrowed = intersection(narrowed, seen.set);
            continue;
          }
          const first = this.first(element);
          set = union(set, intersection(first.set, narrowed));
          if (!first.nullable) return { set, nullable: false };
        }
        if (narrowed !== fullSet) return { set: union(set, narrowed), nullable: false };
        return { set, nullable: true };
      }
      case "choice": {
        let set: CharSet = emptySet;
        let nullable = false;
        for (const alternative of expression.alternatives) {
          const first = this.first(alternative);
          set = union(set, first.set);
          nullable ||= first.nullable;
        }
        return { set, nullable };
      }
      case "optional":
      case "zero_or_more":
        return { set: this.first(expression.expression).set, nullable: true };
      case "one_or_more":
        return this.first(expression.expression);
      case "simple_and": {
        const seen = this.first(expression.expression);
        return seen.nullable ? { set: emptySet, nullable: true } : { set: seen.set, nullable: false };
      }
      case "simple_not":
        // `!""` is how a header says "never".
        return { set: emptySet, nullable: !isNever(expression) };
      case "rule_ref":
        return this.firstOfRule(expression.name);
    }
  }

  firstOfRule(name: string): First {
    const known = this.#firstOfRule.get(name);
    if (known) return known;
    // Left recursion has been refused, so this value is only read for rules that are nullable on the way to themselves.
    this.#firstOfRule.set(name, { set: emptySet, nullable: false });
    const rule = this.#grammar.rules.get(name);
    let first: First = { set: emptySet, nullable: true };
    if (rule) {
      const primitive = primitiveOf(rule.declared);
      if (primitive && wordKinds.has(primitive.kind)) first = { set: fullSet, nullable: false };
      else if (primitive?.kind === "same") first = this.#firstOfBound(primitive.slot);
      else if (primitive && !bodyKinds.has(primitive.kind)) first = { set: emptySet, nullable: true };
      else if (this.isMarker(name)) first = { set: fullSet, nullable: false };
      else first = this.first(rule.expression);
    }
    this.#firstOfRule.set(name, first);
    return first;
  }

  /** Whether the literal of this rule may be replaced by the `marker` option. */
  isMarker(name: string): boolean {
    return this.#grammar.header.marker === "configurable" && this.#grammar.rules.get(name)?.declared === "MARKER";
  }

  /** Literals one of which every match begins with; undefined when there are none, or too many. */
  prefixes(expression: Expression): string[] | undefined {
    const found = this.#prefixes(expression, 0);
    if (!found || countOf(found) > literalsMax) return undefined;
    return withoutExtensions(found);
  }

  #prefixes(expression: Expression, depth: number): Set<string> | undefined {
    if (depth > 20) return undefined;
    switch (expression.type) {
      case "simple_not":
        return isNever(expression) ? new Set() : undefined;
      case "literal":
        return expression.value === "" ? undefined : new Set([expression.value]);
      case "class": {
        const set = classSet(expression);
        if (sizeOf(set) > unitsToSpell) return undefined;
        const out = new Set<string>();
        for (let at = 0; at < set.length; at += 2) {
          for (let unit = set[at]; unit <= set[at + 1]; unit++) out.add(String.fromCharCode(unit));
        }
        return out;
      }
      case "choice": {
        const out = new Set<string>();
        for (const alternative of expression.alternatives) {
          const inner = this.#prefixes(alternative, depth + 1);
          if (!inner) return undefined;
          for (const one of inner) out.add(one);
        }
        return out;
      }
      case "one_or_more":
        return this.#prefixes(expression.expression, depth + 1);
      case "sequence": {
        let out: Set<string> | undefined;
        // What a look-ahead has seen stands in where the element after it has no literals, or says less.
        let seen: Set<string> | undefined;
        for (const element of expression.elements) {
          if (this.#isNeverRule(element)) return new Set();
          if (element.type === "simple_and") seen ??= this.#prefixes(element.expression, depth + 1);
          if (this.#isZeroWidth(element)) continue;
          if (out === undefined) {
            if (this.first(element).nullable) return seen;
            out = this.#prefixes(element, depth + 1);
            if (!out || (seen && shortest(seen) > shortest(out))) return seen;
            // Only a fixed text can be lengthened by what comes after it.
            if (!this.#isFixed(element)) return out;
            continue;
          }
          const next = this.first(element).nullable ? undefined : this.#prefixes(element, depth + 1);
          if (!next || [...next].some((text) => text.startsWith(literalSetMark))) return out;
          const longer = new Set([...out].flatMap((left) => [...next].map((right) => left + right)));
          if (countOf(longer) > lengthenedMax) return out;
          out = longer;
          if (!this.#isFixed(element)) return out;
        }
        return out ?? seen;
      }
      case "rule_ref": {
        const rule = this.#grammar.rules.get(expression.name);
        const primitive = rule && primitiveOf(rule.declared);
        if (primitive?.kind === "one-of" || primitive?.kind === "cut-of") {
          return new Set([literalSetMark + primitive.slot]);
        }
        if (primitive?.kind === "same") return this.#boundTexts(primitive.slot, depth + 1);
        if (!rule || (primitive && !bodyKinds.has(primitive.kind))) return undefined;
        return this.#prefixes(rule.expression, depth + 1);
      }
      default:
        return undefined;
    }
  }

  /** Whether every match is as long as its prefix, so that a following literal stands right after it. */
  #isFixed(expression: Expression): boolean {
    if (expression.type === "literal" || expression.type === "class") return true;
    if (expression.type === "choice") return expression.alternatives.every((one) => this.#isFixed(one));
    if (expression.type !== "rule_ref") return false;
    const rule = this.#grammar.rules.get(expression.name);
    const primitive = rule && primitiveOf(rule.declared);
    if (primitive?.kind === "same") return this.#binds(primitive.slot).every((bind) => this.#isFixed(bind.expression));
    if (primitive?.kind === "one-of" || primitive?.kind === "cut-of") return false;
    return rule !== undefined && !this.isMarker(expression.name) && this.#isFixed(rule.expression);
  }

  /** The rules that bind a slot. */
  #binds(slot: string): LinkedRule[] {
    return [...this.#grammar.rules.values()].filter((rule) => rule.declared === `Bind${slot}`);
  }

  /** What is bound again begins with what the rules that bind it begin with, wherever that stands: what they look ahead at is not bound. */
  #firstOfBound(slot: string): First {
    const binds = this.#binds(slot).map(({ expression }) => expression);
    return {
      set: binds.reduce((all, bind) => union(all, this.first(bind).set), emptySet),
      nullable: binds.some((bind) => this.first(bind).nullable || this.#mayBeEmpty(bind)),
    };
  }

  #mayBeEmpty(expression: Expression): boolean {
    if (expression.type === "sequence") return expression.elements.every((one) => this.#mayBeEmpty(one));
    if (expression.type === "choice") return expression.alternatives.some((one) => this.#mayBeEmpty(one));
    return this.first(expression).nullable || this.#isZeroWidth(expression);
  }

  /** Texts one of which is what a slot holds, or begins it. */
  #boundTexts(slot: string, depth: number): Set<string> | undefined {
    const lists = this.#binds(slot).map((bind) => this.#prefixes(bind.expression, depth));
    return lists.every((list) => list !== undefined) ? new Set(lists.flatMap((list) => [...list])) : undefined;
  }

  #isNeverRule(expression: Expression): boolean {
    if (isNever(expression)) return true;
    if (expression.type !== "rule_ref") return false;
    const rule = this.#grammar.rules.get(expression.name);
    return rule !== undefined && isNever(rule.expression);
  }

  #isZeroWidth(expression: Expression): boolean {
    if (expression.type === "simple_and" || expression.type === "simple_not") return true;
    if (expression.type === "literal") return expression.value === "";
    if (expression.type !== "rule_ref") return false;
    const rule = this.#grammar.rules.get(expression.name);
    const primitive = rule && primitiveOf(rule.declared);
    if (primitive?.kind === "same") {
      return this.#binds(primitive.slot).every((bind) => this.#isZeroWidth(bind.expression));
    }
    if (primitive) return placeKinds.has(primitive.kind);
    return rule !== undefined && this.#isZeroWidth(rule.expression);
  }
}

/** How many literals there are, whatever blanks stand before them. */
const countOf = (texts: ReadonlySet<string>) => new Set([...texts].map((text) => text.slice(leadOf(text)))).size;

const shortest = (texts: ReadonlySet<string>) => Math.min(...[...texts].map((text) => text.length));
