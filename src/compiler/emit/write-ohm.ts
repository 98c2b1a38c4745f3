import { rulesThatReach } from "../analyse/reachable-rules.ts";
import {
  type ClassExpression,
  type Expression,
  isNever,
  type LinkedGrammar,
  type LinkedRule,
} from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";

/** A grammar for Ohm 17. */
export interface OhmText {
  text: string;
  /** The identifier of the start rule: pass it to `match`. */
  start: string;
  /** The identifier of each rule by its qualified name. */
  names: Map<string, string>;
  /** Rules that stand for a primitive Ohm cannot have; the text holds their stand-in body. */
  primitives: string[];
  /** Rules that come to such a primitive: what Ohm says of these is no judgement. */
  outside: string[];
}

/** Rules that every Ohm grammar has. */
const builtInRules = [
  "any",
  "end",
  "caseInsensitive",
  "lower",
  "upper",
  "unicodeLtmo",
  "spaces",
  "space",
  "alnum",
  "letter",
  "digit",
  "hexDigit",
  "listOf",
  "nonemptyListOf",
  "emptyListOf",
  "applySyntactic",
] as const;

/** One UTF-16 unit: a range whose ends are single units is matched by units, while Ohm's `any` takes a code point. */
const unitRule = "unit";

/**
 * Writes a linked grammar as an Ohm grammar that accepts the same texts, unit by unit, except that a cut is an empty
 * match and a primitive is its stand-in body.
 *
 * Rule names begin in lower case, since Ohm skips blanks in the others. Ohm needs the alternatives of a choice to have
 * as many children each, so an alternative that is more than one symbol gets a rule of its own.
 */
export function writeOhm(grammar: LinkedGrammar): OhmText {
  return new OhmWriter(grammar).write();
}

const strength = { choice: 0, sequence: 1, prefix: 2, suffix: 3, primary: 4 } as const;

class OhmWriter {
  readonly #grammar: LinkedGrammar;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>([...builtInRules, unitRule]);
  readonly #lines: string[] = [];
  #parent = "";

  constructor(grammar: LinkedGrammar) {
    this.#grammar = grammar;
    for (const name of grammar.rules.keys()) {
      const identifier = name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^[^A-Za-z]/, "r$&");
      const marker = identifier === identifier.toUpperCase();
      this.#names.set(
        name,
        this.#free(marker ? identifier.toLowerCase() : identifier[0].toLowerCase() + identifier.slice(1)),
      );
    }
  }

  write(): OhmText {
    const primitives: string[] = [];
    for (const rule of this.#grammar.rules.values()) {
      const kind = primitiveOf(rule.declared)?.kind;
      if (kind !== undefined && kind !== "cut" && kind !== "bind") primitives.push(rule.name);
      this.#rule(rule);
    }
    const id = (this.#grammar.header.format ?? "grammar").replace(/[^A-Za-z0-9_]/g, "_");
    return {
      text: `Format_${id} {\n${this.#lines.join("\n\n")}\n\n  ${unitRule} = "\\u{0}".."\\u{ffff}"\n}\n`,
      start: this.#names.get(this.#grammar.start) as string,
      names: this.#names,
      primitives,
      outside: [...rulesThatReach(this.#grammar, primitives)],
    };
  }

  #free(wanted: string): string {
    let identifier = wanted;
    while (this.#taken.has(identifier)) identifier += "_";
    this.#taken.add(identifier);
    return identifier;
  }

  #rule(rule: LinkedRule): void {
    this.#parent = this.#names.get(rule.name) as string;
    const { display } = rule;
    const description = display === undefined || /[()\n]/.test(display) ? "" : `  (${display})`;
    // The place is kept, so that a rule stands before those made of its alternatives.
    const at = this.#lines.push("") - 1;
    this.#lines[at] = `  ${this.#parent}${description}\n    = ${this.#write(rule.expression, strength.choice)}`;
  }

  #write(expression: Expression, around: number): string {
    const [text, own] = this.#form(expression);
    return own < around ? `(${text})` : text;
  }

  #form(expression: Expression): [text: string, own: number] {
    switch (expression.type) {
      case "any":
        return [unitRule, strength.primary];
      case "class":
        return this.#classForm(expression);
      case "literal":
        return [quoted(expression.value), strength.primary];
      case "rule_ref":
        return [this.#names.get(expression.name) as string, strength.primary];
      case "sequence":
        return [
          expression.elements.map((element) => this.#write(element, strength.prefix)).join(" "),
          strength.sequence,
        ];
      case "choice":
        return [expression.alternatives.map((item) => this.#alternative(item)).join(" | "), strength.choice];
      case "optional":
      case "zero_or_more":
      case "one_or_more": {
        const sign = { optional: "?", zero_or_more: "*", one_or_more: "+" }[expression.type];
        return [this.#write(expression.expression, strength.primary) + sign, strength.suffix];
      }
      case "simple_and":
      case "simple_not": {
        const { expression: inner } = expression;
        const sign = expression.type === "simple_and" ? "&" : "~";
        // What never matches consumes nothing either, and Ohm refuses to repeat it; the unit is never read.
        if (isNever(expression)) return [`~"" ${unitRule}`, strength.sequence];
        return [sign + this.#write(inner, strength.primary), strength.prefix];
      }
    }
  }

  #alternative(expression: Expression): string {
    if (expression.type === "rule_ref" || expression.type === "literal" || expression.type === "any") {
      return this.#write(expression, strength.primary);
    }
    const identifier = this.#free(`${this.#parent}_alternative`);
    const at = this.#lines.push("") - 1;
    this.#lines[at] = `  ${identifier}\n    = ${this.#write(expression, strength.choice)}`;
    return identifier;
  }

  #classForm({ parts, inverted }: ClassExpression): [text: string, own: number] {
    if (parts.length === 0) return [`~${unitRule} ${unitRule}`, strength.sequence];
    const units = parts.map((part) =>
      // A single unit, too, is written as a range: a literal would be the same, but half a pair would not.
      typeof part === "string" ? `${quoted(part)}..${quoted(part)}` : `${quoted(part[0])}..${quoted(part[1])}`,
    );
    if (inverted) return [`~(${units.join(" | ")}) ${unitRule}`, strength.sequence];
    return [units.join(" | "), units.length === 1 ? strength.primary : strength.choice];
  }
}

function quoted(text: string): string {
  const escapeUnit = (unit: string): string => `\\u{${unit.charCodeAt(0).toString(16)}}`;
  return `"${text.replace(/["\\]/g, "\\$&").replace(/[^\x20-\x7e]/g, escapeUnit)}"`;
}
