import { type ConstraintOptions, exportConstraint } from "../export/index.ts";
import type { Format } from "../index.ts";
import type { Body, ChatRequest, FunctionTool } from "./chat-request.ts";
import type { ConstraintForm, ProxySettings } from "./options.ts";
import { Problem } from "./problem.ts";

/** What goes into the upstream's request, and what the parser needs because of it. */
export interface RequestConstraint {
  body: Body;
  parseOptions: { readonly prefill?: string; readonly intent?: true };
}

/** Agents send the same tools with every turn, so a constraint is made once; of each format the oldest are forgotten first. */
const constraints = new WeakMap<Format, Map<string, RequestConstraint>>();
const knownMax = 64;

/**
 * The constraint of a request, as the upstream takes it; undefined where none was asked for, or where the answer may be JSON.
 *
 * @throws Problem when the format cannot be said as a constraint
 */
export function constraintOf(
  format: Format,
  { toolChoice, parallel }: ChatRequest,
  offered: readonly FunctionTool[],
  { constrain, constrainReasoning, prefill }: ProxySettings,
): RequestConstraint | undefined {
  if (constrain === undefined || offered.length === 0) return undefined;
  const reasoning = constrainReasoning ?? (prefill ? "prefilled" : "may");
  let known = constraints.get(format);
  if (known === undefined) constraints.set(format, (known = new Map()));
  const key = JSON.stringify([constrain, toolChoice, parallel, reasoning, offered]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make(constrain, format, { tools: offered, toolChoice, parallel, reasoning });
  if (known.size >= knownMax) known.delete(known.keys().next().value as string);
  known.set(key, made);
  return made;
}

function make(form: ConstraintForm, format: Format, options: ConstraintOptions): RequestConstraint {
  try {
    const constraint = exportConstraint(format, options);
    const { parseOptions } = constraint;
    // Markers are special tokens in many models, and would be stripped from the text.
    if (form === "structural-tag") {
      return { body: { response_format: constraint.structuralTag(), skip_special_tokens: false }, parseOptions };
    }
    if (form === "lark") {
      return { body: { structured_outputs: { grammar: constraint.lark() }, skip_special_tokens: false }, parseOptions };
    }
    const { grammar, lazy, preservedTokens } = constraint.gbnf();
    if (lazy === undefined) return { body: { grammar, preserved_tokens: preservedTokens }, parseOptions };
    const triggers = lazy.triggers.map(({ value }) => ({ type: wordTrigger, value }));
    const body = {
      grammar: lazy.grammar,
      grammar_lazy: true,
      grammar_triggers: triggers,
      preserved_tokens: preservedTokens,
    };
    return { body, parseOptions };
  } catch (error) {
    if ((error as Error).name !== "RenderError") throw error;
    const message = `${(error as Error).message}; start the proxy without a constraint, or with another format`;
    throw new Problem({ status: 500, message, type: "api_error", code: "no_constraint" });
  }
}

/** How llama.cpp numbers a trigger that is a text. */
const wordTrigger = 1;
