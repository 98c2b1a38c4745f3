import type { FormatData } from "../formats/format-data.ts";
import { matchAt } from "../machine/match-at.ts";
import { roleCodes as role } from "../machine/roles.ts";
import { hasUnpairedEscape } from "../values/escaped-quotes.ts";
import { parameterTagOf } from "./parameter-tag.ts";
import type { Block, ReaderState } from "./state.ts";

/** How the strings of a call are written. */
interface Strings {
  /** What they are delimited by; empty: nothing does. */
  readonly quotes: readonly string[];
  /** A backslash takes the next character with it. */
  readonly escapes: boolean;
  /** Blanks part the members of a call, as commas and brackets do elsewhere. */
  readonly isSpaced: boolean;
}

/**
 * How well it is known where a damaged call has ended. Certain: its closing marker stands there, and brackets are balanced.
 * Likely: one of the two; what follows may say that it was a string which went on.
 */
type EndProof = "certain" | "likely";

/**
 * Whether a damaged call has ended where reading goes on. Its strings say so: each closes where a string may close, and
 * outside of them stands no closer before that place. Otherwise what follows may still stand in one of its strings.
 *
 * @param text from where the value begins up to where reading goes on
 * @param closers what closes calls
 */
function stringsEnd(text: string, closers: readonly string[], strings: Strings): EndProof | undefined {
  const { quotes, isSpaced } = strings;
  const { end, closer } = beforeClosers(text, closers);
  const firsts = new Set([...closers, ...quotes].map((one) => one[0]));
  /** What closes the brackets that are open, innermost last. */
  const open: string[] = [];
  let isMixed = false;
  let hasSurplus = false;
  // Where the payload is balanced; -1: it is not.
  let balancedAt = end === 0 ? 0 : -1;
  for (let at = 0; at < end; ) {
    const unit = text[at];
    const quote = firsts.has(unit) ? quotes.find((one) => text.startsWith(one, at)) : undefined;
    if (quote !== undefined) {
      const next = stringEnd(text, at, end, quote, strings);
      if (next < 0) return undefined;
      at = next;
      continue;
    }
    if (openers.includes(unit)) open.push(endings[openers.indexOf(unit)]);
    else if (endings.includes(unit)) {
      // One of another kind balances nothing, then or later; one too many ends what stands before it.
      const last = open.pop();
      isMixed ||= last !== undefined && last !== unit;
      hasSurplus ||= last === undefined;
      if (open.length === 0) balancedAt = at + 1;
    }
    if (firsts.has(unit) && closers.some((one) => text.startsWith(one, at))) return undefined;
    at++;
  }
  const isOpen = isMixed || open.length > 0;
  if (closer !== undefined) return isOpen || hasSurplus || hasUnpairedEscape(text) ? "likely" : "certain";
  // Before the next opener only a payload that is balanced is complete, and what stands after it on its line may have been
  // part of it. Members without brackets are complete with their line.
  if (isOpen) return undefined;
  const isBalanced = isSpaced
    ? /\n[ \t]*$/.test(text)
    : balancedAt >= 0 && /^[^\S\n]*(?:\n|$)/.test(text.slice(balancedAt, end));
  return isBalanced ? "likely" : undefined;
}

/**
 * Where what stands before the closers that a text ends in has ended, blanks aside, and the first of them. Those of the value, the call and
 * its section may follow each other.
 */
function beforeClosers(text: string, closers: readonly string[]): { end: number; closer: string | undefined } {
  let end = text.trimEnd().length;
  for (let closer: string | undefined; ; ) {
    const last = closers.find((one) => one.length <= end && text.startsWith(one, end - one.length));
    if (last === undefined) return { end, closer };
    closer = last;
    end = text.slice(0, end - last.length).trimEnd().length;
  }
}

const openers = "([{";
const endings = ")]}";

/** Where a string that begins at `start` ends, if a value or key may end there; -1: it does not. */
function stringEnd(text: string, start: number, end: number, quote: string, { escapes, isSpaced }: Strings): number {
  const after = nextQuoteEnd(text, start, end, quote, escapes);
  if (after < 0) return -1;
  const next = after + (matchAt(blanks, text, after)?.[0].length ?? 0);
  return next >= end || mayFollow.includes(text[next]) || (isSpaced && next > after) ? after : -1;
}

