import { classSet } from "../../src/compiler/analyse/char-set.ts";
import {
  childrenOf,
  type Expression,
  type LinkedGrammar,
  type LinkedRule,
  walkExpression,
} from "../../src/compiler/parse/linked-grammar.ts";
import { primitiveOf } from "../../src/compiler/parse/primitives.ts";

/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  chance(part: number): boolean {
    return this.below(1_000_000) < part * 1_000_000;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}

/** Tools that sentences speak of, so that names and keys are sometimes known. */
export const knownKeys: Readonly<Record<string, readonly string[]>> = {
  read_dial: ["dial", "dial_2"],
  "set-dial.x": ["value", "a"],
};

/** Rules deeper than this take their shortest way out. */
const depthMax = 24;
const charsMax = 1500;
const noise = [
  "<",
  ">",
  "`",
  "```\n",
  "~~~",
  '"',
  "'",
  "\\",
  "\n",
  " ",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "é",
  "北",
  "🧭",
  "a",
  "7",
];

/** Writes sentences of a grammar by walking its rules; look-ahead is not obeyed, so some are none. */
export class SentenceWriter {
  readonly #grammar: LinkedGrammar;
  readonly #cost = new Map<string, number>();
  /** Literals of the grammar, to break sentences with. */
  readonly literals: readonly string[];

  constructor(grammar: LinkedGrammar) {
    this.#grammar = grammar;
    const literals = new Set<string>();
    for (const rule of grammar.rules.values()) {
      walkExpression(rule.expression, (inner) => {
        if (inner.type === "literal" && inner.value !== "") literals.add(inner.value);
      });
    }
    this.literals = [...literals];
    for (let changed = true; changed; ) {
      changed = false;
      for (const rule of grammar.rules.values()) {
        const cost = this.#costOf(rule.expression);
        if (cost >= (this.#cost.get(rule.name) ?? Number.POSITIVE_INFINITY)) continue;
        this.#cost.set(rule.name, cost);
        changed = true;
      }
    }
  }

  /** One sentence of a rule; with slips, something that must be there is sometimes left out. */
  write(rule: string, random: Random, slips = false): string {
    const bound = new Map<string, string>();
    let out = "";
    const visit = (expression: Expression, depth: number): void => {
      if (out.length > charsMax) return;
      switch (expression.type) {
        case "any":
          out += random.chance(0.1) ? random.pick(noise) : random.pick([..."abc 12\n"]);
          return;
        case "class":
          out += this.#unit(classSet(expression), random);
          return;
        case "literal":
          out += expression.value;
          return;
        case "sequence":
          for (const element of expression.elements) if (!slips || !random.chance(0.02)) visit(element, depth);
          return;
        case "choice": {
          const { alternatives } = expression;
          const costs = alternatives.map((one) => this.#costOf(one));
          const least = Math.min(...costs);
          const open = depth > depthMax ? alternatives.filter((_, at) => costs[at] === least) : alternatives;
          return visit(
            random.pick(open.filter((one) => this.#costOf(one) < Number.POSITIVE_INFINITY)) ?? alternatives[0],
            depth,
          );
        }
        case "optional":
          if (depth < depthMax && random.chance(0.5)) visit(expression.expression, depth);
          return;
        case "zero_or_more":
        case "one_or_more": {
          const least = expression.type === "one_or_more" && !(slips && random.chance(0.1)) ? 1 : 0;
          const count =
            depth > depthMax || (slips && least === 0 && random.chance(0.3)) ? least : least + random.below(4);
          for (let n = 0; n < count; n++) visit(expression.expression, depth);
          return;
        }
        case "rule_ref": {
          const { declared, expression: body } = this.#grammar.rules.get(expression.name) ?? {
            declared: "",
            expression,
          };
          const primitive = primitiveOf(declared);
          const start = out.length;
          if (primitive?.kind === "same") out += bound.get(primitive.slot) ?? "";
          else if (/^Name(_|$)/.test(declared) && random.chance(0.8)) out += random.pick(Object.keys(knownKeys));
          else if (/^Key(_|$)/.test(declared) && random.chance(0.8))
            out += random.pick(Object.values(knownKeys).flat());
          else if (body !== expression) visit(body, depth + 1);
          if (primitive?.kind === "bind") bound.set(primitive.slot, out.slice(start));
          return;
        }
        default:
          return;
      }
    };
    visit({ type: "rule_ref", name: rule, location: (this.#grammar.rules.get(rule) as LinkedRule).location }, 0);
    return out;
  }

  /** The same text with one to three accidents. */
  mutate(text: string, random: Random): string {
    let out = text;
    for (let n = 1 + random.below(3); n > 0; n--) {
      const at = random.below(out.length + 1);
      const end = Math.min(out.length, at + 1 + random.below(6));
      switch (random.below(6)) {
        case 0:
          out = out.slice(0, at) + out.slice(end);
          break;
        case 1:
          out = out.slice(0, end) + out.slice(at);
          break;
        case 2:
          out = out.slice(0, at) + random.pick(noise) + out.slice(at);
          break;
        case 3:
          if (this.literals.length > 0) out = out.slice(0, at) + random.pick(this.literals) + out.slice(at);
          break;
        case 4:
          out = out.slice(0, at) + random.pick(noise) + out.slice(end);
          break;
        default:
          out = out.slice(0, at);
      }
    }
    return out;
  }

  #unit(set: readonly number[], random: Random): string {
    if (set.length === 0) return "";
    const pairs: (readonly [number, number])[] = [];
    for (let at = 0; at < set.length; at += 2) pairs.push([set[at], set[at + 1]]);
    const plain = pairs.filter(([low]) => low < 0x7f);
    const [low, high] = random.pick(plain.length > 0 && random.chance(0.97) ? plain : pairs);
    const from = high >= 0x20 && low < 0x20 && random.chance(0.9) ? 0x20 : low;
    const to = from < 0x7f && random.chance(0.9) ? Math.min(high, 0x7e) : high;
    return String.fromCharCode(from + random.below(Math.max(1, to - from + 1)));
  }

  #costOf(expression: Expression): number {
    switch (expression.type) {
      case "rule_ref":
        return 1 + (this.#cost.get(expression.name) ?? Number.POSITIVE_INFINITY);
      case "choice":
        return Math.min(...expression.alternatives.map((one) => this.#costOf(one)));
      case "sequence":
        return expression.elements.reduce((sum, element) => sum + this.#costOf(element), 0);
      case "simple_not":
        // `!""` can never be written.
        return expression.expression.type === "literal" && expression.expression.value === ""
          ? Number.POSITIVE_INFINITY
          : 0;
      case "one_or_more":
        return this.#costOf(childrenOf(expression)[0]);
      default:
        return 0;
    }
  }
}
