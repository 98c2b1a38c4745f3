import { roleCodes } from "../../machine/roles.ts";
import { type GrammarError, grammarError, grammarNote } from "../parse/grammar-error.ts";
import { type Expression, type LinkedGrammar, type LinkedRule, triedEntries } from "../parse/linked-grammar.ts";
import { type Primitive, primitiveOf } from "../parse/primitives.ts";
import { Analysis } from "./analyse.ts";
import { type CharSet, emptySet, overlaps, union } from "./char-set.ts";
import { roleCodeOf } from "./role-of.ts";

/** Roles whose text can be long and is wanted while it arrives. */
const growingRoles: readonly number[] = [
  roleCodes.Content,
  roleCodes.Quoted,
  roleCodes.Reasoning,
  roleCodes.Payload,
  roleCodes.Arguments,
  roleCodes.Verbatim,
  roleCodes.Text,
];

/**
 * What a stream needs: text of a role goes out as it arrives, and that is only possible when no older choice can take it
 * back. Up to its first `Cut` a block may turn out to be none. A choice is undecided when one character does not select
 * one of its alternatives and no `Cut` has been passed.
 * Calls that no marker opens (`Unmarked`) are undecided on purpose: the whole message decides.
 */
export function checkStreaming(grammar: LinkedGrammar): GrammarError[] {
  return new StreamingCheck(grammar).run();
}

class StreamingCheck {
  readonly #grammar: LinkedGrammar;
  readonly #analysis: Analysis;
  readonly #errors = new Map<string, GrammarError>();
  /** What has been walked, by rule and whether a choice was open: does every way through it pass a commit? */
  readonly #walked = new Map<string, boolean>();

  constructor(grammar: LinkedGrammar) {
    this.#grammar = grammar;
    this.#analysis = new Analysis(grammar);
  }

  run(): GrammarError[] {
    const { start, entries } = this.#grammar;
    const tried = triedEntries.flatMap((entry) => entries[entry] ?? []);
    for (const name of tried) {
      const { location } = this.#grammar.rules.get(name) as LinkedRule;
      this.#rule(name, { type: "rule_ref", name, location });
    }
    for (const name of [start, ...Object.values(entries)]) if (!tried.includes(name)) this.#rule(name, undefined);
    return [...this.#errors.values()];
  }

  /** `open`: the oldest choice that is undecided. Comes back with whether a commit has certainly been passed. */
  #rule(name: string, open: Expression | undefined): boolean {
    const rule = this.#grammar.rules.get(name);
    if (rule === undefined) return false;
    const primitive = primitiveOf(rule.declared);
    if (primitive) return primitive.kind === "cut" || primitive.kind === "halt";
    const role = roleCodeOf(rule.declared);
    if (role === roleCodes.Unmarked) return false;
    if (open !== undefined && role !== undefined && growingRoles.includes(role) && this.#grows(rule.expression)) {
      this.#report(name, open);
    }
    const { expression } = rule;
    const key = `${open === undefined ? "decided" : "undecided"} ${name}`;
    const known = this.#walked.get(key);
    if (known !== undefined) return known;
    this.#walked.set(key, false);
    const commits = this.#walk(expression, open, this.#analysis.followOf(name));
    this.#walked.set(key, commits);
    return commits;
  }

  #walk(expression: Expression, open: Expression | undefined, follow: CharSet): boolean {
    switch (expression.type) {
      case "rule_ref":
        return this.#rule(expression.name, open);
      case "sequence": {
        let commits = false;
        for (const [at, element] of expression.elements.entries()) {
          const rest = expression.elements.slice(at + 1);
          const after = rest.reduceRight((set, one) => this.#analysis.firstThen(one, set), follow);
          if (this.#walk(element, commits ? undefined : open, after)) commits = true;
        }
        return commits;
      }
      case "choice": {
        const { alternatives } = expression;
        const passed = alternatives.map((alternative, at) => {
          const first = this.#analysis.first(alternative);
          const others = alternatives.slice(at + 1).map((one) => this.#analysis.firstThen(one, follow));
          const isDecided = !first.nullable && !overlaps(first.set, others.reduce(union, emptySet));
          const isLast = at === alternatives.length - 1;
          return this.#walk(alternative, isLast || isDecided ? open : (open ?? expression), follow);
        });
        return passed.every((one) => one);
      }
      case "optional":
      case "zero_or_more":
      case "one_or_more": {
        const first = this.#analysis.first(expression.expression);
        const isDecided = !first.nullable && !overlaps(first.set, follow);
        const inside = expression.type === "optional" ? follow : union(first.set, follow);
        const commits = this.#walk(expression.expression, isDecided ? open : (open ?? expression), inside);
        return commits && expression.type === "one_or_more";
      }
      default:
        // What a look-ahead sees is not sent.
        return false;
    }
  }

  /** Whether something without end is read before a commit. */
  #grows(expression: Expression, seen: ReadonlySet<string> = new Set()): boolean {
    switch (expression.type) {
      case "zero_or_more":
      case "one_or_more":
        return true;
      case "optional":
        return this.#grows(expression.expression, seen);
      case "sequence":
        for (const element of expression.elements) {
          if (this.#primitiveAt(element) === "cut") return false;
          if (this.#grows(element, seen)) return true;
        }
        return false;
      case "choice":
        return expression.alternatives.some((alternative) => this.#grows(alternative, seen));
      case "rule_ref": {
        const rule = this.#grammar.rules.get(expression.name);
        if (rule === undefined || primitiveOf(rule.declared)) return false;
        return seen.has(expression.name) || this.#grows(rule.expression, new Set([...seen, expression.name]));
      }
      default:
        return false;
    }
  }

  #primitiveAt(expression: Expression): Primitive["kind"] | undefined {
    if (expression.type !== "rule_ref") return undefined;
    return primitiveOf(this.#grammar.rules.get(expression.name)?.declared ?? "")?.kind;
  }

  #report(name: string, open: Expression): void {
    const { start } = open.location;
    const key = `${name} ${open.location.source}:${start.offset}`;
    const what = open.type === "choice" ? "choice" : open.type === "rule_ref" ? "block" : "repetition";
    const { location } = this.#grammar.rules.get(name) as LinkedRule;
    this.#errors.set(
      key,
      grammarError(this.#grammar.files, open.location, `the rule "${name}" is read while this ${what} is undecided`, {
        notes: [grammarNote(this.#grammar.files, location, `"${name}" is this rule`)],
        help: `nothing of it can be streamed until it ends: put Cut where it is clear that "${name}" follows`,
      }),
    );
  }
}
