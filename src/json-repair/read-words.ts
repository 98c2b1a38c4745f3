import type { Repair, RepairKind } from "../contract/repairs.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { readEscapedQuotes } from "./escaped-document.ts";
import type { RepairJsonOptions, RepairJsonResult } from "./repair-result.ts";

const callBegins = latePattern("^[\\p{L}_$][\\p{L}\\p{N}_$.]{0,80}[ \\t]{0,8}\\(");

/** What stands in the parentheses of a call that is the whole text. */
function argumentOf(trimmed: string): string {
  const head = callBegins().exec(trimmed)?.[0];
  const body = trimmed.endsWith(";") ? trimmed.slice(0, -1).trimEnd() : trimmed;
  return head === undefined || !body.endsWith(")") ? "" : body.slice(head.length, -1);
}

/** A text in which no container begins: a scalar in a call, a string that was escaped once too often, or just words. */
export function readWords(text: string, { bareText }: RepairJsonOptions): RepairJsonResult | undefined {
  const found = (value: unknown, kind: RepairKind): RepairJsonResult => {
    const repairs: Repair[] = [{ kind, level: "guess", start: 0, end: text.length }];
    return { ok: true, value, level: "guess", repairs, complete: true };
  };
  const trimmed = text.trim();
  const inner = parse(argumentOf(trimmed));
  if (inner !== undefined) return found(inner, "assignment");
  const once = /^[[{]?\s*\\"/.test(trimmed) ? readEscapedQuotes(trimmed) : undefined;
  if (once !== undefined) return found(once.value, "escaped-document");
  const quoted = /^`([^`´'\n]*)[`´']$/.exec(trimmed);
  if (bareText === true && quoted !== null) return found(quoted[1], "quote-style");
  if (bareText !== true || /^["\\]/.test(trimmed) || isPunctuation(trimmed)) return undefined;
  if (/^[^"]*"$/.test(trimmed)) return found(trimmed.slice(0, -1), "missing-opening-quote");
  return found(trimmed, "bare-word");
}

/** Nothing but what stands between values: no text. */
function isPunctuation(trimmed: string): boolean {
  return /^[\s\]}),:;]*$/.test(trimmed);
}

/** Strict JSON, or undefined. */
function parse(text: string): unknown {
  // An error costs more than all the rest.
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
