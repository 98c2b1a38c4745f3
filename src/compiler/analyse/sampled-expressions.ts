import { defineFormat } from "../../formats/define-format.ts";
import type { FormatData } from "../../formats/format-data.ts";
import { roleCodes } from "../../machine/roles.ts";
import type { Expression, LinkedGrammar, LinkedRule } from "../parse/linked-grammar.ts";
import { primitiveOf } from "../parse/primitives.ts";
import { readSample } from "../template/read-sample.ts";
import type { Analysis } from "./analyse.ts";
import { classSet, overlaps } from "./char-set.ts";
import { roleCodeOf } from "./role-of.ts";

/** A message of calls as models write them, and what is known of their tools. */
interface SampleText {
  readonly text: string;
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
}

type Given = { readonly name: string; readonly arguments: Record<string, unknown> };

/** Arguments of each kind, and strings of which something may follow that is no closer. */
const sampleArguments: readonly Record<string, unknown>[] = [
  {},
  { dial: "north" },
  { dial: "north", value: 2, unit: "bar" },
  { value: -1.5, relative: true, tags: ["a", "b"] },
  { options: { depth: 1, note: "x" }, dial: null },
  { text: "two\nlines\n\nof text" },
  { text: "a < b && c > d" },
  { text: "a <b>bold</b> word" },
  { text: "" },
];

/** What may stand after a block in a message. */
const sampleEnds = ["", "\n", "\nDone.", " and"];

/**
 * The expressions that are entered when calls are read as models write them: in the samples of the header, and in what the
 * format writes by itself. All else is for damage, or for spellings that models fall into.
 *
 * @returns undefined when a sample is not read by `Block`
 */
export function sampledExpressions(
  grammar: LinkedGrammar,
  analysis: Analysis,
  data: FormatData,
): ReadonlySet<Expression> | undefined {
  const samples = sampleTexts(grammar, data);
  const walk = new SampleWalk(grammar, analysis);
  const block = grammar.entries.block;
  let blocks = 0;
  for (const { text, keys } of samples) {
    walk.begin(text, keys);
    for (let at = 0; at < text.length; ) {
      const end = walk.block(block, at);
      if (end > at) blocks++;
      at = Math.max(end, at + 1);
    }
  }
  return blocks < samples.length || samples.length === 0 ? undefined : walk.entered;
}

function sampleTexts({ header }: LinkedGrammar, data: FormatData): SampleText[] {
  const given = header.example && (readSample(data, header.example)?.given as readonly Given[] | undefined);
  if (data.template === undefined || !given) return [];
  const format = defineFormat(data);
  const own = sampleArguments.map((given) => [{ name: "set_dial", arguments: given }]);
  const texts: SampleText[] = [];
  for (const calls of [given, ...own, own.flat(), [...given, ...own[1], ...own[2]]]) {
    let text: string;
    try {
      text = format.renderCalls(calls);
    } catch {
      // The format cannot write these.
      continue;
    }
    const keys = new Map<string, Set<string>>();
    for (const { name, arguments: values } of calls) {
      keys.set(name, new Set([...(keys.get(name) ?? []), ...Object.keys(values)]));
    }
    for (const end of sampleEnds) texts.push({ text: text + end, keys });
  }
  return texts;
}

/** What has been bound and seen at a place of a sample. */
interface Known {
  readonly slots: ReadonlyMap<string, string>;
  readonly seen: readonly string[];
}

interface Match {
  readonly at: number;
  readonly known: Known;
}

const nothing: Known = { slots: new Map(), seen: [] };
const nameSlot = "\0name";

/** Reads samples with a linked grammar, and takes note of the expressions that are entered on the way. */
class SampleWalk {
  readonly entered = new Set<Expression>();
  readonly #grammar: LinkedGrammar;
  readonly #analysis: Analysis;
  #text = "";
  #keys: SampleText["keys"] = new Map();

  constructor(grammar: LinkedGrammar, analysis: Analysis) {
    this.#grammar = grammar;
    this.#analysis = analysis;
  }

  begin(text: string, keys: SampleText["keys"]): void {
    this.#text = text;
    this.#keys = keys;
  }