/** After the next quote that is not escaped; -1: there is none. */
export function nextQuoteEnd(text: string, start: number, end: number, quote: string, escapes: boolean): number {
  for (let at = start + quote.length; at < end; at++) {
    if (escapes && text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return -1;
}

const blanks = /\s*/y;
/** What may stand after a string. */
const mayFollow = ",:}])";

/**
 * Where a block that reads on to the end of the text holds its own closer: the first outside of its strings, or, once a string
 * has not closed where one may, the first of all; in one that nothing closes the first that begins a line; -1: it holds none, so
 * it is cut.
 */
export function ownCloserAt(state: ReaderState, block: Block, closers: readonly string[], end: number): number {
  const strings = stringsOf(state.format, block.kind);
  const { quotes, escapes } = strings;
  const text = state.store.slice(block.valueStart, end);
  const firsts = new Set([...closers, ...quotes].map((one) => one[0]));
  let isProven = true;
  // What opens the block itself ends nothing.
  const own = closers.find((closer) => text.startsWith(closer) && block.valueStart === block.start);
  for (let at = own?.length ?? 0; at < text.length; ) {
    const quote = isProven && firsts.has(text[at]) ? quotes.find((one) => text.startsWith(one, at)) : undefined;
    if (quote !== undefined) {
      const next = stringEnd(text, at, text.length, quote, strings);
      isProven = next >= 0;
      if (!isProven && nextQuoteEnd(text, at, text.length, quote, escapes) < 0) {
        const own = ownLineOf(
          closers.filter((one) => !state.openers.includes(one)),
          text,
          at,
        );
        return own < 0 ? -1 : block.valueStart + own;
      }
      at = isProven ? next : at + quote.length;
      continue;
    }
    if (firsts.has(text[at]) && closers.some((one) => text.startsWith(one, at))) return block.valueStart + at;
    at++;
  }
  return -1;
}

/**
 * Where the first of some closers begins a line, or ends one, with more closers behind it or not, from an offset on; -1: none does. A
 * string holds no line break as it is: one that nothing closes has lost its quote before that line, or the text is cut.
 */
function ownLineOf(closers: readonly string[], text: string, from: number): number {
  for (let at = text.indexOf("\n", from), line = from; at >= 0; line = at + 1, at = text.indexOf("\n", line)) {
    const ends = closersAtEnd(closers, text.slice(line, at));
    if (ends >= 0) return line + ends;
    const begin = at + (matchAt(blanks, text, at)?.[0].length ?? 0);
    if (closers.some((one) => text.startsWith(one, begin))) return begin;
    at = begin - 1;
  }
  return -1;
}

/** Where the closers begin that a line ends in; -1: it ends in none. */
function closersAtEnd(closers: readonly string[], line: string): number {
  const { end, closer } = beforeClosers(line, closers);
  return closer === undefined ? -1 : end + (matchAt(blanks, line, end)?.[0].length ?? 0);
}

/**
 * What proves that a damaged block ends at an offset; undefined: nothing does. Raw text has no strings: what its grammar skips
 * says what stands in values. Where it skips nothing, no end is proven.
 */
export function endProof(state: ReaderState, block: Block, end: number): EndProof | undefined {
  const strings = stringsOf(state.format, block.kind);
  const { format, store } = state;
  // What delimits strings ends no call.
  const closers = [...(format.closers ?? []), ...(format.framing ?? [])].filter((one) => !strings.quotes.includes(one));
  const text = store.slice(block.valueStart, Math.min(end, store.end));
  if (strings.quotes.length > 0) return stringsEnd(text, closers, strings);
  if (format.rawValues === "bare") return undefined;
  // What is left of a closer may be text: the value may go on with what an opener begins behind it.
  if (endsInHalfCloser(text, format)) return undefined;
  if (!closers.some((closer) => text.trimEnd().endsWith(closer))) return "likely";
  // The closer of a section closes no call that has none of its own.
  const last = String(format.template?.call.at(-1) ?? "").trim();
  return last === "" || text.includes(last) ? "certain" : "likely";
}

/** A text ends in the beginning of a closer which is that of no call. */
function endsInHalfCloser(text: string, { closers = [], template }: Omit<FormatData, "program">): boolean {
  const half = halfCloser.exec(text.slice(-halfCloserMax))?.[0].trimEnd();
  if (half === undefined) return false;
  const ofValue = parameterTagOf(template)?.closeTag;
  return half === "</" || !closers.some((closer) => closer !== ofValue && closer.startsWith(half));
}

const halfCloser = /<\/[^<>\s]*\s*$/;
const halfCloserMax = 128;

/** How the strings of a call are written, by how its members are. */
export function stringsOf(
  { pythonValues, rawValues, template, handlers }: Omit<FormatData, "program">,
  kind: Block["kind"],
): Strings {
  if (pythonValues) return { quotes: ['"', "'"], escapes: true, isSpaced: false };
  // Tokens of the format's own.
  const own = template?.style?.string;
  if (own) return { quotes: [own[0]], escapes: false, isSpaced: false };
  if (kind === "members" && rawValues) return { quotes: [], escapes: true, isSpaced: false };
  const isSpaced = kind === "members" && handlers?.[role.Key] !== undefined;
  return { quotes: isSpaced ? ['"', "'"] : ['"'], escapes: true, isSpaced };
}
