import type { Repair, RepairKind } from "../contract/repairs.ts";
import { latePattern } from "../machine/late-pattern.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, isBlank } from "./characters.ts";
import type { RepairJsonOptions, RepairJsonResult } from "./repair-result.ts";

type Read = (text: string, options: RepairJsonOptions) => RepairJsonResult;
type Found = Extract<RepairJsonResult, { ok: true }>;

/** How many of the last closing brackets are tried as the ones that a string without its closing quote has swallowed. */
const swallowedClosersMax = 8;
/** A key that was cut, and the colon and value in it. */
const keyWithValue = latePattern("^[\"'][\\p{L}_$][\\p{L}\\p{N}_$-]{0,80}(?=\\s*:)");
/** A fence that ends the text. */
const lastFence = /\s*(?:`{3,8}|~{3,8})\s*$/;

const misfits: readonly RepairKind[] = ["missing-inner-closer", "wrong-closer", "surplus-closer"];

/**
 * The text is known to be whole, and its last string or key never ends: what follows it was swallowed. Its closing quote
 * may be missing before the last brackets, before the fence that ends the text, or before a colon in the key.
 *
 * @param text - The whole text.
 * @param options - What is known of it.
 * @param one - What was read of it.
 * @param read - Reads a text anew.
 */
export function readSwallowedEnd(
  text: string,
  options: RepairJsonOptions,
  one: Found,
  read: Read,
): RepairJsonResult | undefined {
  const cut = one.repairs.find(({ kind }) => kind === "cut-string" || kind === "cut-key");
  if (cut === undefined) return undefined;
  if (cut.kind === "cut-key") return readCutKey(text, options, cut, read);
  return readFencedEnd(text, options, read) ?? readBeforeBrackets(text, options, read);
}

function readCutKey(text: string, options: RepairJsonOptions, cut: Repair, read: Read): Found | undefined {
  const key = keyWithValue().exec(text.slice(cut.start))?.[0];
  if (key === undefined) return undefined;
  return readWithQuote(text, cut.start + key.length, key[0], { ...options, final: true }, "missing-key-quote", read);
}

/** The text without the fence at its end, if no fence was opened. */
function readFencedEnd(text: string, options: RepairJsonOptions, read: Read): Found | undefined {
  const at = lastFence.exec(text.slice(-lastFenceMax));
  if (at === null) return undefined;
  const end = Math.max(0, text.length - lastFenceMax) + at.index;
  const before = text.slice(0, end);
  if (before.includes("```") || before.includes("~~~")) return undefined;
  const found = read(before, options);
  return found.ok ? withRepair(found, { kind: "fence", level: "guess", start: end, end: text.length }) : undefined;
}

const lastFenceMax = 64;

function readBeforeBrackets(text: string, options: RepairJsonOptions, read: Read): Found | undefined {
  let at = text.length;
  let found: Found | undefined;
  for (let count = 0; count < swallowedClosersMax; count++) {
    at = beforeBlanks(text, at);
    const code = text.charCodeAt(at - 1);
    if (code !== CLOSE_BRACE && code !== CLOSE_BRACKET) break;
    at--;
    const end = beforeBlanks(text, at);
    const tried = readWithQuote(text, end, '"', { ...options, final: false }, "missing-closing-quote", read);
    if (tried === undefined || !tried.complete) continue;
    found ??= tried;
    // Best are brackets that fit what is open.
    if (tried.repairs.every(({ kind }) => !misfits.includes(kind))) return tried;
  }
  return found;
}

/** Reads the text with a quote at `at`, and says so: a guess. */
function readWithQuote(
  text: string,
  at: number,
  quote: string,
  options: RepairJsonOptions,
  kind: RepairKind,
  read: Read,
): Found | undefined {
  const found = read(text.slice(0, at) + quote + text.slice(at), options);
  if (!found.ok) return undefined;
  const place = (index: number): number => (index > at ? index - 1 : index);
  const repairs = found.repairs.map((one) => ({ ...one, start: place(one.start), end: place(one.end) }));
  return withRepair({ ...found, repairs }, { kind, level: "guess", start: at, end: at });
}

function withRepair(found: Found, repair: Repair): Found {
  const repairs = [...found.repairs, repair].sort((left, right) => left.start - right.start);
  return { ...found, level: "guess", repairs };
}

function beforeBlanks(text: string, from: number): number {
  let at = from;
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}