  /** Where the block at an offset ends; -1: there is none. */
  block(name: string, at: number): number {
    const { expression } = this.#grammar.rules.get(name) as LinkedRule;
    if (!this.#mayBegin(expression, at)) return -1;
    return this.#rule(name, { at, known: nothing })?.at ?? -1;
  }

  #mayBegin(expression: Expression, at: number): boolean {
    const { set, nullable } = this.#analysis.first(expression);
    if (nullable) return true;
    const unit = this.#text.charCodeAt(at);
    return at < this.#text.length && overlaps(set, [unit, unit]);
  }

  #rule(name: string, from: Match): Match | undefined {
    const rule = this.#grammar.rules.get(name) as LinkedRule;
    const { declared, expression } = rule;
    const primitive = primitiveOf(declared);
    const { at, known } = from;
    const ends = (text: string | undefined): Match | undefined =>
      text !== undefined && this.#text.startsWith(text, at) ? { at: at + text.length, known } : undefined;
    const longest = (words: Iterable<string>) =>
      ends(
        [...words].filter((word) => this.#text.startsWith(word, at)).sort((one, other) => other.length - one.length)[0],
      );
    switch (primitive?.kind) {
      case undefined:
        break;
      case "tool-name":
        return longest(this.#keys.keys());
      case "declared-key": {
        const keys = this.#keys.get(known.slots.get(nameSlot) ?? "") ?? new Set<string>();
        return longest([...keys].filter((key) => !known.seen.includes(key)));
      }
      case "seen-key":
        return longest(known.seen);
      case "same":
        return ends(known.slots.get(primitive.slot));
      case "bind": {
        const end = this.#match(expression, from);
        return end && withSlot(end, primitive.slot, this.#text.slice(at, end.at));
      }
      case "vain":
      case "found":
        return undefined;
      case "line-start":
      case "fence-start":
        return at === 0 || this.#text[at - 1] === "\n" ? from : undefined;
      default:
        return from;
    }
    const role = roleCodeOf(declared);
    const begun = role === roleCodes.Call ? withSlot({ at, known: { ...known, seen: [] } }, nameSlot, "") : from;
    const end = this.#match(expression, begun);
    if (end === undefined) return undefined;
    const text = this.#text.slice(at, end.at);
    if (role === roleCodes.Name) return withSlot(end, nameSlot, text);
    if (role !== roleCodes.Key && role !== roleCodes.Tag) return end;
    return { at: end.at, known: { ...end.known, seen: [...end.known.seen, text] } };
  }

  #match(expression: Expression, from: Match): Match | undefined {
    this.entered.add(expression);
    const { at, known } = from;
    switch (expression.type) {
      case "any":
        return at < this.#text.length ? { at: at + 1, known } : undefined;
      case "class": {
        const unit = this.#text.charCodeAt(at);
        const isIn = at < this.#text.length && overlaps(classSet(expression), [unit, unit]);
        return isIn ? { at: at + 1, known } : undefined;
      }
      case "literal":
        return this.#text.startsWith(expression.value, at) ? { at: at + expression.value.length, known } : undefined;
      case "sequence": {
        let end: Match | undefined = from;
        for (const element of expression.elements) if (end) end = this.#match(element, end);
        return end;
      }
      case "choice":
        for (const alternative of expression.alternatives) {
          const end = this.#mayBegin(alternative, at) ? this.#match(alternative, from) : undefined;
          if (end) return end;
        }
        return undefined;
      case "optional":
        return (this.#mayBegin(expression.expression, at) && this.#match(expression.expression, from)) || from;
      case "zero_or_more":
      case "one_or_more": {
        let end = expression.type === "one_or_more" ? this.#match(expression.expression, from) : from;
        for (let next = end; next !== undefined; ) {
          end = next;
          next = this.#mayBegin(expression.expression, end.at) ? this.#match(expression.expression, end) : undefined;
          if (next?.at === end.at) break;
        }
        return end;
      }
      case "simple_and":
        return this.#match(expression.expression, from) && from;
      case "simple_not":
        return this.#mayBegin(expression.expression, at) && this.#match(expression.expression, from) ? undefined : from;
      case "rule_ref":
        return this.#rule(expression.name, from);
    }
  }
}

function withSlot({ at, known }: Match, slot: string, text: string): Match {
  return { at, known: { ...known, slots: new Map([...known.slots, [slot, text]]) } };
}
