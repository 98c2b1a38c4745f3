import { rulesThatReach } from "../../src/compiler/analyse/reachable-rules.ts";
import {
  type Expression,
  isNever,
  type LinkedGrammar,
  type LinkedRule,
  walkExpression,
} from "../../src/compiler/parse/linked-grammar.ts";
import { primitiveOf } from "../../src/compiler/parse/primitives.ts";

export interface WritePeggyOptions {
  /**
   * The role of a rule. With it, the parser yields a tree of {@link CaptureNode}: the list of the outermost roles in the
   * text. Without it, it yields the text.
   */
  roleOf?: (rule: LinkedRule) => string | undefined;
}

/** A grammar for stock Peggy. */
export interface PeggyText {
  text: string;
  /** The identifier of the start rule, which comes first. */
  start: string;
  /** The identifier of each rule by its qualified name. */
  names: Map<string, string>;
}

/** What a rule with a role matched, and the roles inside. */
export interface CaptureNode {
  role: string;
  start: number;
  end: number;
  children: CaptureNode[];
}

/** Rules whose matches the hooks of primitives ask for: which tool is called, which keys have been seen. */
const rememberedRules = new Set(["Name", "Key", "Tag"]);

/**
 * Writes a linked grammar as text for stock Peggy: it accepts the same code units, except that a cut is an empty match.
 *
 * The other primitives become calls of `options.primitives[name](input, offset, trail)`, see `primitive-hooks.ts`; the
 * text bound to a slot is kept in the grammar itself, and forgotten when the parser goes back. Do not use the `cache`
 * option of Peggy when a grammar has such primitives.
 */
export function writePeggy(grammar: LinkedGrammar, options: WritePeggyOptions = {}): PeggyText {
  return new PeggyWriter(grammar, options).write();
}

/** Binding strength, weakest first: what stands inside something stronger needs parentheses. */
const strength = { choice: 0, sequence: 1, prefix: 2, suffix: 3, primary: 4 } as const;

/** What follows an underscore distinguishes rules of one role. */
const baseName = (rule: LinkedRule): string => rule.declared.split("_", 1)[0];

const restore = (mark: string): string => `trail = ${mark}; return true;`;
const markHere = '("" { return trail; })';

class PeggyWriter {
  readonly #grammar: LinkedGrammar;
  readonly #roleOf: (rule: LinkedRule) => string | undefined;
  readonly #names = new Map<string, string>();
  /** Rules that come to a capture: their values must be kept. */
  readonly #capturing: Set<string>;
  /** Rules that add to the trail: where the parser may go back over one, the trail must go back, too. */
  readonly #trailing: Set<string>;
  readonly #usesPrimitives: boolean;
  /** Rules for expressions that go back with the trail, in parentheses: Peggy reads what is nested in them again and again. */
  readonly #groups: string[] = [];
  #marks = 0;

  constructor(grammar: LinkedGrammar, { roleOf }: WritePeggyOptions) {
    this.#grammar = grammar;
    this.#roleOf = roleOf ?? (() => undefined);
    const rules = [...grammar.rules.values()];
    const kinds = rules.map((rule) => primitiveOf(rule.declared)?.kind);
    this.#usesPrimitives = kinds.some((kind) => kind !== undefined && kind !== "cut");
    const names = (wanted: (rule: LinkedRule) => boolean) => rules.filter(wanted).map((rule) => rule.name);
    this.#capturing = rulesThatReach(
      grammar,
      names((rule) => this.#roleOf(rule) !== undefined),
    );
    this.#trailing = rulesThatReach(
      grammar,
      names((rule) => this.#isRemembered(rule)),
    );
    const taken = new Set<string>();
    for (const name of grammar.rules.keys()) {
      let identifier = name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
      while (taken.has(identifier)) identifier += "_";
      taken.add(identifier);
      this.#names.set(name, identifier);
    }
  }

