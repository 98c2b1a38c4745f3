import { isObject } from "../contract/is-object.ts";
import { type CheckValue, checkOptionsOf, isAnything, isFlag, isOneOf } from "../contract/option-values.ts";
import { didYouMean } from "../contract/suggest.ts";
import type { Format } from "../formats/format.ts";
import { RenderError } from "../rendering/render-error.ts";
import { prepareTools, type ToolDefinition } from "../validation/tools.ts";
import { CallParts } from "./call-parts.ts";
import { framingTexts, wholeMarkers } from "./markers.ts";
import { messageParts } from "./message-parts.ts";
import { type ConstraintNote, Notes } from "./notes.ts";
import { isNever, type Part, type Parts } from "./parts.ts";
import { writeGbnf, writeLark } from "./write-grammar.ts";
import { type StructuralTag, writeStructuralTag } from "./write-structural-tag.ts";

/** What a model shall be held to. */
export interface ConstraintOptions {
  /** The tools of the request, as `parse` takes them. */
  readonly tools: readonly ToolDefinition[];
  /** `auto` (default): text, calls or both. `required`: one call at least. `none`: text. `{ name }`: a call of that tool. */
  readonly toolChoice?: "auto" | "required" | "none" | { readonly name: string } | undefined;
  /** Whether a message may hold several calls. Default: as the format can. */
  readonly parallel?: boolean | undefined;
  /** `any` (default): arguments in any order, each once. `declared`: in the order of the schema; a smaller grammar. */
  readonly order?: "any" | "declared" | undefined;
  /**
   * `closed` (default): the message holds no thoughts. `prefilled`: the prompt has opened the thinking block, the message
   * closes it. `may`: it may begin with a block.
   */
  readonly reasoning?: "closed" | "prefilled" | "may" | undefined;
  /** `any` (default): text may hold code, closed before a call begins. `no-code`: no backticks in text. */
  readonly prose?: "any" | "no-code" | undefined;
  /**
   * `markers` (default): no value holds a marker of the format, so a model that means to end a call cannot do so inside
   * a text. `closer`: only what would end a value is kept out.
   */
  readonly guard?: "markers" | "closer" | undefined;
}

/** A grammar for llama.cpp, with what its server needs besides. */
export interface GbnfConstraint {
  /** Holds from the first token on. */
  readonly grammar: string;
  /** With `toolChoice: "auto"`: free text until one of the triggers, the grammar from there on. */
  readonly lazy?: { readonly grammar: string; readonly triggers: readonly { type: "word"; value: string }[] };
  /** Texts that are one token in some models: the server must not hide them. */
  readonly preservedTokens: readonly string[];
}

/** What a model may write, for the engines that can hold it to that. */
export interface Constraint {
  /** Every message that may be written is read without a repair, and every one that `renderCalls` writes may be. */
  readonly exact: boolean;
  /** Where constraint and tools differ. */
  readonly notes: readonly ConstraintNote[];
  /** The same in parts: what the writers below write. */
  readonly parts: Parts;
  /** For xgrammar: vLLM, SGLang, TensorRT-LLM. */
  structuralTag(): StructuralTag;
  /** For llama.cpp and what is built on it. */
  gbnf(): GbnfConstraint;
  /** For llguidance. */
  lark(): string;
  /** What `parse` needs besides format and tools. */
  readonly parseOptions: { readonly prefill?: string; readonly intent?: true };
}

const isChoiceOfWords = isOneOf("auto", "required", "none");

/** What the options take; the tools are looked at on their own. */
const constraintValues: Readonly<Record<keyof ConstraintOptions, CheckValue>> = {
  tools: isAnything,
  toolChoice: (where, value) => {
    const isNamed = isObject(value) && typeof value.name === "string";
    if (!isNamed) isChoiceOfWords(`${where}, where it is no { name },`, value);
  },
  parallel: isFlag,
  order: isOneOf("any", "declared"),
  reasoning: isOneOf("closed", "prefilled", "may"),
  prose: isOneOf("any", "no-code"),
  guard: isOneOf("markers", "closer"),
};

/**
 * What a model may write to call these tools in this format, for engines that hold it to a grammar: derived from the
 * template that `renderCalls` fills.
 *
 * A message that was written under the constraint is read by `parse(text, { format, tools, ...parseOptions })` as calls
 * of these tools, without a repair; what `renderCalls` writes is accepted. Where one of them does not hold, `exact` is
 * false and a note says where.
 *
 * @throws TypeError on misuse: a format that is no value, an unknown tool, a misspelt option, tools that `parse` refuses.
 * @throws RenderError (`no-template`) when no way to write calls could be derived for the format.
 */
export function exportConstraint(format: Format, options: ConstraintOptions): Constraint {
  if (typeof format !== "object" || format === null || !Array.isArray(format.triggers)) {
    throw new TypeError(
      'the format must be a value, such as formats.get("hermes") or what toolpeg/formats/hermes exports',
    );
  }
  checkOptionsOf("exportConstraint", options, constraintValues);
  const { toolChoice = "auto", parallel = true, order = "any", reasoning = "closed" } = options;
  const { prose = "any", guard = "markers" } = options;
  const tools = prepareTools(options.tools);
  if (typeof toolChoice === "object" && !tools.has(toolChoice.name)) {
    const hint = didYouMean(toolChoice.name, tools.names);
    throw new TypeError(`toolChoice names ${JSON.stringify(toolChoice.name)}, which is no tool of this request${hint}`);
  }
  const { template } = format;
  if (template === undefined) {
    throw new RenderError(
      "no-template",
      `${format.id}: no way to write calls could be derived from grammar and example`,
    );
  }
  const notes = new Notes();
  const rules = new Map<string, Part>();
  const calls = new CallParts(format, template, { order, guard }, rules, notes);
  const settings = { toolChoice, parallel, reasoning, prose };
  const message = messageParts(format, template, tools, (tool) => calls.call(tool), settings, notes);
  if (isNever(message.root)) {
    throw new TypeError(
      `${format.id} can carry no call of these tools: ${notes.list.map((note) => note.message).join("; ")}`,
    );
  }
  const parts: Parts = { root: message.root, rules };
  return {
    exact: notes.exact,
    notes: notes.list,
    parts,
    structuralTag: () => writeStructuralTag(parts),
    gbnf: () => {
      const texts = framingTexts(format, "f", ["k"]);
      const more = [...format.triggers, ...format.reasoning.flatMap(({ open, close }) => [open, close])];
      const preservedTokens = [...new Set([...texts, ...more].flatMap(wholeMarkers))];
      const { triggers, section } = message;
      const isLazy = toolChoice === "auto" && triggers.length > 0 && !isNever(section);
      const grammar = writeGbnf(parts);
      if (!isLazy) return { grammar, preservedTokens };
      const lazy = {
        grammar: writeGbnf({ root: section, rules }),
        triggers: triggers.map((value) => ({ type: "word" as const, value })),
      };
      return { grammar, lazy, preservedTokens };
    },
    lark: () => writeLark(parts),
    parseOptions: {
      ...(message.prefill === undefined ? {} : { prefill: message.prefill }),
      ...(format.mode === "primary" ? {} : { intent: true as const }),
    },
  };
}