  write(): PeggyText {
    const start = this.#grammar.rules.get(this.#grammar.start) as LinkedRule;
    const others = [...this.#grammar.rules.values()].filter((rule) => rule !== start);
    const rules = [this.#rule(start), ...others.map((rule) => this.#rule(rule))];
    const code = this.#initializer();
    return {
      text: `${[...(code === "" ? [] : [code]), ...rules, ...this.#groups].join("\n\n")}\n`,
      start: this.#identifier(start.name),
      names: this.#names,
    };
  }

  #identifier(name: string): string {
    return this.#names.get(name) as string;
  }

  #isRemembered(rule: LinkedRule): boolean {
    const kind = primitiveOf(rule.declared)?.kind;
    if (kind === undefined) return this.#usesPrimitives && rememberedRules.has(baseName(rule));
    return kind === "bind" || kind === "fence-begin";
  }

  #initializer(): string {
    const lines: string[] = [];
    if (this.#usesPrimitives) {
      lines.push(
        "  let trail = null;",
        "  function ask(name, unitsLeft) {",
        "    const hook = options.primitives?.[name];",
        '    if (hook === undefined) throw new Error("pass options.primitives." + name);',
        "    const end = hook(input, peg$currPos, trail);",
        "    if (end < peg$currPos + unitsLeft) return false;",
        "    peg$currPos = end - unitsLeft;",
        "    return true;",
        "  }",
        "  function remember(name, start) {",
        "    const text = input.slice(start, peg$currPos);",
        "    trail = { name, start, end: peg$currPos, text, previous: trail };",
        "    return true;",
        "  }",
        "  function bound(name) {",
        "    let entry = trail;",
        "    while (entry !== null && entry.name !== name) entry = entry.previous;",
        "    return entry;",
        "  }",
        "  function same(name) {",
        "    const entry = bound(name);",
        "    if (entry === null || !input.startsWith(entry.text, peg$currPos)) return false;",
        "    peg$currPos += entry.text.length;",
        "    return true;",
        "  }",
      );
    }
    if (this.#capturing.size > 0) {
      lines.push(
        "  function captures(value) {",
        "    if (Array.isArray(value)) return value.flatMap(captures);",
        '    return value !== null && typeof value === "object" && "role" in value ? [value] : [];',
        "  }",
      );
    }
    return lines.length === 0 ? "" : `{\n${lines.join("\n")}\n}`;
  }

  #rule(rule: LinkedRule): string {
    const display = rule.display === undefined ? "" : ` ${quoted(rule.display)}`;
    return `${this.#identifier(rule.name)}${display}\n  = ${this.#ruleBody(rule)}`;
  }

  #ruleBody(rule: LinkedRule): string {
    const primitive = primitiveOf(rule.declared);
    const remembered = this.#isRemembered(rule);
    let body = this.#body(rule);
    const role = this.#roleOf(rule);
    const capturing = this.#capturing.has(rule.name);
    // A slice costs nothing to keep; the value of a rule with captures inside is needed.
    body = capturing ? `inside:(${body})` : `$(${body})`;
    if (remembered) {
      const name = primitive?.kind === "bind" ? `Bind${primitive.slot}` : baseName(rule);
      body = `from:("" { return offset(); }) ${body} &{ return remember(${JSON.stringify(name)}, from); }`;
    }
    if (role !== undefined) {
      const node = `const { start, end } = range(); return { role: ${JSON.stringify(role)}, start, end, children: captures(inside) };`;
      body += ` { ${node} }`;
    } else if (capturing) {
      body += " { return captures(inside); }";
    }
    return body;
  }

  #body(rule: LinkedRule): string {
    const primitive = primitiveOf(rule.declared);
    switch (primitive?.kind) {
      case "line-start":
      case "fence-start":
      case "fence-leave":
      case "fence-inside":
      case "code-leave":
      case "pair-close":
      case "tools-known":
      case "unnamed-offered":
        return `&{ return ask("${rule.declared}", 0); }`;
      case "tool-name":
      case "declared-key":
      case "seen-key":
        // The last unit is left to `.`, so that Peggy sees that something is consumed; so below.
        return `&{ return ask("${rule.declared}", 1); } .`;
      case "same":
        return `&{ return same("Bind${primitive.slot}"); }`;
      default:
        return this.#write(rule.expression, strength.choice);
    }
  }

  #write(expression: Expression, around: number): string {
    const [text, own] = this.#form(expression);
    if (own >= around) return text;
    return text.includes(markHere) ? this.#group(text) : `(${text})`;
  }

  #group(text: string): string {
    let name = `group${this.#groups.length + 1}`;
    while ([...this.#names.values()].includes(name)) name += "_";
    this.#groups.push(`${name}\n  = ${text}`);
    return name;
  }

  #form(expression: Expression): [text: string, own: number] {
    const guarded = this.#addsToTrail(expression) ? this.#guardedForm(expression) : undefined;
    if (guarded !== undefined) return [guarded, strength.sequence];
    switch (expression.type) {
      case "any":
        return [".", strength.primary];
      case "class":
        return [classText(expression.parts, expression.inverted), strength.primary];
      case "literal":
        return [quoted(expression.value), strength.primary];
      case "rule_ref":
        return [this.#identifier(expression.name), strength.primary];
      case "sequence":
        return [
          expression.elements.map((element) => this.#write(element, strength.prefix)).join(" "),
          strength.sequence,
        ];
      case "choice":
        return [
          expression.alternatives.map((item) => this.#write(item, strength.sequence)).join(" / "),
          strength.choice,
        ];
      case "optional":
      case "zero_or_more":
      case "one_or_more": {
        const sign = { optional: "?", zero_or_more: "*", one_or_more: "+" }[expression.type];
        return [this.#write(expression.expression, strength.primary) + sign, strength.suffix];
      }
      case "simple_and":
      case "simple_not": {
        const { expression: inner } = expression;
        const sign = expression.type === "simple_and" ? "&" : "!";
        // What never matches consumes nothing either, and Peggy refuses to repeat it; the `.` is never read.
        if (isNever(expression)) return ['!"" .', strength.sequence];
        return [sign + this.#write(inner, strength.suffix), strength.prefix];
      }
    }
  }

  #addsToTrail(expression: Expression): boolean {
    let adds = false;
    walkExpression(expression, (inner) => {
      adds ||= inner.type === "rule_ref" && this.#trailing.has(inner.name);
    });
    return adds;
  }

  /** The same, and wherever the parser goes back, the trail does. A predicate leaves no trail. */
  #guardedForm(expression: Expression): string | undefined {
    const mark = `mark${++this.#marks}`;
    const again = `&{ ${restore(mark)} }`;
    // Peggy refuses a repetition that might consume nothing; the `.` after a failure is never read.
    const giveUp = `&{ trail = ${mark}; return false; } .`;
    switch (expression.type) {
      case "choice": {
        const [first, ...rest] = expression.alternatives.map((item) => this.#write(item, strength.sequence));
        return `${mark}:${markHere} (${[first, ...rest.map((item) => `${again} ${item}`)].join(" / ")})`;
      }
      case "optional":
        return `${mark}:${markHere} (${this.#write(expression.expression, strength.sequence)} / ${again})`;
      case "zero_or_more":
      case "one_or_more": {
        const sign = expression.type === "zero_or_more" ? "*" : "+";
        return `(${mark}:${markHere} (${this.#write(expression.expression, strength.sequence)} / ${giveUp}))${sign}`;
      }
      case "simple_and":
      case "simple_not": {
        const sign = expression.type === "simple_and" ? "&" : "!";
        return `${mark}:${markHere} ${sign}${this.#write(expression.expression, strength.primary)} ${again}`;
      }
      default:
        return undefined;
    }
  }
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replace(/[^\x20-\x7e]/g, escapeUnit)}"`;
}

function classText(parts: readonly (string | [string, string])[], inverted: boolean): string {
  const unit = (text: string): string => (/^[A-Za-z0-9]$/.test(text) ? text : escapeUnit(text));
  const inside = parts.map((part) => (typeof part === "string" ? unit(part) : part.map(unit).join("-")));
  return `[${inverted ? "^" : ""}${inside.join("")}]`;
}
